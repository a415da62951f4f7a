"""The embeds of tables, as JSON for Discord's API."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from bot.rules.picture import Picture
from bot.rules.screen import Screen
from bot.rules.tips import Tip
from bot.tables.table import Table
from bot.ui.render.absences import plain_seat_names
from bot.ui.render.message import Json, embed_fields
from bot.ui.render.series import series_title
from bot.ui.render.story import missed_news_lines, opening_line, seat_sign

SEAT_COLOURS = (0x3B88C3, 0xF4900C, 0x78B159, 0xAA8ED6, 0xFDCB58, 0xDD2E44)
"""The colours of the seat emojis, in the same order."""

PLAIN_COLOUR = 0x5D6A75


class Embeds(NamedTuple):
    """The embed of a message in the making."""

    text: Json
    """The embed without a picture."""
    picture: Json
    """The parts that are others when it has a picture."""
    make_picture: Callable[[], Picture] | None
    """Lays out the picture, if there is one."""


def text_embed_json(screen: Screen, footer: str = "") -> Json:
    """Return a screen as the JSON of an embed, without the detour over `discord.Embed`."""
    embed: Json = {
        "type": "rich",
        "flags": 0,
        "title": screen.title,
        "description": screen.text,
        "color": _colour(screen),
        "fields": embed_fields(screen.fields),
    }
    if footer:
        embed["footer"] = {"text": footer}
    return embed


def picture_embed_json(screen: Screen, table: Table) -> Json:
    """Return the parts of the embed that are others next to a picture: short news, and whose tokens are shown."""
    names = plain_seat_names(table)
    parts: Json = {}
    if len(names) > 1 and screen.has_legend:
        # The picture numbers the seats.
        legend = "   ".join(f"{number} {name}" for number, name in enumerate(names, 1))
        parts["footer"] = {"text": "\n".join(filter(None, (legend, series_title(table))))}
    if screen.summary is not None:
        parts["description"] = screen.summary
        parts["fields"] = embed_fields(field for field in screen.fields if field.is_beside_picture)
    return parts


def add_tip(embeds: Embeds, tip: Tip | None) -> None:
    """Add a tip below the footer: nearest to the buttons, and never above the picture."""
    if tip is not None:
        _append_to_footer(embeds.text, f"💡 {tip.text}")
        if "footer" in embeds.picture:
            _append_to_footer(embeds.picture, f"💡 {tip.text}")


def _append_to_footer(embed: Json, line: str) -> None:
    footer = embed.get("footer", {}).get("text", "")
    embed["footer"] = {"text": f"{footer}\n{line}" if footer else line}


def add_missed_news(embeds: Embeds, table: Table) -> None:
    """Add what the player to move has missed, at the beginning."""
    lines, opening = missed_news_lines(table), opening_line(table)
    beside = embeds.picture
    if lines and "description" in beside:
        _prepend(lines, beside)
        if sign := seat_sign(table, table.news[-1].seat):
            # The lines name everyone with their tokens.
            *told, newest = beside["description"].rpartition(lines[-1] + "\n")
            _names, _line, rest = beside["footer"]["text"].partition("\n")
            beside["description"] = "".join((*told, sign, newest))
            beside["footer"] = {"text": rest} if rest else {}
    # Next to a picture there is no room for how the game began.
    _prepend([opening, *lines] if opening else lines, embeds.text)


def _prepend(lines: Sequence[str], embed: Json) -> None:
    if lines:
        embed["description"] = "\n".join((*lines, embed["description"]))


def _colour(screen: Screen) -> int:
    return PLAIN_COLOUR if screen.accent is None else SEAT_COLOURS[screen.accent]
