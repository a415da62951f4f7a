"""The periodic work of a process, which costs one query every few seconds while nothing is due."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias

from sqlalchemy import ColumnElement, Connection, select

from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.database.sql import Values
from bot.platform.jobs.shard_leases import select_served
from bot.platform.places import ShardRange
from bot.platform.tasks import TaskSet

log = logging.getLogger(__name__)

ROUND_SECONDS = 2.0
LOOK_SECONDS = 5.0
MINUTE_SECONDS = 60.0

_ALL: Final = "all"

Chore: TypeAlias = Callable[[], Awaitable[None]]
"""Periodic work. It may raise StoreUnavailable; the next round tries again."""


@dataclass(frozen=True, slots=True)
class Look:
    """A condition checked every few seconds, and the chore to run while it holds."""

    name: str
    due: ColumnElement[bool]
    """The condition, which becomes part of one query with all others."""
    values: Callable[[datetime], Values]
    """Returns the condition's parameters at a time; looks that share a parameter's name must share its value."""
    run: Chore


class Looks:
    """Several looks, combined in one query."""

    def __init__(self, looks: Sequence[Look]) -> None:
        self._looks = looks
        self.query: Final = select(*(look.due.label(look.name) for look in looks))

    def find_due(self, connection: Connection, shards: ShardRange, now: datetime) -> list[Look]:
        """Return the looks whose conditions hold for some shards."""
        values = {name: value for look in self._looks for name, value in look.values(now).items()}
        row = select_served(connection, shards, self.query, values).one()
        return [look for look, is_due in zip(self._looks, row, strict=True) if is_due]


class Chores:
    """Runs the chores of a process: in every round, at looks every few seconds, or once a minute."""

    def __init__(
        self,
        db: Database,
        clock: Callable[[], datetime],
        looks: Sequence[Look],
        *,
        each_round: Sequence[Chore],
        each_minute: Sequence[Chore],
        after_outage: Callable[[], None],
    ) -> None:
        """Initialize.

        Args:
            db: The database.
            clock: Tells the time for the looks.
            looks: The looks.
            each_round: Chores at the start of every round; the first one may discover downtime.
            each_minute: Chores at the end of a round, once a minute.
            after_outage: Called when the database does not work, before the next round tries again.
        """
        self._db = db
        self._clock = clock
        self._looks = Looks(looks)
        self._each_round = each_round
        self._each_minute = each_minute
        self._after_outage = after_outage
        self._next_look = self._next_minute = 0.0
        self._tasks = TaskSet("chores")

    def start(self) -> None:
        """Start the rounds, which also take up work of an earlier run. Starting twice is harmless."""
        self._tasks.start(_ALL, self._run_rounds())

    async def close(self) -> None:
        """End the rounds."""
        await self._tasks.cancel_all()

    async def look(self) -> None:
        """Query the looks once, and run their chores where due."""
        for look in await self._db.read(self._looks.find_due, self._db.shards, self._clock()):
            await _run(look.run)

    async def _run_rounds(self) -> None:
        while True:
            # Read the clock regularly, so that it recognises jumps.
            self._clock()
            try:
                for chore in self._each_round:
                    await _run(chore)
                if time.monotonic() >= self._next_look:
                    self._next_look = time.monotonic() + LOOK_SECONDS
                    await _run(self.look)
                if time.monotonic() >= self._next_minute:
                    self._next_minute = time.monotonic() + MINUTE_SECONDS
                    for chore in self._each_minute:
                        await _run(chore)
            except StoreUnavailable as fault:
                log.debug("the chores wait for the database: %s", fault)
                self._after_outage()
            await asyncio.sleep(ROUND_SECONDS)


async def _run(chore: Chore) -> None:
    """Run a chore and log its errors, so that no error ends the rounds or holds up another chore."""
    try:
        await chore()
    except StoreUnavailable:
        raise
    except Exception:
        log.exception("a chore failed; it is done again")
