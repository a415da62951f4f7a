"""What is written on the pictures of a result: who won, what was remarkable, where and when it was played."""

from collections.abc import Sequence
from itertools import count
from re import sub
from textwrap import wrap
from typing import Final, NamedTuple

from babel.dates import format_date

from bot.features.boards.picture import drawn_name
from bot.pictures.fonts import drawable_name
from bot.rules.names import NAME_END, NAME_START, isolate_name
from bot.rules.screen import LONGEST_DESCRIPTION
from bot.tables.shown.final_result import fact_lines, overall_result_of, winner_line
from bot.tables.shown.links import plain_seat_names, sanitize_name
from bot.tables.shown.podium import describe_result
from bot.tables.table import Table
from bot.words import LOCALE, NO_BREAK_SPACE, gettext as _, truncate

_MOST_LINES: Final = 2


class ResultWords(NamedTuple):
    """What is written on a picture of a result; names in it are isolated."""

    winner: str
    """Who won, or the name of the only player."""
    facts: Sequence[str]
    """What was remarkable."""
    footer: str
    """Where and when it was played."""


def result_words_of(table: Table, place: str) -> ResultWords:
    """Return what is written on a picture of a finished table's result.

    Args:
        table: The table.
        place: The name of the server, or nothing.
    """
    names = tuple(_drawn_name(name, seat) for seat, name in enumerate(plain_seat_names(table)))
    # Without the letters that the font lacks, the name would be that of another server.
    drawn_place = drawn_name(place) if place else ""
    where = _where_and_when(table, isolate_name(drawn_place) if drawn_place else "")
    return ResultWords(winner_line(overall_result_of(table), names), fact_lines(table, names), where)


def _drawn_name(name: str, seat: int) -> str:
    """Return a name for a sentence of a picture, or the number on the token if the font lacks one of its letters."""
    if drawable_name(name):
        return isolate_name(name)
    return _("Player {number}").format(number=seat + 1).replace(" ", NO_BREAK_SPACE)


def _where_and_when(table: Table, place: str) -> str:
    played = format_date(table.header.updated_at, "long", LOCALE)
    return _("{place} · {date}").format(place=place, date=played) if place else played


def describe_result_of(table: Table, place: str) -> str:
    """Return the alternative text: who won and came how far, what was remarkable, where and when it was played."""
    names = plain_seat_names(table)
    facts = [f"{line.removesuffix('.')}." for line in fact_lines(table, names)]
    where = _where_and_when(table, sanitize_name(place) if place else "")
    text = " ".join((describe_result(overall_result_of(table), names), *facts, f"{where}."))
    return truncate(text, LONGEST_DESCRIPTION)


def wrap_sentence(text: str, length: int) -> list[str]:
    """Split a sentence into two lines at most, about as long as each other, but none of its names.

    If it is too long for them the lines are longer as well: its names are shortened where they are drawn.
    """
    whole = sub(f"{NAME_START}[^{NAME_END}]*", lambda name: name[0].replace(" ", NO_BREAK_SPACE), text)
    most = 1 if len(whole) <= length else _MOST_LINES
    widths = count(1 + len(whole) // most)
    tried = (wrap(whole, width, break_long_words=False, break_on_hyphens=False) for width in widths)
    return next(lines for lines in tried if len(lines) <= most)
