"""Control entries: what stands in a table's list of moves and is no move of its game.

Their texts begin with a mark that no game's notation begins with. They count as steps and roll nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, assert_never

from bot.rules.game import Seat
from bot.rules.outcome import EndReason, Outcome
from bot.rules.refusals import unreadable

CONTROL_PREFIX = "!"


@dataclass(frozen=True, slots=True)
class Resign:
    """Give the game up; a computer player plays on where others still play."""

    def __str__(self) -> str:
        return "!resign"


@dataclass(frozen=True, slots=True)
class AskForSubstitute:
    """Ask for a computer player in the seat of somebody who is absent."""

    absent: Seat

    def __str__(self) -> str:
        return f"!ask {self.absent}"


@dataclass(frozen=True, slots=True)
class Substitute:
    """Put a computer player into the seat of somebody who is absent."""

    absent: Seat

    def __str__(self) -> str:
        return f"!substitute {self.absent}"


@dataclass(frozen=True, slots=True)
class ComeBack:
    """Take one's own seat back from a computer player."""

    def __str__(self) -> str:
        return "!back"


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take one's newest move back."""

    def __str__(self) -> str:
        return "!undo"


@dataclass(frozen=True, slots=True)
class AgreeToClose:
    """Propose to close the table without a result, or agree to that."""

    def __str__(self) -> str:
        return "!close"


ControlEntry: TypeAlias = Resign | AskForSubstitute | Substitute | ComeBack | TakeBack | AgreeToClose

_ENTRIES_WITHOUT_SEAT: Final[dict[str, ControlEntry]] = {
    str(entry): entry for entry in (Resign(), ComeBack(), TakeBack(), AgreeToClose())
}
_ENTRIES_WITH_SEAT: Final[dict[str, type[AskForSubstitute | Substitute]]] = {
    "!ask": AskForSubstitute,
    "!substitute": Substitute,
}
"""Entries that name a seat, by their first word."""


class TableEndReason(EndReason):
    """Why a table is over although its game is not."""

    RESIGNED = "resigned"


@dataclass(frozen=True, slots=True)
class SeatStatus:
    """How the people at a table stand to their seats, as the control entries say."""

    resigned: frozenset[Seat] = frozenset()
    substituted: frozenset[Seat] = frozenset()
    """Seats in which a computer player stands in for somebody."""
    askers: frozenset[Seat] = frozenset()
    """Who has asked for a computer player in the place of whoever is to move."""
    closers: frozenset[Seat] = frozenset()
    """Who has agreed to close the table without a result."""

    @property
    def vacated(self) -> frozenset[Seat]:
        """The seats whose people do not make their moves themselves."""
        # Each of the newest moves holds on to it, and a set of its own would be most of what that takes.
        return self.resigned | self.substituted if self.substituted else self.resigned


EVERYBODY_PLAYS = SeatStatus()


def parse_control(text: str) -> ControlEntry:
    """Read a control entry; raises an unreadable refusal."""
    word, _, seat = text.partition(" ")
    if entry := _ENTRIES_WITHOUT_SEAT.get(text):
        return entry
    if word in _ENTRIES_WITH_SEAT and seat in set("0123456789"):
        return _ENTRIES_WITH_SEAT[word](int(seat))
    raise unreadable(text)


def update_seat_status(standing: SeatStatus, seat: Seat, entry: ControlEntry) -> SeatStatus:
    """Return how the people stand to their seats after one more control entry."""
    match entry:
        case Resign():
            resigned, substituted = standing.resigned | {seat}, standing.substituted - {seat}
            return SeatStatus(resigned, substituted, closers=standing.closers - {seat})
        case AskForSubstitute():
            return replace(standing, askers=standing.askers | {seat})
        case Substitute(absent):
            return replace(standing, substituted=standing.substituted | {absent}, askers=frozenset())
        case ComeBack():
            return replace(standing, substituted=standing.substituted - {seat}, askers=frozenset())
        case TakeBack():
            return standing
        case AgreeToClose():
            return replace(standing, closers=standing.closers | {seat})
        case _:
            assert_never(entry)


def seat_status_after_move(standing: SeatStatus, *, by_person: bool) -> SeatStatus:
    """Return the standing after a move: what was asked about its seat lapses, and a person's move ends a proposal."""
    if not standing.askers and not (standing.closers and by_person):
        return standing
    return replace(standing, askers=frozenset(), closers=frozenset() if by_person else standing.closers)


def rank_resigned_last(outcome: Outcome | None, resigned: frozenset[Seat], seats: int) -> Outcome:
    """Rank those who resigned last, in a place they share.

    Without an outcome of the rules the others share the first place, and nobody has scored.
    """
    outcome = outcome or Outcome((1,) * seats, (0,) * seats, TableEndReason.RESIGNED)
    stayed = [seat for seat in range(seats) if seat not in resigned]
    places = (_place(outcome.places, seat, stayed) for seat in range(seats))
    return replace(outcome, places=tuple(places))


def _place(places: Sequence[int], seat: Seat, stayed: Sequence[Seat]) -> int:
    """Count those who did better; everybody who stayed did better than those who resigned."""
    return 1 + sum(seat not in stayed or places[other] < places[seat] for other in stayed)
