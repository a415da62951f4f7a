"""Two processes of the bot on one database, as while one takes over from the other: both get every click."""

import asyncio
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.sandbox import Sandbox
from bot.sandbox.interactions import CallbackType, Interaction, InteractionState
from bot.sandbox.messages import Message
from bot.settings import child_environment
from bot.store.store import SqlStore
from tests.support.fakes import until
from tests.support.parlour import id_of

ROOT = Path(__file__).parents[2]
MOVES = 12

SHOWN = {CallbackType.UPDATE, CallbackType.DEFERRED_UPDATE}


@asynccontextmanager
async def two_bots(sandbox: Sandbox, address: str, folder: Path) -> AsyncIterator[list[Process]]:
    """Run two processes until the block ends; they end in order, and have logged nothing from warnings on."""
    environment = child_environment(
        DISCORD_TOKEN=sandbox.token,
        DISCORD_API_URL=sandbox.api_url,
        DATABASE_URL=address.replace("sqlite:", "sqlite+aiosqlite:"),
        DEV_GUILD_ID="",
        COMPUTER_PAUSE="0",
        LOG_LEVEL="WARNING",
    )
    logs = [folder / f"bot-{number}.log" for number in (1, 2)]
    bots = [await started(environment, log) for log in logs]
    try:
        await until(lambda: len(sandbox.gateway._sessions) == len(bots), seconds=30)
        yield bots
        for bot in bots:
            bot.terminate()
        assert [await asyncio.wait_for(bot.wait(), 10) for bot in bots] == [0, 0]
        assert "".join(log.read_text() for log in logs) == ""
    finally:
        for bot in bots:
            if bot.returncode is None:
                bot.kill()
            await bot.wait()


async def started(environment: dict[str, str], log: Path) -> Process:
    with log.open("wb") as stderr:
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", "run", cwd=ROOT, env=environment, stderr=stderr
        )


async def press(sandbox: Sandbox, message: Message, person: str, label: str) -> Interaction:
    return await sandbox.person(person).click(message, id_of(message, label))


def mover(message: Message) -> str:
    title = message.embeds[0]["title"]
    return next(name for name in ("Robin", "Wren") if f"{name} to roll" in title)


async def test_a_click_is_one_move_and_nobody_hears_of_the_race(sandbox: Sandbox, address: str, tmp_path: Path) -> None:
    channel = sandbox.channel("table-one")
    async with two_bots(sandbox, address, tmp_path):
        answers = [await sandbox.person("Robin").slash(channel, "magpie new", target=500)]
        await until(lambda: any("Join" in button.label for m in channel.messages for button in m.buttons))
        (message,) = channel.messages
        answers.append(await press(sandbox, message, "Wren", "Join"))
        await until(lambda: "Wren" in message.text)
        answers.append(await press(sandbox, message, "Robin", "Start"))
        for step in range(MOVES):
            await until(lambda step=step: id_of(message, "Roll all five").split(":")[2] == str(step))  # type: ignore[misc]
            answers.append(await press(sandbox, message, mover(message), "Roll all five"))
        await until(lambda: id_of(message, "Roll all five").split(":")[2] == str(MOVES))
    assert {answer.state for answer in answers} == {InteractionState.ANSWERED}
    assert {answer.callback_type for answer in answers[1:]} <= SHOWN
    assert [message for message in channel.messages if message.ephemeral_to is not None] == []
    assert len(channel.messages) == 1
    rolls = [answer.id for answer in answers[3:]]
    store = SqlStore(address)
    record = await store.load(1)
    await store.close()
    assert record is not None
    assert [entry.click_id for entry in record.entries] == rolls
    assert record.header.step == MOVES
