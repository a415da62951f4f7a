"""The best scores at a solo table are loaded while it is played, and nobody waits for them."""

from dataclasses import replace

import pytest

from bot.features.boards.model import Bests
from bot.features.boards.service import BestScores
from bot.platform.places import Location
from bot.rules.study import CONTRIBUTION
from bot.tables.model import Company, Occupant, Status
from bot.tables.table import Table
from tests.support.each_case import each_case
from tests.support.fakes import HERE, ROBIN, WREN, make_table
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.support.sample_results import make_result


def solo_table(status: Status = Status.PLAYING, location: Location = HERE) -> Table:
    robin = Occupant(ROBIN.name, user_id=ROBIN.id, contribution="1")
    return make_table(robin, status=status, location=location, package=load_games_once()["magic_bag"])


class Scores:
    """Best scores over a store, and the seconds of their clock."""

    def __init__(self) -> None:
        self.db, self.seconds = MemoryDatabase(), 0.0
        self.best_scores = BestScores(self.db, lambda: self.seconds)

    def add(self, user_id: int, score: int) -> None:
        table_id = len(self.db.results) + 50
        facts = {"game": "magic_bag", "company": Company.ALONE, "guild_id": HERE.guild_id, "score": score}
        self.db.add_results(make_result(table_id, 0, user_id, **facts))

    async def change(self, table: Table) -> Bests | None:
        """Tell of a change, and return what is known once everything is loaded."""
        self.best_scores.on_table_changed(table)
        await self.best_scores.close(1)
        return self.best_scores.known(table.id)


@pytest.fixture
def scores() -> Scores:
    return Scores()


@each_case(
    "played, bests",
    [
        ([], Bests(None, None)),
        ([(WREN.id, 640)], Bests(None, 640)),
        ([(WREN.id, 640), (ROBIN.id, 300), (ROBIN.id, 200)], Bests(300, 640)),
        ([(WREN.id, 640), (ROBIN.id, 702)], Bests(702, 702)),
    ],
)
async def test_they_are_the_players_and_the_servers(played: list[tuple[int, int]], bests: Bests) -> None:
    scores = Scores()
    for who, score in played:
        scores.add(who, score)
    assert await scores.change(solo_table()) == bests


@each_case(
    "table",
    [
        solo_table(Status.LOBBY),
        solo_table(location=Location(None, 70)),
        make_table(status=Status.PLAYING),
        replace(solo_table(), seats=(Occupant(ROBIN.name, user_id=ROBIN.id, contribution=CONTRIBUTION),)),
        replace(solo_table(), seats=(Occupant(ROBIN.name, user_id=ROBIN.id, contribution="daily:2026-03-01"),)),
    ],
)
async def test_other_tables_have_none(table: Table) -> None:
    scores = Scores()
    assert await scores.change(table) is None
    assert scores.db.calls == []


async def test_they_are_loaded_at_most_once_a_minute_and_not_after_the_end(scores: Scores) -> None:
    playing = solo_table()
    finished = replace(playing, header=replace(playing.header, status=Status.FINISHED))
    seen = []
    for seconds, table in ((0, playing), (59, playing), (60, playing), (999, finished)):
        scores.add(WREN.id, 100 + seconds)
        scores.seconds = seconds
        seen.append(await scores.change(table))
    assert seen == [Bests(None, 100), Bests(None, 100), Bests(None, 160), Bests(None, 160)]
