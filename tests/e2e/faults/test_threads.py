"""Threads: those of the bot say who plays and are archived; in archived and locked ones moves count, too."""

import pytest

from bot.features.new_tables.archiving import ARCHIVE_KIND
from bot.platform.jobs.jobs import JobRunner
from bot.platform.places import Person
from bot.sandbox.model.interactions import InteractionState
from bot.tables.host import Host
from bot.tables.seats import resign_seat
from tests.support.parlour import ROLL, Parlour, choose_setting
from tests.support.paused_computer_players import ComputerPlayerPause, start_against_paused_computer
from tests.support.tournaments import threads_of
from tests.support.waiting import wait_until


async def test_a_table_is_shown_when_its_thread_is_opened_again(
    parlour: Parlour, thinking: ComputerPlayerPause
) -> None:
    thread = parlour.robin.start_thread(parlour.here, "A short evening")
    message = await start_against_paused_computer(parlour, thinking, thread)
    thread.edit(archived=True, locked=True)
    thinking.resume()
    await wait_until(lambda: parlour.client.app.service(Host).publisher.is_stuck(1))
    assert "Rusty is rolling" in message.text
    thread.edit(archived=False, locked=False)
    parlour.robin.say(thread, "Is anybody here?")
    answer = await parlour.press(parlour.robin, message, "Read the table")
    assert answer.state is InteractionState.RESPONDED
    await parlour.sandbox.until(lambda: "Robin, roll the dice" in message.text)
    await parlour.press(parlour.robin, message, ROLL)
    assert (await parlour.table(thread)).header.step > 1
    assert [each for each in thread.public_messages if each.buttons] == [message]


@pytest.mark.parametrize(
    ("choice", "hours", "refused", "is_archived"),
    [
        ("hour", 1.1, None, True),
        ("day", 1.1, None, False),
        ("hour", 1.1, (403, 50013), False),
    ],
)
async def test_a_thread_of_the_bot_says_who_plays_and_is_archived_some_time_after_the_game(
    parlour: Parlour, choice: str, hours: float, refused: tuple[int, int] | None, *, is_archived: bool
) -> None:
    await choose_setting(parlour.robin, parlour.here, "tables", "thread")
    await choose_setting(parlour.robin, parlour.here, "archive", choice)
    await parlour.robin.slash(parlour.here, "magpie new")
    await parlour.sandbox.until(lambda: bool(threads_of(parlour)))
    (thread,) = threads_of(parlour)
    assert thread.name == "Magpie: Robin"
    await parlour.sandbox.until(lambda: any(each.buttons for each in thread.public_messages))
    (message,) = [each for each in thread.public_messages if each.buttons]
    await parlour.press(parlour.wren, message, "Join")
    await parlour.press(parlour.robin, message, "Start")
    await parlour.sandbox.until(lambda: thread.name == "Magpie: Robin and Wren")
    app = parlour.client.app
    service = app.service(Host).service
    table = await parlour.table(thread)
    await service.apply_seat_action(table.id, Person(parlour.wren.id, parlour.wren.name), resign_seat, 7)
    await parlour.sandbox.until(lambda: any(each.label == "Play again" for each in message.buttons))
    await parlour.wait_until_shown()
    await service.flush()
    parlour.advance_clock(minutes=60 * hours)
    if refused is not None:
        parlour.sandbox.fault_injector.refuse("PATCH", r"/channels/\d+$", *refused)
    runner = JobRunner(parlour.db, service.clock, {ARCHIVE_KIND: app.jobs[ARCHIVE_KIND].run})
    await runner.check()
    await runner.finish()
    assert thread.is_archived is is_archived
