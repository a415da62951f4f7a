"""Custom ids of what helps people: help, guides, lessons, the list of games and tips."""

from dataclasses import dataclass
from enum import StrEnum

from bot.platform.discord.ids import CustomId, TableButtonId


class HelpTopic(StrEnum):
    """What the help is about."""

    START = "start"
    PLAY = "play"
    GUIDES = "guides"
    LEARN = "learn"
    COMMANDS = "commands"
    ABOUT = "about"


@dataclass(frozen=True)
class GuidePageId(CustomId, prefix="e"):
    """A page of a guide. It carries the options that decide which pages there are, in the order of the fields."""

    game: str
    page: int
    options: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.prefix}:{self.game}:{self.page}:{','.join(self.options)}"


@dataclass(frozen=True)
class HelpId(CustomId, prefix="f"):
    """A button of the help."""

    topic: HelpTopic


@dataclass(frozen=True)
class LessonId(CustomId, prefix="L"):
    """The button that opens a game's lesson."""

    game: str


@dataclass(frozen=True)
class GameMenuId(CustomId, prefix="1"):
    """A menu of games, whose values are custom ids."""

    page: int


class NoTipsId(TableButtonId, prefix="T"):
    """The button of a table with which a player turns tips off."""
