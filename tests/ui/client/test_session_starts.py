"""How the bot keeps to the number of sessions that Discord lets it begin in a day."""

import asyncio
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.platform.discord.gateway import LONGEST_PAUSE, SessionStarts, StartLimit, read_start_limit
from tests.support.each_case import each_case
from tests.support.fakes import NOON
from tests.support.waiting import Gate

DAY = timedelta(days=1)


class FakeDay:
    """A day of Discord's, with a thousand sessions, and the time of a bot."""

    def __init__(self, remaining: int = 1000, left: timedelta = DAY) -> None:
        self.remaining = remaining
        self.left = left
        self.now = 0.0

    async def fetch(self) -> StartLimit:
        return StartLimit(remaining=self.remaining, reset_after=self.left)

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.left -= timedelta(seconds=seconds)
        if self.left <= timedelta(0):
            self.remaining, self.left = 1000, DAY

    def clock(self) -> datetime:
        return NOON + timedelta(seconds=self.now)

    def starts(self) -> SessionStarts:
        return SessionStarts(self.fetch, self.sleep, lambda: self.now, self.clock)


async def test_a_bot_that_has_used_up_its_sessions_waits_and_says_once_until_when(
    caplog: pytest.LogCaptureFixture,
) -> None:
    day = FakeDay(remaining=3, left=timedelta(hours=5))
    limit = await day.starts().wait(4)
    assert limit.remaining == 1000
    assert day.now == timedelta(hours=5).total_seconds()
    (told,) = caplog.messages
    assert "3 more sessions" in told
    assert (NOON + timedelta(hours=5)).isoformat(" ", "seconds") in told


@each_case("remaining, told", [(100, 0), (99, 1), (1000, 0)])
async def test_below_a_tenth_it_says_so_and_slows_down(
    caplog: pytest.LogCaptureFixture, remaining: int, told: int
) -> None:
    caplog.clear()
    day = FakeDay(remaining, timedelta(hours=11))
    await day.starts().wait(1)
    assert len(caplog.messages) == told
    assert day.now == pytest.approx(told * 400)


@each_case("shards", [1, 16, 64])
async def test_a_start_with_few_sessions_left_is_put_off_for_a_quarter_of_an_hour_at_most(shards: int) -> None:
    day = FakeDay(remaining=99)
    await day.starts().wait(shards)
    assert timedelta(seconds=day.now) <= LONGEST_PAUSE <= timedelta(minutes=15)


async def test_a_bot_with_one_shard_that_is_restarted_again_and_again_never_waits_for_the_next_day() -> None:
    day = FakeDay()
    for _ in range(3000):
        before = day.now
        await day.starts().wait(1)
        assert timedelta(seconds=day.now - before) <= LONGEST_PAUSE
        day.remaining -= 1
        await day.sleep(1)


@each_case("shards", [4, 16, 64])
async def test_restarts_never_begin_more_sessions_than_there_are(shards: int) -> None:
    day = FakeDay()
    for _ in range(3 * 1000 // shards):
        await day.starts().wait(shards)
        assert day.remaining >= shards
        day.remaining -= shards
        await day.sleep(1)


async def test_a_lost_session_is_replaced_at_the_time_that_the_log_names(caplog: pytest.LogCaptureFixture) -> None:
    day = FakeDay(remaining=0, left=timedelta(hours=2))
    await day.starts().wait_for_one(lambda: 0)
    assert timedelta(seconds=day.now) == timedelta(hours=2)
    (told,) = caplog.messages
    assert f"It waits until {(NOON + timedelta(hours=2)).isoformat(' ', 'seconds')}" in told
    assert "restart" not in told


async def test_shards_that_wait_together_are_told_of_once(caplog: pytest.LogCaptureFixture) -> None:
    day = FakeDay(remaining=0, left=timedelta(hours=2))
    gate = Gate()

    async def sleep(_: float) -> None:
        await gate.wait()
        day.remaining = 1000

    starts = SessionStarts(day.fetch, sleep, lambda: day.now, day.clock)
    waiting = [asyncio.create_task(starts.wait_for_one(lambda: 0)) for _ in range(3)]
    await gate.reached.wait()
    gate.open()
    await asyncio.gather(*waiting)
    assert len(caplog.messages) == 1


async def test_a_lost_session_is_replaced_at_once_while_any_is_left(caplog: pytest.LogCaptureFixture) -> None:
    day = FakeDay(remaining=1)
    await day.starts().wait_for_one(lambda: 0)
    assert not day.now
    assert not caplog.messages


async def test_a_lost_session_leaves_those_alone_that_other_shards_are_about_to_begin() -> None:
    day, reserved = FakeDay(remaining=1), [1, 1, 0]
    await day.starts().wait_for_one(lambda: reserved.pop(0))
    assert not reserved
    assert timedelta(seconds=day.now) == timedelta(minutes=2)


WHOLE = {"total": 5, "remaining": 4, "reset_after": 3, "max_concurrency": 2}
SMALL_BOT = StartLimit()
ANSWERS: list[tuple[Any, StartLimit]] = [
    ({"shards": 7, "session_start_limit": WHOLE}, StartLimit(7, 2, 5, 4, timedelta(milliseconds=3))),
    (None, SMALL_BOT),
    ([], SMALL_BOT),
    ("<h1>Bad Gateway</h1>", SMALL_BOT),
    ({}, SMALL_BOT),
    ({"shards": "7", "session_start_limit": None}, SMALL_BOT),
    ({"shards": 0, "session_start_limit": {"max_concurrency": 0, "total": -1, "remaining": "many"}}, SMALL_BOT),
    ({"session_start_limit": {"reset_after": 10**30}}, StartLimit(reset_after=DAY)),
    ({"session_start_limit": {"reset_after": float("nan"), "remaining": True}}, SMALL_BOT),
]


@each_case("answer, limit", ANSWERS)
def test_what_cannot_be_read_of_the_limit_is_as_for_a_small_bot(answer: Any, limit: StartLimit) -> None:
    assert read_start_limit(answer) == limit
