"""Why a move is not allowed: one exception with a reason and typed facts, no sentences."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum


class RefusalReason(StrEnum):
    """Base of every enum of reasons; each reason has one sentence beside the screen that shows it."""


class CommonReason(RefusalReason):
    """Reasons that every game shares."""

    UNREADABLE = "unreadable"
    NOT_TO_MOVE = "not_to_move"
    GAME_OVER = "game_over"


@dataclass(frozen=True)
class RefusalFacts:
    """Base of the facts of a refusal: a subclass has a field for each name that stands in braces in the sentence."""

    def by_name(self) -> Mapping[str, object]:
        """Return the facts as `str.format_map` takes them."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


NO_FACTS = RefusalFacts()


@dataclass(frozen=True)
class UnreadableText(RefusalFacts):
    """What could not be read as a move; it is logged, and no sentence repeats it."""

    text: str


class Refusal(Exception):
    """A move or an action that is not allowed, with the facts that its sentence needs."""

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


def unreadable(text: str) -> Refusal:
    """Return the refusal of something that is no move in the game's notation."""
    return Refusal(CommonReason.UNREADABLE, UnreadableText(text))
