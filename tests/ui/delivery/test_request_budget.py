"""Several processes share the budget of requests with the bot's token, and the metrics tell how it is used."""

import asyncio
from datetime import UTC, datetime

from bot.platform.discord.rate_limits import USUAL_PACE, RateLimiter, Urgency
from bot.platform.observability.metrics import Metrics
from tests.support.each_case import each_case
from tests.support.virtual_time import elapsed_seconds, run_in_virtual_time
from tests.ui.delivery.test_rate_limits import RecordingSender, most_in_a_second

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
EDIT = "PATCH /channels/{id}/messages/{id}"


@each_case("processes", [1, 2, 4])
@run_in_virtual_time
async def test_of_150_tables_none_waits_three_seconds_however_fast_people_click(processes: int) -> None:
    senders = [RecordingSender(seconds=0.1) for _ in range(processes)]
    waits: list[float] = []

    async def play(table: int) -> None:
        """Show a computer player's turn after its pause of a second, again and again: people answer at once."""
        await asyncio.sleep(table / 50)
        while elapsed_seconds() < 40:
            await asyncio.sleep(1)
            asked_at, sender = elapsed_seconds(), senders[table % processes]
            await sender.send(table, address=table)
            waits.append(elapsed_seconds() - asked_at - sender.seconds)

    for sender in senders:
        sender.limits.share = 1 / processes
    await asyncio.gather(*(play(table) for table in range(150)))
    assert 1 < max(waits) < 3, "the budget is used up, and that is enough"
    assert most_in_a_second(sorted(time for sender in senders for time, _ in sender.sent)) <= USUAL_PACE


@run_in_virtual_time
async def test_two_processes_of_the_same_shards_send_no_more_than_one() -> None:
    senders = [RecordingSender(), RecordingSender()]
    for sender in senders:
        sender.limits.share, sender.limits.is_halved = 0.5, True
    await asyncio.gather(*(sender.send(number, address=number) for sender in senders for number in range(60)))
    assert most_in_a_second(sorted(time for sender in senders for time, _ in sender.sent)) == USUAL_PACE // 2


@run_in_virtual_time
async def test_a_hundred_processes_send_no_more_than_one() -> None:
    senders = [RecordingSender() for _ in range(100)]
    for sender in senders:
        sender.limits.share = 0.01
    await asyncio.gather(*(sender.send(number, address=number) for sender in senders for number in range(5)))
    times = sorted(time for sender in senders for time, _ in sender.sent)
    assert len(times) == 500
    assert len(times) <= USUAL_PACE * times[-1] + len(senders), "but for the first one of each"


@run_in_virtual_time
async def test_a_process_slows_down_at_its_share_of_the_invalid_requests() -> None:
    sender = RecordingSender()
    sender.limits.share = 0.4
    for number in range(400):
        await sender.send(number, status=403)
    slow_since = elapsed_seconds()
    await asyncio.sleep(1)
    await asyncio.gather(*(sender.send(number) for number in range(20)))
    assert most_in_a_second([time for time, _ in sender.sent if time > slow_since]) == 4


@run_in_virtual_time
async def test_the_metrics_tell_how_long_requests_wait_and_what_came_of_them() -> None:
    metrics = Metrics()
    sender = RecordingSender(RateLimiter(metrics))
    await sender.send("refused", "here", status=429, wait=4.0)
    assert sender.limits.oldest_seconds() == 0
    given_up = asyncio.create_task(sender.send("given up", "here"))
    await asyncio.sleep(0.5)
    given_up.cancel()
    again = asyncio.create_task(sender.send("again", "here", urgency=Urgency.POST))
    await asyncio.sleep(1.5)
    later = asyncio.create_task(sender.send("later", "here", urgency=Urgency.POST))
    await asyncio.sleep(0.5)
    assert sender.limits.oldest_seconds() == 2
    await asyncio.gather(again, later)
    assert set(metrics.export_text(NOON, None).decode().splitlines()) >= {
        'parlour_request_wait_seconds_bucket{le="3.0",urgency="post"} 1.0',
        'parlour_request_wait_seconds_bucket{le="5.0",urgency="post"} 2.0',
        'parlour_request_wait_seconds_count{urgency="edit"} 1.0',
        f'parlour_discord_requests_total{{route="{EDIT}",status="200",token="bot"}} 2.0',
        f'parlour_discord_requests_total{{route="{EDIT}",status="429",token="bot"}} 1.0',
    }
