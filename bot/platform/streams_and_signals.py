"""Prepares the process's standard streams and signals before anything else is imported.

This module imports nothing slow: an earlier signal ends the process at once, or is lost in process 1 of a container.
"""

import io
import os
import signal
import sys
from types import FrameType

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""The signals that ask the process to end: from a supervisor, Ctrl+C and a closing terminal."""


def prepare_streams() -> None:
    """Make the standard streams usable in any case.

    A closed stream becomes /dev/null, so that no socket or file gets its number. Characters that a stream's encoding
    lacks are escaped.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            # `open` returns the lowest free number, which is this one.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # noqa: FBT003 - the library's
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def effective_stop_signals() -> tuple[signal.Signals, ...]:
    """Return the stop signals, except those ignored from the start, as with nohup."""
    return tuple(
        number for number in STOP_SIGNALS if number is signal.SIGTERM or signal.getsignal(number) is not signal.SIG_IGN
    )


def exit_on_stop_signals() -> None:
    """Exit with status 0 at a stop signal, until work begins that needs an orderly shutdown."""
    for number in effective_stop_signals():
        signal.signal(number, _exit)
    # A process inherits blocked signals from its parent.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)


def _exit(_number: int, _frame: FrameType | None) -> None:
    # A module that is being imported could catch an exception.
    os._exit(0)
