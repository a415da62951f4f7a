"""What a review says below the result: a comeback, and one tip.

Games are reviewed in the background once they are over, which takes a fraction of a second; then the result is shown
again if there is anything to say. Whoever asks for the review later finds it stored.
"""

import asyncio
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from cachetools import LRUCache

from bot.features.replays.handlers import Replays
from bot.features.results.milestones import Milestones
from bot.features.reviews.handlers import Reviewer
from bot.features.reviews.messages import describe_amount
from bot.platform.tasks import TaskSet
from bot.rules.evaluation import Unit
from bot.rules.game import Seat
from bot.rules.refusals import Refusal
from bot.rules.review import Decision, Review
from bot.rules.rewards import sole_winner
from bot.tables.control_entries import TableEndReason
from bot.tables.model import TableId
from bot.tables.results import results_of
from bot.tables.service import TableService
from bot.tables.shown.links import escaped_seat_names
from bot.tables.shown.pride import Pride, ProudFact, is_addressed
from bot.tables.table import Table
from bot.words import format_number, format_odds, gettext as _

_MOST_KNOWN: Final = 5000
_MOST_WAITING: Final = 8
"""While more games than these wait for their reviews, further ones get none."""

_LONG_SHOT: Final = 0.6
"""A win from less than this share of an even chance is a comeback: from 30% between two."""

_LEAST_LOSSES: Final = {Unit.WINS: 0.05, Unit.POINTS: 25.0, Unit.FINAL_POINTS: 25.0}
"""What a decision must have cost to be worth a tip."""

_FEWEST_GAMES: Final = 2
"""Nobody gets a tip after their first game."""


class _Insight(NamedTuple):
    """What is worth telling of a review."""

    chance: float | None
    """The least chance that the only winner had; None if it was no long shot, or is not known."""
    slips: dict[Seat, Decision]
    """The most expensive decision of each seat that cost enough."""


class Hindsight:
    """Reviews finished games in the background."""

    def __init__(
        self,
        service: TableService,
        replays: Replays,
        reviewer: Reviewer,
        milestones: Milestones,
        show_again: Callable[[TableId], None],
    ) -> None:
        self._service = service
        self._replays = replays
        self._reviewer = reviewer
        self._milestones = milestones
        self._show_again = show_again
        self._known: LRUCache[TableId, _Insight] = LRUCache(_MOST_KNOWN)
        self._tasks = TaskSet("review of a finished game")
        self._one_by_one = asyncio.Semaphore()
        self._waiting = 0

    def on_table_changed(self, table: Table) -> None:
        """Review a table that has just ended, if somebody could be told of it and there is time."""
        if table.outcome is None or table.package.mind.evaluate is None or self._waiting >= _MOST_WAITING:
            return
        has_decided = table.outcome.reason is not TableEndReason.RESIGNED
        if has_decided and table.kind.has_own_dice and table.remaining_players and results_of(table):
            self._tasks.start(table.id, self._review(table))

    def facts(self, table: Table) -> Iterator[ProudFact]:
        """Yield the comeback of the winner."""
        winner, insight = sole_winner(table.outcome), self._known.get(table.id)
        if insight is None or insight.chance is None or winner not in table.remaining_players:
            return
        chance, name = format_odds(insight.chance), escaped_seat_names(table)[winner]
        line = _("📈 {name} came back from a chance of {chance}!")
        if is_addressed(table, winner):
            line = _("📈 You came back from a chance of {chance}!")
        dare = _("Can you come back from {chance}?").format(chance=chance)
        yield ProudFact(Pride.COMEBACK, winner, line.format(name=name, chance=chance), dare)

    def tips(self, table: Table) -> Iterator[str]:
        """Yield the biggest chance that the only person at a table has missed; none after a first game or a hint."""
        insight = self._known.get(table.id)
        if insight is None:
            return
        for milestone in self._milestones.known(table):
            seat = milestone.seat
            has_tip = seat in insight.slips and milestone.games >= _FEWEST_GAMES and table.header.is_unaided(seat)
            if has_tip and is_addressed(table, seat):
                slip = insight.slips[seat]
                line = _("Biggest chance missed: turn {turn}, about {loss}")
                loss = describe_amount(slip.assessment.loss, slip.assessment.unit)
                yield line.format(turn=format_number(slip.turn), loss=loss)

    def clear(self) -> None:
        """Forget everything that was found out."""
        self._known.clear()

    async def close(self, seconds: float) -> None:
        """Give up what is in progress after some seconds."""
        await self._tasks.close(seconds)

    async def _review(self, table: Table) -> None:
        self._waiting += 1
        try:
            async with self._one_by_one:
                replay = await self._replays.replay(await self._service.load_stored(table.id))
                review = await asyncio.shield(self._reviewer.start(replay).task)
        except Refusal:
            return  # nothing in it can be reviewed
        finally:
            self._waiting -= 1
        self._known[table.id] = _find_insight(table, review)
        if [*self.facts(table), *self.tips(table)]:
            self._show_again(table.id)


def _find_insight(table: Table, review: Review) -> _Insight:
    winner = sole_winner(table.outcome)
    chance = None
    if winner is not None and review.unit is Unit.WINS and review.curve:
        least = min(row[winner] for row in review.curve)
        chance = least if least < _LONG_SHOT / len(table.seats) else None
    slips: dict[Seat, Decision] = {}
    # The most expensive ones come first.
    for decision in review.costly:
        if decision.assessment.loss >= _LEAST_LOSSES[decision.assessment.unit]:
            slips.setdefault(decision.seat, decision)
    return _Insight(chance, slips)
