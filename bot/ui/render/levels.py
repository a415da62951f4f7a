"""The names of the levels of computer players."""

from bot.words import N_, gettext as _

_LEVEL_NAMES = {"random": N_("Easy"), "sensible": N_("Normal")}


def level_name(level: str) -> str:
    """Return a level's display name; a level without one is its own."""
    return _(_LEVEL_NAMES.get(level, level))
