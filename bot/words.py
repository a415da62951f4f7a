"""Words for people: the gettext marker, and the few ways in which numbers, lists and ends of games are written."""

from collections.abc import Sequence
from functools import lru_cache
from gettext import NullTranslations

from babel import Locale
from babel.lists import format_list
from babel.numbers import format_decimal, format_percent

LOCALE = Locale.parse("en")

_MAX_NAMES = 2
"""So many of the longest names fit into a title."""

_CACHE_SIZE = 4096
"""So many whole numbers are written only once: a screen has dozens of them, and it is always the same ones."""

# The first number that is written loads the language, for which nobody's click should wait.
format_decimal(0, locale=LOCALE)

# The sentences are in English as they stand. gettext's own functions would search the disk for each of them.
_CATALOGUE = NullTranslations()
gettext = _CATALOGUE.gettext
ngettext = _CATALOGUE.ngettext

__all__ = [
    "NO_BREAK_SPACE",
    "N_",
    "format_minutes",
    "format_number",
    "format_percentage",
    "format_points",
    "game_over_text",
    "game_over_title",
    "gettext",
    "join_items",
    "ngettext",
    "place_label",
    "progress_bar",
    "seat_emoji",
]


NO_BREAK_SPACE = "\u00a0"
"""A space at which no line ends."""


def N_(text: str) -> str:  # noqa: N802 - the marker's name is what gettext's extractors look for
    """Mark a constant for translation; it is translated where it is shown."""
    return text


def format_number(value: float) -> str:
    """Write a number with the separators of the language."""
    return _format_integer(value) if isinstance(value, int) else format_decimal(value, locale=LOCALE)


@lru_cache(maxsize=_CACHE_SIZE)
def _format_integer(value: int) -> str:
    return format_decimal(value, locale=LOCALE)


def format_points(count: int) -> str:
    """Write a number of points with its unit."""
    return ngettext("{count} point", "{count} points", count).format(count=format_number(count))


def format_percentage(share: float) -> str:
    """Write a share of one in percent, to a tenth of one."""
    return format_percent(share, "0.#%", locale=LOCALE)


def join_items(items: Sequence[str]) -> str:
    """Write items as a list in a sentence: one, two, and three."""
    return format_list(items, locale=LOCALE)


def game_over_title(game: str, winners: Sequence[str]) -> str:
    """Title the end of a game; where there is no room for the names of all who share the win, they are counted."""
    if len(winners) > _MAX_NAMES:
        return gettext("{game} · {count} players share the win!").format(game=game, count=format_number(len(winners)))
    line = ngettext("{game} · {names} wins!", "{game} · {names} share the win!", len(winners))
    return line.format(game=game, names=join_items(winners))


def game_over_text(winners: Sequence[str]) -> str:
    """Tell who has won a game that is over."""
    line = ngettext("The game is over: {names} wins.", "The game is over: {names} share the win.", len(winners))
    return line.format(names=join_items(winners))


def format_minutes(*minutes: int) -> str:
    """Write how long something takes, or from how long to how long: the longer, the rounder."""
    rounded = sorted({_round_minutes(each) for each in minutes})
    longest = format_number(rounded[-1])
    if len(rounded) == 1:
        return ngettext("about {count} minute", "about {count} minutes", rounded[-1]).format(count=longest)
    return gettext("about {least} to {most} minutes").format(least=format_number(rounded[0]), most=longest)


def _round_minutes(minutes: int) -> int:
    """Round to 5 minutes from 10 on, and to 15 from an hour on."""
    grain = 15 if minutes >= 60 else 5 if minutes >= 10 else 1
    return (minutes + grain // 2) // grain * grain


def place_label(place: int) -> str:
    """Write a place in a ranking: a medal for the first three, the number after that."""
    return {1: "🥇", 2: "🥈", 3: "🥉"}.get(place, f"**{format_number(place)}.**")


_SEAT_EMOJIS = ("🟦", "🟧", "🟩", "🟪", "🟨", "🟥")


def seat_emoji(seat: int) -> str:
    """Return the coloured square that stands for a seat wherever there is text."""
    return _SEAT_EMOJIS[seat]


_BAR_CELLS = 10


def progress_bar(value: int, full: int) -> str:
    """Draw how far a value has come on its way to full, in ten cells."""
    cells = max(0, min(_BAR_CELLS, value * _BAR_CELLS // full))
    return "▰" * cells + "▱" * (_BAR_CELLS - cells)
