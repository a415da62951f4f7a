"""The decisions of a finished game, from which its review is made."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from bot.rules.chance import FairChance
from bot.rules.evaluation import Unit
from bot.rules.game import Event, Seat, SeatEvent
from bot.rules.refusals import RefusalReason
from bot.rules.review import Assessment, Decision, Review, review_game
from bot.tables.control_entries import TableEndReason, TakeBack
from bot.tables.model import Entry
from bot.tables.replay import control_entry_of
from bot.tables.table import Table
from bot.tables.thinker import Question
from bot.words import N_


class ReviewReason(RefusalReason):
    """Why there is no review."""

    NO_REVIEW = "no_review"
    REVIEW_FAILED = "review_failed"


REVIEW_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    ReviewReason.NO_REVIEW: N_("There is nothing to review in this game. *Replay* shows how it went."),
    ReviewReason.REVIEW_FAILED: N_("Something went wrong while I reviewed this game. Please try again in a minute."),
}
"""The message for each reason."""

_OTHER_NUMBERS: Final = 4
"""How often a move is made with other random numbers: a single die may fall the same again."""


@dataclass(frozen=True, slots=True)
class MadeMove:
    """A move chosen among several, with the knowledge of its seat."""

    step: int
    seat: Seat
    turn: int
    gained: float
    """The points that the seat made in the turn."""
    is_followed_by_chance: bool
    """Whether the move rolled or drew something."""
    is_own_chance: bool
    """Whether chance decided what happened to the seat, and not only what the next player gets."""
    is_vacated: bool
    """Whether a computer player made the move for a person who had resigned or was absent."""
    text: str
    """The move in the game's notation."""
    question: Question
    chosen: int
    """The index of the move among the legal moves."""

    def decide(self, assessment: Assessment) -> Decision:
        """Return the decision, given the values of its moves."""
        return Decision(
            step=self.step,
            seat=self.seat,
            turn=self.turn,
            gained=self.gained,
            is_followed_by_chance=self.is_followed_by_chance,
            is_own_chance=self.is_own_chance,
            is_vacated=self.is_vacated,
            move=self.text,
            assessment=assessment,
        )


def find_made_moves(
    entries: Sequence[Entry], stages: Sequence[Table], turn_starts: Sequence[int]
) -> Iterator[MadeMove | None]:
    """Yield, for each entry, the move if it was chosen among several; otherwise None.

    Args:
        entries: All entries.
        stages: The table after the set-up, and after each entry.
        turn_starts: The steps at which turns start.
    """
    undone = _undone_steps(entries)
    gains = _gains_of(stages, turn_starts)
    turn = 0
    for entry, before in zip(entries, stages, strict=False):
        while turn < len(turn_starts) and turn_starts[turn] < entry.step:
            turn += 1
        is_made = control_entry_of(entry) is None and entry.step not in undone
        moves = before.package.game.legal_moves(before.state) if is_made else ()
        if len(moves) > 1:
            game, gained = before.package.game, gains[turn - 1][entry.seat]
            question = Question(before.header.game, game.view(before.state, entry.seat), moves)
            move, after = game.parse_move(entry.text), stages[entry.step]
            yield MadeMove(
                step=entry.step,
                seat=entry.seat,
                turn=turn,
                gained=gained,
                is_followed_by_chance=bool(after.numbers),
                is_own_chance=bool(after.numbers)
                and _depends_on_chance(before, entry.seat, move, after.news[-1].events),
                is_vacated=entry.seat in before.seat_status.vacated,
                text=entry.text,
                question=question,
                chosen=moves.index(move),
            )
        else:
            yield None


def _depends_on_chance(before: Table, seat: Seat, move: Any, events: Sequence[Event]) -> bool:
    """Return whether other random numbers would have made other events of the seat that moved."""
    seen = _events_of_seat(seat, events)
    for number in range(_OTHER_NUMBERS):
        chance = FairChance(bytes([number]), "", 0)
        if _events_of_seat(seat, before.package.game.play(before.state, seat, move, chance)[1]) != seen:
            return True
    return False


def _events_of_seat(seat: Seat, events: Sequence[Event]) -> list[Event]:
    return [event for event in events if not isinstance(event, SeatEvent) or event.seat == seat]


def _undone_steps(entries: Sequence[Entry]) -> frozenset[int]:
    """Return the steps of the moves that were taken back."""
    made: dict[Seat, list[int]] = {}
    undone: set[int] = set()
    for entry in entries:
        control_entry = control_entry_of(entry)
        if control_entry is None:
            made.setdefault(entry.seat, []).append(entry.step)
        elif isinstance(control_entry, TakeBack):
            undone.add(made[entry.seat].pop())
    return frozenset(undone)


def _gains_of(stages: Sequence[Table], turn_starts: Sequence[int]) -> list[tuple[float, ...]]:
    """Return, for each turn, how much each seat's score improved."""
    sign = -1 if stages[0].package.results.score_kind.lower_is_better else 1
    scores = [_scores_of(stages[step]) for step in (*turn_starts, len(stages) - 1)]
    return [
        tuple(float(sign * (now - then)) for then, now in zip(before, after, strict=True))
        for before, after in pairwise(scores)
    ]


def _scores_of(stage: Table) -> Sequence[int]:
    scores_of = stage.package.results.scores_of
    return [0] * len(stage.seats) if scores_of is None else scores_of(stage.state)


def review_table(end: Table, decisions: Sequence[Decision]) -> Review | None:
    """Review a finished table, given its decisions; None if it has no outcome or no decisions."""
    if end.outcome is None:
        return None
    winners = end.outcome.winners
    points = [float(score) for score in _scores_of(end)]
    shares = [(seat in winners) / len(winners) for seat in range(len(end.seats))]
    results = {Unit.POINTS: points, Unit.FINAL_POINTS: points, Unit.WINS: shares}
    return review_game(decisions, results, is_whole=end.outcome.reason is not TableEndReason.RESIGNED)
