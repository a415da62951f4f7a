"""All requests with the bot's token share one budget, and the most urgent are sent first."""

import asyncio
import logging
from collections import deque
from collections.abc import Mapping

import pytest

from bot.platform.discord.rate_limits import USUAL_PACE, Bucket, Permit, RateLimiter, Urgency, route_of
from tests.support.each_case import each_case
from tests.support.memory import count_instances
from tests.support.virtual_time import elapsed_seconds, run_in_virtual_time


class RecordingSender:
    """Sends requests, and notes when."""

    def __init__(self, limits: RateLimiter | None = None, *, seconds: float = 0.0) -> None:
        self.limits = limits or RateLimiter()
        self.seconds = seconds
        """How long an answer takes."""
        self.sent: list[tuple[float, object]] = []

    async def send(
        self,
        name: object,
        address: object = None,
        *,
        urgency: Urgency = Urgency.EDIT,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        wait: float | None = None,
        is_global: bool = False,
    ) -> None:
        async with self.limits.permit(address, urgency) as permit:
            self.use(permit, name)
            await asyncio.sleep(self.seconds)
            permit.headers = headers or {}
            permit.retry_after, permit.is_global = wait, is_global
            self.limits.note_response("PATCH", "/channels/1/messages/2", status, permit.headers)

    def use(self, permit: Permit, name: object) -> None:
        permit.is_used = True
        self.sent.append((elapsed_seconds(), name))

    @property
    def names(self) -> list[object]:
        return [name for _, name in self.sent]


def limit_headers(remaining: int, after: float, limit: int = 5) -> dict[str, str]:
    """What an answer says of the limit of its address."""
    values = {"Limit": limit, "Remaining": remaining, "Reset-After": after}
    return {f"X-RateLimit-{name}": str(value) for name, value in values.items()}


def most_in_a_second(times: list[float]) -> int:
    window, most = deque[float](), 0
    for time in times:
        window.append(time)
        while window[0] <= time - 1:
            window.popleft()
        most = max(most, len(window))
    return most


@each_case("seconds", [0.0, 0.2])
@run_in_virtual_time
async def test_no_second_has_more_requests_than_discord_allows(seconds: float) -> None:
    sender = RecordingSender(seconds=seconds)
    await asyncio.gather(*(sender.send(number, address=number) for number in range(500)))
    times = [time for time, _ in sender.sent]
    assert most_in_a_second(times) == USUAL_PACE < 50
    assert times[-1] == pytest.approx((1 + seconds) * (500 // USUAL_PACE), abs=0.01), "nor fewer than it may"


@run_in_virtual_time
async def test_processes_together_send_no_more_requests_than_one() -> None:
    senders = [RecordingSender(), RecordingSender(), RecordingSender()]
    for sender, share in zip(senders, (0.5, 0.25, 0.25), strict=True):
        sender.limits.share = share
    await asyncio.gather(*(sender.send(number, address=number) for sender in senders for number in range(200)))
    paces = [most_in_a_second([time for time, _ in sender.sent]) for sender in senders]
    assert sum(paces) <= USUAL_PACE
    assert paces == [22, 11, 11]


@run_in_virtual_time
async def test_a_process_with_a_small_share_sends_a_request_in_a_few_seconds() -> None:
    sender = RecordingSender()
    sender.limits.share = 0.5 / USUAL_PACE
    await asyncio.gather(*(sender.send(number, address=number) for number in range(3)))
    assert [time for time, _ in sender.sent] == [0.0, 2.0, 4.0]


@run_in_virtual_time
async def test_the_most_urgent_requests_are_sent_first_and_equals_in_order() -> None:
    sender = RecordingSender()
    await asyncio.gather(*(sender.send("before") for _ in range(USUAL_PACE)))
    kinds = [Urgency.DELETION, Urgency.REMINDER, Urgency.EDIT, Urgency.REFRESH, Urgency.POST, Urgency.CONNECTION]
    await asyncio.gather(*(sender.send((kind, turn), urgency=kind) for turn in range(20) for kind in kinds))
    after = sender.names[USUAL_PACE:]
    assert after == [(kind, turn) for kind in sorted(kinds) for turn in range(20)]


@run_in_virtual_time
async def test_a_route_is_not_used_until_its_limit_is_renewed() -> None:
    sender = RecordingSender()
    await sender.send("first", "here", headers=limit_headers(1, 5.0))
    await sender.send("last", "here", headers=limit_headers(0, 5.0))
    await sender.send("renewed", "here", headers=limit_headers(4, 5.0))
    await sender.send("another", "here", headers=limit_headers(3, 5.0))
    assert sender.sent == [(0, "first"), (0, "last"), (5, "renewed"), (5, "another")]


@run_in_virtual_time
async def test_a_limited_route_delays_no_others() -> None:
    sender = RecordingSender()
    await sender.send("refused", "here", status=429, wait=600.0)
    waiting = asyncio.create_task(sender.send("again", "here"))
    await asyncio.sleep(1)
    await sender.send("elsewhere", "there")
    assert sender.limits.waiting_requests() == 1
    await waiting
    assert sender.sent == [(0, "refused"), (1, "elsewhere"), (600, "again")]


@run_in_virtual_time
async def test_a_route_without_known_limits_sends_one_request_at_a_time() -> None:
    sender = RecordingSender(seconds=0.1)
    await asyncio.gather(*(sender.send(number, "here") for number in range(3)))
    assert [time for time, _ in sender.sent] == pytest.approx([0, 0.1, 0.2])


@run_in_virtual_time
async def test_a_request_under_way_counts_for_the_next_window() -> None:
    sender = RecordingSender()
    await sender.send("known", "here", headers=limit_headers(1, 1.0, limit=2))
    sender.seconds = 5.0
    await asyncio.gather(*(sender.send(name, "here") for name in "abc"))
    assert sender.sent == [(0, "known"), (0, "a"), (1, "b"), (6, "c")]


@run_in_virtual_time
async def test_a_global_limit_delays_all_requests() -> None:
    sender = RecordingSender()
    await sender.send("refused", "here", status=429, wait=7.0, is_global=True)
    await sender.send("elsewhere", "there")
    assert sender.sent == [(0, "refused"), (7, "elsewhere")]


@run_in_virtual_time
async def test_an_unused_permit_costs_nothing() -> None:
    sender = RecordingSender()
    await sender.send("known", "here", headers=limit_headers(1, 100.0))
    for _ in range(200):
        async with sender.limits.permit("here", Urgency.EDIT):
            pass
    await sender.send("next", "here")
    assert sender.sent == [(0, "known"), (0, "next")]


@run_in_virtual_time
async def test_an_unused_permit_does_not_reopen_a_route_that_was_limited_meanwhile() -> None:
    sender = RecordingSender()
    await sender.send("known", "here", headers=limit_headers(4, 100.0))
    async with sender.limits.permit("here", Urgency.EDIT):
        await sender.send("refused", "here", status=429, wait=50.0)
    await sender.send("next", "here")
    assert sender.sent[-1] == (50, "next")


@run_in_virtual_time
async def test_a_cancelled_waiter_leaves_nothing_behind() -> None:
    sender = RecordingSender()
    await sender.send("refused", "here", status=429, wait=600.0)
    tasks = [asyncio.create_task(sender.send(number, "here")) for number in range(3)]
    await asyncio.sleep(1)
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    await sender.send("next", "here")
    assert sender.sent == [(0, "refused"), (600, "next")]
    await asyncio.gather(*(sender.send(number, number) for number in range(USUAL_PACE)))
    await asyncio.sleep(2)
    assert sender.limits.in_use == 0


@run_in_virtual_time
async def test_a_permit_granted_to_a_request_cancelled_at_that_moment_goes_to_the_next() -> None:
    sender = RecordingSender()
    async with sender.limits.permit("here", Urgency.EDIT):
        tasks = [asyncio.create_task(sender.send(number, "here")) for number in range(2)]
        await asyncio.sleep(0)
    tasks[0].cancel()
    await asyncio.wait(tasks, timeout=5)
    assert sender.sent == [(0, 1)]
    await asyncio.sleep(2)
    assert sender.limits.in_use == 0


@run_in_virtual_time
async def test_idle_routes_are_forgotten() -> None:
    sender, others = RecordingSender(), count_instances(Bucket)
    await sender.send("used up", "here", headers=limit_headers(0, 600.0))
    await sender.send("refused", "there", status=429, wait=600.0)
    for number in range(1500):
        await sender.send(number, number, headers=limit_headers(4, 1.0))
    assert count_instances(Bucket) - others < 1100
    await asyncio.gather(sender.send("again", "here"), sender.send("again", "there"))
    assert sender.sent[-2:] == [(600, "again")] * 2, "limits that still apply are not forgotten"


@run_in_virtual_time
async def test_busy_routes_are_rarely_searched_for_idle_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    sender, is_idle, looks = RecordingSender(), Bucket.is_idle, []

    def look(bucket: Bucket, now: float) -> bool:
        looks.append(bucket)
        return is_idle(bucket, now)

    monkeypatch.setattr(Bucket, "is_idle", look)
    for number in range(1500):
        await sender.send(number, number, headers=limit_headers(4, 600.0))
    assert len(looks) == 1000


@run_in_virtual_time
async def test_a_renewed_route_takes_all_its_requests_at_once() -> None:
    sender = RecordingSender(seconds=0.1)
    await sender.send("known", "here", headers=limit_headers(4, 1.0))
    await asyncio.sleep(2)
    await asyncio.gather(*(sender.send(number, "here") for number in range(6)))
    assert [time for time, _ in sender.sent[1:]] == pytest.approx([2.1] * 5 + [2.2])


@each_case("missing", ["Remaining", "Reset-After"])
def test_a_limit_told_in_part_changes_nothing(missing: str) -> None:
    headers, bucket = limit_headers(3, 1.0), Bucket()
    del headers[f"X-RateLimit-{missing}"]
    bucket.update(0.0, headers)
    assert bucket == Bucket()


@each_case("order", [(2, 3), (3, 2)])
def test_responses_out_of_order_grant_nothing_twice(order: tuple[int, int]) -> None:
    bucket = Bucket()
    for remaining in order:
        bucket.update(0.0, limit_headers(remaining, 1.0))
    assert bucket.remaining == 2


@run_in_virtual_time
async def test_a_shorter_wait_does_not_end_a_longer_one() -> None:
    sender = RecordingSender()
    await sender.send("known", "here", headers=limit_headers(4, 100.0))
    async with sender.limits.permit("here", Urgency.EDIT) as permit:
        await sender.send("refused", "here", status=429, wait=50.0)
        permit.retry_after = 1.0
    await sender.send("next", "here")
    assert sender.sent[-1] == (50, "next")


@each_case(
    "bucket, is_idle",
    [
        (Bucket(), True),
        (Bucket(resets_at=5.0), True),
        (Bucket(resets_at=5.1), False),
        (Bucket(closed_until=5.1), False),
        (Bucket(in_flight=1), False),
    ],
)
def test_a_route_is_idle_when_nothing_limits_it(bucket: Bucket, is_idle: bool) -> None:
    assert bucket.is_idle(5.0) is is_idle


class TestInvalidRequests:
    @run_in_virtual_time
    async def test_invalid_requests_of_ten_minutes_are_counted(self) -> None:
        sender = RecordingSender()
        for status in (200, 400, 404, 500, 401, 403, 429):
            await sender.send(status, status=status)
        await sender.send("a limit of others, too", status=429, headers={"X-RateLimit-Scope": "shared"})
        assert sender.limits.invalid_requests() == 3
        await asyncio.sleep(599)
        assert sender.limits.invalid_requests() == 3
        await asyncio.sleep(2)
        assert sender.limits.invalid_requests() == 0

    @run_in_virtual_time
    async def test_invalid_requests_stay_below_the_ban_limit(self) -> None:
        sender, stop = RecordingSender(), 1500.0

        async def insist(number: int) -> None:
            while elapsed_seconds() < stop:
                await sender.send(number, status=403)

        await asyncio.gather(*(insist(number) for number in range(100)))
        times = [time for time, _ in sender.sent if time < stop]
        most = max(sum(at <= time < at + 600 for time in times) for at in range(0, 900, 50))
        assert most < 6000
        assert len(times) > 1500, "it goes on all the same"

    @run_in_virtual_time
    async def test_slowing_down_is_logged_once_and_the_pace_recovers(self, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level(logging.INFO, "bot.platform.discord.rate_limits")
        sender = RecordingSender()
        await sender.send("usual")
        for _ in range(1100):
            sender.limits.note_response("PATCH", "/channels/1/messages/2", 403, {})
        assert [record.levelno for record in caplog.records] == [logging.WARNING]
        assert "1000 requests in ten minutes" in caplog.text
        await asyncio.gather(*(sender.send(number) for number in range(20)))
        assert most_in_a_second([time for time, _ in sender.sent]) == 10
        caplog.clear()
        await asyncio.sleep(600)
        sender.sent.clear()
        await asyncio.gather(*(sender.send(number) for number in range(100)))
        assert most_in_a_second([time for time, _ in sender.sent]) == USUAL_PACE
        assert caplog.messages == ["requests are sent at the usual pace again"]


ROUTES = [
    ("PATCH", "/api/v10/channels/12/messages/34", "PATCH /channels/{id}/messages/{id}"),
    ("POST", "/api/v10/interactions/12/a-Token_9/callback", "POST /interactions/{id}/{token}/callback"),
    ("PATCH", "/api/v10/webhooks/12/34/messages/@original", "PATCH /webhooks/{id}/{token}/messages/@original"),
    ("GET", "/api/v10/gateway/bot", "GET /gateway/bot"),
]


@each_case("method, path, route", ROUTES)
def test_a_route_contains_neither_ids_nor_tokens(method: str, path: str, route: str) -> None:
    assert route_of(method, path) == route
