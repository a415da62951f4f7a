"""Computer players of a running bot think in processes of their own, which it survives and which do not survive it."""

import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from bot.sandbox.model.messages import Message
from tests.support.forked_process import ForkedProcess
from tests.support.parlour import ROLL, button_id
from tests.support.processes import SQLITE_PREFIX, is_running, kill_bot, list_workers, spawn_bot, wait_until_online
from tests.support.waiting import DEADLINE_SECONDS, wait_until

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="the system does not tell whose child is who"
)

NO_DEFERRALS = dict.fromkeys(
    (
        "bot.platform.discord.picture_attachments.CLICK_PICTURE_SECONDS",
        "bot.platform.discord.answers.DEFER_AFTER_SECONDS",
    ),
    DEADLINE_SECONDS,
)
"""However busy the machine is, a response shows the table."""


@pytest.fixture
async def process(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[ForkedProcess]:
    spawned = await spawn_bot(
        sandbox, f"{SQLITE_PREFIX}{tmp_path / 'parlour.sqlite3'}", tmp_path / "bot.log", NO_DEFERRALS
    )
    yield await wait_until_online(sandbox, spawned)
    await kill_bot(sandbox, spawned)


async def play_a_round(sandbox: Sandbox, message: Message) -> None:
    """Let Robin roll, and wait until the computer player has rolled, too."""
    robin = sandbox.person("Robin")
    await sandbox.until(lambda: "Robin, roll the dice" in message.text)
    await robin.click(message, button_id(message, ROLL))
    await sandbox.until(lambda: "Robin, roll the dice" in message.text)


async def start_game(sandbox: Sandbox) -> Message:
    robin = sandbox.person("Robin")
    (message,) = (await robin.slash(sandbox.channel("table-one"), "magpie new", target=500)).replies
    await robin.click(message, button_id(message, "Start with Rusty"))
    return message


async def test_a_game_goes_on_after_the_loss_of_a_worker_and_none_outlives_the_bot(
    sandbox: Sandbox, process: ForkedProcess
) -> None:
    message = await start_game(sandbox)
    await play_a_round(sandbox, message)
    killed = list_workers(process.pid)
    for worker in killed:
        os.kill(worker, signal.SIGKILL)
    await play_a_round(sandbox, message)
    workers = set(list_workers(process.pid)) - set(killed)
    process.terminate()
    await process.wait()
    assert workers
    await wait_until(lambda: not any(map(is_running, workers)))
