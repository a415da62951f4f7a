"""Playing without waiting, through the sandbox: one's own tables, pings, and turn clocks."""

from datetime import datetime

import pytest
from sqlalchemy import select

import bot.platform.jobs.looks
from bot.features.reminders.service import Reminders
from bot.platform.jobs.downtimes import alive
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from bot.tables.host import Host
from tests.support.parlour import ROLL, Parlour, button_id, shows_moves

TURN = "it's your turn in Magpie"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chores without long pauses."""
    monkeypatch.setattr(bot.platform.jobs.looks, "ROUND_SECONDS", 0.01)
    monkeypatch.setattr(bot.platform.jobs.looks, "LOOK_SECONDS", 0.01)


def find(channel: Channel, text: str) -> list[Message]:
    return [message for message in channel.messages if text in message.text]


async def choose_ping(person: Person, channel: Channel, command: str, **chosen: str) -> Message:
    """Choose in the panel about pings, and return it."""
    (panel,) = (await person.slash(channel, f"ping {command}")).replies
    for menu, value in chosen.items():
        table_id = 0 if command == "always" else 1
        await person.select(panel, f"PM:{table_id}:{menu}", [value])
    return panel


async def start_timed_game(parlour: Parlour) -> Message:
    """Start a table of three with a turn clock of ten minutes."""
    message = await parlour.open_table(parlour.robin)
    panel = await parlour.open_options(parlour.robin, message)
    await parlour.robin.click(panel, button_id(panel, "Page 2 ▶"))
    await parlour.robin.select(panel, "CM:1", ["ten_minutes"])
    for person in (parlour.wren, parlour.jay):
        await parlour.press(person, message, "Join")
    assert "Turn clock: 10 minutes" in message.text
    await parlour.press(parlour.robin, message, "Start")
    await parlour.sandbox.until(lambda: shows_moves(message))
    return message


async def others(parlour: Parlour) -> list[Person]:
    mover = await parlour.mover()
    return [person for person in (parlour.robin, parlour.wren, parlour.jay) if person is not mover]


async def pass_minute(parlour: Parlour) -> None:
    """Let a minute pass while the bot runs; more at once would be taken for downtime."""

    async def noted_at() -> datetime:
        noted = select(alive.c.noted_at)
        return await parlour.db.read(lambda connection: connection.execute(noted).scalar_one())

    before = await noted_at()
    parlour.advance_clock(minutes=1)
    while await noted_at() == before:
        await parlour.client.app.service(Host).service.flush()


async def let_time_end(parlour: Parlour) -> Message:
    """Let the time of a turn end, and return the question to the others."""
    for _ in range(11):
        await pass_minute(parlour)
    await parlour.sandbox.until(lambda: find(parlour.here, "time in Magpie is up"))
    (call,) = find(parlour.here, "time in Magpie is up")
    return call


class TestPings:
    async def test_a_direct_message_comes_at_once_and_goes_when_its_reader_plays(self, parlour: Parlour) -> None:
        for person in (parlour.robin, parlour.wren):
            await choose_ping(person, parlour.elsewhere, "always", how="direct", when="0")
        message = await parlour.start_game(parlour.robin, parlour.wren)
        mover = await parlour.mover()
        await parlour.sandbox.until(lambda: find(mover.direct_channel, TURN))
        (ping,) = find(mover.direct_channel, TURN)
        assert ping.text.endswith(f"/{parlour.here.id}/{message.id}")
        assert find(parlour.here, TURN) == []
        await parlour.press(mover, message, ROLL)
        await parlour.sandbox.until(lambda: not find(mover.direct_channel, TURN))

    async def test_one_table_can_be_another_matter(self, parlour: Parlour) -> None:
        message = await parlour.start_game(parlour.robin, parlour.wren)
        mover = await parlour.mover()
        panel = await choose_ping(mover, parlour.here, "here", how="off")
        assert "this table of Magpie" in panel.text
        parlour.advance_clock(minutes=3)
        await parlour.client.app.service(Reminders).check()
        await parlour.client.app.service(Reminders).close()
        assert find(parlour.here, TURN) == []
        reading = await parlour.press(mover, message, "Read the table")
        opened = await mover.click(reading.replies[0], button_id(reading.replies[0], "Ping me"))
        await mover.select(opened.replies[0], "PM:1:how", ["default"])
        await parlour.sandbox.until(lambda: find(parlour.here, TURN))

    async def test_quiet_hours_are_set_in_ones_own_zone(self, parlour: Parlour) -> None:
        found = await parlour.robin.autocomplete(parlour.here, "ping quiet", {"zone": "new yo"}, focused="zone")
        assert [choice.value for choice in found] == ["America/New_York"]
        answer = await parlour.robin.slash(parlour.here, "ping quiet", start=22, end=7, zone="America/New_York")
        assert "Quiet from 22:00 to 07:00, time zone America/New_York" in answer.text
        assert "Quiet from 22:00" in (await parlour.robin.slash(parlour.here, "ping always")).text
        assert "No quiet hours" in (await parlour.robin.slash(parlour.here, "ping anytime")).text


class TestTurnClock:
    async def test_the_table_shows_the_time_and_the_others_give_more(self, parlour: Parlour) -> None:
        message = await start_timed_game(parlour)
        mover = await parlour.mover()
        assert f"⏳ **{mover.name}**'s time ends <t:" in message.text
        one, other = await others(parlour)
        assert "still has time" in (await one.slash(parlour.here, "table substitute")).text
        call = await let_time_end(parlour)
        await parlour.sandbox.until(lambda: f"Time is up for **{mover.name}**" in message.text)
        assert {user["id"] for user in call.payload()["mentions"]} == {str(one.id), str(other.id)}
        wait, computer = button_id(call, "Wait"), button_id(call, "Let a computer player stand in")
        assert "your own turn" in (await mover.click(call, wait)).text
        assert "You have no seat" in (await parlour.linnet.click(call, computer)).text
        assert "time ends" in (await one.click(call, wait)).text
        await parlour.sandbox.until(lambda: not find(parlour.here, "time in Magpie is up"))
        await parlour.sandbox.until(lambda: f"⏳ **{mover.name}**'s time ends <t:" in message.text)
        assert "🤖" not in message.text
