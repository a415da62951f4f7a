"""Renders the result of a table for everyone to see."""

from functools import partial

from bot.platform.discord.content import MessageContent
from bot.rules.picture import Picture
from bot.tables.shown.final_result import overall_result_of, shared_line
from bot.tables.shown.message import render_result
from bot.tables.shown.result_words import describe_result_of, result_words_of
from bot.tables.shown.victory_card import victory_card
from bot.tables.table import Table


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
    package = table.package
    return victory_card(
        overall_result_of(table),
        package.surface,
        package.cover,
        result_words_of(table, place),
        describe_result_of(table, place),
    )
