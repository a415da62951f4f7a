"""Control entries: entries in a table's list of moves that are not moves of its game, such as `!resign`.

Their text begins with a prefix that no game's notation uses. They count as steps and draw no random numbers.
"""

from dataclasses import dataclass, replace
from typing import Final, TypeAlias, assert_never

from bot.rules.game import EndReason, Outcome, Seat
from bot.rules.refusals import unreadable

CONTROL_ENTRY_PREFIX = "!"


@dataclass(frozen=True, slots=True)
class Resign:
    """Resign; a computer player takes over the seat while others still play."""

    def __str__(self) -> str:
        return "!resign"


@dataclass(frozen=True, slots=True)
class AskForSubstitute:
    """Vote for a computer player in an absent player's seat."""

    absent: Seat

    def __str__(self) -> str:
        return f"!ask {self.absent}"


@dataclass(frozen=True, slots=True)
class Substitute:
    """Put a computer player into an absent player's seat."""

    absent: Seat

    def __str__(self) -> str:
        return f"!substitute {self.absent}"


@dataclass(frozen=True, slots=True)
class ComeBack:
    """Take the seat back from its substitute."""

    def __str__(self) -> str:
        return "!back"


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back the player's newest move."""

    def __str__(self) -> str:
        return "!undo"


@dataclass(frozen=True, slots=True)
class AgreeToClose:
    """Propose to close the table without a result, or agree to a proposal."""

    def __str__(self) -> str:
        return "!close"


@dataclass(frozen=True, slots=True)
class Remove:
    """Give the seat to a computer player for good, as a moderator has decided."""

    def __str__(self) -> str:
        return "!remove"


ControlEntry: TypeAlias = Resign | AskForSubstitute | Substitute | ComeBack | TakeBack | AgreeToClose | Remove

_ENTRIES_WITHOUT_SEAT: Final[dict[str, ControlEntry]] = {
    str(entry): entry for entry in (Resign(), ComeBack(), TakeBack(), AgreeToClose(), Remove())
}
_ENTRIES_WITH_SEAT: Final[dict[str, type[AskForSubstitute | Substitute]]] = {
    "!ask": AskForSubstitute,
    "!substitute": Substitute,
}
"""Entries that name a seat, by first word."""


class TableEndReason(EndReason):
    """Why a table is over although its game is not."""

    RESIGNED = "resigned"


@dataclass(frozen=True, slots=True)
class SeatStatus:
    """Which seats have resigned, are substituted, were removed or have voted, according to the control entries."""

    resigned: frozenset[Seat] = frozenset()
    substituted: frozenset[Seat] = frozenset()
    """Seats where a computer player substitutes for an absent player."""
    askers: frozenset[Seat] = frozenset()
    """Seats that have voted to substitute a computer player for the player to move."""
    closers: frozenset[Seat] = frozenset()
    """Seats that have agreed to close the table without a result."""
    removed: frozenset[Seat] = frozenset()
    """Those of the substituted seats whose people a moderator has removed, so that they can't come back."""

    @property
    def left(self) -> frozenset[Seat]:
        """The seats whose people have left for good."""
        return self.resigned | self.removed if self.removed else self.resigned

    @property
    def vacated(self) -> frozenset[Seat]:
        """The seats of people that a computer player plays now."""
        # Every move in a table's news refers to this set; a new set each time would take most of the table's memory.
        return self.resigned | self.substituted if self.substituted else self.resigned


EVERYBODY_PLAYS = SeatStatus()


def parse_control_entry(text: str) -> ControlEntry:
    """Read a control entry.

    Raises:
        Refusal: The text is unreadable.
    """
    word, _, seat = text.partition(" ")
    if entry := _ENTRIES_WITHOUT_SEAT.get(text):
        return entry
    if word in _ENTRIES_WITH_SEAT and seat in set("0123456789"):
        return _ENTRIES_WITH_SEAT[word](int(seat))
    raise unreadable(text)


def update_seat_status(status: SeatStatus, seat: Seat, entry: ControlEntry) -> SeatStatus:
    """Return the seat status after a control entry."""
    match entry:
        case Resign():
            resigned, substituted = status.resigned | {seat}, status.substituted - {seat}
            return SeatStatus(resigned, substituted, closers=status.closers - {seat}, removed=status.removed)
        case Remove():
            removed, substituted = status.removed | {seat}, status.substituted | {seat}
            return SeatStatus(status.resigned, substituted, closers=status.closers - {seat}, removed=removed)
        case AskForSubstitute():
            return replace(status, askers=status.askers | {seat})
        case Substitute() | ComeBack():
            substituted = status.substituted - {seat}
            if isinstance(entry, Substitute):
                substituted = status.substituted | {entry.absent}
            return replace(status, substituted=substituted, askers=frozenset())
        case TakeBack():
            return status
        case AgreeToClose():
            return replace(status, closers=status.closers | {seat})
        case _:
            assert_never(entry)


def seat_status_after_move(status: SeatStatus, *, by_person: bool) -> SeatStatus:
    """Return the seat status after a move: votes about the seat lapse, and a person's move withdraws a proposal."""
    if not status.askers and not (status.closers and by_person):
        return status
    return replace(status, askers=frozenset(), closers=frozenset() if by_person else status.closers)


def rank_resigned_last(outcome: Outcome | None, resigned: frozenset[Seat], seats: int) -> Outcome:
    """Rank the resigned seats last, in one shared place.

    Args:
        outcome: The ranking by the rules, or None if the game did not end by them: then all other seats share first
            place with a score of 0.
        resigned: The seats that have resigned.
        seats: How many seats the table has.
    """
    outcome = outcome or Outcome((1,) * seats, (0,) * seats, TableEndReason.RESIGNED)
    stayed = [seat for seat in range(seats) if seat not in resigned]
    # Every seat that stayed beats every seat that resigned.
    places = tuple(
        1 + sum(seat not in stayed or outcome.places[other] < outcome.places[seat] for other in stayed)
        for seat in range(seats)
    )
    return replace(outcome, places=places)
