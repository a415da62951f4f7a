"""Renders a page of a leaderboard for everyone to see."""

from functools import partial

import discord

from bot.features.boards.messages import ShownBoard, format_row
from bot.features.boards.model import Standing
from bot.features.boards.period_words import period_name
from bot.features.boards.picture import BoardRow, BoardWords, board_picture, drawn_name
from bot.features.profiles.model import companies_of
from bot.features.results.rating_line import provisional_note
from bot.platform.discord.content import MessageContent
from bot.platform.discord.pages import page_note
from bot.rules.names import isolate_name
from bot.rules.picture import Picture
from bot.rules.screen import LONGEST_DESCRIPTION
from bot.tables.shown.embeds import SEAT_COLOURS, SMALL_PRINT
from bot.tables.shown.links import escape_name, sanitize_name
from bot.tables.shown.standings import board_heading, figures_of, has_provisional
from bot.words import gettext as _, place_label, truncate


def render_posted_board(shown: ShownBoard, poster: str, place: str) -> MessageContent:
    """Render a page as a picture, with a line that names who posted it; in words, with all rows.

    Args:
        shown: The page; it has rows.
        poster: The name of who posts it.
        place: The name of the server.
    """
    title = shown.package.game.info.title
    head = _("🏆 **{game}** · {heading}").format(game=title, heading=_whole_heading(shown))
    posted = f"{SMALL_PRINT}{_('Posted by {name}').format(name=f'**{escape_name(poster)}**')}"
    rows = [format_row(row, shown) for row in shown.board.rows]
    note = [f"{SMALL_PRINT}{text}" for text in _notes(shown)]
    embed = discord.Embed(description="\n".join((head, *rows, *note, posted)), colour=SEAT_COLOURS[0])
    # Names that the font of the picture lacks stand below it.
    unseen = [f"{place_label(row.place)} **{escape_name(row.name)}**" for row in _undrawn(shown)]
    beside = "\n".join((head, *([" · ".join(unseen)] if unseen else []), posted))
    return MessageContent(
        embed.to_dict(),
        make_picture=partial(picture_of_board, shown, place),
        picture_embed_json={"description": beside},
    )


def describe_board(shown: ShownBoard) -> str:
    """Return the alternative text of a page: all that is in its picture."""
    key, kind = shown.board.key, shown.package.score_kind
    head = _("Leaderboard of {game}: {heading}.").format(
        game=shown.package.game.info.title, heading=_whole_heading(shown)
    )
    lines = []
    for row in shown.board.rows:
        figures = ", ".join(filter(None, figures_of(row, key.by, kind)))
        line = _("{place}. {name}: {figures}.")
        lines.append(line.format(place=row.place, name=sanitize_name(row.name), figures=figures))
    return truncate(" ".join((head, *lines, *_notes(shown))), LONGEST_DESCRIPTION)


def picture_of_board(shown: ShownBoard, place: str) -> Picture:
    """Lay out a page, with the name of the server."""
    package, key = shown.package, shown.board.key
    rows = [BoardRow(row.place, row.name, *figures_of(row, key.by, package.score_kind)) for row in shown.board.rows]
    known = drawn_name(place)
    period = period_name(shown.board.key.period)
    words = BoardWords(
        package.game.info.title,
        _heading(shown),
        " · ".join((period, isolate_name(known))) if known else period,
        " · ".join(_notes(shown)),
    )
    return board_picture(rows, words, package.surface, package.cover, describe_board(shown))


def _whole_heading(shown: ShownBoard) -> str:
    return f"{_heading(shown)} · {period_name(shown.board.key.period)}"


def _heading(shown: ShownBoard) -> str:
    return board_heading(shown.board, has_companies=len(companies_of(shown.package.game.info)) > 1)


def _notes(shown: ShownBoard) -> list[str]:
    """Return which page it is, and what its marks mean."""
    has_mark = has_provisional(shown.board.key.by, shown.board.rows)
    return [note for note in (page_note(shown.board.page), provisional_note() if has_mark else "") if note]


def _undrawn(shown: ShownBoard) -> list[Standing]:
    return [row for row in shown.board.rows if not drawn_name(row.name)]
