"""Figures in the text format of Prometheus."""

from datetime import UTC, datetime, timedelta

from bot.watch.metrics import Counter, Histogram
from bot.watch.trace import Outcome, begun
from bot.watch.watch import Kind, Pulse, Watch

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def test_a_counter_without_labels_starts_at_nothing() -> None:
    counter = Counter("rolls_total", "Rolls.")
    assert list(counter.lines()) == ["# HELP rolls_total Rolls.", "# TYPE rolls_total counter", "rolls_total 0"]


def test_a_counter_counts_by_its_labels() -> None:
    counter = Counter("rolls_total", "Rolls.", "game", "die")
    for die in ("red", "blue", "red"):
        counter.count("magpie", die)
    assert list(counter.lines())[2:] == [
        'rolls_total{game="magpie",die="blue"} 1',
        'rolls_total{game="magpie",die="red"} 2',
    ]


def test_a_label_can_not_break_out_of_its_quotes() -> None:
    counter = Counter("rolls_total", "Rolls.", "game")
    counter.count('a"} 7\nforged{b="\\')
    (line,) = list(counter.lines())[2:]
    assert line == r'rolls_total{game="a\"} 7\nforged{b=\"\\"} 1'


def test_a_large_count_is_written_whole() -> None:
    counter = Counter("rolls_total", "Rolls.")
    for _ in range(1_234_567):
        counter.count()
    assert list(counter.lines())[2] == "rolls_total 1234567"


def test_a_bucket_holds_what_took_no_longer_than_its_bound() -> None:
    histogram = Histogram("wait_seconds", "Waiting.", (0.5, 1.0))
    for seconds in (0.1, 0.5, 0.75, 4.0):
        histogram.observe(seconds)
    assert list(histogram.lines())[2:] == [
        'wait_seconds_bucket{le="0.5"} 2',
        'wait_seconds_bucket{le="1.0"} 3',
        'wait_seconds_bucket{le="+Inf"} 4',
        "wait_seconds_sum 5.350000",
        "wait_seconds_count 4",
    ]


class Shards:
    def __init__(self, latencies: dict[int, float | None]) -> None:
        self._latencies = latencies

    def latencies_by_shard(self) -> dict[int, float | None]:
        return self._latencies


def test_a_watch_tells_of_everything_it_has_seen() -> None:
    watch = Watch()
    watch.gateway = Shards({0: 0.25, 1: None, 2: float("inf")})
    trace = begun()
    trace.outcome = Outcome.REFUSED
    watch.concluded(Kind.CLICK, trace)
    watch.saved("magpie")
    lines = set(watch.lines(NOON, Pulse({"lobby": 2}, 1, NOON - timedelta(seconds=8))))
    assert lines >= {
        'parlour_interactions_total{kind="click",outcome="refused"} 1',
        'parlour_moves_saved_total{game="magpie"} 1',
        'parlour_gateway_connected{shard="0"} 1',
        'parlour_gateway_connected{shard="1"} 0',
        'parlour_gateway_connected{shard="2"} 1',
        'parlour_gateway_latency_seconds{shard="0"} 0.25',
        'parlour_tables_open{status="lobby"} 2',
        "parlour_tables_unshown 1",
        "parlour_publisher_lag_seconds 8",
    }
    assert not any(line.startswith("parlour_gateway_latency_seconds{") and 'shard="0"' not in line for line in lines)


def test_without_a_database_the_other_figures_remain() -> None:
    lines = list(Watch().lines(NOON, None))
    assert "parlour_answer_seconds_count 0" in lines
    assert not any("parlour_tables" in line for line in lines)
