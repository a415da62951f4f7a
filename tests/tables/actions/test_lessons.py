"""Tables that begin as a lesson, and the records of them."""

import json
from dataclasses import replace

import pytest

from bot.features.fairness.records import RecordReason, read_record
from bot.features.fairness.verification import make_record, verify_record
from bot.features.help.lessons import open_lesson
from bot.tables.model import Status
from bot.tables.opening import play_again
from bot.tables.refusals import HostReason, Stale
from bot.tables.seats import resign_seat, skip_lesson
from bot.tables.service import TableService
from bot.tables.table import Table, TakeBackState
from bot.tables.turns import offers_take_back, scripted_move_of
from tests.fairdice import checker
from tests.support.fakes import GAMES, HERE, ROBIN, make_service, open_lobby
from tests.support.memory_database import MemoryDatabase
from tests.tables.refusals import refused_for

MOVES = [step.move for step in GAMES["magpie"].study.lesson.steps] if GAMES["magpie"].study.lesson else []


async def play_and_skip(service: TableService) -> Table:
    """Make a move of the lesson, leave its script, and close the table; both seats have moved."""
    table = await open_lesson(service, "magpie", ROBIN, HERE, 1)
    await service.play(table.id, ROBIN, 0, MOVES[0], 2)
    await service.play_computer(table.id, 1, MOVES[1])
    await service.apply_seat_action(table.id, ROBIN, skip_lesson, 3)
    await service.play(table.id, ROBIN, 3, "roll 5", 4)
    return await service.cancel(table.id, ROBIN, is_moderator=False)


async def test_both_checkers_accept_a_lesson_and_know_it(db: MemoryDatabase, service: TableService) -> None:
    table = await play_and_skip(service)
    assert table.header.status is Status.CANCELLED
    text = str(make_record(db.records[table.id], GAMES["magpie"]))
    data = json.loads(text)
    assert checker.find_flaws(data) == []
    assert verify_record(read_record(text.encode()), GAMES).is_lesson
    forged = text.replace('"lesson", "hints": false}\n', '"computer:normal", "hints": false}\n')
    with refused_for(RecordReason.SALT):
        verify_record(read_record(forged.encode()), GAMES)


async def test_only_a_lesson_can_be_skipped_and_only_once(service: TableService) -> None:
    lobby = await open_lobby(service, ROBIN)
    usual = await service.start(lobby.id, ROBIN, 7)
    with pytest.raises(Stale):
        skip_lesson(usual, ROBIN)
    lesson = await open_lesson(service, "magpie", ROBIN, HERE, 1)
    assert scripted_move_of(lesson) == MOVES[0]
    taken = TakeBackState(0, lesson.state, (), b"")
    assert not offers_take_back(replace(lesson, take_back_state=taken)), "it would leave the script unnoticed"
    assert offers_take_back(replace(usual, take_back_state=taken))
    skipped = await service.apply_seat_action(lesson.id, ROBIN, skip_lesson, 3)
    assert not scripted_move_of(skipped)
    with pytest.raises(Stale):
        skip_lesson(skipped, ROBIN, step=0)


async def test_two_processes_open_one_lesson_and_one_that_has_been_told_is_replaced(
    db: MemoryDatabase, service: TableService
) -> None:
    told = await open_lesson(service, "magpie", ROBIN, HERE, 1)
    with pytest.raises(Stale):
        await open_lesson(make_service(db), "magpie", ROBIN, HERE, 1)
    with refused_for(HostReason.SOLO_TAKEN):
        await open_lesson(service, "magpie", ROBIN, HERE, 2)
    await service.apply_seat_action(told.id, ROBIN, skip_lesson, 3)
    assert (await open_lesson(service, "magpie", ROBIN, HERE, 4)).header.status is Status.PLAYING
    assert (await service.table(told.id)).header.status is Status.CANCELLED


async def test_a_finished_lesson_has_no_results_and_a_rematch_is_no_lesson(
    db: MemoryDatabase, service: TableService
) -> None:
    lesson = await open_lesson(service, "magpie", ROBIN, HERE, 1)
    ended = await service.apply_seat_action(lesson.id, ROBIN, resign_seat, 2)
    assert ended.header.status is Status.FINISHED
    assert db.results == []
    again = await play_again(service, lesson.id, ROBIN, 5)
    assert (again.is_lesson, again.header.location) == (False, HERE)
