"""What people do and what the bot answers, in Discord's terms."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeAlias

from bot.platform.places import Location, Person

Json: TypeAlias = dict[str, Any]
EPHEMERAL = 1 << 6


class ActKind(IntEnum):
    """The kind of an act, in Discord's numbers."""

    COMMAND = 2
    COMPONENT = 3
    SUGGEST = 4
    MODAL = 5


class AnswerKind(IntEnum):
    """How a first answer answers, in Discord's numbers."""

    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8


@dataclass(frozen=True, slots=True)
class Act:
    """An act of a person, as it reaches the bot."""

    id: int
    kind: ActKind
    person: Person
    location: Location
    data: Json
    message_id: int | None = None
    is_moderator: bool = False
    mentions: int | None = None
    """The user that the pressed message mentions, as a reminder does."""

    @property
    def custom_id(self) -> str:
        """What was pressed."""
        return str(self.data.get("custom_id", ""))

    @property
    def command(self) -> str:
        """What was typed, without the options; nothing when something was pressed."""
        if self.kind not in (ActKind.COMMAND, ActKind.SUGGEST):
            return ""
        return " ".join(part["name"] for part in _parts(self.data))

    @property
    def options(self) -> Json:
        """The options that were typed."""
        *_, last = _parts(self.data)
        return {each["name"]: each["value"] for each in last.get("options") or () if "value" in each}


def _parts(data: Json) -> list[Json]:
    parts = [data]
    while branches := [each for each in parts[-1].get("options") or () if "value" not in each]:
        parts.append(branches[0])
    return parts


@dataclass(frozen=True, slots=True)
class SentAnswer:
    """An answer to an interaction."""

    act: int
    is_first: bool
    kind: AnswerKind
    data: Json
    in_own_ephemeral: bool = False
    """Whether it changes a message that only who acted sees."""

    @property
    def is_ephemeral(self) -> bool:
        """Whether only who acted sees it."""
        return self.in_own_ephemeral or bool(self.data.get("flags", 0) & EPHEMERAL)


@dataclass(frozen=True, slots=True)
class Pressable:
    """A component of a message that was shown."""

    custom_id: str
    values: tuple[str, ...] = ()
    """What a menu offers; a button offers nothing."""


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A message with what can be pressed there."""

    message_id: int
    location: Location
    pressables: tuple[Pressable, ...]
    reader_id: int | None = None
