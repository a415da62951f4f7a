"""How long tests wait for an event: long enough for a busy machine."""

DEADLINE_SECONDS = 30.0
"""How long people in the sandbox wait for an answer; tests that are about late answers set the clock forward."""
