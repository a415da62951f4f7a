"""Every test has a time limit."""

import asyncio
import signal
from collections.abc import Callable

import pytest

from tests.support.each_case import each_case
from tests.support.time_limit import SECONDS, limit_time


def test_every_test_is_limited() -> None:
    left, _ = signal.getitimer(signal.ITIMER_REAL)
    assert 0 < left <= SECONDS


@each_case("wait", [signal.pause, lambda: asyncio.run(asyncio.Event().wait())])
def test_a_test_that_waits_forever_fails_and_says_so_first(
    wait: Callable[[], object], capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(pytest.fail.Exception) as failed, limit_time(0.01):
        wait()
    assert (failed.value.msg, failed.value.pytrace) == ("This test took longer than 0.01 seconds.", False)
    first, *stacks = capfd.readouterr().err.splitlines()
    assert first == failed.value.msg
    assert any("test_time_limit.py" in line for line in stacks)


def test_a_swallowed_timeout_fails_again() -> None:
    with limit_time(0.01, repeat=0.01):
        for _ in range(2):
            with pytest.raises(pytest.fail.Exception):
                signal.pause()


def test_the_outer_limit_continues_after_an_inner_one() -> None:
    with limit_time(10):
        pass
    left, _ = signal.getitimer(signal.ITIMER_REAL)
    assert 10 < left <= SECONDS


@pytest.mark.time_limit(100)
def test_a_test_can_set_its_own_limit() -> None:
    left, _ = signal.getitimer(signal.ITIMER_REAL)
    assert 0 < left <= 100
