"""The bot in its own process, shut down gracefully."""

from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from tests.e2e.crash.crash_runner import CrashRunner

pytestmark = pytest.mark.slow


async def test_a_shutdown_during_moves_loses_nothing_and_exits_cleanly(busy: Sandbox, tmp_path: Path) -> None:
    killer = CrashRunner(busy, tmp_path, seed=0)
    await killer.terminate_once()
    await killer.check_disk()
    assert all(len(killer.observer.undeleted_posts(table_id)) == 1 for table_id in killer.observer.posts)
