"""Ways for a test to hold up other tasks and to wait for them."""

import asyncio
from collections.abc import Callable

DEADLINE_SECONDS = 30.0
"""How long people in the sandbox wait for an answer; tests that are about late answers set the clock forward."""

PATIENT_SQLITE, PATIENT_POSTGRES = (
    dict.fromkeys(
        [f"bot.platform.database.{backend}.{limit}_SECONDS" for limit in ("QUEUE", "STATEMENT", "TRANSACTION")],
        DEADLINE_SECONDS,
    )
    for backend in ("sqlite", "postgres")
)
"""What a transaction may take however busy the machine and its disk are; tests of these limits shorten them."""


class Gate:
    """Blocks callers until it is opened."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self._opened = asyncio.Event()

    async def wait(self) -> None:
        self.reached.set()
        await self._opened.wait()

    def open(self) -> None:
        self._opened.set()


async def wait_until(condition: Callable[[], object], seconds: float = DEADLINE_SECONDS) -> None:
    """Wait for a condition that other tasks make true; what takes long is looked at less and less often."""
    pause = 0.001
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(pause)
            pause = min(1.1 * pause, 0.02)


def waiting_retries() -> list[asyncio.Task[object]]:
    """Return the tasks that wait to show a table again."""
    return [task for task in asyncio.all_tasks() if "retry" in task.get_name() and not task.cancelling()]
