"""What a server of ordinary size costs the bot: memory, and processor time of a start with open tables in it."""

import asyncio
from collections.abc import Mapping
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
from tests.bench.click_costs import Addresses
from tests.bench.databases import fill_database
from tests.bench.ordinary_servers import build_server, server_id
from tests.bench.processes import PARLOUR, memory_mib, parlour_environment, processor_seconds, run_bot, run_sandbox
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


@dataclass(frozen=True, slots=True)
class ServerCosts:
    """The costs of servers, each with some open tables."""

    servers: int
    tables: int
    kib_per_server: float
    """Memory without tables."""
    starts: Mapping[str, StartedBot]
    """The starts with the tables, by database."""


async def measure_servers(addresses: Addresses, servers: int) -> ServerCosts:
    """Start the bot without servers, with them, and with tables in them on each database."""
    open_tables = TABLES_PER_SERVER * servers
    empty = await _start_bot(addresses["SQLite"](), 0)
    without_tables = await _start_bot(addresses["SQLite"](), servers)
    starts = {}
    for name, address in addresses.items():
        filled = address()
        await fill_database(filled, open_tables, _MOVES)
        await asyncio.to_thread(_spread_tables, filled, servers)
        starts[name] = await _start_bot(filled, servers)
    kib = (without_tables.resident_mib - empty.resident_mib) * 1024 / servers
    return ServerCosts(servers, open_tables, round(kib, 1), starts)


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
