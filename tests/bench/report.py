"""The results of the bench as a table, each with its reference."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any, TypeAlias

from rich.console import Console
from rich.table import Table

from tests.bench.click_costs import BARE, DRAWN
from tests.bench.languages import ENGLISH, OTHERS

MAX_RATIO_TO_BARE = 4.0
"""Limit of a saved move's cost relative to a bare bot's click, at the median."""

DRAWING_TARGETS = {
    "p50": (6.0, "ms"),
    "p99": (25.0, "ms"),
    "largest_kib": (150.0, "KiB"),
    "at_once": (10.0, "ms"),
    "held": (10.0, "ms"),
    "collected": (10.0, "ms"),
}
ANSWER_TARGETS = {"p50": 50.0, "p99": 150.0}
"""Limits of milliseconds for questions about a million results."""
ART_TARGETS = {"first": ("cold, one picture", 0.5), "cold": ("cold, all", 1.0), "warm": ("warm, all", 0.3)}
"""Limits of seconds of processor time."""
RANDOM_PLAY_TARGETS = {
    "Magpie": 0.14,
    "Fortune": 0.074,
    "The Magic Bag": 0.096,
    "Mr. Houdini's Baggage": 0.06,
    "Change": 0.06,
}
"""Moves in the time of one roll of five dice in plain Python."""
REVIEW_SECONDS_TARGET = 10.0
MAX_RATIO_TO_BARE_WITH_FILE = 3.2
"""The same limit with a picture, relative to a bare bot that posts a ready file of the same size."""

CATALOGUES_SECONDS, CATALOGUES_MIB = 0.5, 12.0
MAX_RATIO_TO_ENGLISH = 1.03
"""Limit of a click's cost in another language."""

MAX_RATIO_UNDER_FLOOD = 2.0
"""Limit of the slowdown of other users' clicks during one user's flood, at the 99th percentile."""

PROCESS_FIGURES = {
    "moves_per_second": ("saved moves", "a second"),
    "click_p50": ("a click, p50", "ms"),
    "click_p99": ("a click, p99", "ms"),
    "longest_click": ("a click, longest", "s"),
    "longest_turn": ("a computer player's turn with its pause, longest", "s"),
    "longest_request_wait": ("no request waited for its permit longer than", "s"),
    "processor": ("processor of all processes per move", "ms"),
    "requests": ("requests with the bot's token per move", ""),
    "requests_per_second": ("requests with the bot's token", "a second"),
    "refused": ("requests refused with 429", ""),
    "resident_mib": ("memory of the largest process", "MiB"),
}
SAME_FOR_ANY_PROCESSES = ("processor", "requests")
MAX_RATIO_OF_PROCESSES = 1.1
"""Limit of what a move costs on several processes relative to one."""
MAX_REQUEST_WAIT = 3.0
"""Limit of seconds that a table waits for its turn."""

FULL_WIDTH = 160
MOVES_TARGETS = {"one after another": 300.0}
"""Saved moves a second on PostgreSQL; Discord lets a bot send 50 requests a second."""
KIB_PER_SERVER_TARGET = 12.0
START_MS_PER_SERVER_TARGET = 3.0
"""With five open tables in each: a minute of processor time for 20,000 servers and 100,000 tables."""

Report: TypeAlias = dict[str, Any]
ReportLine: TypeAlias = tuple[str, str, str, str, str]
"""A measurement: what, of which bot, the value, the reference and their ratio."""

_MODES = {"in_a_row": "one after another", "at_once": "50 tables at once"}
_COST_LABELS = {"p50": "p50", "p99": "p99", "processor": "processor of the bot"}


def show(report: Report) -> None:
    """Print the table."""
    parts = (
        *(_clicks, _clicks_with_pictures, _flood, _memory, _moves, _servers),
        *(_many_results, _reviews, _random_play, _drawing, _rolls_at_tables, _languages),
    )
    _print_table(part(report) for part in parts)


def show_processes(report: Report) -> None:
    """Print the table of the load on several processes."""
    _print_table(_processes(report["processes"], figure) for figure in PROCESS_FIGURES)


def _print_table(sections: Iterable[Iterable[ReportLine]]) -> None:
    table = Table("what", "who", "figure", "beside", "times")
    for lines in sections:
        for line in lines:
            table.add_row(*line)
        table.add_section()
    terminal = Console()
    # Lines in a file are not wrapped.
    (terminal if terminal.is_terminal else Console(width=FULL_WIDTH)).print(table)


def _clicks(report: Report) -> Iterator[ReportLine]:
    yield from _costs(report["clicks"], "a click", dict.fromkeys(report["clicks"], MAX_RATIO_TO_BARE))


def _clicks_with_pictures(report: Report) -> Iterator[ReportLine]:
    yield from _costs(report["clicks with pictures"], "a click with a picture", {DRAWN: MAX_RATIO_TO_BARE_WITH_FILE})


def _languages(report: Report) -> Iterator[ReportLine]:
    read, clicked = report["catalogues"], report["clicks in languages"]
    who = f"{read['languages']} languages"
    yield _beside_aim("all catalogues read, processor", who, read["seconds"], CATALOGUES_SECONDS, "s")
    yield _beside_aim("all catalogues read, memory", who, read["mib"], CATALOGUES_MIB, "MiB")
    for name, (way, when), (share, named) in product(OTHERS, _MODES.items(), _COST_LABELS.items()):
        other, english = (clicked[each][way][share] for each in (name, ENGLISH))
        times = f"{other / english:.2f} (at most {MAX_RATIO_TO_ENGLISH:g})"
        yield (f"a click {name}, {when}, {named}", "SQLite", f"{other:.2f} ms", f"{english:.2f} ms, {ENGLISH}", times)


def _flood(report: Report) -> Iterator[ReportLine]:
    found = report["flood"]
    for share in ("p50", "p99"):
        beside, alone = found[f"beside_{share}"], found[f"alone_{share}"]
        most = f" (at most {MAX_RATIO_UNDER_FLOOD:g})" if share == "p99" else ""
        words, times = f"others' clicks beside one person's flood, {share}", f"{beside / alone:.2f}{most}"
        yield words, "SQLite", f"{beside} ms", f"{alone} ms, alone", times


def _costs(clicked: dict[str, Any], what: str, limits: Mapping[str, float]) -> Iterator[ReportLine]:
    for way, when in _MODES.items():
        words = f"{what}, {when}"
        bare = clicked[BARE][way]
        for share, named in _COST_LABELS.items():
            for name, figures in _without_bare(clicked):
                most = f" (at most {limits[name]:g})" if share == "p50" and name in limits else ""
                yield _compare(f"{words}, {named}", name, figures[way][share], bare[share], most)
        for name, figures in _without_bare(clicked):
            own, others = (each["p50"] - each["sandbox"] for each in (figures[way], bare))
            if way == "in_a_row":
                yield _compare(f"{words}, p50 without the sandbox", name, own, others)


def _compare(what: str, name: str, figure: float, bare: float, most: str = "") -> ReportLine:
    return what, name, f"{figure:.2f} ms", f"{bare:.2f} ms, {BARE}", f"{figure / bare:.2f}{most}"


def _beside_aim(what: str, name: str, figure: float, aim: float, unit: str) -> ReportLine:
    return what, name, f"{figure} {unit}", f"aim: {aim:g} {unit}", f"{figure / aim:.2f}"


def _memory(report: Report) -> Iterator[ReportLine]:
    bare = report["clicks"][BARE]["resident_mib"]
    for name, figures in _without_bare(report["clicks"]):
        held = figures["resident_mib"]
        yield "memory after the clicks", name, f"{held} MiB", f"{bare} MiB, {BARE}", f"{held / bare:.2f}"


def _moves(report: Report) -> Iterator[ReportLine]:
    for words, by_name in report["moves"].items():
        for name, found in by_name.items():
            figure = found["moves_per_second"]
            cost = f"{figure:.0f} a second, {found['processor_ms_per_move']} ms of processor each"
            aim = MOVES_TARGETS.get(words) if name == "PostgreSQL" else None
            beside, times = ("", "") if aim is None else (f"aim: {aim:.0f}", f"{figure / aim:.2f}")
            yield f"saved moves, {words}", name, cost, beside, times


def _servers(report: Report) -> Iterator[ReportLine]:
    found = report["servers"]
    servers, kib = found["servers"], found["kib_per_server"]
    yield _beside_aim(f"memory of a server, of {servers}", "SQLite", kib, KIB_PER_SERVER_TARGET, "KiB")
    limit = servers * START_MS_PER_SERVER_TARGET / 1000
    for name, start in found["starts"].items():
        what = f"start with {servers} servers and {found['tables']} open tables"
        yield _beside_aim(f"{what}, processor", name, round(start["processor_seconds"], 1), limit, "s")
        yield f"{what}, memory", name, f"{start['resident_mib']} MiB", "", ""


def _many_results(report: Report) -> Iterator[ReportLine]:
    for name, found in report["many results"].items():
        for what, answers in found["answers"].items():
            for share, aim in ANSWER_TARGETS.items():
                yield _beside_aim(f"a million results, {what}, {share}", name, answers[share], aim, "ms")
        yield "a million results, rebuild", name, f"{found['rebuilt_in']} s", "", ""
        yield "a million results, the end of a table, p50", name, f"{found['end_of_table']} ms", "", ""


def _reviews(report: Report) -> Iterator[ReportLine]:
    for title, found in report["reviews"].items():
        what = f"review of {found['decisions']} decisions, seats: {found['seats']}"
        for words, seconds in ((what, found["seconds"]), ("... processor", found["processor"])):
            yield _beside_aim(words, title, seconds, REVIEW_SECONDS_TARGET, "s")


def _random_play(report: Report) -> Iterator[ReportLine]:
    for title, (pace, ratio) in report["random play"].items():
        target = f"at least {RANDOM_PLAY_TARGETS[title]:g} of rolling five dice"
        yield "random play", title, f"{pace:.0f} moves a second", target, f"{ratio:.3f}"


_DRAWING_LABELS = {
    "p50": "a picture, processor, p50",
    "p99": "a picture, processor, p99",
    "largest_kib": "largest file",
    "at_once": "drawn in the event loop itself, at most",
    "held": "event loop held while drawing, at most",
    "collected": "... for a collection of garbage, at most",
}


ROLL_TARGETS: Mapping[str, tuple[float, float]] = {"routine": (15.0, 200.0), "moment": (40.0, 400.0)}
"""Milliseconds beyond the still, and KiB, of a usual roll."""


STILL_ROLLS_TARGET = 2.0
"""Per cent of rolls that may lie still because of load."""


def _rolls_at_tables(report: Report) -> Iterator[ReportLine]:
    found = report["rolls at tables"]
    what = f"rolls at 50 tables, {found['rolls_per_second']:g} a second, still because of load"
    yield _beside_aim(what, "SQLite", round(found["busy"] + found["late"], 2), STILL_ROLLS_TARGET, "%")
    for reason in ("busy", "late", "too_large", "failed"):
        yield f"... {reason.replace('_', ' ')}", "SQLite", f"{found[reason]:g} %", "", ""


def _drawing(report: Report) -> Iterator[ReportLine]:
    for title, found in report["drawing"]["games"].items():
        for share, (aim, unit) in DRAWING_TARGETS.items():
            yield _beside_aim(_DRAWING_LABELS[share], title, found[share], aim, unit)
    for title, kinds in report["drawing"]["rolls"].items():
        for kind, found in kinds.items():
            beyond, largest = ROLL_TARGETS[kind]
            ratio = found["p50"] / found["still"]
            what = f"a {kind} roll, processor beyond the still, {ratio:.1f} times its {found['still']} ms"
            yield _beside_aim(what, title, found["p50"], beyond, "ms")
            yield _beside_aim(f"a {kind} roll, largest file", title, found["largest_kib"], largest, "KiB")
    for kind, seconds in report["drawing"]["start"].items():
        label, aim = ART_TARGETS[kind]
        which = "slowest game" if kind == "first" else "every game"
        yield _beside_aim(f"art ready, {label}, processor", which, seconds, aim, "s")


def _processes(found: Mapping[str, Mapping[str, float]], figure: str) -> Iterator[ReportLine]:
    """Compare a figure of each number of processes with that of one."""
    words, unit = PROCESS_FIGURES[figure]
    alone = next(iter(found.values()))[figure]
    limits = f" (0.9 to {MAX_RATIO_OF_PROCESSES:g})" if figure in SAME_FOR_ANY_PROCESSES else ""
    for name, figures in found.items():
        value = figures[figure]
        aim = f"at most {MAX_REQUEST_WAIT:g} s" if figure == "longest_request_wait" else ""
        ratio = f"{value / alone:.2f}{limits}" if alone and value is not alone else ""
        yield words, name, f"{value:g} {unit}", aim, ratio


def _without_bare(clicked: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    return ((name, figures) for name, figures in clicked.items() if name != BARE)
