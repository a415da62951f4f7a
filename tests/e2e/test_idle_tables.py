"""Idle games, through the sandbox: put aside, resumed, announced and closed."""

import pytest

import bot.platform.jobs.looks
import bot.tables.host
from bot.sandbox.model.messages import Message
from tests.support.parlour import Parlour, button_id

DAY_MINUTES = 24 * 60


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chores without long pauses."""
    monkeypatch.setattr(bot.platform.jobs.looks, "ROUND_SECONDS", 0.01)
    monkeypatch.setattr(bot.platform.jobs.looks, "MINUTE_SECONDS", 0.01)


def announcement_messages(parlour: Parlour) -> list[Message]:
    return [message for message in parlour.here.messages if "No one has played" in message.text]


async def test_an_outsider_puts_a_game_aside_with_one_click_and_it_is_resumed(parlour: Parlour) -> None:
    old = await parlour.start_game(parlour.robin, parlour.wren)
    await parlour.press(await parlour.mover(), old, "Roll all five")
    mover = await parlour.mover()
    parlour.advance_clock(minutes=DAY_MINUTES)
    answer = await parlour.jay.slash(parlour.here, "magpie new", target=250)
    assert answer.ephemeral
    (question,) = answer.replies
    await parlour.jay.click(question, button_id(question, "Put it aside and open mine"))
    await parlour.sandbox.until(lambda: "waiting for players" in parlour.here.messages[-1].text)
    new = parlour.here.messages[-1]
    assert "250" in new.text
    await parlour.sandbox.until(lambda: "put aside" in old.text)

    reply = await parlour.robin.click(old, button_id(old, "Resume"))
    assert "a table of Magpie in this channel now" in reply.text
    reply = await parlour.robin.slash(parlour.here, "table resume")
    assert "a table of Magpie in this channel now" in reply.text
    await parlour.press(parlour.jay, new, "Leave")

    answer = await parlour.robin.slash(parlour.here, "table resume")
    assert not answer.ephemeral
    table = await parlour.table()
    assert (table.id, table.header.step) == (1, 1)
    assert await parlour.mover() is mover
    again = answer.replies[0]
    await parlour.press(mover, again, "Roll all five")
    assert (await parlour.table()).header.step == 2


async def test_an_abandoned_game_is_announced_without_mentions_and_closed(parlour: Parlour) -> None:
    old = await parlour.start_game(parlour.robin, parlour.wren)
    parlour.advance_clock(minutes=28 * DAY_MINUTES)
    await parlour.sandbox.until(lambda: announcement_messages(parlour))
    (announcement,) = announcement_messages(parlour)
    assert announcement.payload()["mentions"] == []
    await parlour.robin.click(announcement, button_id(announcement, "Still playing"))
    await parlour.sandbox.until(lambda: not announcement_messages(parlour))
    parlour.advance_clock(minutes=28 * DAY_MINUTES)
    await parlour.sandbox.until(lambda: announcement_messages(parlour))
    parlour.advance_clock(minutes=2 * DAY_MINUTES)
    await parlour.sandbox.until(lambda: "This game was closed" in old.text)
    await parlour.sandbox.until(lambda: not announcement_messages(parlour))
    answer = await parlour.robin.slash(parlour.here, "leaderboard", game="magpie")
    assert "Robin" not in answer.text
