"""The figures of one process, gathered where things happen."""

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
"""Discord waits three seconds for an answer."""

# When a counter was made is nothing that anybody asks.
disable_created_metrics()  # type: ignore[no-untyped-call] # it is the one function there without types

_CALLBACK_PATH = re.compile(r"/interactions/\d+/[^/]+/callback$")


class InteractionKind(StrEnum):
    """What people do that wants an answer."""

    CLICK = "click"
    COMMAND = "command"


class PictureOutcome(StrEnum):
    """What came of a picture."""

    DRAWN = "drawn"
    LATE = "late"
    """It was not there when it was needed."""
    FAILED = "failed"


class Gateway(Protocol):
    """The connection to Discord."""

    def latencies_by_shard(self) -> Mapping[int, float | None]:
        """Return the seconds of each shard's last heartbeat, None for one that is not connected; at first nothing."""
        ...


class RequestStats(Protocol):
    """What is sent to Discord."""

    def invalid_requests(self) -> int:
        """Return how many requests of the last ten minutes were refused with 401, 403 or 429."""
        ...

    def waiting_requests(self) -> int:
        """Return how many requests wait until they may be sent."""
        ...


@dataclass(frozen=True, slots=True)
class DatabaseStats:
    """What the database says of the tables."""

    open_tables: Mapping[str, int]
    """How many tables are open, by status."""
    unshown: int
    """How many tables are not shown as they stand."""
    unshown_since: datetime | None
    """Since when the oldest of them waits."""


class Metrics:
    """Counts what happens; knows nobody's name."""

    def __init__(self) -> None:
        self.gateway: Gateway | None = None
        self.request_stats: RequestStats | None = None
        self._registry = CollectorRegistry()
        self._interactions = self._counter(
            "parlour_interactions", "Clicks and commands, by how they ended.", "kind", "outcome"
        )
        self._moves = self._counter("parlour_moves_saved", "Moves and control entries written down, by game.", "game")
        self._pictures = self._counter("parlour_pictures", "Pictures to be shown, by what came of them.", "outcome")
        self._errors = self._counter("parlour_errors", "Errors in the log, by logger.", "logger")
        self._answers = Histogram(
            "parlour_answer_seconds",
            "From an interaction's arrival until its first answer was taken.",
            buckets=ANSWER_BUCKETS,
            registry=self._registry,
        )

    def _counter(self, name: str, about: str, *labels: str) -> Callable[..., Counter]:
        """Return what finds the count with some labels, the second time at once."""
        return cache(Counter(name, about, labels, registry=self._registry).labels)

    def count_interaction(self, kind: InteractionKind, trace: Trace) -> None:
        """Count an interaction that has been dealt with."""
        self._interactions(kind, trace.outcome).inc()
        log.debug("%s %s after %.0f ms", kind, trace.outcome, 1000 * (time.monotonic() - trace.started_at))

    def count_move(self, game: str) -> None:
        """Count a move that is on disk."""
        self._moves(game).inc()

    def count_picture(self, outcome: PictureOutcome) -> None:
        """Count a picture that was to be shown."""
        self._pictures(outcome).inc()

    def count_error(self, record: logging.LogRecord) -> None:
        """Count an error in the log."""
        self._errors(record.name).inc()

    def observe_answer(self) -> None:
        """Note that whatever is running has got an answer; the first one counts."""
        trace = current_trace()
        if trace is not None and not trace.is_answered:
            trace.is_answered = True
            self._answers.observe(time.monotonic() - trace.started_at)

    def make_http_trace(self) -> aiohttp.TraceConfig:
        """Make what the library tells of each of its requests: it times those that are first answers."""
        listener = aiohttp.TraceConfig()
        listener.on_request_end.append(self._on_request_end)
        return listener

    async def _on_request_end(
        self, _session: aiohttp.ClientSession, _context: object, request: aiohttp.TraceRequestEndParams
    ) -> None:
        if _CALLBACK_PATH.search(request.url.path):
            self.observe_answer()

    def export_text(self, now: datetime, pulse: DatabaseStats | None, disk_free: int | None = None) -> bytes:
        """Write all figures in the format of Prometheus.

        Args:
            now: The present moment.
            pulse: What the database says; its figures are left out when it does not answer.
            disk_free: The bytes that are free on the disk of an SQLite file.
        """
        gauges = [*self._gauges(), *([] if pulse is None else _database_gauges(now, pulse))]
        if disk_free is not None:
            gauges.append(GaugeMetricFamily("parlour_disk_free_bytes", "Free space for the SQLite file.", disk_free))
        momentary = CollectorRegistry()
        momentary.register(_GaugeCollector(gauges))
        return generate_latest(self._registry) + generate_latest(momentary)

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

    def _gateway_gauges(self) -> Iterator[Metric]:
        shards = self.gateway.latencies_by_shard() if self.gateway else {}
        connected = {str(shard): float(latency is not None) for shard, latency in shards.items()}
        yield _gauge("parlour_gateway_connected", "Whether a shard is connected.", "shard", connected)
        latencies = {str(shard): each for shard, each in shards.items() if each is not None and isfinite(each)}
        yield _gauge("parlour_gateway_latency_seconds", "A shard's last heartbeat.", "shard", latencies)


class _GaugeCollector(Collector):
    """Gauges read when somebody asks."""

    def __init__(self, gauges: Sequence[Metric]) -> None:
        self.gauges = gauges

    def collect(self) -> Sequence[Metric]:
        return self.gauges


def _database_gauges(now: datetime, pulse: DatabaseStats) -> Iterator[Metric]:
    yield _gauge("parlour_tables_open", "Open tables, by status.", "status", pulse.open_tables)
    yield GaugeMetricFamily("parlour_tables_unshown", "Tables not shown as they stand.", pulse.unshown)
    waited = (now - pulse.unshown_since).total_seconds() if pulse.unshown_since else 0.0
    yield GaugeMetricFamily(
        "parlour_publisher_lag_seconds", "How long the oldest change that is not shown has waited.", max(0.0, waited)
    )


def _gauge(name: str, about: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, about, labels=(label,))
    for key, value in values.items():
        family.add_metric((key,), value)
    return family
