"""Threads that are archived or locked: moves count, and the table is shown as soon as it can be."""

from bot.sandbox.model.interactions import InteractionState
from bot.tables.host import Host
from tests.support.parlour import ROLL, Parlour
from tests.support.paused_computer_players import ComputerPlayerPause, start_against_paused_computer
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
