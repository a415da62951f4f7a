"""`health` and the endpoint of the running bot, each in its own process."""

import asyncio
import json
import socket
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from unittest.mock import AsyncMock

import pytest

import bot.commands.health
from bot.platform.database.database import open_database
from bot.platform.observability.health import HealthServer
from bot.platform.observability.metrics import Metrics
from bot.sandbox import Sandbox
from bot.settings import child_environment
from bot.tables import storage as table_storage
from tests.commands.run_command import CommandResult, run_command, run_forked
from tests.support.forked_process import Command, fork_command
from tests.support.network_ports import reserve_port
from tests.support.parlour import ROLL, button_id, shows_moves
from tests.support.processes import DIRECT_ANSWERS
from tests.support.waiting import DEADLINE_SECONDS

pytestmark = pytest.mark.slow

TIMEOUT_SECONDS = 120


@pytest.fixture
def port() -> Iterator[int]:
    with reserve_port() as port:
        yield port


async def get_health(port: int) -> CommandResult:
    return await asyncio.to_thread(run_command, "health", "--health-port", str(port))


def get_metrics(port: int) -> dict[str, float]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
        lines = answer.read().decode().splitlines()
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}


@asynccontextmanager
async def run_bot(sandbox: Sandbox, folder: Path, port: int, **variables: str) -> AsyncIterator[None]:
    environment = child_environment(
        DISCORD_TOKEN=sandbox.token,
        DISCORD_API_URL=sandbox.api_url,
        DATABASE_URL=f"sqlite+aiosqlite:///{folder / 'parlour.sqlite3'}",
        HEALTH_PORT=str(port),
        **variables,
    )
    process = fork_command(Command(("run",), environment, folder / "log", constants=DIRECT_ANSWERS))
    try:
        await sandbox.until(lambda: sandbox.bot_online, timeout=TIMEOUT_SECONDS)
        yield
    finally:
        if process.returncode is None:
            process.terminate()
        assert await asyncio.wait_for(process.wait(), TIMEOUT_SECONDS) == 0


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    made = Sandbox(deadline=DEADLINE_SECONDS)
    await made.start()
    yield made
    await made.stop()


async def test_a_bot_that_runs_is_healthy_counts_and_logs_in_json(sandbox: Sandbox, tmp_path: Path, port: int) -> None:
    async with run_bot(sandbox, tmp_path, port, LOG_FORMAT="json"):
        while (said := await get_health(port)).code:
            assert "not connected yet" in said.err
        assert said.out == "gateway: ok, database: ok, disk: ok\n"
        assert await asyncio.to_thread(run_forked, "health", "--health-port", str(port)) == said
        message = (await sandbox.person("Robin").slash(sandbox.channel("table-one"), "magpie new")).replies[0]

        async def press(name: str, label: str) -> None:
            # On a busy machine a click may be answered first and shown later.
            await sandbox.until(lambda: any(label in button.label for button in message.buttons))
            await sandbox.person(name).click(message, button_id(message, label))

        await press("Wren", "Join")
        await press("Wren", "Start")
        await press("Robin", "Start")
        await sandbox.until(lambda: shows_moves(message))
        mover = "Robin" if "Robin, roll the dice" in message.text else "Wren"
        await sandbox.person(mover).click(message, button_id(message, ROLL))
        shown = await asyncio.to_thread(get_metrics, port)
    assert shown['parlour_interactions_total{kind="command",outcome="done"}'] == 1
    assert shown['parlour_interactions_total{kind="click",outcome="done"}'] == 3
    assert shown['parlour_interactions_total{kind="click",outcome="refused"}'] == 1
    assert shown["parlour_answer_seconds_count"] == 5
    assert 0 < shown["parlour_answer_seconds_sum"] < 5 * DEADLINE_SECONDS
    assert shown['parlour_moves_saved_total{game="magpie"}'] == 1
    assert shown['parlour_tables_open{status="playing"}'] == 1
    assert shown['parlour_gateway_connected{shard="0"}'] == 1
    said_in_log = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert any(line["message"].startswith("ready as") for line in said_in_log)
    assert {line["level"] for line in said_in_log} == {"INFO"}
    assert (await get_health(port)).code == 1


async def test_the_debug_log_holds_no_secret(sandbox: Sandbox, tmp_path: Path, port: int) -> None:
    here, robin = sandbox.channel("table-one"), sandbox.person("Robin")
    async with run_bot(sandbox, tmp_path, port, LOG_LEVEL="DEBUG", LOG_FORMAT="json"):
        opened = await robin.slash(here, "magpie new")
        message = opened.replies[0]
        clicked = await robin.click(message, button_id(message, "Start with Rusty"))
        verified = await robin.slash(here, "table verify")
        here.bot_permissions = 0
        refused = await robin.slash(here, "magpie new")
    log = (tmp_path / "log").read_text()
    assert "DEBUG" in log
    assert "click done after" in log
    for interaction in (opened, clicked, verified, refused):
        assert interaction.token not in log
    assert sandbox.token not in log
    db = open_database(f"sqlite+aiosqlite:///{tmp_path / 'parlour.sqlite3'}")
    record = await db.read(table_storage.load, 1)
    await db.close()
    assert record is not None
    assert record.header.seed.hex() not in log
    assert record.header.salt
    assert record.header.salt not in log


def test_a_missing_port_names_the_setting() -> None:
    ended = run_command("health")
    assert (ended.code, ended.out) == (1, "")
    assert "set HEALTH_PORT" in ended.err


def test_a_bot_that_does_not_run_is_not_healthy(port: int) -> None:
    ended = run_command("health", "--health-port", str(port))
    assert ended.code == 1
    assert ended.err.startswith(f"The bot does not answer on port {port} of 127.0.0.1: ")


def test_the_settings_port_comes_first_and_everywhere_means_here(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    monkeypatch.setenv("HEALTH_PORT", str(port))
    monkeypatch.setenv("HEALTH_ADDRESS", "0.0.0.0")  # noqa: S104 - nothing listens here
    assert f"port {port} of 127.0.0.1" in run_command("health", "--health-port", "9").err


def test_a_bot_that_hangs_is_unhealthy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot.commands.health, "TIMEOUT_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        ended = run_command("health", "--health-port", str(silent.getsockname()[1]))
    assert ended.code == 1
    assert ended.err.endswith("timed out.\n")


class Stranger(BaseHTTPRequestHandler):
    body = b"[]"

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def stranger() -> Iterator[int]:
    """An HTTP server that is not the bot's."""
    server = HTTPServer(("127.0.0.1", 0), Stranger)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


async def test_a_bot_that_waits_for_discord_is_live_but_not_ready() -> None:
    health = HealthServer(Metrics(), AsyncMock(), AsyncMock())
    port = await health.start("127.0.0.1", 0)
    live = await asyncio.to_thread(run_command, "health", "--live", "--health-port", str(port))
    ready = await get_health(port)
    await health.stop()
    assert (live.code, live.out) == (0, "live\n")
    assert (ready.code, ready.err) == (1, "gateway: not connected yet, database: ok\n")


@pytest.mark.parametrize("body", [b"[]", b"{}"])
def test_something_else_on_the_port_is_not_the_bot(stranger: int, monkeypatch: pytest.MonkeyPatch, body: bytes) -> None:
    monkeypatch.setattr(Stranger, "body", body)
    ended = run_command("health", "--health-port", str(stranger))
    assert (ended.code, ended.out) == (1, "")
    assert "the response is not from a bot" in ended.err


def test_a_port_that_is_taken_ends_in_a_sentence(stranger: int) -> None:
    ended = run_forked("run", DISCORD_TOKEN="a.b.c", HEALTH_PORT=str(stranger))
    assert (ended.code, ended.out) == (1, "")
    said = ended.err.splitlines()[-1]
    assert said.startswith(f"The health endpoint can't use port {stranger} of 127.0.0.1: ")
    assert said.endswith("address already in use. Set HEALTH_PORT to another.")
    assert "Errno" not in said
    assert "Traceback" not in ended.err


def test_an_address_without_a_port_to_use_ends_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        raise OSError("could not bind on any address")

    monkeypatch.setattr(HealthServer, "start", fail)
    monkeypatch.setenv("DISCORD_TOKEN", "a.b.c")
    ended = run_command("run", "--health-port", "8080")
    assert "of 127.0.0.1: could not bind on any address. Set HEALTH_PORT to another." in ended.err
