"""The figures as one page of ratios."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from statistics import median
from typing import TypeAlias

from rich.console import Console
from rich.table import Table

from tests.bench.rows import Aim, Figure, Row
from tests.bench.trees import Measured

WIDTH = 80
SIZES = ("KiB", "MiB")
"""Units of figures that are the same on every machine; others are shown as ratios alone."""

Figures: TypeAlias = Mapping[str, Sequence[Figure]]
"""The figures of all rounds, by row."""


def read_figures(rounds_by_part: Mapping[str, Iterable[Measured]]) -> Figures:
    """Collect the figures of each row from all parts."""
    found: dict[str, list[Figure]] = {}
    for measured in chain.from_iterable(rounds_by_part.values()):
        for row, figure in measured["rows"].items():
            found.setdefault(row, []).append(Figure(*figure))
    return found


def print_page(aims: Mapping[Row, Aim], now: Figures, release: str, then: Figures) -> None:
    """Print a line for each row that was measured; without a release, its column is missing."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column("ratios; less is better")
    for heading in ("size", "beside", *([release] if release else []), "of aim"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row, aim in aims.items():
        if row in now:
            beside = _median_ratio((figure.value, figure.beside) for figure in now[row])
            value = median(figure.value for figure in now[row])
            share = (value if aim.unit else beside or 0.0) / aim.most
            pairs = zip(now[row], then.get(row, ()), strict=False)
            since = _median_ratio((each.value, before.value) for each, before in pairs)
            table.add_row(
                row,
                f"{value:.1f} {aim.unit}" if aim.unit in SIZES else "",
                _show(beside),
                *([_show(since)] if release else []),
                f"{share:.2f} {'✓' if share <= 1 else '✗'}",
            )
    Console(width=WIDTH, highlight=False).print(table)


def _median_ratio(pairs: Iterable[tuple[float, float | None]]) -> float | None:
    """Return the median of the rounds' ratios, but for rounds with nothing, or zero, to divide by."""
    ratios = [value / beside for value, beside in pairs if beside]
    return median(ratios) if ratios else None


def _show(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.2f}"
