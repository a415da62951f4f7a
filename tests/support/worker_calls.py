"""What workers are asked for in tests; they import this module, which imports little, so that they start quickly."""

import os
import time
from pathlib import Path

from tests.support.waiting import DEADLINE_SECONDS

_LONG_SECONDS = 10 * DEADLINE_SECONDS


def load_notes() -> list[str]:
    return ["loaded"]


def refuse_to_load() -> list[str]:
    raise LookupError("nothing to load")


def add_note(note: str, notes: list[str]) -> list[str]:
    notes.append(note)
    return notes


def raise_fault(notes: list[str]) -> None:
    raise LookupError(f"lost among {len(notes)}")


def process_of(_: object) -> int:
    return os.getpid()


def die(_: object) -> None:
    os._exit(7)


def calculate_for(seconds: float, _: object) -> None:
    """Keep the interpreter busy, as a strategy does."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def announce_and_calculate(file: Path, _: object) -> None:
    file.write_text(str(os.getpid()))
    calculate_for(_LONG_SECONDS, None)


def open_files(_: object) -> list[str]:
    return [str(each.readlink()) for each in Path("/proc/self/fd").iterdir() if each.exists()]
