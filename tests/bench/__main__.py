"""`make bench`: compare Parlour with a bare bot and with the last release."""

import json
import os
import platform
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import discord
import typer

from tests.bench.measure import PARTS, SLOW_PARTS
from tests.bench.page import print_page, read_figures
from tests.bench.processes import ROOT
from tests.bench.rows import read_aims
from tests.bench.trees import BenchFailed, Tree, check_out, compare, find_release

NOW = "this tree"


def main(
    parts: Annotated[list[str] | None, typer.Argument(help=f"Any of {', '.join(PARTS | SLOW_PARTS)}.")] = None,
    *,
    rounds: Annotated[int, typer.Option(min=1, help="How often everything is measured; the median counts.")] = 3,
    against: Annotated[str | None, typer.Option(help="A commit to compare with instead, or '' for none.")] = None,
    as_json: Annotated[Path | None, typer.Option("--json", help="A file for all figures.")] = None,
) -> None:
    """Measure this tree and the last release in turn, and print a page of ratios; without PARTS, all but the slow ones.

    Raises:
        typer.BadParameter: There is no such part.
        typer.Exit: Something could not be measured.
    """
    if unknown := set(parts or ()) - {*PARTS, *SLOW_PARTS}:
        raise typer.BadParameter(f"{min(unknown)} is none of {', '.join(PARTS | SLOW_PARTS)}.")
    wanted = parts or list(PARTS)
    release = find_release(ROOT) if against is None else against
    try:
        with ExitStack() as stack:
            trees = [Tree(NOW, ROOT)]
            trees += [stack.enter_context(check_out(ROOT, release))] if release else []
            measured = compare(trees, wanted, rounds)
    except BenchFailed as failed:
        typer.echo(failed, err=True)
        raise typer.Exit(1) from None
    machine = {"python": platform.python_version(), "discord.py": discord.__version__, "processors": os.cpu_count()}
    if as_json is not None:
        report = {**machine, "release": release, "measured": measured}
        as_json.write_text(json.dumps(report, indent=2), encoding="utf-8")
    typer.echo(", ".join(f"{name} {value}" for name, value in {**machine, "rounds": rounds}.items()))
    if against is None and not release:
        typer.echo("There is no release yet to compare with.")
    figures = {name: read_figures(by_part) for name, by_part in measured.items()}
    print_page(read_aims(), figures[NOW], release, figures.get(release, {}))
    if set(wanted) - measured[NOW].keys():
        raise typer.Exit(1)


if __name__ == "__main__":
    app = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
    app.command()(main)
    app()
