"""What a finished game means to its people is read once, in one transaction, and told by its rank."""

from dataclasses import replace

import pytest

from bot.features.results.milestones import Milestone, Milestones, find_milestones, milestone_facts
from bot.platform.places import Location, Person
from bot.tables.model import Company, Result, Status
from bot.tables.shown.pride import Pride
from bot.tables.table import Table
from tests.support.each_case import each_case
from tests.support.fakes import JAY, ROBIN, WREN, make_service, make_table, open_lobby
from tests.support.finished_games import finished_magpie, play_to_end, roll_all
from tests.support.memory_database import MemoryDatabase
from tests.support.sample_results import make_result

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


async def load(db: MemoryDatabase, table: Table) -> tuple[Milestone, ...]:
    milestones = Milestones(db)
    await milestones.load(table)
    return milestones.known(table)


async def test_only_the_first_win_against_a_level_in_a_server_counts(db: MemoryDatabase) -> None:
    first_wins, won = [], []
    for level, location in (*[("easy", HERE)] * 8, *[("strong", HERE)] * 8, *[("easy", Location(4, 71))] * 8):
        table = await play(db, level, location=location)
        (milestone,) = await load(db, table)
        assert table.outcome is not None
        if table.outcome.winners == (0,):
            won.append((level, location))
        if milestone.first_win_against:
            first_wins.append((milestone.first_win_against, location))
    assert first_wins == list(dict.fromkeys(won))
    assert len(won) > len(first_wins) > 1


async def test_the_games_of_each_person_in_one_server_are_counted(db: MemoryDatabase) -> None:
    counts = []
    for person, location in ((ROBIN, HERE), (JAY, HERE), (ROBIN, Location(4, 71)), (ROBIN, HERE)):
        (milestone,) = await load(db, await play(db, "easy", location=location, person=person))
        counts.append(milestone.games)
    shared = await play_to_end(make_service(db), HERE, ROBIN, WREN)
    assert counts == [1, 1, 1, 2]
    assert [(each.seat, each.games) for each in await load(db, shared)] == [(0, 3), (1, 1)]


def one(number: int, user_id: int, score: int, **facts: object) -> Result:
    """Return the result of a person alone."""
    alone = {"game": "magic_bag", "company": Company.ALONE, "guild_id": HERE.guild_id, "place": 1, "score": score}
    return make_result(number, 0, user_id, **(alone | facts))


@each_case(
    "earlier, score, hints, best_before, is_best_of_week",
    [
        ([], 500, False, None, False),
        ([(ROBIN.id, 300), (ROBIN.id, 400)], 500, False, 400, False),
        # Two people alone have no week worth leading.
        ([(ROBIN.id, 300), (WREN.id, 499)], 500, False, 300, False),
        ([(ROBIN.id, 300), (WREN.id, 499), (JAY.id, 9)], 500, False, 300, True),
        ([(ROBIN.id, 300), (WREN.id, 500), (JAY.id, 9)], 500, False, 300, False),
        ([(ROBIN.id, 600), (WREN.id, 499), (JAY.id, 9)], 500, False, 600, False),
        # A game with hints is no record, and claims none.
        ([(ROBIN.id, 300), (WREN.id, 499), (JAY.id, 9)], 500, True, None, False),
    ],
)
def test_a_score_is_compared_with_earlier_ones_and_the_week(
    earlier: list[tuple[int, int]],
    score: int,
    best_before: int | None,
    *,
    hints: bool,
    is_best_of_week: bool,
) -> None:
    db = MemoryDatabase()
    for number, (user_id, points) in enumerate(earlier, 1):
        db.add_results(one(number, user_id, points))
    last = one(99, ROBIN.id, score, used_hints=hints)
    db.add_results(last)
    (milestone,) = db.run(find_milestones, [last], "", lower_is_better=False)
    assert (milestone.best_before, milestone.is_best_of_week) == (best_before, is_best_of_week)


def test_wins_in_a_row_are_counted_up_to_this_one(db: MemoryDatabase) -> None:
    streaks = []
    for number, place in enumerate((1, 1, 2, 1, 1, 1), 1):
        last = one(number, ROBIN.id, 100, game="magpie", company=Company.COMPUTERS, place=place)
        db.add_results(last)
        (milestone,) = db.run(find_milestones, [last], "", lower_is_better=False)
        streaks.append(milestone.streak)
    assert streaks == [1, 2, 0, 1, 2, 3]


async def test_nothing_is_asked_about_other_tables(db: MemoryDatabase) -> None:
    alone = await play(db, "easy")
    challenge = replace(
        alone,
        header=replace(alone.header, id=99),
        seats=(replace(alone.seats[0], contribution="daily:2027-03-01"), *alone.seats[1:]),
    )
    db.calls.clear()
    for table in (make_table(status=Status.PLAYING), challenge):
        assert await load(db, table) == ()
    assert db.calls == []


async def test_a_result_is_shown_without_while_the_database_is_down(db: MemoryDatabase) -> None:
    table = await play(db, "easy")
    db.broken = {find_milestones}
    assert await load(db, table) == ()


@each_case(
    "milestone, prides",
    [
        (Milestone(0, 1), []),
        (Milestone(0, 9, best_before=104), []),
        (Milestone(0, 9, best_before=103), [Pride.OWN_BEST]),
        (Milestone(0, 3, first_win_against="easy"), [Pride.FIRST_WIN]),
        (Milestone(0, 10, streak=2, is_best_of_week=True), [Pride.BEST_OF_WEEK, Pride.ROUND_NUMBER]),
        (Milestone(0, 110, streak=3), [Pride.STREAK]),
        (Milestone(0, 300), [Pride.ROUND_NUMBER]),
    ],
)
def test_special_occasions_are_told(milestone: Milestone, prides: list[Pride]) -> None:
    assert [fact.pride for fact in milestone_facts([milestone], finished_magpie([(0, 0, 0), (104, 9, 30)]))] == prides
