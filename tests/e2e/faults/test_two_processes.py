"""Two processes of the bot at once: a deleted table message is posted again once."""

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

from bot.sandbox import Sandbox
from bot.sandbox.model.messages import Message
from tests.support.parlour import button_id, shows_step
from tests.support.processes import DIRECT_ANSWERS, START_SECONDS, kill_bot, spawn_bot, wait_until_online
from tests.support.waiting import wait_until

ROUNDS = 2

FAST_FLUSH = DIRECT_ANSWERS | {"bot.platform.jobs.looks.ROUND_SECONDS": 0.05}
"""Published revisions are saved soon."""


def is_published_on_disk(file: Path, message: Message) -> bool:
    """Whether it is on disk that the message shows the table as it stands."""
    with closing(sqlite3.connect(file)) as database:
        (found,) = database.execute("SELECT message_id, published = revision FROM tables")
    return bool(found == (message.id, 1))


async def test_a_deleted_message_is_reposted_once(sandbox: Sandbox, tmp_path: Path) -> None:
    file, log = tmp_path / "parlour.sqlite3", tmp_path / "bot.log"
    address = f"sqlite+aiosqlite:///{file}"
    channel, robin, wren = sandbox.channel("table-one"), sandbox.person("Robin"), sandbox.person("Wren")
    bots = [await wait_until_online(sandbox, await spawn_bot(sandbox, address, log, FAST_FLUSH))]
    try:
        (message,) = (await robin.slash(channel, "magpie new")).replies
        await wren.click(message, button_id(message, "Join"))
        await sandbox.until(lambda: any(button.label.startswith("Start") for button in message.buttons))
        await robin.click(message, button_id(message, "Start"))
        await wait_until(partial(is_published_on_disk, file, message))
        bots.append(await spawn_bot(sandbox, address, log, FAST_FLUSH))
        await wait_until(lambda: sandbox.gateway.session_count == len(bots), seconds=START_SECONDS)
        for step in range(1, ROUNDS + 1):
            (message,) = channel.public_messages
            await wait_until(partial(is_published_on_disk, file, message))
            sandbox.world.remove_message(message)
            mover = robin if "Robin to roll" in message.text else wren
            await mover.slash(channel, "magpie roll", dice="all")
            await sandbox.until(lambda step=step: any(shows_step(each, step) for each in channel.public_messages))  # type: ignore[misc]
        assert len(channel.public_messages) == 1
    finally:
        for bot in bots:
            bot.terminate()
        for bot in bots:
            await bot.wait()
        await kill_bot(sandbox, bots[0])
    assert "ERROR" not in log.read_text()
