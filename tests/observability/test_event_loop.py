"""How late the event loop is."""

import asyncio

from bot.platform.observability.event_loop import measure_lag
from tests.support.virtual_time import VirtualLoop, run_in_virtual_time


@run_in_virtual_time
async def test_what_holds_the_event_loop_is_measured() -> None:
    loop, lags = asyncio.get_running_loop(), list[float]()
    assert isinstance(loop, VirtualLoop)
    measuring = asyncio.create_task(measure_lag(lags.append))
    await asyncio.sleep(3)
    assert max(lags) < 0.001
    lags.clear()
    loop.skip(5)
    await asyncio.sleep(3)
    assert 4 < max(lags) <= 5
    assert sorted(lags)[-2] < 0.001
    measuring.cancel()
