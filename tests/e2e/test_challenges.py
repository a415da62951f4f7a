"""Challenges over several days: played once, in private, the same for everyone, with seeds secret until the end."""

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.features.challenges import storage
from bot.features.challenges.ids import ChallengeButton, ChallengeId
from bot.features.challenges.pings import DailyPings
from bot.features.challenges.service import ChallengeService
from bot.games.magpie.words import SQUARES
from bot.platform.clock import utc_now
from bot.platform.jobs import downtimes
from bot.platform.observability.metrics import Ending
from bot.platform.places import Person as Player, day_of
from bot.rules.picture import NAME_END, NAME_START
from bot.sandbox import Sandbox
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from bot.tables.host import Host
from bot.tables.kinds import Cadence, Edition, SharedSeed, edition_on
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.commands.run_command import run_command
from tests.fairdice import checker
from tests.support.challenge_games import do_what_is_due, finish_challenge
from tests.support.fakes import FakeClockAhead
from tests.support.parlour import Parlour, run_parlour

NOON = datetime(2027, 3, 1, 12, tzinfo=UTC)
"""A Monday."""
DAY = timedelta(days=1)
TODAY = edition_on(Cadence.DAILY, day_of(NOON))
THIS_WEEK = edition_on(Cadence.WEEKLY, day_of(NOON))


@pytest.fixture
async def parlour(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[Parlour]:
    """A bot whose salts are made as they are for people."""
    async with run_parlour(sandbox, tmp_path / "parlour.sqlite3", dice_are_steady=False) as running:
        await set_time(running, NOON)
        yield running


async def set_time(parlour: Parlour, moment: datetime) -> None:
    """Let it be a time on the bot's clock, until which it ran, and let the bot do what is due."""
    await parlour.db.maintain(downtimes.note_alive, parlour.db.shards, moment, timedelta.max)
    service_of(parlour).clock = FakeClockAhead(moment - utc_now())
    await do_what_is_due(parlour.client.app.service(ChallengeService))


def service_of(parlour: Parlour) -> TableService:
    return parlour.client.app.service(Host).service


def button_of(button: ChallengeButton, edition: Edition, page: int = 1) -> str:
    """The id of a button about an edition."""
    return str(ChallengeId(button, edition.cadence, edition.day, page))


async def open_daily(who: Person, channel: Channel) -> Message:
    """Type `/daily`, and return the private message that answers."""
    answer = await who.slash(channel, "daily")
    assert answer.ephemeral, answer.text
    return answer.replies[0]


async def begin(parlour: Parlour, who: Person, channel: Channel, edition: Edition = TODAY) -> tuple[Table, Message]:
    """Begin an edition; return its table with the message in which its player sees it."""
    message = await open_daily(who, channel)
    await who.click(message, button_of(ChallengeButton.PLAY, edition), forged=True)
    attempt = await parlour.db.read(storage.find_attempt, who.id, edition)
    assert attempt is not None
    return await service_of(parlour).table(attempt.table_id), message


async def play(parlour: Parlour, who: Person, channel: Channel, edition: Edition = TODAY) -> tuple[Table, Message]:
    """Play an edition to its end; return its table with the message that shows the result to its player."""
    table, message = await begin(parlour, who, channel, edition)
    finished = await finish_challenge(service_of(parlour), table.id, Player(who.id, who.name))
    await who.click(message, button_of(ChallengeButton.PLAY, edition), forged=True)
    return finished, message


async def seed_of(parlour: Parlour, edition: Edition) -> SharedSeed:
    shared = await parlour.db.read(storage.find_seed, edition)
    assert shared is not None
    return shared


def ids_in(message: Message) -> list[str]:
    return [button.custom_id or "" for button in message.buttons]


async def test_ten_rolls_are_played_in_one_private_message(parlour: Parlour) -> None:
    robin, wren, here = parlour.robin, parlour.wren, parlour.here
    message, clicks = await open_daily(robin, here), 1
    await robin.click(message, button_of(ChallengeButton.PLAY, TODAY))
    while rolls := [custom_id for custom_id in ids_in(message) if custom_id.split(":")[4:5] == ["roll"]]:
        await robin.click(message, rolls[0])
        clicks += 1
    assert clicks == 11
    assert [each for each in robin.visible_messages(here) if not each.deleted] == [message]
    assert wren.visible_messages(here) == []
    attempt = await parlour.db.read(storage.find_attempt, robin.id, TODAY)
    assert attempt is not None
    assert attempt.score is not None
    assert str(attempt.score) in message.text
    lines = (line.strip(NAME_START + NAME_END) for line in message.text.splitlines())
    squares = [line for line in lines if line and set(line) <= set(SQUARES)]
    assert [len(line) for line in squares] == [5, 5]
    assert message.attachments


async def test_a_new_message_goes_on_where_one_was_in_any_channel(parlour: Parlour) -> None:
    robin = parlour.robin
    table, message = await begin(parlour, robin, parlour.here)
    (roll,) = [custom_id for custom_id in ids_in(message) if custom_id.split(":")[4:5] == ["roll"]]
    await robin.click(message, roll)
    assert f"w:t:{table.id}:1:" in " ".join(ids_in(await open_daily(robin, parlour.elsewhere)))
    await parlour.sandbox.until(lambda: message.deleted)
    again = await open_daily(robin, robin.direct_channel)
    (roll,) = [custom_id for custom_id in ids_in(again) if custom_id.split(":")[4:5] == ["roll"]]
    await robin.click(again, roll)
    assert (await service_of(parlour).table(table.id)).header.step == 2


async def test_a_challenge_takes_no_place_from_other_games(parlour: Parlour) -> None:
    robin, here = parlour.robin, parlour.here
    await begin(parlour, robin, here)
    await begin(parlour, robin, here, THIS_WEEK)
    opened = await robin.slash(here, "magic-bag new")
    assert not opened.ephemeral, opened.text
    assert (await parlour.open_table(robin)).text


async def test_the_record_holds_once_the_seed_is_published(parlour: Parlour, tmp_path: Path) -> None:
    robin, here = parlour.robin, parlour.here
    for edition in (TODAY, THIS_WEEK):
        table, message = await play(parlour, robin, here, edition)
        seed = (await seed_of(parlour, edition)).seed.hex()
        sealed = await robin.click(message, f"v:{table.id}", forged=True)
        assert seed not in sealed.text
        assert not sealed.replies[0].attachments
        # Somebody else's attempt keeps it secret, although the time is over.
        await set_time(parlour, edition.ends_at - timedelta(minutes=5))
        late, _message = await begin(parlour, parlour.wren, here, edition_on(edition.cadence, edition.next.day - 1))
        await set_time(parlour, edition.ends_at + timedelta(hours=3))
        assert seed not in (await robin.click(message, f"v:{table.id}", forged=True)).text
        await finish_challenge(service_of(parlour), late.id, Player(parlour.wren.id, "Wren"))
        await set_time(parlour, edition.ends_at + timedelta(hours=4))

        proof = await robin.click(message, f"v:{table.id}", forged=True)
        assert seed in proof.text
        (attachment,) = proof.replies[0].attachments
        file = tmp_path / f"{edition.cadence}.json"
        file.write_bytes(attachment.content)
        assert checker.find_flaws(json.loads(file.read_bytes())) == []
        commitment = (await seed_of(parlour, edition)).commitment
        assert run_command("record", "verify", str(file), "--commitment", commitment[:8]).code == 0
        other = (await seed_of(parlour, edition.next)).commitment
        assert run_command("record", "verify", str(file), "--commitment", other).code == 1
        await set_time(parlour, NOON)


async def test_a_result_is_shared_as_text_and_whoever_presses_plays_for_themselves(parlour: Parlour) -> None:
    robin, wren, here = parlour.robin, parlour.wren, parlour.here
    finished, message = await play(parlour, robin, here)
    assert wren.visible_messages(here) == []
    await robin.click(message, button_of(ChallengeButton.SHARE, TODAY))
    await parlour.sandbox.until(lambda: bool(wren.visible_messages(here)))
    (shared,) = wren.visible_messages(here)
    first, *squares = shared.content.splitlines()
    assert finished.outcome is not None
    assert f" {TODAY.number} · {finished.outcome.scores[0]} " in first
    assert [len(line) for line in squares] == [5, 5]
    assert set("".join(squares)) <= set(SQUARES)
    assert not shared.attachments
    again = await robin.click(message, button_of(ChallengeButton.SHARE, TODAY), forged=True)
    assert again.ephemeral
    assert len(wren.visible_messages(here)) == 1

    (play_button,) = shared.buttons
    answer = await wren.click(shared, play_button.custom_id or "")
    assert answer.ephemeral
    attempt = await parlour.db.read(storage.find_attempt, wren.id, TODAY)
    assert attempt is not None
    assert attempt.name == "Wren"
    refused = await wren.click(shared, button_of(ChallengeButton.SHARE, TODAY), forged=True)
    assert refused.ephemeral
    assert len(parlour.jay.visible_messages(here)) == 1
    counted = parlour.db.metrics.export_text(NOON, None).decode()
    for ending in Ending:
        assert f'parlour_games_total{{ending="{ending}",game="daily"}} 1.0' in counted
    assert 'parlour_attempt_seconds_count{challenge="daily"} 1.0' in counted


async def test_a_ping_comes_once_at_its_hour_unless_the_day_is_played(parlour: Parlour) -> None:
    robin, here = parlour.robin, parlour.here
    await robin.slash(here, "ping daily", hour=14, zone="Europe/Berlin")
    assert robin.visible_messages(robin.direct_channel) == []
    pings = parlour.client.app.service(DailyPings)
    await set_time(parlour, NOON + timedelta(hours=1))
    for _again in range(2):
        await pings.check()
    (ping,) = robin.visible_messages(robin.direct_channel)
    await robin.click(ping, ids_in(ping)[0])
    assert await parlour.db.read(storage.find_attempt, robin.id, TODAY) is not None
    # On the next day the person begins before the hour, and then asks for no more pings.
    await set_time(parlour, NOON + DAY)
    await begin(parlour, robin, here, TODAY.next)
    await set_time(parlour, NOON + DAY + timedelta(hours=1))
    await pings.check()
    await set_time(parlour, NOON + 2 * DAY)
    menu = await open_daily(robin, here)
    await robin.click(menu, button_of(ChallengeButton.PING, TODAY.next.next))
    await set_time(parlour, NOON + 2 * DAY + timedelta(hours=1))
    await pings.check()
    shown = [each for each in robin.visible_messages(robin.direct_channel) if not each.ephemeral_to]
    assert shown == [ping]
