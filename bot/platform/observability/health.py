"""The health endpoints `/live`, `/ready` and `/metrics`, and the free space on the database's disk."""

import asyncio
import logging
import shutil
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from aiohttp import web
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4

from bot.platform.observability.metrics import DatabaseStats, Metrics

log = logging.getLogger(__name__)

DATABASE_TIMEOUT_SECONDS = 1.0
"""How long the database may take to answer a health check."""


STATUS_OK: Final = "ok"
MEBIBYTE: Final = 1024 * 1024
LOW_BYTES: Final = 256 * MEBIBYTE
"""The free space below which to warn; a saved move takes some hundred bytes."""

LOW_SHARE: Final = 0.1
"""On a small disk, warn only below this share of it, if that is less than `LOW_BYTES`."""

FULL_BYTES: Final = 8 * MEBIBYTE
"""The free space below which the disk counts as full; SQLite's write-ahead log alone grows to 4 MiB."""

CHECK_SECONDS: Final = 60.0


class DiskState(NamedTuple):
    """The state of a disk."""

    text: str
    """The state in words, for the health endpoint."""
    is_full: bool


class DiskSpace:
    """Monitors the disk that contains a folder."""

    def __init__(self, folder: Path, usage: Callable[[Path], tuple[int, int, int]] = shutil.disk_usage) -> None:
        self._folder = folder
        self._usage = usage
        self._was_low = False

    def free_bytes(self) -> int | None:
        """Return the free bytes, or None if they can't be measured."""
        try:
            _, _, free = self._measure()
        except OSError:
            return None
        return free

    def check(self) -> DiskState:
        """Return the disk's state, and log when it changes between low and normal."""
        try:
            total, _, free = self._measure()
        except OSError as fault:
            log.warning("the disk of %s can't be measured: %s", self._folder, fault)
            return DiskState("unknown", is_full=False)
        left = f"{free // MEBIBYTE} MiB left"
        is_low = free < min(LOW_BYTES, total * LOW_SHARE)
        if is_low and not self._was_low:
            log.warning("the disk of %s is almost full: %s; when it is full, nothing can be saved", self._folder, left)
        if self._was_low and not is_low:
            log.info("the disk of %s has enough space again: %s", self._folder, left)
        self._was_low = is_low
        if free < FULL_BYTES:
            return DiskState(f"full: {left}", is_full=True)
        return DiskState(f"low: {left}" if is_low else STATUS_OK, is_full=False)

    async def monitor(self) -> None:
        """Check once a minute until cancelled."""
        while True:
            self.check()
            await asyncio.sleep(CHECK_SECONDS)

    def _measure(self) -> tuple[int, int, int]:
        """Return the total, the used and the free bytes of the disk."""
        # Until the database creates its folder, the nearest existing parent is on the same disk.
        existing = (place for place in (self._folder, *self._folder.absolute().parents) if place.exists())
        return self._usage(next(existing, self._folder))


class HealthServer:
    """A small web server in the bot's process."""

    def __init__(
        self,
        metrics: Metrics,
        ping: Callable[[], Awaitable[None]],
        load_stats: Callable[[], Awaitable[DatabaseStats]],
        disk: DiskSpace | None = None,
    ) -> None:
        """Initialize.

        Args:
            metrics: The metrics to export.
            ping: Checks that the database accepts writes; any exception means that it does not work.
            load_stats: Loads statistics about the tables; after any exception they are left out.
            disk: The disk of an SQLite database.
        """
        self._metrics = metrics
        self._disk = disk
        self._ping = ping
        self._load_stats = load_stats
        self._runner: web.AppRunner | None = None

    async def start(self, address: str, port: int) -> int:
        """Start listening and return the port.

        Args:
            address: The IP address to listen on.
            port: The port; 0 for any free one.

        Raises:
            OSError: The address or the port is not available.
        """
        application = web.Application()
        application.router.add_get("/live", _handle_live)
        application.router.add_get("/ready", self._handle_ready)
        application.router.add_get("/metrics", self._handle_metrics)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        await web.TCPSite(self._runner, address, port).start()
        return int(self._runner.addresses[0][1])

    async def stop(self) -> None:
        """Stop listening, if started."""
        if self._runner is not None:
            await self._runner.cleanup()

    async def _handle_ready(self, _request: web.Request) -> web.Response:
        parts = {"gateway": self._gateway_status(), "database": await self._ping_database()}
        is_ready = set(parts.values()) == {STATUS_OK}
        if self._disk is not None:
            # Low space is only reported; a full disk makes the bot not ready.
            disk = self._disk.check()
            parts["disk"], is_ready = disk.text, is_ready and not disk.is_full
        return web.json_response({"ready": is_ready, **parts}, status=200 if is_ready else 503)

    async def _handle_metrics(self, _request: web.Request) -> web.Response:
        disk_free = None if self._disk is None else self._disk.free_bytes()
        text = self._metrics.export_text(datetime.now(UTC), await self._try_to_load_stats(), disk_free)
        return web.Response(body=text, headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4})

    def _gateway_status(self) -> str:
        latencies = self._metrics.sources.latencies
        shards = latencies() if latencies else {}
        if not shards:
            return "not connected yet"
        disconnected = [str(shard) for shard, latency in sorted(shards.items()) if latency is None]
        return f"not connected: shard {', '.join(disconnected)}" if disconnected else STATUS_OK

    async def _ping_database(self) -> str:
        try:
            async with asyncio.timeout(DATABASE_TIMEOUT_SECONDS):
                await self._ping()
        except TimeoutError:
            return "no answer within a second"
        except Exception as fault:  # noqa: BLE001 - any error means that the bot is not ready
            # The response is public, so it has no details. This check runs every few seconds, so the store logs them,
            # once per outage.
            log.debug("the database is not ready: %s", fault)
            return "out of order"
        return STATUS_OK

    async def _try_to_load_stats(self) -> DatabaseStats | None:
        try:
            async with asyncio.timeout(DATABASE_TIMEOUT_SECONDS):
                return await self._load_stats()
        except Exception as fault:  # noqa: BLE001 - export the other metrics anyway
            log.debug("the database's statistics can't be loaded: %s", fault)
            return None


log = logging.getLogger(__name__)


async def _handle_live(_request: web.Request) -> web.Response:
    return web.json_response({"live": True})
