"""Fair turns: however fast one person clicks, the others are answered between their clicks."""

import asyncio
import logging
from collections import deque
from dataclasses import dataclass, field
from typing import Final

log = logging.getLogger(__name__)

MAX_RUNNING: Final = 2
"""So many interactions of one person are worked on at a time: a second, for whoever clicks while one takes long."""

MAX_WAITING: Final = 20
"""So many more of theirs wait; nobody clicks so much by hand."""


@dataclass(slots=True)
class _UserQueue:
    """The interactions of one person."""

    running: int = 0
    waiting: deque[asyncio.Future[None]] = field(default_factory=deque)
    is_warned: bool = False


class UserQueues:
    """Works on a few interactions of each person at a time; others of theirs wait in order, and hold up nobody else."""

    def __init__(self) -> None:
        self._queues: dict[int, _UserQueue] = {}
        """Of the people who are being answered."""

    def is_free(self, person_id: int) -> bool:
        """Tell whether somebody's next interaction need not wait."""
        line = self._queues.get(person_id)
        return line is None or line.running < MAX_RUNNING

    def is_full(self, person_id: int) -> bool:
        """Tell whether so many of somebody's interactions wait that no more can."""
        line = self._queues.get(person_id)
        return line is not None and len(line.waiting) >= MAX_WAITING

    def warn_once(self, person_id: int) -> bool:
        """Tell whether somebody is to be told that they are too quick: once, until they have been answered."""
        line = self._queues[person_id]
        is_first, line.is_warned = not line.is_warned, True
        if is_first:
            log.warning("one person has %d interactions waiting; more of theirs are not answered", len(line.waiting))
        return is_first

    async def acquire(self, person_id: int) -> None:
        """Wait until it is the turn of the present task, which keeps it until the task is done."""
        line = self._queues.setdefault(person_id, _UserQueue())
        if line.running < MAX_RUNNING:
            line.running += 1
        else:
            await self._wait(line, person_id)
        if (task := asyncio.current_task()) is not None:
            task.add_done_callback(lambda _done: self._release(person_id))

    async def _wait(self, line: _UserQueue, person_id: int) -> None:
        turn = asyncio.get_running_loop().create_future()
        line.waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                # The turn came just when the task was stopped.
                self._release(person_id)
            raise

    def _release(self, person_id: int) -> None:
        """Hand a turn on to whoever waits longest, or forget somebody of whom nothing waits."""
        line = self._queues[person_id]
        while line.waiting:
            turn = line.waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        line.running -= 1
        if not line.running:
            del self._queues[person_id]
