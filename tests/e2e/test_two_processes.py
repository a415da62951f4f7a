"""Two processes of the bot on one database, as during a handover: both receive every click."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from bot.platform.database.database import open_database
from bot.sandbox import Sandbox
from bot.sandbox.model.interactions import CallbackType, Interaction, InteractionState
from bot.sandbox.model.messages import Message
from bot.tables import storage as table_storage
from tests.support.databases import PostgresDatabases
from tests.support.emoji import add_emoji
from tests.support.forked_process import ForkedProcess
from tests.support.parlour import ROLL, button_id, shows_step
from tests.support.postgres import PostgresServer
from tests.support.processes import QUICK_START, START_SECONDS, spawn_bot
from tests.support.waiting import wait_until

pytestmark = pytest.mark.slow

MOVES = 4

SHOWN = {CallbackType.UPDATE, CallbackType.DEFERRED_UPDATE}


@asynccontextmanager
async def run_two_bots(sandbox: Sandbox, address: str, folder: Path) -> AsyncIterator[list[ForkedProcess]]:
    """Run two processes until the block ends; they end in order, and have logged nothing from warnings on."""
    add_emoji(sandbox)
    logs = [folder / f"bot-{number}.log" for number in (1, 2)]
    bots = [await spawn_bot(sandbox, address, log, QUICK_START) for log in logs]
    try:
        # Each asks for the emoji twice: at its start, and last of all, once it is connected. Until then one of them may
        # still look for tables that nobody shows, and post one that the other is about to answer with.
        await wait_until(lambda: count_emoji_requests(sandbox) >= 2 * len(bots), seconds=START_SECONDS)
        yield bots
        for bot in bots:
            bot.terminate()
        assert [await asyncio.wait_for(bot.wait(), 30) for bot in bots] == [0, 0]
        assert "".join(log.read_text() for log in logs) == ""
    finally:
        for bot in bots:
            if bot.returncode is None:
                bot.kill()
            await bot.wait()


def count_emoji_requests(sandbox: Sandbox) -> int:
    return sum(request.method == "GET" and request.path.endswith("/emojis") for request in sandbox.requests)


async def press(sandbox: Sandbox, message: Message, person: str, label: str) -> Interaction:
    """Press a button, and wait until both processes have answered."""
    click = await sandbox.person(person).click(message, button_id(message, label))
    await wait_until(lambda: count_callbacks(sandbox, click) == 2)
    return click


def count_callbacks(sandbox: Sandbox, click: Interaction) -> int:
    """How often an interaction was answered first; Discord takes only one of the answers."""
    return sum(f"/interactions/{click.id}/" in request.path for request in sandbox.requests)


def mover(message: Message) -> str:
    title = message.embeds[0]["title"]
    return next(name for name in ("Robin", "Wren") if f"{name}, roll the dice" in title)


@pytest.mark.postgres
async def test_one_click_in_two_processes_makes_one_move_without_errors(
    sandbox: Sandbox, postgres: PostgresServer, tmp_path: Path
) -> None:
    """On a server; `tests/store/test_two_services.py` shows it with a file, too."""
    address, channel = PostgresDatabases(postgres).migrated(), sandbox.channel("table-one")
    async with run_two_bots(sandbox, address, tmp_path):
        opening = await sandbox.person("Robin").slash(channel, "magpie new", target=500)
        (message,) = opening.replies
        clicks = [await press(sandbox, message, "Wren", "Join")]
        await wait_until(lambda: "Wren" in message.text)
        clicks.append(await press(sandbox, message, "Robin", "Start"))
        for step in range(MOVES):
            await wait_until(partial(shows_step, message, step))
            clicks.append(await press(sandbox, message, mover(message), ROLL))
        await wait_until(partial(shows_step, message, MOVES))
    assert channel.messages == [message]
    assert {click.state for click in (opening, *clicks)} == {InteractionState.RESPONDED}
    assert {click.callback_type for click in clicks} <= SHOWN
    db = open_database(address)
    record = await db.read(table_storage.load, 1)
    await db.close()
    assert record is not None
    assert [entry.click_id for entry in record.entries] == [click.id for click in clicks[2:]]
    assert record.header.step == MOVES
