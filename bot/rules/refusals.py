"""Refusals of moves and actions: an exception with a reason and typed facts, but no message."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum


class RefusalReason(StrEnum):
    """Base of the enums of reasons."""


class CommonReason(RefusalReason):
    """Reasons in all games."""

    UNREADABLE = "unreadable"
    NOT_TO_MOVE = "not_to_move"
    GAME_OVER = "game_over"


@dataclass(frozen=True)
class RefusalFacts:
    """Base of the facts of refusals; a subclass has a field for each name in the braces of a message."""

    def by_name(self) -> Mapping[str, object]:
        """Return the facts as a mapping for `str.format_map`."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


NO_FACTS = RefusalFacts()


@dataclass(frozen=True)
class UnreadableText(RefusalFacts):
    """Text that is not a move; it is logged, but not shown."""

    text: str
    expected: str = ""
    """The notation of all moves."""


@dataclass(frozen=True)
class DieFacts(RefusalFacts):
    """The place of a die, as named by the move."""

    die: int


class Refusal(Exception):
    """A move or an action is not allowed."""

    def __init__(self, reason: RefusalReason, facts: RefusalFacts = NO_FACTS) -> None:
        super().__init__(reason.value, facts)
        self.reason = reason
        self.facts = facts

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Refusal):
            return NotImplemented
        return (self.reason, self.facts) == (other.reason, other.facts)

    def __hash__(self) -> int:
        return hash(self.reason)


def unreadable(text: str, expected: str = "") -> Refusal:
    """Return the refusal of a text that is not a move in the game's notation."""
    return Refusal(CommonReason.UNREADABLE, UnreadableText(text, expected))
