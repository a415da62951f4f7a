"""How much room the disk has left for the database."""

import asyncio
import logging
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple, Protocol

log = logging.getLogger(__name__)

STATUS_OK: Final = "ok"
MEBIBYTE: Final = 1024 * 1024
LOW_BYTES: Final = 256 * MEBIBYTE
"""Less than this is worth a warning; a saved move takes some hundred bytes."""

LOW_SHARE: Final = 0.1
"""On a small disk, so much of the whole."""

FULL_BYTES: Final = 8 * MEBIBYTE
"""Less than this is as good as nothing: SQLite's write-ahead log alone grows to 4 MiB."""

CHECK_SECONDS: Final = 60.0


class DiskUsage(Protocol):
    """The size of a disk, in bytes."""

    @property
    def total(self) -> int:
        """All of it."""
        ...

    @property
    def free(self) -> int:
        """What can still be written."""
        ...


class DiskState(NamedTuple):
    """What there is to say of a disk."""

    text: str
    is_full: bool


class DiskSpace:
    """Looks after the disk that a folder is on."""

    def __init__(self, folder: Path, usage: Callable[[Path], DiskUsage] = shutil.disk_usage) -> None:
        self._folder = folder
        self._usage = usage
        self._was_low = False

    def free_bytes(self) -> int | None:
        """Return the bytes that are free, if that can be measured."""
        try:
            return self._measure().free
        except OSError:
            return None

    def check(self) -> DiskState:
        """Say whether there is room, and log it when it runs low or there is room again."""
        try:
            usage = self._measure()
        except OSError as fault:
            log.warning("the disk of %s can't be measured: %s", self._folder, fault)
            return DiskState("unknown", is_full=False)
        left = f"{usage.free // MEBIBYTE} MiB left"
        is_low = usage.free < min(LOW_BYTES, usage.total * LOW_SHARE)
        if is_low and not self._was_low:
            log.warning("the disk of %s is running full: %s; nothing can be saved once it is", self._folder, left)
        if self._was_low and not is_low:
            log.info("the disk of %s has room again: %s", self._folder, left)
        self._was_low = is_low
        if usage.free < FULL_BYTES:
            return DiskState(f"full: {left}", is_full=True)
        return DiskState(f"low: {left}" if is_low else STATUS_OK, is_full=False)

    async def monitor(self) -> None:
        """Check once a minute, for ever."""
        while True:
            self.check()
            await asyncio.sleep(CHECK_SECONDS)

    def _measure(self) -> DiskUsage:
        # The folder is made when the database is; until then, what it will be made in tells as much.
        existing = (place for place in (self._folder, *self._folder.absolute().parents) if place.exists())
        return self._usage(next(existing, self._folder))
