"""Metrics that are read from the parts of the bot whenever Prometheus asks."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from math import isfinite
from typing import Protocol

from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

OldestSeconds = Callable[[], float]
"""Returns for how many seconds the oldest in a queue has waited; 0 if nothing waits."""


class Gateway(Protocol):
    """The connection to Discord."""

    @property
    def shard_count(self) -> int | None:
        """How many shards the bot has in all its processes; None before the first is connected."""

    def latencies_by_shard(self) -> Mapping[int, float | None]:
        """Return each shard's last heartbeat in seconds, None if it is not connected; empty before the first."""


class RequestStats(Protocol):
    """Statistics of the requests to Discord."""

    def invalid_requests(self) -> int:
        """Return how many requests failed with 401, 403 or 429 in the last ten minutes."""

    def waiting_requests(self) -> int:
        """Return how many requests are waiting for a rate limit."""


class CacheStats(Protocol):
    """Statistics of a cache."""

    @property
    def hits(self) -> int:
        """How often something was found."""

    @property
    def misses(self) -> int:
        """How often something was not found."""


class LeaseStats(Protocol):
    """The lease of the shards that this process serves."""

    def seconds_since_renewal(self) -> float | None:
        """Return the age of the last renewal in seconds; None before there is a lease, and once it is given back."""


class Backups(Protocol):
    """The backups that the bot makes."""

    @property
    def last_at(self) -> datetime | None:
        """When the newest one was made; None if there is none."""


@dataclass(frozen=True, slots=True)
class DatabaseUsage:
    """How busy the connections to the database are."""

    connections: int
    """How many run a transaction."""
    waiting: int
    """How many transactions wait for one."""


@dataclass(frozen=True, slots=True)
class DatabaseStats:
    """Statistics about what is stored."""

    open_tables: Mapping[str, int]
    """The number of open tables by status."""
    unshown: int
    """How many tables have a newer revision than the one shown."""
    unshown_since: datetime | None
    """When the longest waiting of them was changed."""
    job_due_at: datetime | None = None
    """When the next job is due, perhaps in the past."""


@dataclass(slots=True)
class Sources:
    """The parts of the bot that metrics are read from; what is missing exports nothing."""

    gateway: Gateway | None = None
    requests: RequestStats | None = None
    lease: LeaseStats | None = None
    backups: Backups | None = None
    database: Callable[[], DatabaseUsage] | None = None
    caches: dict[str, CacheStats] = field(default_factory=dict)
    queues: dict[str, OldestSeconds] = field(default_factory=dict)


class ExportCollector(Collector):
    """Collects the sources, and what was read from the database for this export."""

    def __init__(self, sources: Sources, now: datetime, stats: DatabaseStats | None, disk_free: int | None) -> None:
        self._sources = sources
        self._now = now
        self._stats = stats
        self._disk_free = disk_free

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics."""
        yield from _collect_gateway(self._sources.gateway)
        yield from _collect_requests(self._sources.requests)
        yield from _collect_lease(self._sources.lease)
        yield from _collect_backups(self._sources.backups)
        yield from _collect_database(self._sources.database)
        yield _collect_caches(self._sources.caches)
        yield self._collect_queues()
        if self._stats is not None:
            yield from _collect_tables(self._now, self._stats)
        if self._disk_free is not None:
            yield GaugeMetricFamily("parlour_disk_free_bytes", "Free space for the SQLite file.", self._disk_free)

    def _collect_queues(self) -> Metric:
        ages = {queue: oldest() for queue, oldest in self._sources.queues.items()}
        if self._stats is not None:
            ages["job"] = _seconds_since(self._stats.job_due_at, self._now)
        return _gauge("parlour_queue_age_seconds", "How long the oldest in a queue has waited.", "queue", ages)


def _collect_gateway(gateway: Gateway | None) -> Iterator[Metric]:
    shards = gateway.latencies_by_shard() if gateway else {}
    connected = {str(shard): float(latency is not None) for shard, latency in shards.items()}
    yield _gauge("parlour_gateway_connected", "Whether a shard is connected.", "shard", connected)
    latencies = {str(shard): each for shard, each in shards.items() if each is not None and isfinite(each)}
    yield _gauge("parlour_gateway_latency_seconds", "A shard's last heartbeat.", "shard", latencies)
    if gateway is not None and gateway.shard_count is not None:
        yield GaugeMetricFamily("parlour_shards", "Shards of the bot, in all its processes.", gateway.shard_count)


def _collect_requests(requests: RequestStats | None) -> Iterator[Metric]:
    if requests is not None:
        yield GaugeMetricFamily(
            "parlour_invalid_requests",
            "Requests of the last ten minutes that were refused with 401, 403 or 429.",
            requests.invalid_requests(),
        )
        yield GaugeMetricFamily(
            "parlour_requests_waiting", "Requests that wait until they may be sent.", requests.waiting_requests()
        )


def _collect_lease(lease: LeaseStats | None) -> Iterator[Metric]:
    if lease is None:
        return
    age = lease.seconds_since_renewal()
    yield GaugeMetricFamily("parlour_shard_lease_held", "Whether this process has a lease of shards.", age is not None)
    if age is not None:
        yield GaugeMetricFamily("parlour_shard_lease_age_seconds", "How long ago the lease was renewed.", age)


def _collect_backups(backups: Backups | None) -> Iterator[Metric]:
    if backups is not None:
        yield GaugeMetricFamily(
            "parlour_last_backup_timestamp_seconds",
            "When the newest backup was made; 0 if there is none.",
            0.0 if backups.last_at is None else backups.last_at.timestamp(),
        )


def _collect_database(read_usage: Callable[[], DatabaseUsage] | None) -> Iterator[Metric]:
    if read_usage is not None:
        usage = read_usage()
        yield GaugeMetricFamily(
            "parlour_database_connections_in_use", "Connections that run a transaction.", usage.connections
        )
        yield GaugeMetricFamily(
            "parlour_database_transactions_waiting", "Transactions that wait for a connection.", usage.waiting
        )


def _collect_caches(caches: Mapping[str, CacheStats]) -> Metric:
    lookups = CounterMetricFamily(
        "parlour_cache_lookups", "Lookups in a cache, by what came of them.", labels=("cache", "outcome")
    )
    for name, cache in caches.items():
        lookups.add_metric((name, "hit"), cache.hits)
        lookups.add_metric((name, "miss"), cache.misses)
    return lookups


def _collect_tables(now: datetime, stats: DatabaseStats) -> Iterator[Metric]:
    yield _gauge("parlour_tables_open", "Open tables, by status.", "status", stats.open_tables)
    yield GaugeMetricFamily("parlour_tables_unshown", "Tables whose newest revision is not shown.", stats.unshown)
    yield GaugeMetricFamily(
        "parlour_publisher_lag_seconds",
        "How long the oldest change that is not shown has waited.",
        _seconds_since(stats.unshown_since, now),
    )


def _seconds_since(then: datetime | None, now: datetime) -> float:
    """Return how long ago something was; 0 for never, and for the future."""
    return 0.0 if then is None else max(0.0, (now - then).total_seconds())


def _gauge(name: str, description: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, description, labels=(label,))
    for key, value in values.items():
        family.add_metric((key,), value)
    return family
