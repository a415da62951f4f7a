"""The metrics of a process, exported for Prometheus."""

import logging
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from math import isfinite
from typing import Protocol

import aiohttp
from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from bot.observability.trace import Trace, current_trace

log = logging.getLogger(__name__)

ANSWER_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0)
"""Seconds; Discord waits three for an answer."""

# Creation times of counters would only clutter the export.
disable_created_metrics()  # type: ignore[no-untyped-call] # the function has no annotations

_CALLBACK_PATH = re.compile(r"/interactions/\d+/[^/]+/callback$")


class InteractionKind(StrEnum):
    """The kinds of interactions."""

    CLICK = "click"
    COMMAND = "command"


class PictureOutcome(StrEnum):
    """How drawing a picture ended."""

    DRAWN = "drawn"
    LATE = "late"
    """Not ready when it was needed."""
    FAILED = "failed"


class Gateway(Protocol):
    """The connection to Discord."""

    def latencies_by_shard(self) -> Mapping[int, float | None]:
        """Return each shard's last heartbeat in seconds, None if it is not connected; empty before the first."""


class RequestStats(Protocol):
    """Statistics of the requests to Discord."""

    def invalid_requests(self) -> int:
        """Return how many requests failed with 401, 403 or 429 in the last ten minutes."""

    def waiting_requests(self) -> int:
        """Return how many requests are waiting for a rate limit."""


class Backups(Protocol):
    """The backups that the bot makes."""

    @property
    def last_at(self) -> datetime | None:
        """When the newest one was made; None if there is none."""


@dataclass(frozen=True, slots=True)
class DatabaseStats:
    """Statistics about the stored tables."""

    open_tables: Mapping[str, int]
    """The number of open tables by status."""
    unshown: int
    """How many tables have a newer revision than the one shown."""
    unshown_since: datetime | None
    """When the longest waiting of them was changed."""


class Metrics:
    """The counters of a process; they contain no personal data."""

    def __init__(self) -> None:
        self.gateway: Gateway | None = None
        self.request_stats: RequestStats | None = None
        self.backups: Backups | None = None
        self._registry = CollectorRegistry()
        self._interactions = self._counter(
            "parlour_interactions", "Clicks and commands, by how they ended.", "kind", "outcome"
        )
        self._moves = self._counter("parlour_moves_saved", "Saved moves and control entries, by game.", "game")
        self._pictures = self._counter("parlour_pictures", "Pictures to be shown, by what came of them.", "outcome")
        self._errors = self._counter("parlour_errors", "Errors in the log, by logger.", "logger")
        self._lost_workers = Counter(
            "parlour_workers_lost",
            "Processes of computer players that died, hung or could not be started.",
            registry=self._registry,
        )
        self._answers = Histogram(
            "parlour_answer_seconds",
            "From an interaction's arrival until its first answer was taken.",
            buckets=ANSWER_BUCKETS,
            registry=self._registry,
        )

    def _counter(self, name: str, description: str, *labels: str) -> Callable[..., Counter]:
        """Return a cached function from label values to the counter."""
        return cache(Counter(name, description, labels, registry=self._registry).labels)

    def count_interaction(self, kind: InteractionKind, trace: Trace) -> None:
        """Count a finished interaction."""
        self._interactions(kind, trace.outcome).inc()
        log.debug("%s %s after %.0f ms", kind, trace.outcome, 1000 * (time.monotonic() - trace.started_at))

    def count_move(self, game: str) -> None:
        """Count a saved move."""
        self._moves(game).inc()

    def count_picture(self, outcome: PictureOutcome) -> None:
        """Count a requested picture."""
        self._pictures(outcome).inc()

    def count_lost_worker(self) -> None:
        """Count a worker that died or hung."""
        self._lost_workers.inc()

    def count_error(self, record: logging.LogRecord) -> None:
        """Count a logged error."""
        self._errors(record.name).inc()

    def observe_answer(self) -> None:
        """Record the time to the current interaction's first answer; later answers do not count."""
        trace = current_trace()
        if trace is not None and not trace.is_answered:
            trace.is_answered = True
            self._answers.observe(time.monotonic() - trace.started_at)

    def make_http_trace(self) -> aiohttp.TraceConfig:
        """Return an aiohttp trace configuration that observes interaction callbacks as answers."""
        listener = aiohttp.TraceConfig()
        listener.on_request_end.append(self._on_request_end)
        return listener

    async def _on_request_end(
        self, _session: aiohttp.ClientSession, _context: object, request: aiohttp.TraceRequestEndParams
    ) -> None:
        if _CALLBACK_PATH.search(request.url.path):
            self.observe_answer()

    def export_text(self, now: datetime, stats: DatabaseStats | None, disk_free: int | None = None) -> bytes:
        """Return all metrics in Prometheus' text format.

        Args:
            now: The current time.
            stats: The database's statistics; None leaves their metrics out.
            disk_free: The free bytes on an SQLite file's disk; None leaves the metric out.
        """
        gauges = [*self._gauges(), *([] if stats is None else _database_gauges(now, stats))]
        if disk_free is not None:
            gauges.append(GaugeMetricFamily("parlour_disk_free_bytes", "Free space for the SQLite file.", disk_free))
        gauge_registry = CollectorRegistry()
        gauge_registry.register(_GaugeCollector(gauges))
        return generate_latest(self._registry) + generate_latest(gauge_registry)

    def _gauges(self) -> Iterator[Metric]:
        yield from self._gateway_gauges()
        if self.request_stats is not None:
            yield GaugeMetricFamily(
                "parlour_invalid_requests",
                "Requests of the last ten minutes that were refused with 401, 403 or 429.",
                self.request_stats.invalid_requests(),
            )
            yield GaugeMetricFamily(
                "parlour_requests_waiting",
                "Requests that wait until they may be sent.",
                self.request_stats.waiting_requests(),
            )
        if self.backups is not None:
            last_at = self.backups.last_at
            yield GaugeMetricFamily(
                "parlour_last_backup_timestamp_seconds",
                "When the newest backup was made; 0 if there is none.",
                0.0 if last_at is None else last_at.timestamp(),
            )

    def _gateway_gauges(self) -> Iterator[Metric]:
        shards = self.gateway.latencies_by_shard() if self.gateway else {}
        connected = {str(shard): float(latency is not None) for shard, latency in shards.items()}
        yield _gauge("parlour_gateway_connected", "Whether a shard is connected.", "shard", connected)
        latencies = {str(shard): each for shard, each in shards.items() if each is not None and isfinite(each)}
        yield _gauge("parlour_gateway_latency_seconds", "A shard's last heartbeat.", "shard", latencies)


class _GaugeCollector(Collector):
    """Exports gauges that were read just now."""

    def __init__(self, gauges: Sequence[Metric]) -> None:
        self.gauges = gauges

    def collect(self) -> Sequence[Metric]:
        return self.gauges


def _database_gauges(now: datetime, stats: DatabaseStats) -> Iterator[Metric]:
    yield _gauge("parlour_tables_open", "Open tables, by status.", "status", stats.open_tables)
    yield GaugeMetricFamily("parlour_tables_unshown", "Tables whose newest revision is not shown.", stats.unshown)
    waited = (now - stats.unshown_since).total_seconds() if stats.unshown_since else 0.0
    yield GaugeMetricFamily(
        "parlour_publisher_lag_seconds", "How long the oldest change that is not shown has waited.", max(0.0, waited)
    )


def _gauge(name: str, description: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, description, labels=(label,))
    for key, value in values.items():
        family.add_metric((key,), value)
    return family
