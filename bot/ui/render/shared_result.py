"""Renders the result of a table for everyone to see."""

from functools import partial

from babel.dates import format_date

from bot.pictures.fonts import drawable_name
from bot.rules.names import isolate_name
from bot.rules.picture import Picture
from bot.rules.screen import LONGEST_DESCRIPTION
from bot.tables.table import Table
from bot.ui.render.final_result import fact_lines, overall_result_of, shared_line, winner_line
from bot.ui.render.links import plain_seat_names, sanitize_name
from bot.ui.render.message import MessageContent
from bot.ui.render.podium import describe_result
from bot.ui.render.table_message import render_result
from bot.ui.render.victory_card import CardWords, victory_card
from bot.words import LOCALE, gettext as _, truncate


def render_shared_result(table: Table, place: str) -> MessageContent:
    """Render the result of a finished table in one line and a card, without buttons.

    Args:
        table: The table.
        place: The name of the server, or nothing.
    """
    content, line = render_result(table), {"description": shared_line(table)}
    embed = {name: part for name, part in content.text_embed_json.items() if name in ("type", "flags", "color")}
    beside = {name: part for name, part in content.picture_embed_json.items() if name == "footer"}
    make_picture = None if content.make_picture is None else partial(_make_card, table, place)
    return MessageContent({**embed, **line}, make_picture=make_picture, picture_embed_json=beside)


def _make_card(table: Table, place: str) -> Picture:
    names = tuple(_drawn_name(name, seat) for seat, name in enumerate(plain_seat_names(table)))
    where = _where_and_when(table, isolate_name(place) if drawable_name(place) else "")
    words = CardWords(winner_line(table, names), fact_lines(table, names), where)
    package = table.package
    return victory_card(
        overall_result_of(table), package.surface, package.cover, words, describe_shared_result(table, place)
    )


def _drawn_name(name: str, seat: int) -> str:
    """Return a name for a sentence of the card, or the number on the token if the font lacks one of its letters."""
    return isolate_name(name) if drawable_name(name) else _("Player {number}").format(number=seat + 1)


def _where_and_when(table: Table, place: str) -> str:
    played = format_date(table.header.updated_at, "long", LOCALE)
    return _("{place} · {date}").format(place=place, date=played) if place else played


def describe_shared_result(table: Table, place: str) -> str:
    """Return the alternative text: who won and came how far, what was remarkable, where and when it was played."""
    names = plain_seat_names(table)
    facts = [f"{line.removesuffix('.')}." for line in fact_lines(table, names)]
    where = _where_and_when(table, sanitize_name(place) if place else "")
    text = " ".join((describe_result(overall_result_of(table), names), *facts, f"{where}."))
    return truncate(text, LONGEST_DESCRIPTION)
