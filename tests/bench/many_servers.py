"""What a server of ordinary size costs the bot: memory, and processor time of a start with open tables in it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import aiohttp
from sqlalchemy import bindparam, create_engine, insert, literal, select, true, update

from bot.features.reminders.model import ReminderStage
from bot.features.reminders.storage import reminders
from bot.platform.clock import utc_now
from bot.platform.database.address import parse_database_url
from bot.sandbox import Sandbox
from bot.sandbox.gateway.session import Intents
from bot.tables.schema import tables
from tests.bench.databases import fill_database, new_sqlite_databases
from tests.bench.ordinary_servers import build_server, server_id
from tests.bench.processes import PARLOUR, memory_mib, parlour_environment, processor_seconds, run_bot, run_sandbox
from tests.bench.rows import Figure, Round, Row, Taken
from tests.support.network_ports import reserve_port

TABLES_PER_SERVER: Final = 5
_MOVES: Final = 5
_NEWEST_TURN: Final = timedelta(minutes=10)
_OLDEST_TURN: Final = timedelta(days=10)
"""How long the players have thought."""

_SETTLING_SECONDS: Final = 12.0
"""Seconds of measuring after the bot is ready: it sweeps, and returns free memory to the system."""

_READY_SECONDS: Final = 600.0
_ASK_EVERY_SECONDS: Final = 0.5


@dataclass(frozen=True, slots=True)
class StartedBot:
    """What a bot has needed once it is ready."""

    resident_mib: float
    processor_seconds: float


def measure_servers() -> AbstractAsyncContextManager[Round]:
    """Measure what most bots have to start with."""
    return _measure(2_000, Row.SERVER_MEMORY, Row.SERVER_START)


def measure_many_servers() -> AbstractAsyncContextManager[Round]:
    """Measure so many servers that they fill more than the memory which a start leaves free."""
    return _measure(20_000, Row.MANY_SERVERS_MEMORY, Row.MANY_SERVERS_START)


@asynccontextmanager
async def _measure(servers: int, memory: Row, start: Row) -> AsyncIterator[Round]:
    """Start the bot without servers, and in each round with them and with open tables in them."""
    with new_sqlite_databases() as address:
        empty, filled = await _start_bot(address(), 0), address()
        await fill_database(filled, TABLES_PER_SERVER * servers, _MOVES)
        await asyncio.to_thread(_spread_tables, filled, servers)

        async def measure() -> Taken:
            started = await _start_bot(filled, servers)
            kib = 1024 * (started.resident_mib - empty.resident_mib) / servers
            rows = {memory: Figure(kib), start: Figure(1000 * started.processor_seconds / servers)}
            return Taken(rows, {"empty": empty, "filled": started})

        yield measure


def _spread_tables(address: str, servers: int) -> None:
    """Distribute tables evenly over servers, and their turns over days: who is to move was reminded long ago."""
    engine, now = create_engine(parse_database_url(address)), utc_now()
    move = update(tables).where(tables.c.id == bindparam("which"))
    move = move.values(
        guild_id=bindparam("server"), awaited_since=bindparam("since"), updated_at=bindparam("since"), message_id=1
    )
    remind = insert(reminders).from_select(
        ["table_id", "channel_id", "seat", "step", "since", "noted_at", "message_id", "stands", "stage"],
        select(
            tables.c.id,
            tables.c.channel_id,
            tables.c.to_move,
            tables.c.step,
            tables.c.awaited_since,
            tables.c.awaited_since,
            literal(1),
            true(),
            literal(ReminderStage.TURN.value),
        ),
    )
    with engine.begin() as connection:
        ids = connection.execute(select(tables.c.id)).scalars().all()
        steps = _OLDEST_TURN / len(ids)
        rows = [
            {"which": table_id, "server": server_id(at % servers), "since": now - _NEWEST_TURN - at * steps}
            for at, table_id in enumerate(ids)
        ]
        connection.execute(move, rows)
        connection.execute(remind)
    engine.dispose()


async def _start_bot(address: str, servers: int) -> StartedBot:
    async with run_sandbox(Sandbox()) as sandbox:
        with reserve_port() as port:
            environment = parlour_environment(sandbox, address) | {"HEALTH_PORT": str(port)}
            async with run_bot(sandbox, PARLOUR, environment) as process:
                await _send_servers(sandbox, servers)
                await _wait_until_ready(port)
                await asyncio.sleep(_SETTLING_SECONDS)
                return StartedBot(memory_mib(process.pid), processor_seconds(process.pid))


async def _send_servers(sandbox: Sandbox, servers: int) -> None:
    """Tell the bot of its servers, as fast as it takes them."""
    for number in range(servers):
        data = build_server(sandbox.world, number)
        sandbox.gateway.dispatch("GUILD_CREATE", data, server_id(number), Intents.GUILDS)
        await asyncio.sleep(0)


async def _wait_until_ready(port: int) -> None:
    async with asyncio.timeout(_READY_SECONDS), aiohttp.ClientSession() as session:
        while not await _is_ready(session, port):  # noqa: ASYNC110 - it is another process
            await asyncio.sleep(_ASK_EVERY_SECONDS)


async def _is_ready(session: aiohttp.ClientSession, port: int) -> bool:
    try:
        async with session.get(f"http://127.0.0.1:{port}/ready") as response:
            return response.ok
    except aiohttp.ClientError:
        return False
