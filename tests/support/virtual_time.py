"""An event loop whose time advances whenever no task is ready."""

import asyncio
import functools
import selectors
from collections.abc import Callable, Coroutine
from typing import Any


class VirtualLoop(asyncio.SelectorEventLoop):
    """Never waits: later timers fire immediately, in order."""

    def __init__(self) -> None:
        self._seconds = 0.0
        super().__init__(_SkippingSelector(self))

    def time(self) -> float:
        return self._seconds

    def skip(self, seconds: float) -> None:
        """Let time go by."""
        self._seconds += seconds


class _SkippingSelector(selectors.DefaultSelector):
    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> Any:
        if timeout:
            self._loop.skip(timeout)
        return super().select(0 if timeout else timeout)


def run_in_virtual_time(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run a test that waits, without waiting."""

    @functools.wraps(test)
    def run(*fixtures: Any, **more: Any) -> None:
        with asyncio.Runner(loop_factory=VirtualLoop) as runner:
            runner.run(test(*fixtures, **more))

    return run


def elapsed_seconds() -> float:
    """Return the seconds that have gone by."""
    return asyncio.get_running_loop().time()
