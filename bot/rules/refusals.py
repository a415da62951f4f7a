"""Why a move is not allowed: one exception with a reason, no sentences."""

from enum import StrEnum


class RefusalReason(StrEnum):
    """Base of every enum of reasons; each reason has one sentence beside the screen that shows it."""


class CommonReason(RefusalReason):
    """Reasons that every game shares."""

    UNREADABLE = "unreadable"
    NOT_TO_MOVE = "not_to_move"
    GAME_OVER = "game_over"


class Refusal(Exception):
    """A move or a wish that cannot be granted, with the facts its sentence needs."""

    def __init__(self, reason: RefusalReason, **facts: object) -> None:
        super().__init__(reason.value, facts)
        self.reason = reason
        self.facts = facts

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Refusal):
            return NotImplemented
        return (self.reason, self.facts) == (other.reason, other.facts)

    def __hash__(self) -> int:
        return hash(self.reason)
