"""Threads that are archived or locked: moves count, and the table is shown as soon as it can be."""

import pytest

from bot.sandbox.model.interactions import InteractionState
from bot.tables.host import Host
from tests.support.parlour import Parlour
from tests.support.paused_computer_players import ComputerPlayerPause, start_against_paused_computer
from tests.support.waiting import wait_until


@pytest.mark.parametrize("is_locked", [False, True], ids=["archived", "archived and locked"])
async def test_a_table_is_shown_when_its_thread_is_opened_again(
    parlour: Parlour, thinking: ComputerPlayerPause, is_locked: bool
) -> None:
    thread = parlour.robin.start_thread(parlour.here, "A short evening")
    message = await start_against_paused_computer(parlour, thinking, thread)
    thread.edit(archived=True, locked=is_locked)
    thinking.resume()
    await wait_until(lambda: parlour.client.app.service(Host).publisher.is_stuck(1))
    assert "Computer to roll" in message.text
    thread.edit(archived=False, locked=False)
    parlour.robin.say(thread, "Is anybody here?")
    answer = await parlour.press(parlour.robin, message, "Read the table")
    assert answer.state is InteractionState.RESPONDED
    await parlour.sandbox.until(lambda: "Robin to roll" in message.text)
    await parlour.press(parlour.robin, message, "Roll all five")
    assert (await parlour.table(thread)).header.step > 1
    assert [each for each in thread.public_messages if each.buttons] == [message]


async def test_a_locked_thread_that_is_open_is_played_on_in(parlour: Parlour) -> None:
    thread = parlour.robin.start_thread(parlour.here, "A short evening")
    (message,) = (await parlour.robin.slash(thread, "magpie new")).replies
    await parlour.press(parlour.wren, message, "Join")
    await parlour.press(parlour.robin, message, "Start")
    thread.edit(locked=True)
    table = await parlour.table(thread)
    assert table.mover is not None
    answer = await parlour.press(parlour.sandbox.person(table.mover.name), message, "Roll all five")
    assert answer.state is InteractionState.RESPONDED
    assert not answer.replies
    assert (await parlour.table(thread)).header.step == 1


async def test_in_a_locked_thread_a_deleted_table_waits_until_it_is_unlocked(
    parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.tables.publisher.FIRST_SECONDS", 0.05)
    thread = parlour.robin.start_thread(parlour.here, "A short evening")
    (message,) = (await parlour.robin.slash(thread, "magpie new")).replies
    thread.edit(locked=True)
    parlour.sandbox.world.remove_message(message)
    parlour.client.app.service(Host).publisher.wake(1, again=True)
    await wait_until(lambda: parlour.client.app.service(Host).publisher.is_stuck(1))
    assert thread.public_messages == []
    thread.edit(locked=False)
    (reposted,) = await parlour.sandbox.until(lambda: thread.public_messages)
    await parlour.press(parlour.wren, reposted, "Join")
    assert len((await parlour.table(thread)).seats) == 2
