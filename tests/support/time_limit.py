"""A time limit for tests: what hangs fails, and says where."""

import faulthandler
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

SECONDS = 60.0
"""What a test may take, and what setting it up and tearing it down may take."""
_STDERR = 2


@contextmanager
def limit_time(seconds: float, repeat: float = 5.0) -> Iterator[None]:
    """Fail the test if a block takes longer, and write the stacks of all threads to stderr.

    The alarm interrupts the main thread, also where it waits in an event loop. It rings again every `repeat` seconds,
    as a background task may have swallowed the failure. Limits can be nested if the inner one is the shorter.
    """

    def fail(*_: object) -> None:
        faulthandler.dump_traceback(_STDERR)
        pytest.fail(f"took more than {seconds:g} s")

    handler = signal.signal(signal.SIGALRM, fail)
    timer = signal.setitimer(signal.ITIMER_REAL, seconds, repeat)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, handler)
