"""The daily post of a server: once a day, in its own hour, and an end of it instead of errors."""

from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.features.challenges import storage as challenge_storage
from bot.features.challenges.ids import ChallengeButton, ChallengeId
from bot.features.challenges.model import AttemptEnd
from bot.features.challenges.posts import DAILY_POST, DailyPosts, PostPlan
from bot.features.settings.all_settings import GAMES as GAMES_SETTING
from bot.features.settings.kinds import SettingsSection
from bot.features.settings.moderator_log import ModeratorLog
from bot.features.settings.posts import DAILY_CHANNEL, DAILY_HOUR, DAILY_ROLE, DAILY_ZONE, LOG
from bot.platform.discord.ids import parse_id
from bot.platform.jobs.storage import Job
from bot.platform.places import Day, day_of
from bot.platform.time_zones import next_hour
from bot.tables.kinds import Cadence, SharedSeed, edition_on
from bot.words import gettext
from tests.support.chosen_settings import chosen
from tests.support.each_case import each_case
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import NOON, make_table
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import MISSING_ACCESS, SERVER_ERROR, UNKNOWN_CHANNEL
from tests.ui.features.settings.panels import SERVER, choose_several, text_about, turn_to

CHANNEL, LOG_CHANNEL, SERVER_ID = 81, 99, 3
TODAY = day_of(NOON)


@pytest.fixture
async def adapter(db: MemoryDatabase) -> AsyncIterator[Adapter]:
    """A server that has chosen a daily post at nine in Berlin."""
    db.chosen[SERVER_ID] = chosen({DAILY_ZONE: "Europe/Berlin", DAILY_ROLE: frozenset({501})})
    adapter = start(db)
    await choose_several(adapter, DAILY_CHANNEL, str(CHANNEL))
    yield adapter
    await adapter.host.close()


def start(db: MemoryDatabase) -> Adapter:
    """Start a process in which the bot is a member of the server."""
    adapter = Adapter(db, FakeTableMessages())
    adapter.app.find_server = lambda _: SERVER
    adapter.app.find_membership = lambda _: True
    return adapter


def job_in(db: MemoryDatabase) -> Job | None:
    return db.jobs.get((DAILY_POST, str(SERVER_ID)))


def planned(db: MemoryDatabase) -> Job:
    job = job_in(db)
    assert job is not None
    return job


async def run(adapter: Adapter, job: Job, late: timedelta = timedelta()) -> datetime | None:
    """Do a job when it is due, or later."""
    adapter.clock.now = job.due_at + late
    return await adapter.app.service(DailyPosts).run(job)


def posts_of(adapter: Adapter) -> list[Any]:
    return [request.json for request in adapter.message_client.requests if request.channel_id == CHANNEL]


async def test_a_choice_plans_the_next_post_in_the_hour_of_the_server(adapter: Adapter, db: MemoryDatabase) -> None:
    job = planned(db)
    nine = (NOON + timedelta(days=1)).replace(hour=8)
    assert nine <= job.due_at < nine + timedelta(minutes=10)
    assert (job.key, job.guild_id) == (str(SERVER_ID), SERVER_ID)
    await adapter.settings.change(SERVER_ID, DAILY_HOUR, lambda _: 15)
    assert planned(db).due_at == job.due_at - timedelta(hours=18)
    await choose_several(adapter, DAILY_CHANNEL)
    assert job_in(db) is None


async def test_each_day_has_at_most_one_post_whatever_restarts(adapter: Adapter, db: MemoryDatabase) -> None:
    job = planned(db)
    after_restart = start(db)
    following = {await run(process, job) for process in (adapter, after_restart, after_restart)}
    assert following == {job.due_at + timedelta(days=1)}
    (post,) = posts_of(adapter)
    assert posts_of(after_restart) == []
    assert post["allowed_mentions"] == {"parse": [], "roles": ["501"]}
    assert post["content"] == "<@&501>"
    await after_restart.host.close()


async def test_a_deleted_role_is_not_mentioned(adapter: Adapter, db: MemoryDatabase) -> None:
    await adapter.settings.change(SERVER_ID, DAILY_ROLE, lambda _: frozenset({4711}))
    await run(adapter, planned(db))
    (post,) = posts_of(adapter)
    assert "content" not in post
    assert "roles" not in post["allowed_mentions"]


async def test_a_post_that_is_hours_late_is_left_out(adapter: Adapter, db: MemoryDatabase) -> None:
    """Also if the job was put off meanwhile, because the bot was connecting."""
    job = planned(db)
    for waiting in (job, replace(job, due_at=job.due_at + timedelta(hours=4))):
        adapter.clock.now = job.due_at + timedelta(hours=4)
        assert await adapter.app.service(DailyPosts).run(waiting) == job.due_at + timedelta(days=1)
    assert posts_of(adapter) == []


@each_case("is_member, wait", [(False, timedelta(days=1)), (None, timedelta(minutes=1))])
async def test_a_server_that_the_bot_has_left_gets_none(
    adapter: Adapter, db: MemoryDatabase, is_member: bool | None, wait: timedelta
) -> None:
    adapter.app.find_membership = lambda _: is_member
    job = planned(db)
    assert await run(adapter, job) == job.due_at + wait
    assert posts_of(adapter) == []


@pytest.mark.parametrize(("fault", "names_channel"), [(UNKNOWN_CHANNEL, False), (MISSING_ACCESS, True)])
async def test_a_refusal_ends_the_posts_and_the_settings_say_why(
    adapter: Adapter, db: MemoryDatabase, fault: Exception, *, names_channel: bool
) -> None:
    job = planned(db)
    await adapter.settings.change(SERVER_ID, LOG, lambda _: frozenset({LOG_CHANNEL}))
    adapter.message_client.fault, adapter.message_client.bot_id = fault, 4711
    await run(adapter, job)
    assert len(adapter.message_client.urgencies) == 1
    adapter.message_client.fault = None
    await adapter.app.service(ModeratorLog).tasks.finish()
    (line,) = [each.json for each in adapter.message_client.requests if each.channel_id == LOG_CHANNEL]
    assert (db.chosen[SERVER_ID].get(DAILY_CHANNEL), job_in(db)) == (frozenset(), None)
    text = text_about(await turn_to(adapter, SettingsSection.DAILY, guild=SERVER), DAILY_CHANNEL)
    assert "⚠️" in text
    assert (f"<#{CHANNEL}>" in text) is names_channel
    assert line is not None
    assert line["content"] in text
    changes = (await turn_to(adapter, SettingsSection.CHANGES, guild=SERVER)).answers[-1].embed.description
    (ended,) = [each for each in changes.splitlines() if "<@4711>" in each]
    assert gettext(DAILY_CHANNEL.title) in ended
    assert f"<#{CHANNEL}>" not in ended
    # The same channel can be chosen again.
    await choose_several(adapter, DAILY_CHANNEL, str(CHANNEL))
    assert job_in(db) is not None
    await choose_several(adapter, DAILY_CHANNEL)
    assert "⚠️" not in text_about(await turn_to(adapter, SettingsSection.DAILY, guild=SERVER), DAILY_CHANNEL)


async def test_an_outage_of_discord_costs_one_post(adapter: Adapter, db: MemoryDatabase) -> None:
    job = planned(db)
    adapter.message_client.fault = SERVER_ERROR
    assert await run(adapter, job) == job.due_at + timedelta(days=1)
    assert db.chosen[SERVER_ID].get(DAILY_CHANNEL) == {CHANNEL}


def end_attempt(db: MemoryDatabase, day: Day, name: str, *, is_published: bool) -> None:
    """Store the seed of a day with a result in the server."""
    edition = edition_on(Cadence.DAILY, day)
    at = edition.ends_at if is_published else None
    db.run(challenge_storage.commit_seed, SharedSeed(edition, bytes(32), edition.starts_at, at))
    header = replace(make_table().header, id=day)
    db.run(challenge_storage.begin_attempt, header, name, edition)
    db.run(challenge_storage.end_attempt, header, AttemptEnd(edition, 182, edition.starts_at))


@each_case(
    "published, shown",
    [({-1, -2}, "Yesterday"), ({-2}, "Before"), (set(), None)],
)
async def test_a_post_has_the_last_results_that_everyone_may_see(published: set[int], shown: str | None) -> None:
    db = MemoryDatabase()
    db.chosen[SERVER_ID] = chosen({DAILY_CHANNEL: frozenset({CHANNEL})})
    adapter = start(db)
    for day, name in ((-1, "Yesterday"), (-2, "Before")):
        end_attempt(db, TODAY + day, name, is_published=day in published)
    plan = PostPlan.of(SERVER_ID, db.chosen[SERVER_ID])
    assert plan is not None
    content = await adapter.app.service(DailyPosts).render(plan)
    await adapter.host.close()
    assert content is not None
    text = content.text_embed_json["description"]
    assert [name for name in ("Yesterday", "Before") if name in text] == ([] if shown is None else [shown])
    ids = [parse_id(button.custom_id) for row in content.rows for button in row]
    today, past = edition_on(Cadence.DAILY, TODAY), None if shown is None else [-1, -2][shown == "Before"]
    buttons = [ChallengeId(ChallengeButton.TODAY, Cadence.DAILY, today.day, 1)]
    if past is not None:
        buttons.append(ChallengeId(ChallengeButton.SERVER, Cadence.DAILY, TODAY + past, 1))
    assert [each for each in ids if isinstance(each, ChallengeId)] == buttons


async def test_without_its_games_a_server_has_no_post(adapter: Adapter, db: MemoryDatabase) -> None:
    await adapter.settings.change(SERVER_ID, GAMES_SETTING, lambda _: frozenset({"magpie"}))
    await run(adapter, planned(db))
    assert posts_of(adapter) == []


def test_servers_with_the_same_hour_are_spread_over_ten_minutes() -> None:
    plans = [PostPlan((1_100_000_000_000 + 7_001 * number) << 22, 1, 9, "UTC", None) for number in range(3000)]
    moments = Counter(plan.following(NOON) for plan in plans)
    assert max(moments.values()) <= 15
    assert max(moments) - min(moments) < timedelta(minutes=10)


@each_case(
    "now, hour, zone, following",
    [
        # The clocks go forward at 2:00 on 28 March and back at 3:00 on 31 October.
        ("2027-03-27 12:00", 9, "Europe/Berlin", "2027-03-28 07:00"),
        ("2027-03-27 12:00", 2, "Europe/Berlin", "2027-03-28 01:00"),
        ("2027-10-30 12:00", 2, "Europe/Berlin", "2027-10-31 00:00"),
        ("2027-10-31 00:30", 2, "Europe/Berlin", "2027-11-01 01:00"),
        ("2027-10-31 01:30", 2, "Europe/Berlin", "2027-11-01 01:00"),
        ("2027-03-01 12:00", 9, "Asia/Kolkata", "2027-03-02 03:30"),
        ("2027-03-01 12:00", 0, "Asia/Kathmandu", "2027-03-01 18:15"),
        ("2027-03-01 09:00", 9, "UTC", "2027-03-02 09:00"),
        ("2027-03-01 08:59", 9, "Gone/Nowhere", "2027-03-01 09:00"),
    ],
)
def test_the_hour_of_a_zone(now: str, hour: int, zone: str, following: str) -> None:
    moment, expected = (datetime.fromisoformat(text).replace(tzinfo=UTC) for text in (now, following))
    assert next_hour(moment, hour, zone) == expected
