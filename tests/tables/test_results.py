"""The results of a finished table, saved once."""

from dataclasses import replace

import pytest

from bot.games.magpie import PACKAGE as MAGPIE
from bot.platform.database.errors import StoreUnavailable
from bot.platform.places import Location
from bot.rules.game import EndReason, Outcome
from bot.tables import storage as table_storage
from bot.tables.control_entries import ComeBack, Resign, Substitute
from bot.tables.model import Company, Departure, Occupant, Status
from bot.tables.registry import AnyPackage
from bot.tables.results import company_of, results_of
from bot.tables.service import TableService
from bot.tables.table import Table, apply_control_entry
from tests.rules.heap_game import PACKAGE as HEAP
from tests.support.broken_games import with_broken_tables
from tests.support.each_case import each_case
from tests.support.fakes import JAY, ROBIN, WREN, make_service, make_table, start_game
from tests.support.finished_games import play_to_end, roll_all
from tests.support.memory_database import MemoryDatabase

PERSON = Occupant("Robin", user_id=11)
OTHER = Occupant("Wren", user_id=12)
COMPUTER = Occupant("Computer", level="careless")
THERE = Location(3, 71)


class End(EndReason):
    DONE = "done"


def make_finished_table(*places: int, seats: tuple[Occupant, ...] = ()) -> Table:
    """A finished table whose game says how it ended."""

    class Ended:
        info = HEAP.game.info

        def outcome(self, state: object) -> Outcome:
            return Outcome(places, tuple(100 - 10 * place for place in places), End.DONE)

    package: AnyPackage = replace(HEAP, game=Ended())  # type: ignore[arg-type]
    seats = seats or tuple(Occupant(f"P{at}", user_id=at) for at in range(len(places)))
    table = make_table(*seats)
    header = replace(table.header, status=Status.FINISHED, step=7)
    return replace(table, header=header, package=package, state=object())


@each_case(
    "seats, company",
    [
        ((PERSON,), Company.ALONE),
        ((PERSON, COMPUTER), Company.COMPUTERS),
        ((PERSON, COMPUTER, COMPUTER), Company.COMPUTERS),
        ((PERSON, OTHER), Company.PEOPLE),
        ((COMPUTER, PERSON, OTHER), Company.PEOPLE),
    ],
)
def test_the_company_follows_from_the_seats(seats: tuple[Occupant, ...], company: Company) -> None:
    assert company_of(seats) is company


def test_a_result_is_that_of_the_level_that_played() -> None:
    table = make_finished_table(1, 2, seats=(PERSON, replace(COMPUTER, level="strong")))
    strong = replace(
        table, package=replace(table.package, mind=replace(table.package.mind, strategies=MAGPIE.mind.strategies))
    )
    assert [result.level for result in results_of(strong)] == [None, "strong"]
    broken = replace(strong, package=with_broken_tables(strong.package))
    assert [result.level for result in results_of(broken)] == [None, "normal"]


@each_case(
    "places, shared",
    [
        ((1, 2, 3), (False, False, False)),
        ((1, 2, 2), (False, False, False)),
        ((1, 1, 3), (True, True, False)),
        ((3, 1, 1), (False, True, True)),
        ((1, 1, 1), (True, True, True)),
        ((1,), (False,)),
    ],
)
def test_a_win_is_shared_by_all_in_first_place(places: tuple[int, ...], shared: tuple[bool, ...]) -> None:
    assert tuple(result.is_shared for result in results_of(make_finished_table(*places))) == shared


def test_every_seat_has_a_result_and_computers_have_no_user() -> None:
    table = make_finished_table(2, 1, seats=(PERSON, COMPUTER))
    person, computer = results_of(table)
    assert (person.seat, person.user_id, person.name, person.level) == (0, 11, "Robin", None)
    assert (computer.seat, computer.user_id, computer.name, computer.level) == (1, None, "Computer", "careless")
    assert (person.place, person.score, computer.place, computer.score) == (2, 80, 1, 90)
    for result in (person, computer):
        assert (result.table_id, result.game, result.company) == (table.id, "magpie", Company.COMPUTERS)
        assert (result.guild_id, result.channel_id) == (3, 70)
        assert (result.seats, result.steps, result.reason) == (2, 7, "done")


def test_results_say_who_resigned_or_was_replaced() -> None:
    table = make_finished_table(1, 2, 3)
    table = replace(table, seat_status=replace(table.seat_status, resigned=frozenset({1}), substituted=frozenset({2})))
    assert [result.departure for result in results_of(table)] == [None, Departure.RESIGNED, Departure.SUBSTITUTED]


def test_results_say_who_used_hints() -> None:
    table = make_finished_table(1, 2, 3)
    table = replace(table, header=replace(table.header, hinted=frozenset({2})))
    assert [result.used_hints for result in results_of(table)] == [False, False, True]


async def test_a_resignation_is_early_until_every_seat_has_moved(db: MemoryDatabase) -> None:
    service = make_service(db)
    table = await start_game(service, ROBIN, WREN, JAY)
    last = table
    while len(last.acted) < len(last.seats):
        table, last = last, await roll_all(service, last)
    assert apply_control_entry(table, 0, Resign()).resigned_early
    resigned = apply_control_entry(last, 0, Resign())
    assert not resigned.resigned_early
    early = apply_control_entry(table, 0, Resign())
    assert apply_control_entry(early, 1, Resign()).resigned_early


async def test_a_substitute_is_remembered_when_the_player_comes_back(db: MemoryDatabase) -> None:
    table = await start_game(make_service(db), ROBIN, WREN)
    back = apply_control_entry(apply_control_entry(table, 1, Substitute(0)), 0, ComeBack())
    assert (back.seat_status.substituted, back.had_substitute) == (frozenset(), True)
    finished = replace(make_finished_table(1, 2), had_substitute=True, resigned_early=True)
    assert [(each.had_substitute, each.resigned_early) for each in results_of(finished)] == [(True, True)] * 2


@each_case("status", [status for status in Status if status is not Status.FINISHED])
def test_an_unfinished_table_has_no_results(status: Status) -> None:
    assert results_of(make_table(status=status)) == ()


async def play_to_last_step(db: MemoryDatabase) -> tuple[TableService, Table]:
    """Play to just before the end, the same game every time: a service, and the table at its last step."""
    length = (await play_to_end(make_service(MemoryDatabase()), THERE, ROBIN, WREN)).header.step
    service = make_service(db)
    return service, await play_to_end(service, THERE, ROBIN, WREN, most=length - 1)


async def test_before_the_last_move_no_results_are_saved(db: MemoryDatabase) -> None:
    service, table = await play_to_last_step(db)
    assert db.results == []
    await roll_all(service, table)
    assert len(db.results) == 2


async def test_a_replay_saves_no_results(db: MemoryDatabase) -> None:
    table = await play_to_end(make_service(db), THERE, ROBIN, WREN)
    kept = list(db.results)
    again = await make_service(db).table(table.id)
    assert again.outcome == table.outcome
    assert db.results == kept
    assert results_of(again) == tuple(kept)


async def test_a_last_save_with_a_lost_answer_stores_results_once(db: MemoryDatabase) -> None:
    service, table = await play_to_last_step(db)
    db.unanswered = {table_storage.save}
    with pytest.raises(StoreUnavailable):
        await roll_all(service, table)
    db.unanswered = set()
    assert len(db.results) == 2
    assert (await service.table(table.id)).header.status is Status.FINISHED
    assert len(db.results) == 2


async def test_a_failed_last_save_stores_no_results(db: MemoryDatabase) -> None:
    service, table = await play_to_last_step(db)
    db.broken = {table_storage.save}
    with pytest.raises(StoreUnavailable):
        await roll_all(service, table)
    assert db.results == []


async def test_a_cancelled_table_has_no_results(db: MemoryDatabase) -> None:
    service, table = await play_to_last_step(db)
    await service.cancel(table.id, ROBIN, is_moderator=True)
    assert db.results == []
