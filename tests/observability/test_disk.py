"""Figures about the disk that holds the database."""

import asyncio
import logging
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.platform.observability.health import DiskSpace

MIB = 1024 * 1024


class Usage(NamedTuple):
    """The size of a disk."""

    total: int
    used: int
    free: int


class FakeDisk:
    """A disk whose free space a test sets."""

    def __init__(self, total: int, free: int) -> None:
        self.usage = Usage(total * MIB, 0, free * MIB)
        self.asked: list[Path] = []

    def __call__(self, folder: Path) -> Usage:
        self.asked.append(folder)
        return self.usage


@pytest.mark.parametrize(
    ("total", "free", "text", "is_full"),
    [
        (100_000, 256, "ok", False),
        (100_000, 255, "low: 255 MiB left", False),
        (1000, 100, "ok", False),
        (1000, 99, "low: 99 MiB left", False),
        (100_000, 8, "low: 8 MiB left", False),
        (100_000, 7, "full: 7 MiB left", True),
    ],
)
def test_the_state_follows_the_free_space(tmp_path: Path, total: int, free: int, text: str, is_full: bool) -> None:
    assert DiskSpace(tmp_path, FakeDisk(total, free)).check() == (text, is_full)


def test_the_log_warns_once_until_there_is_room_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    disk = FakeDisk(100_000, 200)
    space = DiskSpace(tmp_path, disk)
    for free in (200, 150, 300, 400, 100):
        disk.usage = Usage(disk.usage.total, 0, free * MIB)
        space.check()
    assert [(record.levelname, record.getMessage().split(": ")[1]) for record in caplog.records] == [
        ("WARNING", "200 MiB left; when it is full, nothing can be saved"),
        ("INFO", "300 MiB left"),
        ("WARNING", "100 MiB left; when it is full, nothing can be saved"),
    ]


def test_a_missing_folder_is_measured_at_its_nearest_parent(tmp_path: Path) -> None:
    disk = FakeDisk(100_000, 5000)
    assert DiskSpace(tmp_path / "var" / "deep", disk).free_bytes() == 5000 * MIB
    assert disk.asked == [tmp_path]


def test_a_disk_that_cannot_be_measured_is_unknown(tmp_path: Path) -> None:
    def broken(_folder: Path) -> Usage:
        raise OSError("gone")

    space = DiskSpace(tmp_path, broken)
    assert (space.check(), space.free_bytes()) == (("unknown", False), None)


async def test_monitoring_begins_with_a_check(tmp_path: Path) -> None:
    disk = FakeDisk(100_000, 5000)
    monitoring = asyncio.create_task(DiskSpace(tmp_path, disk).monitor())
    await asyncio.sleep(0)
    monitoring.cancel()
    assert disk.asked == [tmp_path]


def test_a_real_disk_has_some_room(tmp_path: Path) -> None:
    assert (DiskSpace(tmp_path).free_bytes() or 0) > 0
