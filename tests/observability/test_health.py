"""The health endpoint, asked over a socket."""

import asyncio
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiohttp
import pytest

import bot.platform.observability.health
from bot.platform.database.errors import StoreUnavailable
from bot.platform.observability.health import DiskSpace, HealthServer
from bot.platform.observability.metrics import DatabaseStats, Metrics


class FakeDatabase:
    def __init__(self) -> None:
        self.fault: Exception | None = None
        self.is_stuck = False

    async def ping(self) -> None:
        if self.is_stuck:
            await asyncio.Event().wait()
        if self.fault is not None:
            raise self.fault

    async def load_stats(self) -> DatabaseStats:
        await self.ping()
        return DatabaseStats({"playing": 3}, 1, datetime.now(UTC))


class HealthHarness:
    """A running endpoint, and the objects whose health it reports."""

    def __init__(self) -> None:
        self.watch, self.database = Metrics(), FakeDatabase()
        self.latencies: dict[int, float | None] = {0: 0.1, 1: 0.2}
        self.watch.sources.latencies = lambda: self.latencies
        self.free_bytes = 2**39
        disk = DiskSpace(Path.cwd(), lambda _: (2**40, 0, self.free_bytes))
        self.health = HealthServer(self.watch, self.database.ping, self.database.load_stats, disk)
        self.port = 0

    async def get(self, path: str) -> tuple[int, str, Any]:
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"http://127.0.0.1:{self.port}{path}") as answer,
        ):
            is_json = answer.content_type == "application/json"
            return answer.status, answer.content_type, await (answer.json() if is_json else answer.text())


@pytest.fixture
async def endpoint(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[HealthHarness]:
    monkeypatch.setattr(bot.platform.observability.health, "DATABASE_TIMEOUT_SECONDS", 0.05)
    made = HealthHarness()
    made.port = await made.health.start("127.0.0.1", 0)
    yield made
    await made.health.stop()


async def test_a_process_that_answers_is_live(endpoint: HealthHarness) -> None:
    endpoint.watch.sources.latencies = None
    endpoint.database.fault = StoreUnavailable("gone")
    assert await endpoint.get("/live") == (200, "application/json", {"live": True})


async def test_it_is_ready_when_every_part_is(endpoint: HealthHarness) -> None:
    expected = {"ready": True, "gateway": "ok", "database": "ok", "disk": "ok"}
    assert await endpoint.get("/ready") == (200, "application/json", expected)


async def test_disconnected_shards_are_named_in_order(endpoint: HealthHarness) -> None:
    endpoint.latencies = {2: None, 0: 0.1, 1: None}
    status, _, body = await endpoint.get("/ready")
    assert (status, body["ready"], body["gateway"]) == (503, False, "not connected: shard 1, 2")


async def test_before_the_first_connection_it_is_not_ready(endpoint: HealthHarness) -> None:
    latencies, endpoint.watch.sources.latencies = endpoint.watch.sources.latencies, None
    assert (await endpoint.get("/ready"))[2]["gateway"] == "not connected yet"
    endpoint.watch.sources.latencies = latencies
    endpoint.latencies.clear()
    status, _, body = await endpoint.get("/ready")
    assert (status, body["gateway"], body["database"]) == (503, "not connected yet", "ok")


async def test_a_failing_database_is_named_without_details(
    endpoint: HealthHarness, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", "bot.platform.observability.health")
    endpoint.database.fault = StoreUnavailable("postgresql://robin:hush@db refused")
    status, _, body = await endpoint.get("/ready")
    assert (status, body) == (503, {"ready": False, "gateway": "ok", "database": "out of order", "disk": "ok"})
    await endpoint.get("/metrics")
    messages = [record.getMessage() for record in caplog.records if record.name == "bot.platform.observability.health"]
    assert messages == [
        "the database is not ready: postgresql://robin:hush@db refused",
        "the database's statistics can't be loaded: postgresql://robin:hush@db refused",
    ]


async def test_a_database_that_does_not_answer_is_not_waited_for(endpoint: HealthHarness) -> None:
    endpoint.database.is_stuck = True
    status, _, body = await endpoint.get("/ready")
    assert (status, body["database"]) == (503, "no answer within a second")
    status, _, text = await endpoint.get("/metrics")
    assert status == 200
    assert "parlour_tables_open" not in text


@pytest.mark.parametrize(
    ("free", "status", "disk"),
    [(5000, 200, "ok"), (100, 200, "low: 100 MiB left"), (3, 503, "full: 3 MiB left")],
)
async def test_a_disk_that_fills_up_is_reported_early(
    endpoint: HealthHarness, free: int, status: int, disk: str
) -> None:
    endpoint.free_bytes = free * 2**20
    body = {"ready": status == 200, "gateway": "ok", "database": "ok", "disk": disk}
    assert await endpoint.get("/ready") == (status, "application/json", body)
    measured = re.search(r"^parlour_disk_free_bytes (\S+)$", (await endpoint.get("/metrics"))[2], re.MULTILINE)
    assert measured is not None
    assert float(measured[1]) == free * 2**20


async def test_figures_are_in_the_format_of_prometheus(endpoint: HealthHarness) -> None:
    endpoint.watch.count_move("magpie")
    status, kind, text = await endpoint.get("/metrics")
    assert (status, kind) == (200, "text/plain")
    assert text.endswith("\n")
    assert 'parlour_moves_saved_total{game="magpie"} 1.0\n' in text
    assert 'parlour_tables_open{status="playing"} 3.0\n' in text


async def test_a_fault_in_counting_tables_leaves_the_other_figures(endpoint: HealthHarness) -> None:
    endpoint.database.fault = RuntimeError("a fault of ours")
    status, _, text = await endpoint.get("/metrics")
    assert status == 200
    assert "parlour_answer_seconds_count" in text
    assert "parlour_tables_open" not in text


async def test_other_paths_do_not_exist(endpoint: HealthHarness) -> None:
    assert (await endpoint.get("/"))[0] == 404
