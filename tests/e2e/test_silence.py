"""Games at which nobody plays any more, through the sandbox: put aside, brought back, announced and closed."""

from pathlib import Path

import pytest

import bot.tables.runtime.host
from bot.sandbox import Sandbox
from bot.sandbox.model.messages import Message
from tests.support.parlour import Parlour, connected, id_of

DAY = 24 * 60


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chores without long pauses."""
    monkeypatch.setattr(bot.tables.runtime.host, "_FLUSH_SECONDS", 0.01)
    monkeypatch.setattr(bot.tables.runtime.host, "_SWEEP_SECONDS", 0.01)


def announcements(parlour: Parlour) -> list[Message]:
    return [message for message in parlour.here.messages if "Nobody has played" in message.text]


async def test_an_outsider_makes_room_with_one_click_and_the_game_comes_back(parlour: Parlour) -> None:
    old = await parlour.started(parlour.robin, parlour.wren)
    await parlour.press(await parlour.mover(), old, "Roll all five")
    mover = await parlour.mover()
    parlour.later(minutes=DAY)
    answer = await parlour.jay.slash(parlour.here, "magpie new", target=250)
    assert answer.ephemeral
    (question,) = answer.replies
    await parlour.jay.click(question, id_of(question, "Put it aside and open mine"))
    await parlour.sandbox.until(lambda: "waiting for players" in parlour.here.messages[-1].text)
    new = parlour.here.messages[-1]
    assert "250" in new.text
    await parlour.sandbox.until(lambda: "put aside" in old.text)

    told = await parlour.robin.click(old, id_of(old, "Resume"))
    assert "a table of Magpie in this channel now" in told.text
    told = await parlour.robin.slash(parlour.here, "table resume")
    assert "a table of Magpie in this channel now" in told.text
    await parlour.press(parlour.jay, new, "Leave")

    answer = await parlour.robin.slash(parlour.here, "table resume")
    assert not answer.ephemeral
    table = await parlour.table()
    assert (table.id, table.header.step) == (1, 1)
    assert await parlour.mover() is mover
    again = answer.replies[0]
    await parlour.press(mover, again, "Roll all five")
    assert (await parlour.table()).header.step == 2


async def test_a_game_is_closed_after_its_channel_was_told_and_nobody_was_mentioned(parlour: Parlour) -> None:
    old = await parlour.started(parlour.robin, parlour.wren)
    parlour.later(minutes=28 * DAY)
    await parlour.sandbox.until(lambda: announcements(parlour))
    (announcement,) = announcements(parlour)
    assert announcement.payload()["mentions"] == []
    await parlour.robin.click(announcement, id_of(announcement, "Still playing"))
    await parlour.sandbox.until(lambda: not announcements(parlour))
    parlour.later(minutes=28 * DAY)
    await parlour.sandbox.until(lambda: announcements(parlour))
    parlour.later(minutes=2 * DAY)
    await parlour.sandbox.until(lambda: "This game was closed" in old.text)
    await parlour.sandbox.until(lambda: not announcements(parlour))
    answer = await parlour.robin.slash(parlour.here, "leaderboard", game="magpie")
    assert "Robin" not in answer.text


async def test_the_offer_works_after_a_restart(sandbox: Sandbox, tmp_path: Path) -> None:
    file = tmp_path / "parlour.sqlite3"
    async with connected(sandbox, file) as before:
        await before.started(before.robin, before.wren)
        before.later(minutes=DAY)
        answer = await before.jay.slash(before.here, "magpie new")
    (question,) = answer.replies
    async with connected(sandbox, file) as after:
        after.later(minutes=DAY)
        await after.jay.click(question, id_of(question, "Put it aside and open mine"))
        await sandbox.until(lambda: "waiting for players" in after.here.messages[-1].text)
