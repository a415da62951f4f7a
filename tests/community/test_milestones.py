"""What a finished game means to the only person at its table is read once, and told on special occasions."""

from dataclasses import replace

import pytest

from bot.features.results import storage as result_storage
from bot.features.results.messages import milestone_line
from bot.features.results.model import Milestone
from bot.features.results.service import Milestones
from bot.platform.places import Location, Person
from bot.tables.control_entries import Resign
from bot.tables.model import Status
from bot.tables.table import Table, apply_control_entry
from tests.support.each_case import each_case
from tests.support.fakes import JAY, ROBIN, WREN, make_service, make_table, open_lobby
from tests.support.finished_games import play_to_end, roll_all
from tests.support.memory_database import MemoryDatabase

HERE = Location(3, 70)


@pytest.fixture
def db() -> MemoryDatabase:
    return MemoryDatabase()


async def play(db: MemoryDatabase, *levels: str, location: Location = HERE, person: Person = ROBIN) -> Table:
    """Let a person finish a short game of Magpie against computer players of some levels."""
    service = make_service(db)
    table = await open_lobby(service, person, location=location)
    for level in levels:
        table = await service.add_computer(table.id, person, table.header.revision, level)
    table = await service.start(table.id, person, 1 + len(db.records))
    while table.header.status is Status.PLAYING:
        table = await roll_all(service, table)
    return table


async def load(db: MemoryDatabase, table: Table) -> Milestone | None:
    milestones = Milestones(db)
    await milestones.load(table)
    return milestones.known(table)


async def test_only_the_first_win_against_a_level_in_a_server_counts(db: MemoryDatabase) -> None:
    first_wins, won = [], []
    for level, location in (*[("easy", HERE)] * 8, *[("strong", HERE)] * 8, *[("easy", Location(4, 71))] * 8):
        table = await play(db, level, location=location)
        milestone = await load(db, table)
        assert table.outcome is not None
        assert milestone is not None
        if table.outcome.winners == (0,):
            won.append((level, location))
        if milestone.first_win_against:
            first_wins.append((milestone.first_win_against, location))
    assert first_wins == list(dict.fromkeys(won))
    assert len(won) > len(first_wins) > 1


async def test_the_games_of_one_person_in_one_server_are_counted(db: MemoryDatabase) -> None:
    counts = []
    for person, location in ((ROBIN, HERE), (JAY, HERE), (ROBIN, Location(4, 71)), (ROBIN, HERE)):
        milestone = await load(db, await play(db, "easy", location=location, person=person))
        assert milestone is not None
        counts.append(milestone.games)
    assert counts == [1, 1, 1, 2]


async def test_nothing_is_asked_about_other_tables(db: MemoryDatabase) -> None:
    shared, alone = await play_to_end(make_service(db), HERE, ROBIN, WREN), await play(db, "easy")
    playing = make_table(status=Status.PLAYING)
    resigned = apply_control_entry(replace(playing, seats=(playing.seats[0], *alone.seats[1:])), 0, Resign())
    db.calls.clear()
    for table in (shared, playing, resigned):
        assert await load(db, table) is None
    assert db.calls == []


async def test_a_result_is_shown_without_while_the_database_is_down(db: MemoryDatabase) -> None:
    table = await play(db, "easy")
    db.broken = {result_storage.person_stats}
    assert await load(db, table) is None


@each_case(
    "games, level, is_told",
    [
        (1, "", False),
        (9, "", False),
        (10, "", True),
        (100, "", True),
        (110, "", False),
        (300, "", True),
        (3, "easy", True),
    ],
)
def test_special_occasions_are_told(games: int, level: str, is_told: bool) -> None:
    assert bool(milestone_line(Milestone(0, games, level), make_table())) is is_told
