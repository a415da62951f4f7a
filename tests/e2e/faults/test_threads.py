"""Threads that are archived or locked: moves count, and the table is shown as soon as it can be."""

import pytest

from bot.sandbox.model.interactions import InteractionState
from tests.support.fakes import until
from tests.support.parlour import Parlour
from tests.support.thinking import Thinking, facing_one_who_thinks


@pytest.mark.parametrize("is_locked", [False, True], ids=["archived", "archived and locked"])
async def test_a_table_is_shown_when_its_thread_is_opened_again(
    parlour: Parlour, thinking: Thinking, is_locked: bool
) -> None:
    thread = parlour.robin.start_thread(parlour.here, "A short evening")
    message = await facing_one_who_thinks(parlour, thinking, thread)
    thread.change(archived=True, locked=is_locked)
    thinking.end()
    await until(lambda: parlour.client.host.publisher.is_stuck(1))
    assert "Computer to roll" in message.text
    thread.change(archived=False, locked=False)
    parlour.robin.say(thread, "Is anybody here?")
    answer = await parlour.press(parlour.robin, message, "Read the table")
    assert answer.state is InteractionState.ANSWERED
    await parlour.sandbox.until(lambda: "Robin to roll" in message.text)
    await parlour.press(parlour.robin, message, "Roll all five")
    assert (await parlour.table(thread)).header.step > 1
    assert [each for each in thread.public if each.buttons] == [message]


async def test_a_locked_thread_that_is_open_is_played_on_in(parlour: Parlour) -> None:
    thread = parlour.robin.start_thread(parlour.here, "A short evening")
    (message,) = (await parlour.robin.slash(thread, "magpie new")).replies
    await parlour.press(parlour.wren, message, "Join")
    await parlour.press(parlour.robin, message, "Start")
    thread.change(locked=True)
    table = await parlour.table(thread)
    assert table.mover is not None
    answer = await parlour.press(parlour.sandbox.person(table.mover.name), message, "Roll all five")
    assert answer.state is InteractionState.ANSWERED
    assert not answer.replies
    assert (await parlour.table(thread)).header.step == 1


async def test_in_a_locked_thread_a_deleted_table_waits_until_it_is_unlocked(
    parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.tables.runtime.retries._FIRST_SECONDS", 0.05)
    thread = parlour.robin.start_thread(parlour.here, "A short evening")
    (message,) = (await parlour.robin.slash(thread, "magpie new")).replies
    thread.change(locked=True)
    parlour.sandbox.world.remove(message)
    parlour.client.host.publisher.wake(1, again=True)
    await until(lambda: parlour.client.host.publisher.is_stuck(1))
    assert thread.public == []
    thread.change(locked=False)
    (anew,) = await parlour.sandbox.until(lambda: thread.public)
    await parlour.press(parlour.wren, anew, "Join")
    assert len((await parlour.table(thread)).seats) == 2
