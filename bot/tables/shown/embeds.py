"""The embeds of tables, as JSON for Discord's API."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from bot.platform.discord.content import Json, embed_fields
from bot.rules.picture import Picture
from bot.rules.screen import Screen
from bot.tables.kinds import Cadence, Edition
from bot.tables.model import TurnClock
from bot.tables.shown.screen import series_field
from bot.tables.shown.story import missed_news, opening_line
from bot.tables.shown.story_line import EMPTY_LINE
from bot.tables.shown.words import clock_line
from bot.tables.table import Table
from bot.words import format_number, gettext as _

SEAT_COLOURS = (0x3B88C3, 0xF4900C, 0x78B159, 0xAA8ED6, 0xFDCB58, 0xDD2E44)
"""The colours of the seat emojis, in the same order."""

PLAIN_COLOUR = 0x5D6A75

SMALL_PRINT = "-# "
"""The Markdown at the start of a small line."""

_DOT: Final = " · "


class Embeds(NamedTuple):
    """The embed of an unfinished message."""

    text: Json
    """The embed without a picture."""
    picture: Json
    """The parts that differ when it has a picture."""
    make_picture: Callable[[], Picture] | None
    """Lays out the picture, if there is one."""


def text_embed_json(screen: Screen, heading: str = "", footer: str = "") -> Json:
    """Return a screen as the JSON of an embed, without the cost of `discord.Embed`."""
    embed: Json = {
        "type": "rich",
        "flags": 0,
        "title": screen.title,
        "description": screen.text,
        "color": PLAIN_COLOUR if screen.accent is None else SEAT_COLOURS[screen.accent],
        "fields": embed_fields(screen.fields),
    }
    if heading:
        embed["author"] = {"name": heading}
    if footer:
        embed["footer"] = {"text": footer}
    return embed


def picture_embed_json(screen: Screen, story: str) -> Json:
    """Return the embed's parts that differ next to a picture: a short story, and only what the picture lacks."""
    fields = embed_fields(field for field in screen.fields if field.is_beside_picture)
    return {"description": story, "fields": fields, "footer": {}}


def heading_of(table: Table) -> str:
    """Return the line above the title: the game, what ends it, and the edition or series that it belongs to."""
    title, series = _(table.package.game.info.title), series_field(table)
    if table.edition is not None:
        # Alone, a game may end otherwise.
        return _DOT.join((title, edition_title(table.edition)))
    goal = table.package.words.describe_goal(table.options)
    return _DOT.join(part for part in (title, goal, series and series.title) if part)


def add_missed_news(embeds: Embeds, table: Table) -> None:
    """Insert the news that the player to move has missed at the beginning of the embed without a picture."""
    opening, missed = opening_line(table), missed_news(table)
    if told := [opening, *missed] if opening else missed:
        embeds.text["description"] = "\n".join((*told, embeds.text["description"]))


def add_line(embed: Json, line: str) -> None:
    """Append a line to the description of an embed, unless the line is empty."""
    if line:
        embed["description"] = f"{embed['description']}\n{line}"


def add_clock(embeds: Embeds, table: Table) -> None:
    """Append the line about the turn clock, at a table that has one."""
    line = clock_line(table)
    add_line(embeds.text, line)
    # Next to a picture its line stays while no clock runs, so that nothing below it moves.
    if embeds.picture and table.header.clock.limit is not TurnClock.NONE:
        add_line(embeds.picture, f"{SMALL_PRINT}{line}" if line else EMPTY_LINE)


def edition_title(edition: Edition) -> str:
    """Return the title of an edition of a challenge."""
    title = _("Daily {number}") if edition.cadence is Cadence.DAILY else _("Bag of week {number}")
    return title.format(number=format_number(edition.number))


_HINT: Final = "👉"
"""The beginning of a line that tells the player to move what to do."""


def with_heading(embed: Mapping[str, Any], heading: str) -> Json:
    """Return an embed's JSON, whole or next to a picture, with a heading and without lines of hints."""
    if "description" not in embed:
        return dict(embed)
    told = (line for line in embed["description"].split("\n") if not line.removeprefix(SMALL_PRINT).startswith(_HINT))
    return {**embed, "description": "\n".join((heading, *told))}
