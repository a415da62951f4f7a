"""The publisher's tests run in virtual time, so its timers are due when nothing else is left to do."""

import asyncio
from collections.abc import Callable, Mapping

import pytest

from tests.support.virtual_time import VirtualLoop

IN_VIRTUAL_TIME = ("test_publisher.py", "test_publisher_faults.py", "test_publisher_stress.py")
"""Nothing there waits for threads or sockets, for which the time would be over at once."""


def pytest_asyncio_loop_factories(item: pytest.Item) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    if item.path.name in IN_VIRTUAL_TIME:
        return {"virtual": VirtualLoop}
    return {"real": asyncio.new_event_loop}
