"""`make bench`: how fast moves are saved and how the bot starts, on SQLite and on PostgreSQL side by side."""

import asyncio
import json
import os
import platform
import statistics
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import count
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from rich.console import Console
from rich.table import Table

from tests.bench.moves import Pace, pace
from tests.bench.start import Start, start
from tests.support.postgres import running_server

MOVES_TARGET = 1500
START_TARGET = Start(seconds=2.0, peak_mib=150.0)
AT_ONCE = {"one after another": 1, "20 tables at once": 20}
OPEN_TABLES = (0, 10_000)

Addresses = dict[str, Callable[[], str]]
Report = dict[str, Any]


def main(
    seconds: Annotated[float, typer.Option(min=0.1, help="How long each measurement of moves takes.")] = 3.0,
    rounds: Annotated[int, typer.Option(min=1, help="How often each is taken; the median counts.")] = 3,
    as_json: Annotated[Path | None, typer.Option("--json", help="A file for the figures.")] = None,
) -> None:
    """Measure both databases in turn, on the disk that temporary files are on."""
    with empty_databases() as addresses:
        report: Report = {
            "python": platform.python_version(),
            "processors": os.cpu_count(),
            "moves": {words: moves(addresses, tables, seconds, rounds) for words, tables in AT_ONCE.items()},
            "start": {f"{tables} open tables": starts(addresses, tables, rounds) for tables in OPEN_TABLES},
        }
    if as_json is not None:
        as_json.write_text(json.dumps(report, indent=2), encoding="utf-8")
    show(report)


@contextmanager
def empty_databases() -> Iterator[Addresses]:
    """Give the address of another empty database of each kind at every call."""
    numbers = count(1)
    with tempfile.TemporaryDirectory(prefix="parlour-bench-") as folder:
        addresses: Addresses = {"SQLite": lambda: f"sqlite:///{folder}/{next(numbers)}.sqlite3"}
        try:
            with running_server(careful=True) as server:
                addresses["PostgreSQL"] = lambda: server.empty_database(f"bench_{next(numbers)}")
                yield addresses
        except pytest.skip.Exception as reason:
            typer.echo(f"SQLite alone: {reason}.", err=True)
            yield addresses


def moves(addresses: Addresses, tables: int, seconds: float, rounds: int) -> dict[str, Any]:
    """Take turns, so that what else the machine does meets both."""
    taken: dict[str, list[Pace]] = {name: [] for name in addresses}
    for _ in range(rounds):
        for name, address in addresses.items():
            taken[name].append(asyncio.run(pace(address(), tables, seconds)))
    return {
        name: asdict(
            Pace(
                statistics.median(each.moves_per_second for each in paces),
                statistics.median(each.processor_ms_per_move for each in paces),
            )
        )
        for name, paces in taken.items()
    }


def starts(addresses: Addresses, tables: int, rounds: int) -> dict[str, Any]:
    """Start on databases that are filled anew."""
    taken: dict[str, list[Start]] = {name: [] for name in addresses}
    for _ in range(rounds):
        for name, address in addresses.items():
            taken[name].append(asyncio.run(start(address(), tables)))
    return {
        name: asdict(
            Start(
                statistics.median(each.seconds for each in measured),
                statistics.median(each.peak_mib for each in measured),
            )
        )
        for name, measured in taken.items()
    }


def show(report: Report) -> None:
    """Print the figures beside what is aimed at."""
    table = Table("what", "database", "figure", "aim", "figure / aim")
    for words, by_name in report["moves"].items():
        for name, found in by_name.items():
            figure = found["moves_per_second"]
            cost = f"{figure:.0f} moves/s, {found['processor_ms_per_move']} ms of processor each"
            table.add_row(words, name, cost, f"{MOVES_TARGET} moves/s", f"{figure / MOVES_TARGET:.2f}")
    for words, by_name in report["start"].items():
        for name, found in by_name.items():
            for what, unit in (("seconds", "s"), ("peak_mib", "MiB")):
                aim = getattr(START_TARGET, what)
                figures = (f"{found[what]} {unit}", f"{aim} {unit}", f"{found[what] / aim:.2f}")
                table.add_row(f"start, {words}", name, *figures)
    Console().print(table)


if __name__ == "__main__":
    app = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
    app.command()(main)
    app()
