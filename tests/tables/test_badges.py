"""Who is awarded the badges of a table."""

from dataclasses import replace
from typing import Any

import pytest

from bot.rules.rewards import SeatBadge
from bot.tables.control_entries import SeatStatus, TakeBack
from bot.tables.model import Award, Occupant, Status
from bot.tables.results import awards_of
from bot.tables.table import Table, apply_control_entry, apply_move
from tests.games.badge_play import PreparedGame, Scene, play_scene
from tests.games.test_badges import CASES, GAMES
from tests.support.each_case import each_case
from tests.support.fakes import NOON, ROBIN, WREN

SNATCHED = CASES["magpie"]["snatched"].earned
TRICK = CASES["houdinis_baggage"]["borrowed_trick"].earned


async def play(scene: Scene, game: str, patch: pytest.MonkeyPatch) -> list[Table]:
    return await play_scene(GAMES[game], scene, patch)


async def test_what_was_earned_is_awarded_at_the_end_and_kept_with_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    *_, before, end = await play(SNATCHED, "magpie", monkeypatch)
    assert before.awards == ()
    assert end.header.status is Status.FINISHED
    assert [each for each in end.awards if each.badge.startswith("magpie/")] == [
        Award(WREN.id, f"magpie/{key}", end.id, end.header.location.guild_id, NOON) for key in ("full_nest", "snatched")
    ]


@each_case(
    "header, seat_status",
    [
        ({"hinted": frozenset({1})}, SeatStatus()),
        ({}, SeatStatus(resigned=frozenset({1}))),
        ({}, SeatStatus(substituted=frozenset({1}))),
        ({"status": Status.CANCELLED}, SeatStatus()),
    ],
)
async def test_some_seats_are_awarded_nothing(header: dict[str, Any], seat_status: SeatStatus) -> None:
    with pytest.MonkeyPatch.context() as patch:
        *_, end = await play(SNATCHED, "magpie", patch)
    changed = replace(end, header=replace(end.header, **header), seat_status=seat_status)
    assert (len(awards_of(end)), awards_of(changed)) == (2, ())


async def test_hints_of_another_seat_take_nothing_away(monkeypatch: pytest.MonkeyPatch) -> None:
    *_, end = await play(SNATCHED, "magpie", monkeypatch)
    assert awards_of(replace(end, header=replace(end.header, hinted=frozenset({0})))) == awards_of(end)


async def test_computer_players_and_lessons_are_awarded_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    *_, end = await play(SNATCHED, "magpie", monkeypatch)
    computer, learner = Occupant("Computer", level="easy"), Occupant("Robin", ROBIN.id, contribution="lesson")
    assert awards_of(replace(end, seats=(end.seats[0], computer))) == ()
    assert awards_of(replace(end, seats=(learner, end.seats[1]))) == ()


async def test_a_badge_of_a_move_that_is_taken_back_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    *_, after = await play(TRICK, "houdinis_baggage", monkeypatch)
    assert after.badges == {SeatBadge(0, "borrowed_trick")}
    assert apply_control_entry(after, 0, TakeBack()).badges == frozenset()


async def test_a_substitute_earns_nothing_for_an_absent_person(monkeypatch: pytest.MonkeyPatch) -> None:
    before, _after = await play(TRICK, "houdinis_baggage", monkeypatch)
    ((text, _numbers),) = TRICK.steps
    game = before.package.game
    assert isinstance(game, PreparedGame)
    absent = replace(before, seat_status=SeatStatus(substituted=frozenset({0})))
    assert apply_move(before, 0, game.parse_move(text)).badges == {SeatBadge(0, "borrowed_trick")}
    assert apply_move(absent, 0, game.parse_move(text)).badges == frozenset()
