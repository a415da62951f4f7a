"""The levels of computer players, as people read and type them."""

from bot.words import N_, gettext as _

_LEVEL_NAMES = {"random": N_("Random"), "sensible": N_("Normal")}


def level_name(level: str) -> str:
    """Return a level's display name; a level without one is its own."""
    return _(_LEVEL_NAMES.get(level, level))


def parse_level(text: str) -> str:
    """Return the level of a display name or a key."""
    typed = text.strip().casefold()
    return next((level for level in _LEVEL_NAMES if level_name(level).casefold() == typed), typed)
