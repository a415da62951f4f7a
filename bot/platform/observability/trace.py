"""Traces: all log lines caused by an interaction carry the same short id."""

import secrets
import time
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import count

_ID_BITS = 32

_id_counter = count(secrets.randbits(_ID_BITS))
"""Starts at a random number, so that processes with a common log rarely use the same ids."""


class InteractionOutcome(StrEnum):
    """How an interaction ended."""

    DONE = "done"
    REFUSED = "refused"
    OVERTAKEN = "overtaken"
    """Another process answered the interaction, or the answer came too late."""
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
    """Whether the requested change is on disk."""
    is_table_saved: bool = False
    """Whether the saved change concerns a table, which the publisher shows."""
    is_begun: bool = False
    """Whether a preliminary step of the requested change is on disk."""


_CURRENT: ContextVar[Trace | None] = ContextVar("trace", default=None)

_SAVING: ContextVar[Trace | None] = ContextVar("saving", default=None)
"""The trace of the interaction for which the current task saves; None in background work."""


def start_trace() -> Trace:
    """Start a trace for the current task and the tasks it starts."""
    trace = Trace()
    _CURRENT.set(trace)
    _SAVING.set(trace)
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
    """Note that the requested change is on disk, so that no later error is reported as its failure."""
    if trace := _SAVING.get():
        trace.is_saved = True


def note_table_saved() -> None:
    """Note that a change to a table is on disk."""
    if trace := _SAVING.get():
        trace.is_saved = trace.is_table_saved = True


def note_begun() -> None:
    """Note that only a preliminary step is saved so far, and that the request may still fail or be refused."""
    if (trace := _SAVING.get()) and trace.is_saved:
        trace.is_begun, trace.is_saved, trace.is_table_saved = True, False, False


def leave_interaction() -> None:
    """Stop attributing the current task's saves to an interaction."""
    _SAVING.set(None)


def continue_trace(table: int, game: str) -> None:
    """Continue the trace in a background task, as a copy with the same id and its own table."""
    _CURRENT.set(replace(get_or_start_trace(), table=table, game=game))
