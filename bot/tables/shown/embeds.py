"""The embeds of tables, as JSON for Discord's API."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from bot.platform.discord.content import Json, embed_fields
from bot.platform.discord.emoji import OWN_EMOJI
from bot.platform.places import name_of_day
from bot.rules.game import Seat
from bot.rules.picture import Picture
from bot.rules.screen import Screen
from bot.tables.model import Status
from bot.tables.shown.links import escaped_seat_names
from bot.tables.shown.screen import series_field
from bot.tables.shown.story import marked_seat_names, missed_news, opening_line, shows_tokens
from bot.tables.table import Table
from bot.words import NO_BREAK_SPACE, gettext as _, seat_emoji

SEAT_COLOURS = (0x3B88C3, 0xF4900C, 0x78B159, 0xAA8ED6, 0xFDCB58, 0xDD2E44)
"""The colours of the seat emojis, in the same order."""

PLAIN_COLOUR = 0x5D6A75

SMALL_PRINT = "-# "
"""The Markdown at the start of a small line."""

_TOKEN = re.compile("|".join(map(seat_emoji, range(len(SEAT_COLOURS)))))

_MOST_CHARACTERS, _MOST_LINES = 120, 5
"""The most characters and lines of news in ordinary print next to a picture."""


class Embeds(NamedTuple):
    """The embed of an unfinished message."""

    text: Json
    """The embed without a picture."""
    picture: Json
    """The parts that differ when it has a picture."""
    make_picture: Callable[[], Picture] | None
    """Lays out the picture, if there is one."""


def text_embed_json(screen: Screen, footer: str = "") -> Json:
    """Return a screen as the JSON of an embed, without the cost of `discord.Embed`."""
    embed: Json = {
        "type": "rich",
        "flags": 0,
        "title": screen.title,
        "description": screen.text,
        "color": PLAIN_COLOUR if screen.accent is None else SEAT_COLOURS[screen.accent],
        "fields": embed_fields(screen.fields),
    }
    if footer:
        embed["footer"] = {"text": footer}
    return embed


def picture_embed_json(screen: Screen, table: Table) -> Json:
    """Return the embed's parts that differ next to a picture: short news, and names for the tokens in them."""
    parts: Json = {}
    if len(table.seats) > 1 and screen.has_legend:
        has_tokens = shows_tokens(table) or _TOKEN.search(screen.summary or "") is not None
        parts["footer"] = {"text": _legend(table, has_tokens=has_tokens)}
    if screen.summary is not None:
        # Long names below a result's picture leave one line less for its facts.
        is_small = shows_tokens(table) and table.header.status is not Status.PLAYING
        parts["description"] = _in_small_print(screen.summary, always=is_small)
        parts["fields"] = embed_fields(field for field in screen.fields if field.is_beside_picture)
    return parts


def add_missed_news(embeds: Embeds, table: Table) -> None:
    """Insert the news that the player to move has missed at the beginning."""
    missed, opening = missed_news(table), opening_line(table)
    if missed.short and "description" in embeds.picture:
        told = embeds.picture["description"]
        if shows_tokens(table):
            told = _with_tokens(table, told)
        embeds.picture["description"] = _in_small_print("\n".join((*missed.short, told)))
    # The opening of the game has no room next to a picture.
    told = [opening, *missed.full] if opening else missed.full
    if told:
        embeds.text["description"] = "\n".join((*told, embeds.text["description"]))


def add_clock(embeds: Embeds, line: str) -> None:
    """Append the line about the turn clock, unless it is empty."""
    if not line:
        return
    embeds.text["description"] = f"{embeds.text['description']}\n{line}"
    # The picture's parts replace the whole description, or leave it as it is.
    if "description" in embeds.picture:
        embeds.picture["description"] = f"{embeds.picture['description']}\n{SMALL_PRINT}{line}".lstrip("\n")


def daily_title(table: Table) -> str:
    """Return the title of a daily bag, which says whether it counts; empty at other tables."""
    if table.daily_day is None:
        return ""
    title = _("Daily bag {day} · practice") if table.header.is_practice else _("Daily bag {day}")
    return title.format(day=name_of_day(table.daily_day))


def _with_tokens(table: Table, told: str) -> str:
    """Replace the names of computer players, and of the player of the newest turn, with the signs of their tokens."""
    names, newest = escaped_seat_names(table), table.news[-1].seat
    told = told.replace(f"**{names[newest]}**", seat_emoji(newest), 1)
    computers = [seat for seat, occupant in enumerate(table.seats) if occupant.is_computer]
    # Replace long names first: the first computer player's name is the beginning of the other ones' names.
    for seat in sorted(computers, key=lambda seat: -len(names[seat])):
        told = told.replace(f"**{names[seat]}**", seat_emoji(seat)).replace(names[seat], seat_emoji(seat))
    return told


def _legend(table: Table, *, has_tokens: bool) -> str:
    """Return the names with their numbers in the picture, or with the tokens used in the text, and the series."""
    names = marked_seat_names(table)
    entries: Iterator[str] = (f"{number} {name}" for number, name in enumerate(names, 1))
    if has_tokens and table.header.status is Status.PLAYING:
        entries = _token_entries(table, names)
    legend = "  ".join(entry.replace(" ", NO_BREAK_SPACE) for entry in entries)
    series = series_field(table)
    return legend if series is None or series.is_beside_picture else f"{legend}\n{series.title}"


def _token_entries(table: Table, names: Sequence[str]) -> Iterator[str]:
    """Yield the names with their tokens; several computer players share an entry."""
    computers = [seat for seat, occupant in enumerate(table.seats) if occupant.is_computer]
    unnamed = computers if len(computers) > 1 else []
    yield from (f"{_footer_token(seat)} {name}" for seat, name in enumerate(names) if seat not in unnamed)
    if unnamed:
        yield _("{tokens} computers").format(tokens=" ".join(map(_footer_token, unnamed)))


def _footer_token(seat: Seat) -> str:
    """Return the sign of a token in a footer, which can't show the bot's emoji: its number where texts use them."""
    return str(seat + 1) if OWN_EMOJI.replaces(seat_emoji(seat)) else seat_emoji(seat)


def _in_small_print(text: str, *, always: bool = False) -> str:
    """Return a text, in small print if it would otherwise take more room than the picture."""
    lines = text.splitlines()
    if not always and len(text) <= _MOST_CHARACTERS and len(lines) <= _MOST_LINES:
        return text
    return "\n".join(f"{SMALL_PRINT}{line.removeprefix(SMALL_PRINT)}" for line in lines)


_HINT: Final = "👉"
"""The beginning of a line that tells the player to move what to do."""


def with_heading(embed: Mapping[str, Any], heading: str) -> Json:
    """Return an embed's JSON, whole or next to a picture, with a heading and without lines of hints."""
    if "description" not in embed:
        return dict(embed)
    told = (line for line in embed["description"].split("\n") if not line.removeprefix(SMALL_PRINT).startswith(_HINT))
    return {**embed, "description": "\n".join((heading, *told))}
