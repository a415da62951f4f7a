"""What happens to tables, and what features do in the transactions that save it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Flag, auto

from sqlalchemy import Connection

from bot.tables.model import Header
from bot.tables.table import Table


class Happened(Flag):
    """What happens to a table. A move after which the game goes on is not among it, so that it calls no hook."""

    OPENED = auto()
    SEATED = auto()
    """People took seats."""
    CLOCK_STARTED = auto()
    ENDED = auto()
    """The table is over, with or without a result."""


@dataclass(frozen=True, slots=True)
class TableEvent:
    """A changed table, and what happened to it."""

    after: Table
    happened: Happened
    newcomers: frozenset[int] = frozenset()
    """The people who took seats."""


@dataclass(frozen=True, slots=True)
class Hook:
    """What a feature does in the transaction that saves certain events."""

    on: Happened
    check: Callable[[Connection, TableEvent], None] | None = None
    """Is called before the change is written, and forbids it by raising an exception."""
    in_transaction: Callable[[Connection, TableEvent], Table] | None = None
    """Is called after the change was written, and returns the table, which it may have changed."""


@dataclass(frozen=True, slots=True)
class CalledHooks:
    """The hooks that an event calls, in the order in which they were registered."""

    event: TableEvent
    hooks: Sequence[Hook]

    def check(self, connection: Connection) -> None:
        """Raise an exception if a feature forbids the change."""
        for hook in self.hooks:
            if hook.check is not None:
                hook.check(connection, self.event)

    def run(self, connection: Connection) -> Table:
        """Let the features follow the change, and return the table as they leave it."""
        event = self.event
        for hook in self.hooks:
            if hook.in_transaction is not None:
                event = replace(event, after=hook.in_transaction(connection, event))
        return event.after

    def run_opened(self, connection: Connection, header: Header) -> None:
        """Let the features follow the opening of a table, whose header has its id."""
        event = replace(self.event, after=replace(self.event.after, header=header))
        replace(self, event=event).run(connection)


def hooks_for(event: TableEvent, hooks: Sequence[Hook]) -> CalledHooks | None:
    """Return the hooks that an event calls, or None if it calls none."""
    called = [hook for hook in hooks if hook.on & event.happened]
    return CalledHooks(event, called) if called else None
