"""`make bench`: compare Parlour with a bare bot, on SQLite and PostgreSQL."""

import asyncio
import json
import os
import platform
import statistics
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, fields
from functools import partial
from itertools import count
from pathlib import Path
from typing import Annotated, Any, TypeVar

import discord
import pytest
import typer

from bot.platform.observability.event_loop import make_event_loop
from tests.bench.click_costs import Addresses, measure_clicks, measure_clicks_with_pictures
from tests.bench.click_flood import measure_flood
from tests.bench.game_reviews import ReviewCost, measure_reviews
from tests.bench.languages import measure_catalogues, measure_clicks_in_languages
from tests.bench.many_results import measure_many_results
from tests.bench.many_servers import measure_servers
from tests.bench.measured_clicks import ClickCosts
from tests.bench.move_rate import measure_move_rate
from tests.bench.picture_costs import measure_drawing
from tests.bench.process_load import LoadCosts, measure_process_load, measure_rolls_at_tables
from tests.bench.random_play import measure_random_play
from tests.bench.report import Report, show, show_processes
from tests.support.postgres import run_server

AT_ONCE = {"one after another": 1, "20 tables at once": 20}

T = TypeVar("T")


def main(
    *,
    seconds: Annotated[float, typer.Option(min=0.1, help="How long each measurement of saved moves takes.")] = 2.0,
    rounds: Annotated[int, typer.Option(min=1, help="How often each is taken; the median counts.")] = 3,
    servers: Annotated[int, typer.Option(min=1, help="The servers of a start, each with five open tables.")] = 2000,
    load: Annotated[
        bool, typer.Option("--load", help="Measure 150 busy tables on 1, 2 and 4 processes instead, with PostgreSQL.")
    ] = False,
    as_json: Annotated[Path | None, typer.Option("--json", help="A file for the figures.")] = None,
) -> None:
    """Measure both databases in turn, on the disk of temporary files."""
    with empty_databases() as addresses:
        report = measure_processes(addresses, rounds) if load else measure_all(addresses, seconds, rounds, servers)
    if as_json is not None:
        as_json.write_text(json.dumps(report, indent=2), encoding="utf-8")
    (show_processes if load else show)(report)


def measure_processes(addresses: Addresses, rounds: int) -> Report:
    """Measure the same tables on several numbers of processes.

    Raises:
        typer.Exit: There is no PostgreSQL.
    """
    if "PostgreSQL" not in addresses:
        typer.echo("--load needs PostgreSQL.", err=True)
        raise typer.Exit(1)
    costs = asyncio.run(measure_process_load(addresses["PostgreSQL"], rounds))
    return {**_describe_machine(), "processes": _as_dicts(costs)}


def _describe_machine() -> Report:
    return {
        "python": platform.python_version(),
        "discord.py": discord.__version__,
        "processors": os.cpu_count(),
    }


def measure_all(addresses: Addresses, seconds: float, rounds: int, servers: int) -> Report:
    """Measure everything, reporting progress on stderr."""
    parts: dict[str, Callable[[Path], Any]] = {
        "clicks": lambda folder: _as_dicts(asyncio.run(measure_clicks(addresses, rounds, folder))),
        "clicks with pictures": lambda folder: _as_dicts(
            asyncio.run(measure_clicks_with_pictures(addresses["SQLite"], rounds, folder))
        ),
        "flood": lambda _: asdict(asyncio.run(measure_flood(addresses["SQLite"], rounds))),
        "moves": lambda _: {
            words: measure_in_turn(addresses, rounds, partial(measure_move_rate, tables=tables, seconds=seconds))
            for words, tables in AT_ONCE.items()
        },
        "servers": lambda _: asdict(asyncio.run(measure_servers(addresses, servers))),
        "many results": lambda _: {
            name: asdict(asyncio.run(measure_many_results(address()))) for name, address in addresses.items()
        },
        "reviews": lambda _: _as_dicts(measure_reviews(rounds)),
        "random play": lambda _: measure_random_play(),
        "drawing": lambda _: measure_drawing(),
        "catalogues": lambda _: asdict(measure_catalogues()),
        "clicks in languages": lambda _: _as_dicts(
            asyncio.run(measure_clicks_in_languages(addresses["SQLite"], rounds))
        ),
        "rolls at tables": lambda _: asdict(asyncio.run(measure_rolls_at_tables(addresses["SQLite"]()))),
    }
    report = _describe_machine()
    with tempfile.TemporaryDirectory(prefix="parlour-bench-") as folder:
        for name, measure in parts.items():
            typer.echo(f"measuring {name}", err=True)
            report[name] = measure(Path(folder))
    return report


def _as_dicts(taken: Mapping[str, ClickCosts | LoadCosts | ReviewCost]) -> dict[str, Any]:
    return {name: asdict(costs) for name, costs in taken.items()}


def measure_in_turn(addresses: Addresses, rounds: int, measure: Callable[[str], Awaitable[Any]]) -> dict[str, Any]:
    """Measure each database in each round, on the bot's event loop; return the medians. Other load affects both."""
    taken: dict[str, list[Any]] = {name: [] for name in addresses}
    for _ in range(rounds):
        for name, address in addresses.items():
            with asyncio.Runner(loop_factory=make_event_loop) as runner:
                taken[name].append(runner.run(_run_to_completion(measure(address()))))
    return {name: _medians(figures) for name, figures in taken.items()}


async def _run_to_completion(work: Awaitable[T]) -> T:
    return await work


def _medians(figures: list[Any]) -> dict[str, Any]:
    """Return the median of every number; other values are the same each time."""
    columns = {field.name: [getattr(each, field.name) for each in figures] for field in fields(figures[0])}
    return {
        name: statistics.median(values) if isinstance(values[0], int | float) else values[0]
        for name, values in columns.items()
    }


@contextmanager
def empty_databases() -> Iterator[Addresses]:
    """Return the addresses of new empty databases, one of each kind."""
    numbers = count(1)
    with tempfile.TemporaryDirectory(prefix="parlour-bench-") as folder:
        addresses: Addresses = {"SQLite": lambda: f"sqlite:///{folder}/{next(numbers)}.sqlite3"}
        try:
            with run_server(careful=True) as server:
                addresses["PostgreSQL"] = lambda: server.empty_database(f"bench_{next(numbers)}")
                yield addresses
        except pytest.skip.Exception as reason:
            typer.echo(f"SQLite alone: {reason}.", err=True)
            yield addresses


if __name__ == "__main__":
    app = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
    app.command()(main)
    app()
