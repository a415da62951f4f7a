"""How long tests wait for what has to come: long enough for a machine that is busy with other things."""

DEADLINE_SECONDS = 30.0
"""How long people in the sandbox wait for an answer; tests that are about late answers set the clock forward."""
