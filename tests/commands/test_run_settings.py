"""Every setting changes the behaviour of the bot that `run` starts."""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, ClassVar, Protocol

import aiohttp
import pytest

from bot.features.idle_tables.service import Announcements
from bot.features.reminders.service import Reminders
from bot.games.fortune.picture import SURFACE as FORTUNE_SURFACE
from bot.platform.database.database import Database
from bot.platform.database.sqlite import SqliteDatabase
from bot.platform.discord import run as runner
from bot.platform.discord.client import ParlourClient
from bot.platform.discord.http import MessageClient, Request
from bot.platform.discord.run import ConnectionSettings
from bot.platform.places import Location
from bot.rules.picture import Surface, Theme
from bot.rules.refusals import Refusal
from bot.tables.computer_players import RESULT_SECONDS
from bot.tables.host import Host
from bot.tables.memory import estimate_table_bytes
from bot.tables.opening import open_game
from bot.tables.refusals import HostReason
from tests.commands.run_command import run_command
from tests.support.databases import PostgresDatabases, create_schema
from tests.support.fakes import HERE, ROBIN, WREN, FakeClock, make_table, open_lobby, roll, start_game
from tests.support.games import load_games_once
from tests.support.network_ports import reserve_port
from tests.support.postgres import PostgresServer
from tests.support.waiting import wait_until
from tests.ui.fake_pictures import FakePictureDrawer

TOKEN = "MTIzNDU2Nzg5.GhIjKl.very-secret-part"
API_URL = "http://127.0.0.1:9/api/v10"
MIB = 1024 * 1024

Probe = Callable[[ParlourClient], Awaitable[None]]


def running_tasks() -> set[str]:
    """Return the names of all tasks that nothing has cancelled."""
    return {task.get_name() for task in asyncio.all_tasks() if not task.cancelling()}


class RecordingDrawer(FakePictureDrawer):
    """A fake of the bot's picture service."""

    made: ClassVar[list["RecordingDrawer"]] = []

    def __init__(self, _data: Path, folder: Path, surfaces: Mapping[str, Surface]) -> None:
        super().__init__()
        self.folder = folder
        self.surfaces = surfaces
        self.tasks_at_close: set[str] | None = None
        self.hits = self.misses = 0
        self.made.append(self)

    def close(self) -> None:
        self.tasks_at_close = running_tasks()


class RunProbe(Protocol):
    """Runs the bot with some arguments and variables, and a probe in place of its connection to Discord."""

    def __call__(self, probe: Probe, *arguments: str, **variables: str) -> ConnectionSettings: ...


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> RunProbe:
    def run_probe(probe: Probe, *arguments: str, **variables: str) -> ConnectionSettings:
        connections: list[ConnectionSettings] = []

        async def serve(
            client: ParlourClient,
            connection: ConnectionSettings,
            _ended: asyncio.Event,
            hand_over: runner.HandOver | None = None,
        ) -> None:
            connections.append(connection)
            await probe(client)
            if hand_over is not None:
                await hand_over()
            await client.app.service(Host).close()

        monkeypatch.setattr(runner, "serve", serve)
        monkeypatch.setattr("bot.commands.run.load_whole_games", load_games_once)
        monkeypatch.setattr("bot.app.bootstrap.PictureService", RecordingDrawer)
        file = tmp_path / "parlour.sqlite3"
        create_schema(file)
        url = f"sqlite+aiosqlite:///{file}"
        for name, value in {"DISCORD_TOKEN": TOKEN, "DATABASE_URL": url, **variables}.items():
            monkeypatch.setenv(name, value)
        ended = run_command("run", *arguments)
        assert ended.code == 0, ended.err
        return connections[0]

    return run_probe


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of the messages besides the tables that were sent with the bot's token."""
    texts: list[str] = []

    async def send(_client: object, request: Request, _permit: object) -> Any:
        if request.json is not None and "content" in request.json:
            texts.append(request.json["content"])
        return {"id": "4711"}

    monkeypatch.setattr(MessageClient, "send", send)
    return texts


async def probe_nothing(_client: ParlourClient) -> None:
    pass


def test_the_connection(run: RunProbe) -> None:
    assert run(probe_nothing, DISCORD_API_URL=API_URL) == ConnectionSettings(TOKEN, API_URL)
    assert run(probe_nothing, DISCORD_API_URL="") == ConnectionSettings(TOKEN, None)


@pytest.mark.parametrize(
    ("shards", "per_process", "expected"),
    [("", "", None), ("2-5/8", "", [2, 3, 4, 5]), ("auto/8", "", [*range(8)]), ("auto/8", "3", [0, 1, 2])],
)
def test_the_shards_of_a_process(
    run: RunProbe, monkeypatch: pytest.MonkeyPatch, shards: str, per_process: str, expected: list[int] | None
) -> None:
    monkeypatch.setattr("bot.platform.jobs.shard_leases.TAKEN_WITHIN", timedelta())
    found: list[object] = []

    async def probe(client: ParlourClient) -> None:
        found.extend([client.shard_ids, client.shard_count])

    run(probe, SHARDS=shards, SHARDS_PER_PROCESS=per_process)
    assert found == [expected, 8 if expected else None]


def test_the_health_endpoint_counts_errors_and_ends_with_the_bot(
    run: RunProbe, remove_log_handlers: Callable[[], None]
) -> None:
    RecordingDrawer.made.clear()
    remove_log_handlers()
    metrics: list[str] = []
    with reserve_port() as port:

        async def probe(_client: ParlourClient) -> None:
            logging.getLogger("bot").error("an error")
            async with aiohttp.ClientSession() as http, http.get(f"http://127.0.0.1:{port}/metrics") as response:
                metrics.extend((await response.text()).splitlines())
            assert "disk" in running_tasks()

        run(probe, "--health-port", str(port))
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port))
    assert 'parlour_errors_total{logger="bot"} 1.0' in metrics
    (drawer,) = RecordingDrawer.made
    assert drawer.tasks_at_close is not None, "the drawer was closed"
    assert "disk" not in drawer.tasks_at_close


@pytest.mark.postgres
def test_a_database_without_a_disk_of_its_own(run: RunProbe, postgres: PostgresServer) -> None:
    run(probe_nothing, DATABASE_URL=PostgresDatabases(postgres).empty())


async def refused_for(work: Awaitable[object]) -> object:
    """Return why something is refused, or None."""
    try:
        await work
    except Refusal as refusal:
        return refusal.reason
    return None


@pytest.mark.usefixtures("sent")
def test_open_tables(run: RunProbe) -> None:
    limit, reasons = 2, list[object]()

    async def probe(client: ParlourClient) -> None:
        places = [Location(1, 70 + number) for number in range(limit + 1)]
        reasons.extend(
            [await refused_for(open_lobby(client.app.service(Host).service, ROBIN, location=place)) for place in places]
        )

    run(probe, OPEN_TABLES=str(limit))
    assert reasons == [None] * limit + [HostReason.TOO_MANY_TABLES]


def test_the_size_of_the_cache(run: RunProbe) -> None:
    size, kept = 2, list[int]()

    async def probe(client: ParlourClient) -> None:
        cache = client.app.service(Host).service.cache
        tables = [cache.put(make_table(id=number)) for number in range(1000)]
        kept.extend(estimate_table_bytes(table) for table in tables if cache.get(table.id) is not None)

    run(probe, TABLE_CACHE_MIB=str(size))
    assert size * MIB - max(kept) < sum(kept) <= size * MIB


@pytest.mark.parametrize(
    ("hours", "idle_for", "reason"),
    [
        ("5", timedelta(hours=4.9), HostReason.CHANNEL_TAKEN),
        ("5", timedelta(hours=5.1), HostReason.CHANNEL_IDLE),
        ("off", timedelta(days=2), HostReason.CHANNEL_TAKEN),
    ],
)
@pytest.mark.usefixtures("sent")
def test_when_an_idle_table_can_be_put_aside(run: RunProbe, hours: str, idle_for: timedelta, reason: object) -> None:
    reasons: list[object] = []

    async def probe(client: ParlourClient) -> None:
        service = client.app.service(Host).service
        service.clock = clock = FakeClock()
        await start_game(service, ROBIN, WREN)
        clock.tick(idle_for.total_seconds())
        reasons.append(await refused_for(open_game(service, "magpie", make_table().options, WREN, HERE, click_id=9)))

    run(probe, SET_ASIDE_AFTER_HOURS=hours)
    assert reasons == [reason]


@pytest.mark.parametrize(
    ("days", "idle_for", "announced"),
    [
        ("5", timedelta(days=2.9), False),
        ("5", timedelta(days=3.1), True),
        ("off", timedelta(days=40), False),
    ],
)
def test_when_an_abandoned_table_is_announced(
    run: RunProbe, sent: list[str], days: str, idle_for: timedelta, *, announced: bool
) -> None:
    async def probe(client: ParlourClient) -> None:
        client.app.service(Host).service.clock = clock = FakeClock()
        await start_game(client.app.service(Host).service, ROBIN, WREN)
        clock.tick(idle_for.total_seconds())
        await client.app.service(Announcements).check()

    run(probe, ABANDONED_AFTER_DAYS=days)
    assert any("closes" in text for text in sent) == announced


@pytest.mark.parametrize("reminders", [True, False])
def test_reminders(run: RunProbe, sent: list[str], *, reminders: bool) -> None:
    async def probe(client: ParlourClient) -> None:
        client.app.service(Host).service.clock = clock = FakeClock()
        await start_game(client.app.service(Host).service, ROBIN, WREN)
        clock.tick(180)
        await client.app.service(Reminders).check()
        await client.app.service(Reminders).close()

    run(probe, REMINDERS=str(reminders))
    assert any("it's your turn" in text for text in sent) == reminders


@pytest.mark.usefixtures("sent")
def test_the_pause_of_computer_players(run: RunProbe, monkeypatch: pytest.MonkeyPatch) -> None:
    pause, sleep, pauses = 2.5, asyncio.sleep, list[float]()

    async def probe(client: ParlourClient) -> None:
        async def note(seconds: float) -> None:
            pauses.append(seconds)
            await sleep(0)

        monkeypatch.setattr("asyncio.sleep", note)
        table = await start_game(client.app.service(Host).service, ROBIN, computers=1)
        while not table.header.awaits_computer:
            table = await roll(client.app.service(Host).service, table, "roll 1")
        await wait_until(lambda: pause * RESULT_SECONDS in pauses)
        monkeypatch.setattr("asyncio.sleep", sleep)

    run(probe, COMPUTER_PAUSE=str(pause))
    assert pause * RESULT_SECONDS in pauses


@pytest.mark.parametrize(("variable", "guild_id"), [("77", 77), ("", None)])
def test_the_server_of_the_commands(
    run: RunProbe, monkeypatch: pytest.MonkeyPatch, variable: str, guild_id: int | None
) -> None:
    synced: list[tuple[type, int, int | None]] = []

    async def sync(_tree: object, db: object, application_id: int, guild: int | None, _catalogues: object) -> None:
        synced.append((type(db), application_id, guild))

    monkeypatch.setattr("bot.platform.discord.client.sync_commands_if_possible", sync)
    monkeypatch.setattr(ParlourClient, "application_id", 42)

    async def probe(client: ParlourClient) -> None:
        await client.setup_hook()

    run(probe, DEV_GUILD_ID=variable)
    ((kind, application_id, guild),) = synced
    assert issubclass(kind, Database)
    assert (application_id, guild) == (42, guild_id)


def test_the_database_and_the_pictures_beside_it(
    run: RunProbe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    RecordingDrawer.made.clear()
    close, closed = SqliteDatabase.close, list[SqliteDatabase]()

    async def note(db: SqliteDatabase) -> None:
        closed.append(db)
        await close(db)

    monkeypatch.setattr(SqliteDatabase, "close", note)

    async def probe(client: ParlourClient) -> None:
        await client.on_ready()

    run(probe)
    (drawer,) = RecordingDrawer.made
    assert drawer.folder == tmp_path / "pictures"
    assert drawer.surfaces["fortune"] is FORTUNE_SURFACE
    assert drawer.prepared == [Theme.STANDARD], "the client draws with it"
    assert [file.name for file in tmp_path.iterdir()] == ["parlour.sqlite3"]
    assert len(closed) == 1
