"""The names of the levels of computer players."""

from typing import Final

from bot.words import N_, gettext as _

_LEVEL_NAMES = {
    "easy": N_("Easy"),
    "normal": N_("Normal"),
    "strong": N_("Strong"),
    "random": N_("Random"),
}

_LEVEL_SENTENCES = {
    "easy": N_("Easy computers slip up now and then."),
    "normal": N_("Normal computers make the most of every turn."),
    "strong": N_("Strong computers play to win the whole game."),
}

ROUGH_VALUES: Final = N_("The strongest computer player can't be asked, so these values are rougher than usual.")


def level_name(level: str) -> str:
    """Return a level's display name; a level without one is its own."""
    return _(_LEVEL_NAMES.get(level, level))


def describe_level(level: str) -> str:
    """Return a sentence about a level, or nothing for one that only some games have."""
    return _(_LEVEL_SENTENCES[level]) if level in _LEVEL_SENTENCES else ""
