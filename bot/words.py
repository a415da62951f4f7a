"""Text for players: translation, and the formatting of numbers, lists, places and game endings."""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache, reduce
from textwrap import wrap

from babel.lists import format_list
from babel.numbers import format_decimal, format_percent

from bot.graphemes import whole_letters
from bot.languages import END_OF_CONTEXT, Language, current_language

_MAX_NAMES = 2
"""How many names of maximum length fit into a title."""

_CACHE_SIZE = 4096
"""How many formatted integers are cached. Babel takes 16 us for each, and a screen has dozens."""

_PERCENT = 100
_HALF_PERCENT = 0.005

_MAQAF = "\N{HEBREW PUNCTUATION MAQAF}"

_ISOLATE, _END_OF_ISOLATE = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
"""What a name that may change the direction of a text stands between."""

_ESCAPED_OR_ISOLATE = re.compile(rf"\\(.)|[{_ISOLATE}{_END_OF_ISOLATE}]")

_BEGINS_IN_HEBREW = re.compile(r"\W*[\u05d0-\u05ea]")

_BEGINS_WITH_SPANISH_I = re.compile(r"\W*(?!hi[aeo])h?[ií]", re.IGNORECASE)

_LEFT_TO_RIGHT = "\N{LEFT-TO-RIGHT MARK}"

NO_BREAK_SPACE = "\u00a0"
"""A space that prevents a line break."""


def gettext(text: str) -> str:
    """Return a text in the language that is spoken now; nothing stays nothing, which is a catalogue's own header."""
    return current_language().catalogue.gettext(text) if text else text


def ngettext(singular: str, plural: str, number: int) -> str:
    """Return a text with a number in the language that is spoken now."""
    return current_language().catalogue.ngettext(singular, plural, number)


def pgettext(context: str, text: str) -> str:
    """Return a text that has another meaning elsewhere, in the language that is spoken now."""
    return gettext(NC_(context, text))


def N_(text: str) -> str:  # noqa: N802 - the marker's name is what gettext's extractors look for
    """Mark a constant for translation. It is translated where it is used."""
    return text


def NC_(context: str, text: str) -> str:  # noqa: N802 - as above
    """Mark a constant that has another meaning elsewhere. `gettext` translates it where it is used."""
    return f"{context}{END_OF_CONTEXT}{text}"


def format_number(value: float) -> str:
    """Return a number with the locale's separators and a real minus, which is as wide as a plus."""
    language = current_language()
    return _format_integer(value, language) if isinstance(value, int) else _format_decimal(value, language)


# 50 to 160 us of a click, except in Magpie and Change.
@lru_cache(maxsize=_CACHE_SIZE)
def _format_integer(value: int, language: Language) -> str:
    return _format_decimal(value, language)


def _format_decimal(value: float, language: Language) -> str:
    return format_decimal(value, locale=language.locale).replace("-", "−")


def format_signed(value: float) -> str:
    """Return a number with its sign; zero has none."""
    return f"+{format_number(value)}" if value > 0 else format_number(value or 0)


def format_points(count: int) -> str:
    """Return a number of points with the unit."""
    return ngettext("{count} point", "{count} points", count).format(count=format_number(count))


def plural_number(value: float) -> int:
    """Return the number that gives the noun beside a value its form.

    A fraction takes the form of 3, which is the plural in Hebrew, too; where 1.5 counts as one, below 2 that of 1.
    """
    if value == int(value):
        return abs(int(value))
    form_of = current_language().locale.plural_form
    return 1 if abs(value) < 2 and form_of(Decimal("1.5")) == form_of(1) else 3


def format_signed_points(value: float) -> str:
    """Return points with their sign and the unit."""
    line = ngettext("{points} point", "{points} points", plural_number(value))
    return line.format(points=format_signed(value))


def format_tenths(value: float) -> str:
    """Return a number with one decimal."""
    return _format_tenths(round(value, 1), current_language())


# 1 ms of a click in The Magic Bag.
@lru_cache(maxsize=_CACHE_SIZE)
def _format_tenths(value: float, language: Language) -> str:
    return format_decimal(value, "#,##0.0", locale=language.locale).replace("-", "−")


def round_percent(share: float, decimals: int = 0) -> float:
    """Return a share (0 to 1) in percent as it is shown; differences are those of such numbers."""
    return round(_PERCENT * share, decimals)


def round_chance(value: float, *, is_exact: bool) -> float:
    """Return a chance of winning in percent as it is shown: one that is only about right has no decimals."""
    return round_percent(value, 1) if is_exact else round_percent(min(max(value, 0.0), 1.0))


def format_percentage(share: float) -> str:
    """Return a share (0 to 1) as a percentage with at most one decimal."""
    locale = current_language().locale
    pattern = locale.percent_formats[None].pattern.replace("0", "0.#")
    # What is rounded to nothing has no sign.
    return format_percent((round_percent(share, 1) or 0) / _PERCENT, pattern, locale=locale).replace("-", "−")


def format_odds(chance: float) -> str:
    """Return a chance (0 to 1) in whole percent; only what is certain is 0% or 100%."""
    return _format_odds(chance, current_language())


# 10 to 40 us of a click.
@lru_cache(maxsize=_CACHE_SIZE)
def _format_odds(chance: float, language: Language) -> str:
    if 0 < chance < _HALF_PERCENT:
        return f"<{_format_percent(0.01, language)}"
    if 1 - _HALF_PERCENT < chance < 1:
        return f">{_format_percent(0.99, language)}"
    return _format_percent(round_percent(chance) / _PERCENT, language)


def _format_percent(share: float, language: Language) -> str:
    return format_percent(share, locale=language.locale)


def join_items(items: Sequence[str]) -> str:
    """Return items as a list in a sentence: one, two, and three."""
    locale = current_language().locale
    if locale.language == "he" and len(items) > 1 and not _BEGINS_IN_HEBREW.match(items[-1]):
        # The word before the last item is a letter, which Hebrew's hyphen parts from figures and other letters.
        items = (*items[:-1], f"{_MAQAF}{items[-1]}")
    written = format_list(items, locale=locale)
    if locale.language == "es" and len(items) > 1 and _BEGINS_WITH_SPANISH_I.match(items[-1]):
        # Before this sound "y" is hard to hear, so the word is "e".
        written = f"{written.removesuffix(f'y {items[-1]}')}e {items[-1]}"
    return written


def join_groups(groups: Iterable[str]) -> str:
    """Return groups that may have commas of their own, with semicolons between them."""
    # French writes a space before it, at which no line breaks.
    space = "\N{NARROW NO-BREAK SPACE}" if current_language().locale.language == "fr" else ""
    return f"{space}; ".join(groups)


def list_facts(facts: Iterable[str]) -> str:
    """Return the facts that are not empty, with the locale's comma between them and no word before the last."""
    found, comma = list(filter(None, facts)), current_language().locale.list_patterns["standard"]["middle"]
    return reduce(comma.format, found) if found else ""


def with_label(label: str, text: str) -> str:
    """Return a text after a label that says what it is about."""
    return gettext("{label}: {text}").format(label=label, text=text)


def with_note(text: str, note: str) -> str:
    """Return a text with a note in brackets behind it, if there is one."""
    return gettext("{text} ({note})").format(text=text, note=note) if note else text


def truncate(text: str, length: int) -> str:
    """Return a text of at most `length` characters; one that is cut ends in an ellipsis, after a whole letter."""
    if len(text) <= length:
        return text
    beginning = _beginning(text, length - 1)
    if _is_within_name(beginning):
        # Otherwise the rest of the message would belong to the name that was cut.
        beginning = _beginning(text, length - 2)
    return f"{beginning}…{_END_OF_ISOLATE if _is_within_name(beginning) else ''}"


def _beginning(text: str, length: int) -> str:
    """Return the first whole letters of a text, without what leads to the next: a space, escape or isolate."""
    beginning = whole_letters(text, length)
    backslashes = len(beginning) - len(beginning.rstrip("\\"))
    unescaped = beginning[:-1] if backslashes % 2 else beginning
    return unescaped.rstrip().removesuffix(_ISOLATE).rstrip()


def _is_within_name(beginning: str) -> bool:
    return beginning.count(_ISOLATE) > beginning.count(_END_OF_ISOLATE)


def unescape_name(name: str) -> str:
    """Return an escaped name as it was typed, for places without Markdown, and to shorten it."""
    return _ESCAPED_OR_ISOLATE.sub(r"\1", name)


def wrap_words(text: str, width: int, most_lines: int) -> list[str]:
    """Return a text in at most so many lines of whole words, which are wider than asked for if they have to be."""
    least = max(width, *map(len, text.split()))
    lines = (wrap(text, each) for each in range(least, max(least, len(text)) + 1))
    return next(each for each in lines if len(each) <= most_lines)


def game_over_title(winners: Sequence[str]) -> str:
    """Return the title of a finished game; more than two winners are counted instead of named."""
    if len(winners) > _MAX_NAMES:
        line = ngettext("{count} player shares the win!", "{count} players share the win!", len(winners))
        return line.format(count=format_number(len(winners)))
    return ngettext("{names} wins!", "{names} share the win!", len(winners)).format(names=join_items(winners))


def game_over_text(winners: Sequence[str]) -> str:
    """Return a sentence naming the winners."""
    line = ngettext("The game is over: {names} wins.", "The game is over: {names} share the win.", len(winners))
    return line.format(names=join_items(winners))


def format_minutes(minutes: int) -> str:
    """Return an approximate duration in rounded minutes."""
    count = round_minutes(minutes)
    return ngettext("about {count} minute", "about {count} minutes", count).format(count=format_number(count))


def round_minutes(minutes: int) -> int:
    """Round to multiples of 5 from 10 minutes on, and of 15 from an hour on."""
    grain = 15 if minutes >= 60 else 5 if minutes >= 10 else 1
    return (minutes + grain // 2) // grain * grain


def format_days(count: int) -> str:
    """Return a number of days with the unit."""
    return ngettext("{count} day", "{count} days", count).format(count=format_number(count))


LEAST_STREAK = 2
"""The shortest streak that is shown."""


def own_streak_line(current: int, longest: int) -> str:
    """Return the line of a person's own streak of days; empty for a shorter one than is shown."""
    if current < LEAST_STREAK:
        return ""
    # Translators: {longest} is a number of days.
    line = gettext("🔥 Your streak: {days}, longest {longest}")
    return line.format(days=format_days(current), longest=format_number(longest))


def server_streak_line(current: int, longest: int) -> str:
    """Return the line of a server's streak of days; empty for a shorter one than is shown."""
    if current < LEAST_STREAK:
        return ""
    # Translators: {longest} is a number of days.
    line = gettext("🏠 This server's streak: {days}, longest {longest}")
    return line.format(days=format_days(current), longest=format_number(longest))


def place_label(place: int, *, has_medal: bool = True) -> str:
    """Return a medal for the first three places, and the number after that or if it is worth none."""
    number = f"**{format_number(place)}.**"
    return {1: "🥇", 2: "🥈", 3: "🥉"}.get(place, number) if has_medal else number


_SEAT_EMOJIS = ("🟦", "🟧", "🟩", "🟪", "🟨", "🟥")


def seat_emoji(seat: int) -> str:
    """Return the coloured square that marks a seat in text."""
    return _SEAT_EMOJIS[seat]


def keep_order(signs: str) -> str:
    """Return signs for things that lie side by side, from left to right in every language, as in the picture."""
    return f"{_LEFT_TO_RIGHT}{signs}{_LEFT_TO_RIGHT}" if current_language().runs_left else signs


def forward_arrow() -> str:
    """Return the arrow from what was before to what came of it."""
    return "←" if current_language().runs_left else "→"


_BAR_CELLS = 10


def progress_bar(value: int, full: int) -> str:
    """Return a bar of ten cells that shows the share of `full` that `value` has reached."""
    cells = max(0, min(_BAR_CELLS, value * _BAR_CELLS // full))
    return "▰" * cells + "▱" * (_BAR_CELLS - cells)


def score_row(seat: int, name: str, score: str, *, has_turn: bool, bar: str = "") -> str:
    """Return a line with a seat's score; the seat to move has an arrow and a bold name."""
    pointer = "◀" if current_language().runs_left else "▶"
    pointer, name = (pointer, f"**{name}**") if has_turn else ("▫", name)
    return " ".join(filter(None, (pointer, seat_emoji(seat), bar, score, name)))


def ranking_rows(places: Sequence[int], texts: Sequence[str]) -> str:
    """Return a line for each seat, best first, with its place and its colour before its text."""
    ranked = sorted(range(len(places)), key=places.__getitem__)
    return "\n".join([f"{place_label(places[seat])} {seat_emoji(seat)} {texts[seat]}" for seat in ranked])
