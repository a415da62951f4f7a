"""What a line of the log belongs to: everything that one interaction leads to carries the same short id."""

import secrets
import time
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import count

_ID_BITS = 32

_id_counter = count(secrets.randbits(_ID_BITS))
"""They begin anywhere, so that two processes that write one log hardly ever give the same."""


class InteractionOutcome(StrEnum):
    """How an interaction ended."""

    DONE = "done"
    REFUSED = "refused"
    OVERTAKEN = "overtaken"
    """It was answered elsewhere, or too late."""
    UNAVAILABLE = "unavailable"
    """The database was out of order."""
    FAILED = "failed"


def _new_id() -> str:
    return f"{next(_id_counter) % (1 << _ID_BITS):08x}"


@dataclass(slots=True)
class Trace:
    """One interaction on its way: tasks that it starts share it, and add what they find out."""

    id: str = field(default_factory=_new_id)
    started_at: float = field(default_factory=time.monotonic)
    table: int | None = None
    game: str | None = None
    outcome: InteractionOutcome = InteractionOutcome.DONE
    is_answered: bool = False
    is_saved: bool = False
    """Whether it has changed a table, and the change is on disk."""


_CURRENT: ContextVar[Trace | None] = ContextVar("trace", default=None)


def start_trace() -> Trace:
    """Begin a trace, which lasts as long as the present task and those it starts."""
    trace = Trace()
    _CURRENT.set(trace)
    return trace


def current_trace() -> Trace | None:
    """Return the trace of whatever is running, if it belongs to one."""
    return _CURRENT.get()


def get_or_start_trace() -> Trace:
    """Return the trace of whatever is running; begins one where there is none."""
    return _CURRENT.get() or start_trace()


def set_table(table: int, game: str) -> None:
    """Note which table is being dealt with."""
    trace = get_or_start_trace()
    trace.table, trace.game = table, game


def note_saved() -> None:
    """Note that what is being done is on disk: whatever fails after this, it was done, and nobody is told otherwise."""
    if trace := current_trace():
        trace.is_saved = True


def continue_trace(table: int, game: str) -> None:
    """Go on under the same id in a task of its own, which deals with this table whatever the others do."""
    _CURRENT.set(replace(get_or_start_trace(), table=table, game=game))
