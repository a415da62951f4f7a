"""What a review says below the result, once it is made in the background."""

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from bot.features.results.milestones import Milestone
from bot.features.reviews.hindsight import Hindsight
from bot.platform.discord.refusals import ClickReason
from bot.rules.evaluation import Unit
from bot.rules.refusals import Refusal
from bot.rules.review import Assessment, BestMoments, Decision, Review, SeatReview
from bot.tables.model import TableId
from bot.tables.shown.pride import Pride
from bot.tables.table import Table
from tests.support.each_case import each_case
from tests.support.finished_games import finished_magpie

IDLE = SeatReview(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
AGAINST_COMPUTERS, BETWEEN_PEOPLE = 1, 3


def review_of(unit: Unit, loss: float, chance: float) -> Review:
    """Return a review in which the first seat made this mistake in turn 9, and once had this chance."""
    slip = Decision(7, 0, 9, 0, True, "roll 1", Assessment(0, loss, "roll 2", unit, True))
    return Review(
        unit,
        True,
        0,
        (IDLE,) * 3,
        (BestMoments(None, None),) * 3,
        (),
        ((0.5, 0.5, 0.0), (chance, 1 - chance, 0.0)),
        (slip,),
    )


async def look_back(table: Table, review: Review | None, games: int) -> tuple[Hindsight, list[TableId]]:
    """Return what is known once a table's review is made, and the tables that are shown again; None fails."""
    shown: list[TableId] = []

    async def make() -> Review:
        if review is None:
            raise Refusal(ClickReason.UNKNOWN_BUTTON)
        return review

    async def load(*_given: object) -> None:
        pass

    reviewer: Any = SimpleNamespace(start=lambda _replay: SimpleNamespace(task=asyncio.ensure_future(make())))
    milestones: Any = SimpleNamespace(known=lambda _table: (Milestone(0, games),))
    service: Any = SimpleNamespace(load_stored=load)
    replays: Any = SimpleNamespace(replay=load)
    hindsight = Hindsight(service, replays, reviewer, milestones, shown.append)
    hindsight.on_table_changed(table)
    await hindsight.close(1)
    return hindsight, shown


def finished(people: int, *hinted: int) -> Table:
    """Return a finished table whose first seat has won, and of which some seats are people's."""
    table = finished_magpie([(0, 0, 0), (104, 9, 30)])
    computers = (replace(who, user_id=None, level="easy") for who in table.seats[people:])
    header = replace(table.header, hinted=frozenset(hinted))
    return replace(table, seats=(*table.seats[:people], *computers), header=header)


@each_case(
    "unit, loss, people, games, hinted, has_tip",
    [
        (Unit.WINS, 0.05, AGAINST_COMPUTERS, 2, (), True),
        (Unit.WINS, 0.04, AGAINST_COMPUTERS, 2, (), False),
        (Unit.POINTS, 25.0, AGAINST_COMPUTERS, 2, (), True),
        (Unit.FINAL_POINTS, 24.9, AGAINST_COMPUTERS, 2, (), False),
        (Unit.WINS, 0.05, AGAINST_COMPUTERS, 1, (), False),
        (Unit.WINS, 0.05, AGAINST_COMPUTERS, 2, (0,), False),
        # Nobody is told of a mistake in front of others.
        (Unit.WINS, 0.05, BETWEEN_PEOPLE, 2, (), False),
    ],
)
async def test_one_costly_slip_becomes_a_tip_but_not_after_a_first_game_or_a_hint(
    unit: Unit, loss: float, people: int, games: int, hinted: tuple[int, ...], *, has_tip: bool
) -> None:
    table = finished(people, *hinted)
    hindsight, shown = await look_back(table, review_of(unit, loss, chance=0.5), games)
    tips = list(hindsight.tips(table))
    assert (len(tips), shown) == (int(has_tip), [table.id] * has_tip)
    assert all("9" in tip for tip in tips), "it names the turn"


@each_case(
    "unit, chance, is_comeback",
    # A third would be an even chance of three.
    [(Unit.WINS, 0.19, True), (Unit.WINS, 0.21, False), (Unit.FINAL_POINTS, 0.1, False)],
)
async def test_a_win_from_a_small_chance_is_a_comeback_with_a_dare(
    unit: Unit, chance: float, *, is_comeback: bool
) -> None:
    table = finished(BETWEEN_PEOPLE)
    hindsight, shown = await look_back(table, review_of(unit, 0.0, chance), games=2)
    facts = list(hindsight.facts(table))
    assert [(fact.pride, fact.seat) for fact in facts] == [(Pride.COMEBACK, 0)] * is_comeback
    assert all("19%" in text for fact in facts for text in (fact.text, fact.dare))
    assert shown == [table.id] * is_comeback


async def test_a_game_that_can_not_be_reviewed_is_left_as_it_is() -> None:
    table = finished(AGAINST_COMPUTERS)
    hindsight, shown = await look_back(table, None, games=2)
    assert (list(hindsight.facts(table)), list(hindsight.tips(table)), shown) == ([], [], [])
