"""The metrics of a process, exported for Prometheus."""

import logging
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from itertools import product
from math import isfinite
from typing import Final

import aiohttp
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from bot.platform.observability.trace import InteractionOutcome, Trace, current_trace
from bot.rules.motion import RollOutcome

log = logging.getLogger(__name__)

ANSWER_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0)
"""Seconds; Discord waits three seconds for an answer."""

ATTEMPT_BUCKETS: Final = (30, 60, 90, 120, 180, 300, 600, 1800, 7200, 86400)

TRANSACTION_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds; a transaction is abandoned after five seconds in the queue and ten more."""

WAIT_BUCKETS: Final = (0.005, 0.05, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0)
"""Seconds; nobody should wait more than three seconds for a table."""

ROLL_BYTES_BUCKETS: Final = tuple(1024 * size for size in (100, 125, 150, 175, 200, 250, 300, 350, 400))
"""Bytes; a routine roll may have 200 KiB, a moment 400."""

LAG_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Seconds; no work may hold the event loop for more than ten milliseconds."""

_MAX_LABELS: Final = 1024
"""The most cached label values of a metric; Discord's routes have some dozens."""

# Creation times of counters would only clutter the export.
disable_created_metrics()  # type: ignore[no-untyped-call] # the function has no annotations

_CALLBACK_PATH = re.compile(r"/interactions/\d+/[^/]+/callback$")


class InteractionKind(StrEnum):
    """The kinds of interactions."""

    CLICK = "click"
    COMMAND = "command"


class Token(StrEnum):
    """The owner of a request's token; Discord limits the bot's token to 50 requests per second."""

    BOT = "bot"
    INTERACTION = "interaction"


class Ending(StrEnum):
    """What becomes of a game that is over."""

    FINISHED = "finished"
    SHARED = "shared"
    """A player has posted its result."""
    DARED = "dared"
    """Somebody has taken the dare of a shared result."""


class PictureOutcome(StrEnum):
    """How drawing a picture ended."""

    DRAWN = "drawn"
    LATE = "late"
    """The picture was not ready in time."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class DatabaseUsage:
    """How busy the connections to the database are."""

    connections: int
    """How many connections run a transaction."""
    waiting: int
    """How many transactions wait for a connection."""


@dataclass(frozen=True, slots=True)
class DatabaseStats:
    """Statistics about stored tables and jobs."""

    open_tables: Mapping[str, int]
    """The number of open tables by status."""
    unshown: int
    """How many tables have a newer revision than the one shown."""
    unshown_since: datetime | None
    """When the longest waiting of these tables was changed."""
    job_due_at: datetime | None = None
    """When the next job is due, perhaps in the past."""


@dataclass(slots=True)
class Sources:
    """Functions that return current metrics for an export; missing functions export nothing."""

    latencies: Callable[[], Mapping[int, float | None]] | None = None
    """Each shard's heartbeat latency in seconds, None if it is not connected; empty before the first heartbeat."""
    shard_count: Callable[[], int | None] | None = None
    """The number of shards in all processes; None before the first one is connected."""
    invalid_requests: Callable[[], int] | None = None
    """The number of requests that failed with 401, 403 or 429 in the last ten minutes."""
    waiting_requests: Callable[[], int] | None = None
    """The number of requests waiting for a rate limit."""
    lease_age: Callable[[], float | None] | None = None
    """The age of the lease's last renewal in seconds; None before the lease and after its release."""
    last_backup_at: Callable[[], datetime | None] | None = None
    """When the newest backup was made; None without backups."""
    database: Callable[[], DatabaseUsage] | None = None
    lookups: dict[str, Callable[[], tuple[int, int]]] = field(default_factory=dict)
    """Hits and misses by cache."""
    queues: dict[str, Callable[[], float]] = field(default_factory=dict)
    """The seconds that the oldest entry of a queue has waited; 0 in an empty queue."""


class Metrics:
    """The counters of a process; they contain no personal data."""

    def __init__(self) -> None:
        self.sources = Sources()
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._interactions = self._counter(
            "parlour_interactions", "Clicks and commands, by how they ended.", "kind", "outcome"
        )
        self._moves = self._counter("parlour_moves_saved", "Saved moves and control entries, by game.", "game")
        self._endings = self._counter(
            "parlour_games", "Games and challenges: finished, shared, and taken up as a dare.", "game", "ending"
        )
        self._pictures = self._counter("parlour_pictures", "Pictures to be shown, by what came of them.", "outcome")
        self._rolls = self._counter("parlour_rolls", "Rolls to be shown: moving, or the reason why not.", "outcome")
        self._roll_bytes = self._histogram("parlour_roll_bytes", "Sizes of animated rolls.", ROLL_BYTES_BUCKETS)
        self._errors = self._counter("parlour_errors", "Errors in the log, by logger.", "logger")
        self._responses = self._counter(
            "parlour_discord_requests", "Responses of Discord, by route and status.", "token", "route", "status"
        )
        self._lost_workers = Counter(
            "parlour_workers_lost",
            "Processes of computer players and animations that died, hung or could not be started.",
            registry=self._registry,
        )
        self._answers = self._histogram(
            "parlour_answer_seconds", "From an interaction's arrival until its first answer was taken.", ANSWER_BUCKETS
        )
        self._attempts = lru_cache(_MAX_LABELS)(
            self._histogram(
                "parlour_attempt_seconds",
                "From the opening of a challenge until its player has finished it.",
                ATTEMPT_BUCKETS,
                "challenge",
            ).labels
        )
        self._loop_lag = self._histogram(
            "parlour_event_loop_lag_seconds", "How late the event loop ran what was due.", LAG_BUCKETS
        )
        self._transactions = lru_cache(_MAX_LABELS)(
            self._histogram(
                "parlour_database_transaction_seconds",
                "From asking the database for a transaction until its end.",
                TRANSACTION_BUCKETS,
                "kind",
            ).labels
        )
        self._request_waits = lru_cache(_MAX_LABELS)(
            self._histogram(
                "parlour_request_wait_seconds",
                "How long requests with the bot's token waited until they were allowed.",
                WAIT_BUCKETS,
                "urgency",
            ).labels
        )
        # Export zeros first, because Prometheus sees no increase in a counter that begins at 1.
        for kind, outcome in product(InteractionKind, InteractionOutcome):
            self._interactions(kind, outcome)
        for picture_outcome in PictureOutcome:
            self._pictures(picture_outcome)
        for roll_outcome in RollOutcome:
            self._rolls(roll_outcome)

    def _counter(self, name: str, description: str, *labels: str) -> Callable[..., Counter]:
        """Return a cached function that maps label values to their counter."""
        return lru_cache(_MAX_LABELS)(Counter(name, description, labels, registry=self._registry).labels)

    def _histogram(self, name: str, description: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
        return Histogram(name, description, labels, buckets=buckets, registry=self._registry)

    def count_interaction(self, kind: InteractionKind, trace: Trace) -> None:
        """Count a finished interaction."""
        self._interactions(kind, trace.outcome).inc()
        log.debug("%s %s after %.0f ms", kind, trace.outcome, 1000 * (time.monotonic() - trace.started_at))

    def count_move(self, game: str) -> None:
        """Count a saved move."""
        self._moves(game).inc()

    def count_ending(self, game: str, ending: Ending) -> None:
        """Count a finished game or challenge, or what has become of one."""
        self._endings(game, ending).inc()

    def count_picture(self, outcome: PictureOutcome) -> None:
        """Count a requested picture."""
        self._pictures(outcome).inc()

    def count_roll(self, outcome: RollOutcome, size: int = 0) -> None:
        """Count a roll, and record the bytes of its animation."""
        self._rolls(outcome).inc()
        if size:
            self._roll_bytes.observe(size)

    def count_lost_worker(self) -> None:
        """Count a worker that died or hung."""
        self._lost_workers.inc()

    def count_error(self, record: logging.LogRecord) -> None:
        """Count a logged error."""
        self._errors(record.name).inc()

    def count_response(self, token: Token, route: str, status: int) -> None:
        """Count a response from Discord; the route contains no ids."""
        self._responses(token, route, str(status)).inc()

    def observe_request_wait(self, urgency: str, seconds: float) -> None:
        """Record how long a request waited until it was allowed."""
        self._request_waits(urgency).observe(seconds)

    def observe_attempt(self, challenge: str, seconds: float) -> None:
        """Record how long a person took for a challenge."""
        self._attempts(challenge).observe(seconds)

    def observe_loop_lag(self, seconds: float) -> None:
        """Record how late the event loop was."""
        self._loop_lag.observe(seconds)

    def time_transaction(self, kind: str) -> AbstractContextManager[object]:
        """Record the duration of the body, even if it fails."""
        return self._transactions(kind).time()

    def observe_answer(self) -> None:
        """Record the time until the current interaction's first answer; ignore later answers."""
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
        export_registry = CollectorRegistry()
        export_registry.register(ExportCollector(self.sources, now, stats, disk_free))
        return generate_latest(self._registry) + generate_latest(export_registry)


class ExportCollector(Collector):
    """Collects the sources and the database's statistics for one export."""

    def __init__(self, sources: Sources, now: datetime, stats: DatabaseStats | None, disk_free: int | None) -> None:
        self._sources = sources
        self._now = now
        self._stats = stats
        self._disk_free = disk_free

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics."""
        yield from self._collect_shards()
        yield from self._collect_requests_and_backups()
        yield from self._collect_database()
        lookups = CounterMetricFamily(
            "parlour_cache_lookups", "Lookups in a cache, by what came of them.", labels=("cache", "outcome")
        )
        for name, count in self._sources.lookups.items():
            for outcome, lookup_count in zip(("hit", "miss"), count(), strict=True):
                lookups.add_metric((name, outcome), lookup_count)
        yield lookups
        ages = {queue: oldest() for queue, oldest in self._sources.queues.items()}
        if self._stats is not None:
            ages["job"] = self._seconds_since(self._stats.job_due_at)
        yield _gauges("parlour_queue_age_seconds", "How long the oldest in a queue has waited.", "queue", ages)

    def _collect_shards(self) -> Iterator[Metric]:
        sources = self._sources
        shards = sources.latencies() if sources.latencies else {}
        connected = {str(shard): float(latency is not None) for shard, latency in shards.items()}
        yield _gauges("parlour_gateway_connected", "Whether a shard is connected.", "shard", connected)
        latencies = {
            str(shard): latency for shard, latency in shards.items() if latency is not None and isfinite(latency)
        }
        yield _gauges("parlour_gateway_latency_seconds", "A shard's last heartbeat.", "shard", latencies)
        if sources.shard_count and (count := sources.shard_count()) is not None:
            yield GaugeMetricFamily("parlour_shards", "Shards of the bot, in all its processes.", count)
        if sources.lease_age:
            age = sources.lease_age()
            yield GaugeMetricFamily(
                "parlour_shard_lease_held", "Whether this process has a lease of shards.", age is not None
            )
            if age is not None:
                yield GaugeMetricFamily("parlour_shard_lease_age_seconds", "How long ago the lease was renewed.", age)

    def _collect_requests_and_backups(self) -> Iterator[Metric]:
        sources = self._sources
        if sources.invalid_requests:
            yield GaugeMetricFamily(
                "parlour_invalid_requests",
                "Requests of the last ten minutes that were refused with 401, 403 or 429.",
                sources.invalid_requests(),
            )
        if sources.waiting_requests:
            yield GaugeMetricFamily(
                "parlour_requests_waiting", "Requests that wait until they may be sent.", sources.waiting_requests()
            )
        if sources.last_backup_at:
            last_at = sources.last_backup_at()
            yield GaugeMetricFamily(
                "parlour_last_backup_timestamp_seconds",
                "When the newest backup was made; 0 if there is none.",
                0.0 if last_at is None else last_at.timestamp(),
            )

    def _collect_database(self) -> Iterator[Metric]:
        stats = self._stats
        if self._sources.database:
            usage = self._sources.database()
            yield GaugeMetricFamily(
                "parlour_database_connections_in_use", "Connections that run a transaction.", usage.connections
            )
            yield GaugeMetricFamily(
                "parlour_database_transactions_waiting", "Transactions that wait for a connection.", usage.waiting
            )
        if stats is not None:
            yield _gauges("parlour_tables_open", "Open tables, by status.", "status", stats.open_tables)
            yield GaugeMetricFamily(
                "parlour_tables_unshown", "Tables whose newest revision is not shown.", stats.unshown
            )
            yield GaugeMetricFamily(
                "parlour_publisher_lag_seconds",
                "How long the oldest change that is not shown has waited.",
                self._seconds_since(stats.unshown_since),
            )
        if self._disk_free is not None:
            yield GaugeMetricFamily("parlour_disk_free_bytes", "Free space for the SQLite file.", self._disk_free)

    def _seconds_since(self, then: datetime | None) -> float:
        """Return the seconds since a time; 0 for None and for the future."""
        return 0.0 if then is None else max(0.0, (self._now - then).total_seconds())


def _gauges(name: str, description: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, description, labels=(label,))
    for key, value in values.items():
        family.add_metric((key,), value)
    return family
