"""The rows of the page; docs/bench.md says what each one measures, and has their aims."""

import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

DOCS_PAGE = Path(__file__).parents[2] / "docs" / "bench.md"


class Row(StrEnum):
    """The name of a row. Releases are compared by it, so it stays."""

    MOVE_ON_SQLITE = "a saved move, SQLite"
    MOVE_ON_POSTGRES = "a saved move, PostgreSQL"
    MOVE_AT_TABLES_ON_SQLITE = "a saved move at 50 tables, SQLite"
    MOVE_AT_TABLES_ON_POSTGRES = "a saved move at 50 tables, PostgreSQL"
    PICTURE_CLICK = "a click with a picture"
    PICTURE_CLICK_AT_TABLES = "a click with a picture at 50 tables"
    RUSSIAN_CLICK = "a click in Russian, beside English"
    HEBREW_CLICK = "a click in Hebrew, beside English"
    FLOOD = "others' clicks during a flood, p99"
    HOST_MOVE = "a move without Discord, PostgreSQL"
    SERVER_MEMORY = "memory of a server, of 2,000"
    SERVER_START = "a start, per server of 2,000"
    RANDOM_MAGPIE = "a random move: Magpie"
    RANDOM_FORTUNE = "a random move: Fortune"
    RANDOM_MAGIC_BAG = "a random move: The Magic Bag"
    RANDOM_HOUDINI = "a random move: Mr. Houdini's Baggage"
    RANDOM_CHANGE = "a random move: Change"
    PICTURE_P50 = "a picture, p50"
    PICTURE_P99 = "a picture, p99"
    LARGEST_PICTURE = "the largest picture"
    LOOP_HELD = "event loop held while drawing"
    COLLECTION = "the longest collection of garbage"
    ROUTINE_ROLL = "a routine roll beyond its still"
    MOMENT = "a moment beyond its still"
    LARGEST_ROUTINE_ROLL = "the largest routine roll"
    LARGEST_MOMENT = "the largest moment"
    STILL_ROLLS = "still rolls at 50 busy tables"
    FIRST_ART = "art of a first picture, cold"
    ALL_ART = "all art, cold"
    REVIEW = "a review"
    CATALOGUES = "all catalogues read"
    CATALOGUES_MEMORY = "memory of all catalogues"
    MANY_SERVERS_MEMORY = "memory of a server, of 20,000"
    MANY_SERVERS_START = "a start, per server of 20,000"
    QUESTION_P50 = "a question about a million results, p50"
    QUESTION_P99 = "a question about a million results, p99"
    PROCESSOR_ON_SEVERAL = "a move on several processes: processor"
    REQUESTS_ON_SEVERAL = "a move on several processes: requests"
    REQUEST_WAIT = "the longest wait of a request"


class Figure(NamedTuple):
    """A cost: less is better."""

    value: float
    beside: float | None = None
    """The cost of something simpler, measured in turn with it."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What a round of a part measured."""

    rows: Mapping[Row, Figure]
    details: Any
    """Further figures for the file: dataclasses, or what JSON has."""


Round: TypeAlias = Callable[[], Awaitable[Taken]]
Part: TypeAlias = Callable[[], AbstractAsyncContextManager[Round]]
"""Sets up what is measured together, and returns the function that measures it once."""


class Aim(NamedTuple):
    """The most that a row may be."""

    most: float
    unit: str
    """Empty for the ratio of the figure to the one beside it."""


def read_aims() -> dict[Row, Aim]:
    """Return the aim of every row from docs/bench.md; an aim counts for all rows whose names begin with its own."""
    lines = DOCS_PAGE.read_text(encoding="utf-8").splitlines()
    found = [re.fullmatch(r"\| ([^|]+) \| ([\d.]+) ?(\S*) \| [^|]+ \|", line) for line in lines]
    return {row: Aim(float(line[2]), line[3]) for row in Row for line in found if line and row.startswith(line[1])}
