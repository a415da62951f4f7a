"""Reminders, through the sandbox: one message for one player, deleted once it is of no use."""

import pytest

import bot.platform.jobs.looks
from bot.sandbox import Sandbox
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from tests.support.parlour import ROLL, Parlour, button_id

REMINDER_TEXT = "it's your turn in Magpie"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chores without long pauses."""
    monkeypatch.setattr(bot.platform.jobs.looks, "ROUND_SECONDS", 0.01)
    monkeypatch.setattr(bot.platform.jobs.looks, "LOOK_SECONDS", 0.01)


def reminder_messages(parlour: Parlour) -> list[Message]:
    """The reminders that are in the channel."""
    return [message for message in parlour.here.messages if REMINDER_TEXT in message.text]


def count_sent(sandbox: Sandbox) -> int:
    """How many messages the bot has posted on its own account."""
    return sum(request.method == "POST" and request.path.endswith("/messages") for request in sandbox.requests)


async def wait_for_reminder(parlour: Parlour) -> tuple[Person, Message]:
    """Let time go by until the person to move is called, and return both."""
    parlour.advance_clock(minutes=2)
    await parlour.sandbox.until(lambda: reminder_messages(parlour))
    (call,) = reminder_messages(parlour)
    return await parlour.mover(), call


async def test_a_silent_player_is_reminded_until_they_play(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    mover, call = await wait_for_reminder(parlour)
    assert call.text.startswith(f"<@{mover.id}>, it's your turn in Magpie: ")
    assert call.text.endswith(f"/{parlour.here.id}/{message.id}")
    assert [user["id"] for user in call.payload()["mentions"]] == [str(mover.id)]
    await parlour.press(mover, message, ROLL)
    await parlour.sandbox.until(lambda: not reminder_messages(parlour))
    assert count_sent(parlour.sandbox) == 1
    assert (await parlour.table()).header.step == 1


async def test_the_other_players_may_let_a_computer_substitute(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    while await parlour.mover() is not parlour.wren:
        await parlour.press(parlour.robin, message, ROLL)
    _, call = await wait_for_reminder(parlour)
    button = button_id(call, "Let a computer player stand in")
    assert "your own turn" in (await parlour.wren.click(call, button)).text
    assert "You have no seat" in (await parlour.linnet.click(call, button)).text
    answer = await parlour.robin.click(call, button)
    assert "stands in for Wren" in answer.text
    await parlour.sandbox.until(lambda: not reminder_messages(parlour))
    await parlour.sandbox.until(lambda: "Wren 🤖" in message.text)


async def test_the_next_ping_comes_when_the_channel_of_a_thread_is_deleted(parlour: Parlour) -> None:
    robin, wren = parlour.robin, parlour.wren
    thread = robin.start_thread(parlour.elsewhere, "a game")
    places = (thread, parlour.here)
    for place in places:
        message = (await robin.slash(place, "magpie new")).replies[0]
        await parlour.press(wren, message, "Join")
        await parlour.press(robin, message, "Start")
        while (mover := (await parlour.table(place)).mover) is not None and mover.user_id != wren.id:
            await parlour.press(robin, message, ROLL)

    def pinged() -> list[bool]:
        return [any(REMINDER_TEXT in each.text for each in place.messages) for place in places]

    parlour.advance_clock(minutes=2)
    await parlour.sandbox.until(lambda: pinged() == [True, False])
    parlour.sandbox.world.remove_channel(parlour.elsewhere)
    await parlour.sandbox.until(lambda: pinged()[1])
