"""Words for people: the gettext marker, and the few ways in which numbers, lists and ends of games are written."""

from collections.abc import Sequence
from functools import lru_cache
from gettext import NullTranslations

from babel import Locale
from babel.lists import format_list
from babel.numbers import format_decimal, format_percent

LOCALE = Locale.parse("en")

_MOST_NAMED = 2
"""So many of the longest names fit into a title."""

_REMEMBERED = 4096
"""So many whole numbers are written only once: a screen has dozens of them, and it is always the same ones."""

# The first number that is written loads the language, for which nobody's click should wait.
format_decimal(0, locale=LOCALE)

# The sentences are in English as they stand. gettext's own functions would search the disk for each of them.
_CATALOGUE = NullTranslations()
gettext = _CATALOGUE.gettext
ngettext = _CATALOGUE.ngettext

__all__ = [
    "N_",
    "UNBROKEN",
    "about_minutes",
    "bar",
    "end_title",
    "end_told",
    "gettext",
    "listed",
    "ngettext",
    "number",
    "ordinal_sign",
    "percent",
    "points_told",
    "seat_mark",
]


UNBROKEN = "\u00a0"
"""A space at which no line ends."""


def N_(text: str) -> str:  # noqa: N802 - the marker's name is what gettext's extractors look for
    """Mark a constant for translation; it is translated where it is shown."""
    return text


def number(value: float) -> str:
    """Write a number with the separators of the language."""
    return _whole_number(value) if isinstance(value, int) else format_decimal(value, locale=LOCALE)


@lru_cache(maxsize=_REMEMBERED)
def _whole_number(value: int) -> str:
    return format_decimal(value, locale=LOCALE)


def points_told(count: int) -> str:
    """Write a number of points with its unit."""
    return ngettext("{count} point", "{count} points", count).format(count=number(count))


def percent(share: float) -> str:
    """Write a share of one in percent, to a tenth of one."""
    return format_percent(share, "0.#%", locale=LOCALE)


def listed(items: Sequence[str]) -> str:
    """Write items as a list in a sentence: one, two, and three."""
    return _list_pattern(len(items)).format(*items)


@lru_cache
def _list_pattern(count: int) -> str:
    return format_list(["{}"] * count, locale=LOCALE)


def end_title(game: str, winners: Sequence[str]) -> str:
    """Title the end of a game; where there is no room for the names of all who share the win, they are counted."""
    if len(winners) > _MOST_NAMED:
        return gettext("{game} · {count} players share the win!").format(game=game, count=number(len(winners)))
    line = ngettext("{game} · {names} wins!", "{game} · {names} share the win!", len(winners))
    return line.format(game=game, names=listed(winners))


def end_told(winners: Sequence[str]) -> str:
    """Tell who has won a game that is over."""
    line = ngettext("The game is over: {names} wins.", "The game is over: {names} share the win.", len(winners))
    return line.format(names=listed(winners))


def about_minutes(*minutes: int) -> str:
    """Write how long something takes, or from how long to how long: the longer, the rounder."""
    rounded = sorted({_rounded(each) for each in minutes})
    longest = number(rounded[-1])
    if len(rounded) == 1:
        return ngettext("about {count} minute", "about {count} minutes", rounded[-1]).format(count=longest)
    return gettext("about {least} to {most} minutes").format(least=number(rounded[0]), most=longest)


def _rounded(minutes: int) -> int:
    """Round to 5 minutes from 10 on, and to 15 from an hour on."""
    grain = 15 if minutes >= 60 else 5 if minutes >= 10 else 1
    return (minutes + grain // 2) // grain * grain


def ordinal_sign(place: int) -> str:
    """Write a place in a ranking: a medal for the first three, the number after that."""
    return {1: "🥇", 2: "🥈", 3: "🥉"}.get(place, f"**{number(place)}.**")


_SEAT_MARKS = ("🟦", "🟧", "🟩", "🟪", "🟨", "🟥")


def seat_mark(seat: int) -> str:
    """Return the coloured square that stands for a seat wherever there is text."""
    return _SEAT_MARKS[seat]


_BAR_CELLS = 10


def bar(value: int, full: int) -> str:
    """Draw how far a value has come on its way to full, in ten cells."""
    cells = max(0, min(_BAR_CELLS, value * _BAR_CELLS // full))
    return "▰" * cells + "▱" * (_BAR_CELLS - cells)
