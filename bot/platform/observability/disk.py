"""Free disk space for the database."""

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
"""Warn below this; a saved move takes some hundred bytes."""

LOW_SHARE: Final = 0.1
"""On a disk so small that this share of it is less than `LOW_BYTES`, warn below the share."""

FULL_BYTES: Final = 8 * MEBIBYTE
"""The disk counts as full below this: SQLite's write-ahead log alone grows to 4 MiB."""

CHECK_SECONDS: Final = 60.0


class DiskUsage(Protocol):
    """The size of a disk, in bytes."""

    @property
    def total(self) -> int:
        """The total size."""

    @property
    def free(self) -> int:
        """The free space."""


class DiskState(NamedTuple):
    """The state of a disk."""

    text: str
    """The state in words, for the health endpoint."""
    is_full: bool


class DiskSpace:
    """Monitors the disk that contains a folder."""

    def __init__(self, folder: Path, usage: Callable[[Path], DiskUsage] = shutil.disk_usage) -> None:
        self._folder = folder
        self._usage = usage
        self._was_low = False

    def free_bytes(self) -> int | None:
        """Return the free bytes, or None if they can't be measured."""
        try:
            return self._measure().free
        except OSError:
            return None

    def check(self) -> DiskState:
        """Return the disk's state, and log when it changes between low and normal."""
        try:
            usage = self._measure()
        except OSError as fault:
            log.warning("the disk of %s can't be measured: %s", self._folder, fault)
            return DiskState("unknown", is_full=False)
        left = f"{usage.free // MEBIBYTE} MiB left"
        is_low = usage.free < min(LOW_BYTES, usage.total * LOW_SHARE)
        if is_low and not self._was_low:
            log.warning("the disk of %s is almost full: %s; when it is full, nothing can be saved", self._folder, left)
        if self._was_low and not is_low:
            log.info("the disk of %s has enough space again: %s", self._folder, left)
        self._was_low = is_low
        if usage.free < FULL_BYTES:
            return DiskState(f"full: {left}", is_full=True)
        return DiskState(f"low: {left}" if is_low else STATUS_OK, is_full=False)

    async def monitor(self) -> None:
        """Check once a minute until cancelled."""
        while True:
            self.check()
            await asyncio.sleep(CHECK_SECONDS)

    def _measure(self) -> DiskUsage:
        # The folder is created with the database; until then its nearest parent is on the same disk.
        existing = (place for place in (self._folder, *self._folder.absolute().parents) if place.exists())
        return self._usage(next(existing, self._folder))
