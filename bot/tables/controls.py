"""Control entries: what stands in a table's list of moves and is no move of its game.

Their texts begin with a mark that no game's notation begins with. They count as steps and roll nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, assert_never

from bot.rules.game import Seat
from bot.rules.outcome import EndReason, Outcome
from bot.rules.refusals import KernelReason, Refusal

MARK = "!"


@dataclass(frozen=True, slots=True)
class Resign:
    """Give the game up; a computer player plays on where others still play."""

    def __str__(self) -> str:
        return "!resign"


@dataclass(frozen=True, slots=True)
class Ask:
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
class Close:
    """Propose to close the table without a result, or agree to that."""

    def __str__(self) -> str:
        return "!close"


ControlEntry: TypeAlias = Resign | Ask | Substitute | ComeBack | TakeBack | Close

_BARE: Final[dict[str, ControlEntry]] = {str(entry): entry for entry in (Resign(), ComeBack(), TakeBack(), Close())}
_ABOUT: Final[dict[str, type[Ask | Substitute]]] = {"!ask": Ask, "!substitute": Substitute}
"""Entries that name a seat, by their first word."""


class TableEnd(EndReason):
    """Why a table is over although its game is not."""

    RESIGNED = "resigned"


@dataclass(frozen=True, slots=True)
class Standing:
    """How the people at a table stand to their seats, as the control entries say."""

    resigned: frozenset[Seat] = frozenset()
    substituted: frozenset[Seat] = frozenset()
    """Seats in which a computer player stands in for somebody."""
    askers: frozenset[Seat] = frozenset()
    """Who has asked for a computer player in the place of whoever is to move."""
    closers: frozenset[Seat] = frozenset()
    """Who has agreed to close the table without a result."""

    @property
    def left(self) -> frozenset[Seat]:
        """The seats whose people do not make their moves themselves."""
        # Each of the newest moves holds on to it, and a set of its own would be most of what that takes.
        return self.resigned | self.substituted if self.substituted else self.resigned


EVERYBODY_PLAYS = Standing()


def parse_control(text: str) -> ControlEntry:
    """Read a control entry; raises an unreadable refusal."""
    word, _, seat = text.partition(" ")
    if entry := _BARE.get(text):
        return entry
    if word in _ABOUT and seat in set("0123456789"):
        return _ABOUT[word](int(seat))
    raise Refusal(KernelReason.UNREADABLE, text=text)


def stood(standing: Standing, seat: Seat, entry: ControlEntry) -> Standing:
    """Return how the people stand to their seats after one more control entry."""
    match entry:
        case Resign():
            resigned, substituted = standing.resigned | {seat}, standing.substituted - {seat}
            return Standing(resigned, substituted, closers=standing.closers - {seat})
        case Ask():
            return replace(standing, askers=standing.askers | {seat})
        case Substitute(absent):
            return replace(standing, substituted=standing.substituted | {absent}, askers=frozenset())
        case ComeBack():
            return replace(standing, substituted=standing.substituted - {seat}, askers=frozenset())
        case TakeBack():
            return standing
        case Close():
            return replace(standing, closers=standing.closers | {seat})
        case _:
            assert_never(entry)


def moved_on(standing: Standing, *, by_person: bool) -> Standing:
    """Return the standing after a move: what was asked about its seat lapses, and a person's move ends a proposal."""
    if not standing.askers and not (standing.closers and by_person):
        return standing
    return replace(standing, askers=frozenset(), closers=frozenset() if by_person else standing.closers)


def ranked(outcome: Outcome | None, resigned: frozenset[Seat], seats: int) -> Outcome:
    """Rank those who resigned last, in a place they share.

    Without an outcome of the rules the others share the first place, and nobody has scored.
    """
    outcome = outcome or Outcome((1,) * seats, (0,) * seats, TableEnd.RESIGNED)
    stayed = [seat for seat in range(seats) if seat not in resigned]
    places = (_place(outcome.places, seat, stayed) for seat in range(seats))
    return replace(outcome, places=tuple(places))


def _place(places: Sequence[int], seat: Seat, stayed: Sequence[Seat]) -> int:
    """Count those who did better; everybody who stayed did better than those who resigned."""
    return 1 + sum(seat not in stayed or places[other] < places[seat] for other in stayed)
