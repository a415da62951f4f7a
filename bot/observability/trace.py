"""Traces: everything that an interaction leads to is logged with the same short id."""

import secrets
import time
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import count

_ID_BITS = 32

_id_counter = count(secrets.randbits(_ID_BITS))
"""Starts at a random number, so that processes that share a log hardly ever use the same ids."""


class InteractionOutcome(StrEnum):
    """How an interaction ended."""

    DONE = "done"
    REFUSED = "refused"
    OVERTAKEN = "overtaken"
    """It was answered by another process, or too late."""
    UNAVAILABLE = "unavailable"
    """The database did not work."""
    FAILED = "failed"


@dataclass(slots=True)
class Trace:
    """The trace of an interaction, shared by the tasks it starts."""

    id: str = field(default_factory=lambda: f"{next(_id_counter) % (1 << _ID_BITS):08x}")
    started_at: float = field(default_factory=time.monotonic)
    table: int | None = None
    game: str | None = None
    outcome: InteractionOutcome = InteractionOutcome.DONE
    is_answered: bool = False
    is_saved: bool = False
    """Whether the interaction's change to a table is on disk."""


_CURRENT: ContextVar[Trace | None] = ContextVar("trace", default=None)


def start_trace() -> Trace:
    """Start a trace for the current task and the tasks it starts."""
    trace = Trace()
    _CURRENT.set(trace)
    return trace


def current_trace() -> Trace | None:
    """Return the current task's trace, or None."""
    return _CURRENT.get()


def get_or_start_trace() -> Trace:
    """Return the current task's trace; start one if there is none."""
    return _CURRENT.get() or start_trace()


def set_table(table: int, game: str) -> None:
    """Set the table of the current trace."""
    trace = get_or_start_trace()
    trace.table, trace.game = table, game


def note_saved() -> None:
    """Mark the current trace's change as saved, so that later errors are not reported as a failure."""
    if trace := current_trace():
        trace.is_saved = True


def continue_trace(table: int, game: str) -> None:
    """Continue the trace in a background task, as a copy with the same id and its own table."""
    _CURRENT.set(replace(get_or_start_trace(), table=table, game=game))
