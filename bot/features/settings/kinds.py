"""What a setting is: its values, their stored form, and what was chosen."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import time
from enum import StrEnum
from typing import Any, ClassVar, Final, Generic, TypeVar

from discord import ChannelType

from bot.platform.discord.answers import Interaction
from bot.platform.discord.menus import MAX_CHOSEN
from bot.platform.time_zones import format_clock
from bot.rules.refusals import RefusalReason
from bot.words import N_, gettext as _, join_items

T = TypeVar("T")
TextT = TypeVar("TextT", bound=str)
ChoiceT = TypeVar("ChoiceT", bound=StrEnum)


DISCORDS_LANGUAGE: Final = "discord"
"""The value of a language that follows Discord; no language has this code."""


class SettingsSection(StrEnum):
    """The pages of the settings panel."""

    TABLES = "tables"
    THREADS = "threads"
    GAMES = "games"
    PLAY = "play"
    LOOK = "look"
    TIME = "time"
    LIMITS = "limits"
    MODERATION = "moderation"
    TOURNAMENTS = "tournaments"
    DAILY = "daily"
    BANS = "bans"
    """The members who may not play; another feature renders it."""
    CHANGES = "changes"
    """The newest changes, and who made them."""


class Values(ABC, Generic[T]):
    """The possible values of a setting, and their stored form."""

    @abstractmethod
    def encode(self, value: T) -> str:
        """Return the stored form of a value."""

    @abstractmethod
    def decode(self, text: str) -> T:
        """Return a stored value."""


@dataclass(frozen=True)
class Switch(Values[bool]):
    """On or off."""

    on: str = ""
    """The meaning of `on`."""
    off: str = ""

    labels: ClassVar[Mapping[str, str]] = {"on": N_("On"), "off": N_("Off")}

    def encode(self, value: bool) -> str:  # noqa: FBT001 - the value of a switch
        """Return `on` or `off`."""
        return "on" if value else "off"

    def decode(self, text: str) -> bool:
        """Return whether it is on."""
        return text == "on"


@dataclass(frozen=True)
class Choice(Values[TextT]):
    """One of a few values."""

    labels: Mapping[TextT, str]
    meaning: str
    """The meaning of a choice: `{choice}` is its label."""
    meanings: Mapping[TextT, str] = field(default_factory=dict)
    """Other meanings, for some choices."""

    def encode(self, value: TextT) -> str:
        """Return the stored text of a choice."""
        return str(value)

    def decode(self, text: str) -> TextT:
        """Return the choice with a stored text."""
        return {str(value): value for value in self.labels}[text]


@dataclass(frozen=True)
class LanguageChoice(Choice[str]):
    """A language by its code, or the one of Discord."""

    def decode(self, text: str) -> str:
        """Return a code, or that of Discord's language if the bot no longer has a language."""
        return text if text in self.labels else DISCORDS_LANGUAGE


@dataclass(frozen=True)
class Hours(Values[int]):
    """A full hour of the day."""

    meaning: str
    """The meaning of a choice; `{choice}` is the hour."""

    @property
    def labels(self) -> Mapping[str, str]:
        """The hours as clocks show them, by what is stored."""
        return {str(hour): format_clock(time(hour)) for hour in range(24)}

    def encode(self, value: int) -> str:
        """Return the hour as a number."""
        return str(value)

    def decode(self, text: str) -> int:
        """Return an hour."""
        return int(text)


@dataclass(frozen=True)
class Zones(Values[str]):
    """The name of a time zone, of which there are too many for a menu."""

    meaning: str
    """The meaning of a choice; `{choice}` is the name."""

    def encode(self, value: str) -> str:
        """Return the name."""
        return value

    def decode(self, text: str) -> str:
        """Return the name."""
        return text


@dataclass(frozen=True)
class AnyOf(Values[frozenset[ChoiceT]]):
    """Any number of a few values."""

    labels: Mapping[ChoiceT, str]
    some: str
    """The meaning of a choice; `{choice}` is the list of labels."""
    none: str
    placeholder: str
    """The text of the empty menu."""

    def in_words(self, values: Iterable[ChoiceT]) -> str:
        """Return values as a list in the order of the labels."""
        return join_items([_(label) for value, label in self.labels.items() if value in values])

    def encode(self, value: frozenset[ChoiceT]) -> str:
        """Return the stored texts of values, separated by spaces."""
        return " ".join(sorted(each.value for each in value))

    def decode(self, text: str) -> frozenset[ChoiceT]:
        """Return values."""
        return frozenset(value for value in self.labels if value.value in text.split())


@dataclass(frozen=True)
class Ids(Values[frozenset[int]]):
    """Any number of channels or roles from Discord's lists; deleted ones are ignored."""

    some: str
    """The meaning of a choice; `{choice}` is the list."""
    none: str
    gone: str
    """The message if all of the chosen ones were deleted."""
    placeholder: str
    """The text of the empty menu."""

    mention: ClassVar[str]

    @classmethod
    def in_words(cls, ids: Iterable[int]) -> str:
        """Return channels or roles as a list in order of creation; the message must not notify roles."""
        return join_items([cls.mention.format(id_) for id_ in sorted(ids)])

    def encode(self, value: frozenset[int]) -> str:
        """Return ids, separated by spaces."""
        return " ".join(sorted(map(str, value)))

    def decode(self, text: str) -> frozenset[int]:
        """Return ids."""
        return frozenset(map(int, text.split()))


@dataclass(frozen=True)
class Channels(Ids):
    """Channels of the server."""

    types: tuple[ChannelType, ...]
    """The types of channels to offer."""
    most: int = MAX_CHOSEN
    """The most channels that can be chosen."""

    mention: ClassVar[str] = "<#{}>"


@dataclass(frozen=True)
class Roles(Ids):
    """Roles of the server, but not the one that everybody has."""

    refuses_everyone: RefusalReason
    """The reason for refusing the role that everybody has."""
    are_mentioned: bool = False
    """Whether the bot mentions them, so that only members who may do so can choose them."""
    most: int = MAX_CHOSEN
    """The most roles that can be chosen."""

    mention: ClassVar[str] = "<@&{}>"


@dataclass(frozen=True)
class GamesOff(Values[frozenset[str]]):
    """Keys of games that are switched off."""

    def encode(self, value: frozenset[str]) -> str:
        """Return keys, separated by spaces."""
        return " ".join(sorted(value))

    def decode(self, text: str) -> frozenset[str]:
        """Return keys."""
        return frozenset(text.split())


@dataclass(frozen=True)
class OptionsByGame(Values[Mapping[str, str]]):
    """Changed default options of games, as JSON by the game's key."""

    def encode(self, value: Mapping[str, str]) -> str:
        """Return a JSON object."""
        return json.dumps(dict(value), sort_keys=True)

    def decode(self, text: str) -> Mapping[str, str]:
        """Return options by game."""
        options: dict[str, str] = json.loads(text)
        return options


def labels_of(values: Values[Any]) -> Mapping[str, str]:
    """Return the texts of a few values by their stored form; none for values of other kinds."""
    return values.labels if isinstance(values, Switch | Choice | Hours) else {}


@dataclass(frozen=True, eq=False)
class Setting(Generic[T]):
    """A setting of a server, of direct messages, or of a person."""

    key: str
    """Its name in custom ids, commands and the database."""
    section: SettingsSection | None
    """The page of the setting; None if it is changed elsewhere."""
    title: str
    default: T
    values: Values[T]
    """The values in a server."""
    direct: Values[T] | str | None = None
    """The values in a direct message; a text that says why there is no choice; None to hide the setting."""
    is_personal: bool = False
    """Whether a choice made in a direct message is the person's own and holds everywhere."""
    unavailable: str = ""
    """The message if the host has turned the feature off for the whole bot."""
    note: Callable[[Interaction, "Chosen"], str] | None = None
    """Returns what the bot lacks here for the choices of the place; an empty text if nothing."""
    is_shown_at_tables: bool = False
    """Whether a change affects the look of open tables."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The choices of a server, a direct message or a person."""

    texts: Mapping[str, str] = field(default_factory=dict)
    """The stored values that differ from the defaults, by the settings' keys."""

    def get(self, setting: Setting[T]) -> T:
        """Return the value of a setting."""
        text = self.texts.get(setting.key)
        return setting.default if text is None else setting.values.decode(text)

    def with_value(self, setting: Setting[T], value: T) -> "Chosen":
        """Return a copy with another value of a setting."""
        others = {key: text for key, text in self.texts.items() if key != setting.key}
        return Chosen(others if value == setting.default else {**others, setting.key: setting.values.encode(value)})
