"""Figures in the text format of Prometheus."""

import sys
from datetime import UTC, datetime, timedelta

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.platform.observability.metrics import DatabaseStats, DatabaseUsage, InteractionKind, Metrics, Token
from bot.platform.observability.trace import InteractionOutcome, start_trace
from tests.support.each_case import each_case

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def lines_of(watch: Metrics, pulse: DatabaseStats | None) -> set[str]:
    return set(watch.export_text(NOON, pulse).decode().splitlines())


def test_the_metrics_contain_everything_counted(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", "bot.platform.observability.metrics")
    watch = Metrics()
    watch.sources.latencies, watch.sources.shard_count = lambda: {0: 0.25, 1: None, 2: float("inf")}, lambda: 8
    trace = start_trace()
    trace.outcome = InteractionOutcome.REFUSED
    watch.count_interaction(InteractionKind.CLICK, trace)
    watch.count_move("magpie")
    watch.count_lost_worker()
    lines = lines_of(watch, DatabaseStats({"lobby": 2}, 1, NOON - timedelta(seconds=8)))
    assert lines >= {
        'parlour_interactions_total{kind="click",outcome="refused"} 1.0',
        'parlour_moves_saved_total{game="magpie"} 1.0',
        "parlour_workers_lost_total 1.0",
        'parlour_gateway_connected{shard="0"} 1.0',
        'parlour_gateway_connected{shard="1"} 0.0',
        'parlour_gateway_connected{shard="2"} 1.0',
        'parlour_gateway_latency_seconds{shard="0"} 0.25',
        "parlour_shards 8.0",
        'parlour_tables_open{status="lobby"} 2.0',
        "parlour_tables_unshown 1.0",
        "parlour_publisher_lag_seconds 8.0",
    }
    assert not any(line.startswith("parlour_gateway_latency_seconds{") and 'shard="0"' not in line for line in lines)
    assert "click refused after " in caplog.text


def test_every_part_tells_how_busy_it_is() -> None:
    watch = Metrics()
    watch.sources.queues["click"] = lambda: 1.5
    watch.sources.database = lambda: DatabaseUsage(connections=8, waiting=3)
    watch.sources.lookups["tables"] = lambda: (7, 2)
    watch.sources.invalid_requests, watch.sources.waiting_requests = lambda: 12, lambda: 3
    with watch.time_transaction("read"):
        pass
    watch.count_response(Token.BOT, "POST /channels/{id}/messages", 429)
    watch.observe_loop_lag(0.03)
    assert lines_of(watch, DatabaseStats({}, 0, None, job_due_at=NOON - timedelta(seconds=9))) >= {
        'parlour_queue_age_seconds{queue="click"} 1.5',
        'parlour_queue_age_seconds{queue="job"} 9.0',
        "parlour_database_connections_in_use 8.0",
        "parlour_database_transactions_waiting 3.0",
        'parlour_database_transaction_seconds_count{kind="read"} 1.0',
        'parlour_cache_lookups_total{cache="tables",outcome="hit"} 7.0',
        'parlour_cache_lookups_total{cache="tables",outcome="miss"} 2.0',
        "parlour_invalid_requests 12.0",
        "parlour_requests_waiting 3.0",
        'parlour_discord_requests_total{route="POST /channels/{id}/messages",status="429",token="bot"} 1.0',
        'parlour_event_loop_lag_seconds_bucket{le="0.025"} 0.0',
        'parlour_event_loop_lag_seconds_bucket{le="0.05"} 1.0',
    }


def test_what_can_happen_begins_at_zero() -> None:
    assert lines_of(Metrics(), None) >= {
        'parlour_interactions_total{kind="command",outcome="failed"} 0.0',
        'parlour_interactions_total{kind="click",outcome="unavailable"} 0.0',
        'parlour_pictures_total{outcome="failed"} 0.0',
    }


def test_what_lies_in_the_future_waits_for_nothing() -> None:
    stats = DatabaseStats({}, 1, NOON + timedelta(seconds=8), job_due_at=NOON + timedelta(hours=1))
    assert lines_of(Metrics(), stats) >= {
        "parlour_publisher_lag_seconds 0.0",
        'parlour_queue_age_seconds{queue="job"} 0.0',
    }


def test_a_process_waits_for_a_lease_or_has_one_or_needs_none() -> None:
    watch = Metrics()
    assert not any("parlour_shard_lease" in line for line in lines_of(watch, None))
    watch.sources.lease_age = lambda: None
    lines = lines_of(watch, None)
    assert "parlour_shard_lease_held 0.0" in lines
    assert not any(line.startswith("parlour_shard_lease_age_seconds") for line in lines)
    watch.sources.lease_age = lambda: 1.5
    assert {"parlour_shard_lease_held 1.0", "parlour_shard_lease_age_seconds 1.5"} <= lines_of(watch, None)


@pytest.mark.skipif(sys.platform != "linux", reason="the client reads /proc")
def test_the_memory_of_the_process_is_exported() -> None:
    assert any(line.startswith("process_resident_memory_bytes ") for line in lines_of(Metrics(), None))


def test_only_the_first_answer_to_an_interaction_counts() -> None:
    metrics = Metrics()
    for _ in range(2):
        start_trace()
        metrics.observe_answer()
        metrics.observe_answer()
    assert "parlour_answer_seconds_count 2.0" in lines_of(metrics, None)


@each_case("path, count", [("/interactions/1/token/callback", 1.0), ("/webhooks/1/token", 0.0)])
async def test_callbacks_of_the_library_are_answers(path: str, count: float) -> None:
    metrics = Metrics()
    start_trace()
    async with (
        TestServer(web.Application(), host="127.0.0.1") as discord,
        aiohttp.ClientSession(trace_configs=[metrics.make_http_trace()]) as http,
        http.post(discord.make_url(path)),
    ):
        assert f"parlour_answer_seconds_count {count}" in lines_of(metrics, None)


def test_an_answer_is_timed_from_the_start_of_its_trace() -> None:
    metrics = Metrics()
    start_trace().started_at -= 2.5
    metrics.observe_answer()
    assert {'parlour_answer_seconds_bucket{le="2.0"} 0.0', 'parlour_answer_seconds_bucket{le="3.0"} 1.0'} <= lines_of(
        metrics, None
    )


def test_without_a_database_the_other_figures_remain() -> None:
    lines = lines_of(Metrics(), None)
    assert "parlour_answer_seconds_count 0.0" in lines
    assert not any("parlour_tables" in line for line in lines)
