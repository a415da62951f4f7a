"""A time limit for tests: what hangs fails, and says where."""

import faulthandler
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

SECONDS = 180.0
"""What a test may take, and what setting it up and tearing it down may take: on a busy machine ten times as long."""

_STDERR = 2


@contextmanager
def limit_time(seconds: float, repeat: float = 5.0) -> Iterator[None]:
    """Fail the test if a block takes longer, and write that and the stacks of all threads to stderr.

    The alarm interrupts the main thread, also where it waits in an event loop. It rings again every `repeat` seconds,
    as a background task may have swallowed the failure. Limits can be nested if the inner one is the shorter.
    """

    def fail(*_: object) -> None:
        sentence = f"This test took longer than {seconds:g} seconds."
        os.write(_STDERR, f"{sentence}\n".encode())
        faulthandler.dump_traceback(_STDERR)
        # A traceback would push the sentence out of sight, and the stacks say where the test was.
        pytest.fail(sentence, pytrace=False)

    handler = signal.signal(signal.SIGALRM, fail)
    timer = signal.setitimer(signal.ITIMER_REAL, seconds, repeat)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, handler)
