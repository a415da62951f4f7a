"""The health endpoint: `/live`, `/ready` and `/metrics`."""

import asyncio
import logging
from datetime import UTC, datetime
from typing import Protocol

from aiohttp import web
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4

from bot.platform.observability.collectors import DatabaseStats
from bot.platform.observability.disk import STATUS_OK, DiskSpace
from bot.platform.observability.metrics import Metrics

log = logging.getLogger(__name__)

DATABASE_TIMEOUT_SECONDS = 1.0
"""How long the database may take to answer."""


class MonitoredDatabase(Protocol):
    """The database as the endpoint sees it; any exception means that it does not work."""

    async def ping(self) -> None:
        """Check that the database can be written to."""

    async def load_stats(self) -> DatabaseStats:
        """Return statistics about the tables."""


class HealthServer:
    """A small web server in the bot's process."""

    def __init__(self, metrics: Metrics, database: MonitoredDatabase, disk: DiskSpace | None = None) -> None:
        self._metrics = metrics
        self._disk = disk
        self._database = database
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
        application.router.add_get("/live", self._handle_live)
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

    async def _handle_live(self, _request: web.Request) -> web.Response:
        return web.json_response({"live": True})

    async def _handle_ready(self, _request: web.Request) -> web.Response:
        parts = {"gateway": self._gateway_status(), "database": await self._ping_database()}
        is_ready = set(parts.values()) == {STATUS_OK}
        if self._disk is not None:
            # Low space is reported early, but only a full disk makes the bot not ready.
            disk = self._disk.check()
            parts["disk"], is_ready = disk.text, is_ready and not disk.is_full
        return web.json_response({"ready": is_ready, **parts}, status=200 if is_ready else 503)

    async def _handle_metrics(self, _request: web.Request) -> web.Response:
        disk_free = None if self._disk is None else self._disk.free_bytes()
        text = self._metrics.export_text(datetime.now(UTC), await self._load_stats(), disk_free)
        return web.Response(body=text, headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4})

    def _gateway_status(self) -> str:
        gateway = self._metrics.sources.gateway
        shards = gateway.latencies_by_shard() if gateway else {}
        if not shards:
            return "not connected yet"
        disconnected = [str(shard) for shard, latency in sorted(shards.items()) if latency is None]
        return f"not connected: shard {', '.join(disconnected)}" if disconnected else STATUS_OK

    async def _ping_database(self) -> str:
        try:
            async with asyncio.timeout(DATABASE_TIMEOUT_SECONDS):
                await self._database.ping()
        except TimeoutError:
            return "no answer within a second"
        except Exception as fault:  # noqa: BLE001 - any error means that it is not ready
            # The response is public, so it has no details. The store logs them once per outage; this is called every
            # few seconds.
            log.debug("the database is not ready: %s", fault)
            return "out of order"
        return STATUS_OK

    async def _load_stats(self) -> DatabaseStats | None:
        try:
            async with asyncio.timeout(DATABASE_TIMEOUT_SECONDS):
                return await self._database.load_stats()
        except Exception as fault:  # noqa: BLE001 - the other metrics are exported anyway
            log.debug("the database's statistics can't be loaded: %s", fault)
            return None
