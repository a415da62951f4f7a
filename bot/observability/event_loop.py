"""Measures how late the event loop runs what is due: something holds it, or the machine is too busy."""

import asyncio
from collections.abc import Callable
from typing import Final

_SECONDS: Final = 0.25
"""How often it is measured."""


async def measure_lag(observe: Callable[[float], None]) -> None:
    """Report again and again by how many seconds the event loop was late, until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + _SECONDS
        await asyncio.sleep(_SECONDS)
        observe(max(0.0, loop.time() - due))
