"""The results of a finished table, saved once, and the badges that are awarded with them."""

from dataclasses import replace
from typing import Any

import pytest

from bot.features.badges.messages import new_badges_line
from bot.games.magpie import PACKAGE as MAGPIE
from bot.platform.database.errors import StoreUnavailable
from bot.platform.places import Location
from bot.rules.game import EndReason, Outcome
from bot.rules.picture import Sprite
from bot.rules.rewards import SeatBadge
from bot.rules.screen import EMPTY_DRAFT
from bot.tables import storage as table_storage
from bot.tables.control_entries import ComeBack, Resign, SeatStatus, Substitute, TakeBack
from bot.tables.model import Award, Company, Departure, Occupant, Status
from bot.tables.registry import AnyPackage
from bot.tables.results import awards_of, company_of, results_of
from bot.tables.service import TableService
from bot.tables.table import Table, apply_control_entry, apply_move
from tests.games.badge_play import PreparedGame, Scene, play_scene
from tests.games.test_badges import CASES, GAMES
from tests.rules.heap_game import PACKAGE as HEAP
from tests.support.broken_games import with_broken_tables
from tests.support.each_case import each_case
from tests.support.fakes import JAY, NOON, ROBIN, WREN, make_service, make_table, start_game
from tests.support.finished_games import play_to_end, roll_all
from tests.support.memory_database import MemoryDatabase
from tests.support.rendering import render_game

PERSON = Occupant("Robin", user_id=11)
OTHER = Occupant("Wren", user_id=12)
COMPUTER = Occupant(level="careless")
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
    assert (computer.seat, computer.user_id, computer.name, computer.level) == (1, None, "", "careless")
    assert (person.place, person.score, computer.place, computer.score) == (2, 80, 1, 90)
    for result in (person, computer):
        assert (result.table_id, result.game, result.company) == (table.id, "magpie", Company.COMPUTERS)
        assert (result.guild_id, result.channel_id) == (3, 70)
        assert (result.seats, result.steps, result.reason) == (2, 7, "done")


def test_results_say_who_resigned_was_replaced_or_used_hints() -> None:
    table = make_finished_table(1, 2, 3)
    status = replace(table.seat_status, resigned=frozenset({1}), substituted=frozenset({2}))
    table = replace(table, seat_status=status, header=replace(table.header, hinted=frozenset({2})))
    assert [result.departure for result in results_of(table)] == [None, Departure.RESIGNED, Departure.SUBSTITUTED]
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
    db.broken = {table_storage.save}
    with pytest.raises(StoreUnavailable):
        await roll_all(service, table)
    db.broken = set()
    assert db.results == []
    await roll_all(service, table)
    kept = list(db.results)
    assert len(kept) == 2
    again = await make_service(db).table(table.id)
    assert results_of(again) == tuple(kept)
    assert db.results == kept, "a replay saves none"


async def test_a_last_save_with_a_lost_answer_stores_results_once(db: MemoryDatabase) -> None:
    service, table = await play_to_last_step(db)
    db.unanswered = {table_storage.save}
    with pytest.raises(StoreUnavailable):
        await roll_all(service, table)
    db.unanswered = set()
    assert len(db.results) == 2
    assert (await service.table(table.id)).header.status is Status.FINISHED
    assert len(db.results) == 2


SNATCHED = CASES["magpie"]["snatched"].earned
TRICK = CASES["houdinis_baggage"]["borrowed_trick"].earned


async def play(scene: Scene, game: str, patch: pytest.MonkeyPatch) -> list[Table]:
    return await play_scene(GAMES[game], scene, patch)


async def test_a_badge_is_awarded_and_told_by_the_move_that_earns_it(monkeypatch: pytest.MonkeyPatch) -> None:
    *_, before, after = await play(CASES["magpie"]["shining_five"].earned, "magpie", monkeypatch)
    assert after.header.status is Status.PLAYING
    earned = {(after.seats[seat].user_id, f"magpie/{key}") for seat, key in after.lasting_badges}
    assert {(award.user_id, award.badge) for award in after.awards} == earned
    (new,) = after.lasting_badges - before.lasting_badges
    name = after.seats[new.seat].name
    assert (name in new_badges_line(before), name in new_badges_line(after)) == (False, True)
    content = render_game(after, EMPTY_DRAFT)
    for embed in (content.text_embed_json, content.picture_embed_json):
        assert new_badges_line(after) in str(embed["description"]).splitlines()
    assert content.make_picture is not None
    assert "medal" in [mark.name for mark in content.make_picture().iter_marks() if isinstance(mark, Sprite)]
    known = replace(after, awards=())
    assert new_badges_line(known) == "", "who has it already is told nothing"


async def test_what_was_earned_is_awarded_at_the_end_and_kept_with_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    *_, before, end = await play(SNATCHED, "magpie", monkeypatch)
    assert before.awards == ()
    assert end.header.status is Status.FINISHED
    assert [each for each in end.awards if each.badge.startswith("magpie/")] == [
        Award(WREN.id, f"magpie/{key}", end.id, end.header.location.guild_id, NOON)
        for key in ("full_nest", "snatched/1")
    ]


@each_case(
    "header, seat_status, awards",
    [
        ({"hinted": frozenset({0})}, SeatStatus(), 2),
        ({"hinted": frozenset({1})}, SeatStatus(), 0),
        ({}, SeatStatus(resigned=frozenset({1})), 0),
        ({}, SeatStatus(substituted=frozenset({1})), 0),
        ({"status": Status.CANCELLED}, SeatStatus(), 2),
    ],
)
async def test_some_seats_are_awarded_nothing(header: dict[str, Any], seat_status: SeatStatus, awards: int) -> None:
    """Hints of another seat take nothing away, nor does a game without end."""
    with pytest.MonkeyPatch.context() as patch:
        *_, end = await play(SNATCHED, "magpie", patch)
    changed = replace(end, header=replace(end.header, **header), seat_status=seat_status)
    assert len(awards_of(changed)) == awards


async def test_computer_players_and_challenges_are_awarded_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    *_, end = await play(SNATCHED, "magpie", monkeypatch)
    computer, challenger = Occupant(level="easy"), Occupant("Robin", ROBIN.id, contribution="daily:2027-03-01")
    assert awards_of(replace(end, seats=(end.seats[0], computer))) == ()
    assert awards_of(replace(end, seats=(challenger, end.seats[1]))) == ()


async def test_a_badge_of_a_move_that_is_taken_back_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    *_, after = await play(TRICK, "houdinis_baggage", monkeypatch)
    assert after.badges == {SeatBadge(0, "borrowed_trick")}
    assert (after.lasting_badges, after.awards) == (frozenset(), ())
    over = replace(after, header=replace(after.header, status=Status.FINISHED))
    assert over.lasting_badges == after.badges
    assert apply_control_entry(after, 0, TakeBack()).badges == frozenset()


async def test_a_substitute_earns_nothing_for_an_absent_person(monkeypatch: pytest.MonkeyPatch) -> None:
    before, _after = await play(TRICK, "houdinis_baggage", monkeypatch)
    ((text, _numbers),) = TRICK.steps
    game = before.package.game
    assert isinstance(game, PreparedGame)
    absent = replace(before, seat_status=SeatStatus(substituted=frozenset({0})))
    assert apply_move(before, 0, game.parse_move(text)).badges == {SeatBadge(0, "borrowed_trick")}
    assert apply_move(absent, 0, game.parse_move(text)).badges == frozenset()
