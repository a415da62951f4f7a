"""The process's standard streams and signals, put in order before anything else is imported.

Imports nothing that takes time: a signal that comes before this is done ends the process at once, or is lost if that is
process 1 of a container.
"""

import io
import os
import signal
import sys
from types import FrameType

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""What asks the process to end: a supervisor, Ctrl+C, and a terminal that closes."""


def prepare_streams() -> None:
    """Make the standard streams usable, whatever they are.

    A closed one becomes /dev/null, so that no socket or file takes its number. What their encoding lacks is escaped.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            # The lowest free number is this one.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # noqa: FBT003 - the library's
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def effective_stop_signals() -> tuple[signal.Signals, ...]:
    """Return the signals to stop at: all but those that are ignored from the start, as with nohup."""
    return tuple(
        number for number in STOP_SIGNALS if number is signal.SIGTERM or signal.getsignal(number) is not signal.SIG_IGN
    )


def exit_on_stop_signals() -> None:
    """End the process with status 0 at a signal to stop, as long as nothing has begun that must be ended in order."""
    for number in effective_stop_signals():
        signal.signal(number, _exit)
    # The parent process may have blocked them, which is inherited.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)


def _exit(_number: int, _frame: FrameType | None) -> None:
    # An exception could be caught by a module that is being imported.
    os._exit(0)
