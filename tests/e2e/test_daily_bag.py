"""The daily bag over several days: played once, the same for everyone, with its seed secret until the day after."""

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.features.daily_bag import storage as daily_bag_storage
from bot.features.daily_bag.service import DailyBagService
from bot.platform.clock import utc_now
from bot.platform.jobs import downtimes
from bot.platform.places import Day, Person as Player, day_of, start_of_day
from bot.sandbox import Sandbox
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from bot.tables.host import Host
from bot.tables.kinds import DailyBag
from bot.tables.table import Table
from tests.commands.run_command import run_command
from tests.fairdice import checker
from tests.support.daily_games import do_what_is_due, finish_daily
from tests.support.fakes import FakeClockAhead
from tests.support.parlour import Parlour, run_parlour

NOON = datetime(2027, 3, 1, 12, tzinfo=UTC)
TODAY = day_of(NOON)
DAY = timedelta(days=1)


@pytest.fixture
async def parlour(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[Parlour]:
    """A bot whose salts are made as they are for people."""
    async with run_parlour(sandbox, tmp_path / "parlour.sqlite3", dice_are_steady=False) as running:
        await set_time(running, NOON)
        yield running


async def set_time(parlour: Parlour, moment: datetime) -> None:
    """Let it be a time on the bot's clock, until which it ran, and let the bot do what is due."""
    await parlour.db.maintain(downtimes.note_alive, parlour.db.shards, moment, timedelta.max)
    parlour.client.app.service(Host).service.clock = FakeClockAhead(moment - utc_now())
    await do_what_is_due(parlour.client.app.service(DailyBagService))


async def open_panel(who: Person, channel: Channel) -> Message:
    answer = await who.slash(channel, "daily")
    assert answer.ephemeral, answer.text
    return answer.replies[0]


async def begin(parlour: Parlour, who: Person, channel: Channel) -> Table:
    await parlour.press(who, await open_panel(who, channel), "today's bag")
    table = await parlour.client.app.service(Host).service.open_table_in(channel.id, who.id)
    assert table is not None
    return table


async def play(parlour: Parlour, who: Person, channel: Channel) -> Table:
    table = await begin(parlour, who, channel)
    finished = await finish_daily(parlour.client.app.service(Host).service, table.id, Player(who.id, who.name))
    await parlour.wait_until_settled()
    return finished


async def bag_of(parlour: Parlour, day: Day) -> DailyBag:
    return (await parlour.db.read(daily_bag_storage.find_bags, day, day))[day]


async def test_three_days_with_a_restart(sandbox: Sandbox, tmp_path: Path) -> None:
    file = tmp_path / "daily.sqlite3"
    promised: dict[Day, str] = {}
    for at in range(3):
        async with run_parlour(sandbox, file, dice_are_steady=False) as parlour:
            await set_time(parlour, NOON + at * DAY)
            robin, here = parlour.robin, parlour.here
            panel = await open_panel(robin, here)
            await parlour.press(robin, panel, "Seeds and proof")
            for day in (TODAY + at, TODAY + at + 1):
                bag = await bag_of(parlour, day)
                assert bag.commitment == promised.setdefault(day, bag.commitment)
                assert bag.commitment in panel.text
                assert bag.seed.hex() not in panel.text
            assert panel.text.count("Promised late") == 1, "the first day only"
            if at:
                assert f"`{(await bag_of(parlour, TODAY + at - 1)).seed.hex()}`" in panel.text
            finished = await play(parlour, robin, here)
            score = (
                finished.package.results.score_kind.format_score(finished.outcome.scores[0]) if finished.outcome else ""
            )
            (message,) = [
                each for each in parlour.wren.visible_messages(here) if f"Daily bag 2027-03-0{at + 1}" in each.text
            ]
            assert "Place 1 of 1 in this server" in message.text
            assert f"🔥 Streak in this server: {at + 1} day" in message.text
            panel = await open_panel(robin, here)
            assert f"Your result: **{score}**" in panel.text
            assert f"🔥 Your streak: {at + 1} day" in panel.text
            assert f"🏠 This server's streak: {at + 1} day" in panel.text
            await parlour.press(robin, panel, "This server")
            assert f"🥇 **Robin** (you) · {score}" in panel.text
            await parlour.press(robin, panel, "Yesterday")
            assert ("🥇 **Robin** (you)" in panel.text) == (at > 0)
            assert "The final board" in panel.text


async def test_the_seed_stays_secret_until_the_day_after_and_then_the_record_holds(
    parlour: Parlour, tmp_path: Path
) -> None:
    robin, here = parlour.robin, parlour.here
    await play(parlour, robin, here)
    seed = (await bag_of(parlour, TODAY)).seed.hex()
    message = parlour.wren.visible_messages(here)[-1]
    for ask in (parlour.press(parlour.wren, message, "Check fairness"), robin.slash(here, "table verify")):
        sealed = await ask
        assert "All rolls are sealed" in sealed.text
        assert not sealed.replies[0].attachments
    assert all(seed not in each.text for each in robin.visible_messages(here))
    # Somebody else's attempt keeps it secret, although the day is over.
    await set_time(parlour, start_of_day(TODAY + 1) - timedelta(minutes=5))
    late = await begin(parlour, parlour.wren, parlour.elsewhere)
    await set_time(parlour, start_of_day(TODAY + 1) + timedelta(hours=3))
    assert "All rolls are sealed" in (await robin.slash(here, "table verify")).text
    await finish_daily(parlour.client.app.service(Host).service, late.id, Player(parlour.wren.id, "Wren"))
    await set_time(parlour, start_of_day(TODAY + 1) + timedelta(hours=4))

    proof = await robin.slash(here, "table verify")
    assert "✅ **This game was fair.**" in proof.text
    assert seed in proof.text
    (attachment,) = proof.replies[0].attachments
    file = tmp_path / "record.json"
    file.write_bytes(attachment.content)
    assert checker.find_flaws(json.loads(file.read_bytes())) == []
    commitment = (await bag_of(parlour, TODAY)).commitment
    checked = run_command("record", "verify", str(file), "--commitment", commitment[:8])
    assert checked.code == 0
    assert "the daily bag of 2027-03-01" in checked.out
    tomorrows = (await bag_of(parlour, TODAY + 1)).commitment
    assert run_command("record", "verify", str(file), "--commitment", tomorrows).code == 1


async def test_only_the_first_attempt_counts_and_others_wait_until_it_is_over(parlour: Parlour) -> None:
    robin, there = parlour.robin, parlour.elsewhere
    table = await begin(parlour, robin, parlour.here)
    panel = await open_panel(robin, there)
    assert "Your attempt is open" in panel.text
    assert [button.label for button in panel.buttons] == ["This server", "All servers", "Seeds and proof"]
    forged = await robin.click(panel, f"B:play:{TODAY}:1", forged=True)
    assert "Your attempt at this bag is still open: https://" in forged.text
    assert await parlour.client.app.service(Host).service.open_table_in(there.id, robin.id) is None

    await finish_daily(parlour.client.app.service(Host).service, table.id, Player(robin.id, "Robin"))
    practice = await play(parlour, robin, there)
    assert practice.header.is_practice
    assert practice.state == (await parlour.client.app.service(Host).service.table(table.id)).state
    message = parlour.wren.visible_messages(there)[-1]
    assert "Daily bag 2027-03-01 · practice" in message.text
    assert "Place" not in message.text
    assert "Share" not in [button.label for button in message.buttons]
    board = await open_panel(robin, there)
    await parlour.press(robin, board, "This server")
    assert board.text.count("Robin") == 1


async def test_who_presses_a_button_plays_for_themselves(parlour: Parlour) -> None:
    await play(parlour, parlour.robin, parlour.here)
    message = parlour.wren.visible_messages(parlour.here)[-1]
    await parlour.press(parlour.wren, message, "Daily bag")
    panel = parlour.wren.visible_messages(parlour.here)[-1]
    assert panel.ephemeral_to == parlour.wren.id
    assert "Your first attempt counts" in panel.text
    await parlour.wren.click(panel, f"B:play:{TODAY}:1")
    attempt = await parlour.db.read(daily_bag_storage.find_attempt, parlour.wren.id, TODAY)
    assert attempt is not None
    assert attempt.name == "Wren"


async def test_a_double_click_opens_one_bag(parlour: Parlour) -> None:
    robin, here = parlour.robin, parlour.here
    panel = await open_panel(robin, here)
    play = f"B:play:{TODAY}:1"
    first, second = await robin.click(panel, play), await robin.click(panel, play, forged=True)
    assert "Your bag is below" in first.text + panel.text
    assert "still open" not in second.text
    await parlour.wait_until_settled()
    assert len(parlour.wren.visible_messages(here)) == 1


async def test_a_result_is_shared_without_giving_anything_away(parlour: Parlour) -> None:
    robin, here = parlour.robin, parlour.here
    finished = await play(parlour, robin, here)
    message = parlour.wren.visible_messages(here)[-1]
    await parlour.press(robin, message, "Share")
    await parlour.sandbox.until(lambda: parlour.wren.visible_messages(here)[-1] is not message)
    shared = parlour.wren.visible_messages(here)[-1]
    lines = shared.text.splitlines()
    assert lines[0] == "**Robin** played the daily bag:"
    assert (lines[1], lines[-1]) == ("```", "```")
    taken = sum(not row for row in finished.state.layout.rows)
    assert lines[3] == "🟩" * taken + "⬜" * (9 - taken), "in no order that tells which"
    assert f"🪙 {len(finished.state.layout.collected)} " in lines[4]
    assert not shared.attachments
    assert not shared.embeds
    stranger = await parlour.wren.click(message, f"A:{finished.id}")
    assert "Only the players" in stranger.text


async def test_people_are_shown_across_servers_only_while_they_agree(parlour: Parlour) -> None:
    robin, wren = parlour.robin, parlour.wren
    await play(parlour, robin, robin.direct_channel)
    panel = await open_panel(robin, robin.direct_channel)
    assert "This server" not in [button.label for button in panel.buttons]
    await parlour.press(robin, panel, "All servers")
    assert "**Robin** (you, not shown to others)" in panel.text
    seen = await open_panel(wren, parlour.here)
    await parlour.press(wren, seen, "All servers")
    assert "Robin" not in seen.text
    await parlour.press(robin, panel, "Show me on the board of all servers")
    await parlour.press(wren, seen, "Yesterday")
    await parlour.press(wren, seen, "Today")
    assert "🥇 **Robin**" in seen.text
    await parlour.press(robin, panel, "Hide me from the board of all servers")
    await parlour.press(wren, seen, "Yesterday")
    await parlour.press(wren, seen, "Today")
    assert "Robin" not in seen.text
