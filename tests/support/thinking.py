"""Computer players who think for as long as a test likes."""

import threading

from tests.support.patience import DEADLINE_SECONDS


class Thinking:
    """Holds computer players back; at first they may move at once."""

    def __init__(self) -> None:
        self._free = threading.Event()
        self._free.set()

    def begin(self) -> None:
        """Let whoever is next think on."""
        self._free.clear()

    def end(self) -> None:
        """Let everybody move."""
        self._free.set()

    def wait(self) -> None:
        """Wait, in a thread, until the thinking ends."""
        assert self._free.wait(DEADLINE_SECONDS)
