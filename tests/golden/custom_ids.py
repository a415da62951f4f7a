"""The text of every custom id: buttons of messages that are in Discord must keep working."""

from tests.ui.test_custom_ids import IDS


def custom_ids() -> str:
    """Return examples of every kind of custom id, sorted."""
    return "".join(f"{line}\n" for line in sorted(map(str, IDS)))
