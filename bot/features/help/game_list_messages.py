"""Renders the list of games as a picture, or in words."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from textwrap import wrap

import discord

from bot.features.help.guide_pages import player_count_text
from bot.features.help.ids import GameMenuId
from bot.platform.discord.content import Button, MessageContent, embed_fields
from bot.platform.discord.ids import CustomId
from bot.platform.discord.menus import SelectMenu, SelectOption
from bot.rules.components import cover_marks
from bot.rules.picture import PICTURE_WIDTH, Align, Box, ColourRole, Label, Mark, Picture, Rect
from bot.rules.screen import MAX_MENU_LINES, MAX_ROW_WIDTH, MAX_ROWS, Field
from bot.tables.registry import AnyPackage
from bot.tables.shown.embeds import SEAT_COLOURS
from bot.words import gettext as _, join_items

MAX_BUTTONS = 15
"""With more games, menus replace buttons and picture."""

_MARGIN, _GAP, _PADDING = 24, 16, 14
_ROW_HEIGHT = 212
_COVER_SIZE = (300, 132)
_TITLE_HEIGHT, _LINE_HEIGHT = 58, 44
_TITLE_SIZE, _TEXT_SIZE = 44, 36
_LINE_LENGTH = 29
"""The most characters of a line: the sentence is next to the cover."""

_MAX_LINES = 3


def render_game_list(
    packages: Sequence[AnyPackage], id_of: Callable[[AnyPackage], CustomId], text: str, *more: Button
) -> MessageContent:
    """Render the games with a button or a line of a menu for each.

    Args:
        packages: The games.
        id_of: Returns the custom id that a game's button has.
        text: What stands above the list.
        more: The buttons below the others.
    """
    buttons, menus = _choices(packages, id_of)
    fields = (Field(_("The games in short"), "\n".join(map(_summary_line, packages))),) if buttons else ()
    embed = discord.Embed(title=_("Games"), description=text, colour=SEAT_COLOURS[0]).to_dict()
    make_picture = game_list_picture(packages)
    rows = (*buttons, more)
    # The picture shows what is in the field.
    text_embed = {**embed, "fields": embed_fields(fields)}
    return MessageContent(text_embed, rows, menus, make_picture, picture_embed_json={"fields": []})


def _summary_line(package: AnyPackage) -> str:
    info = package.game.info
    return _("**{game}** ({players}): {summary}").format(
        game=info.title, players=player_count_text(info), summary=_(package.guide.summary)
    )


def _choices(
    packages: Sequence[AnyPackage], id_of: Callable[[AnyPackage], CustomId]
) -> tuple[tuple[tuple[Button, ...], ...], tuple[SelectMenu, ...]]:
    """Return a button for each game, or menus if there are many games."""
    if len(packages) <= MAX_BUTTONS:
        buttons = [
            Button(package.game.info.title, str(id_of(package)), discord.ButtonStyle.primary) for package in packages
        ]
        return tuple(tuple(buttons[at : at + MAX_ROW_WIDTH]) for at in range(0, len(buttons), MAX_ROW_WIDTH)), ()
    parts = [packages[at : at + MAX_MENU_LINES] for at in range(0, len(packages), MAX_MENU_LINES)][: MAX_ROWS - 1]
    menus = (
        SelectMenu(
            _("{first} to {last}").format(first=part[0].game.info.title, last=part[-1].game.info.title),
            str(GameMenuId(number)),
            tuple(_menu_line(package, id_of) for package in part),
        )
        for number, part in enumerate(parts, 1)
    )
    return (), tuple(menus)


def _menu_line(package: AnyPackage, id_of: Callable[[AnyPackage], CustomId]) -> SelectOption:
    return SelectOption(package.game.info.title, str(id_of(package)), _(package.guide.summary))


def game_list_picture(packages: Sequence[AnyPackage]) -> Callable[[], Picture] | None:
    """Return how to lay out the picture of the games; None if they are too many for one, or none at all."""
    return partial(draw_game_list, tuple(packages)) if 0 < len(packages) <= MAX_BUTTONS else None


def draw_game_list(packages: Sequence[AnyPackage]) -> Picture:
    """Return a picture with a row for each game, in its colours: its cover, title, players and a sentence."""
    marks: list[Mark] = []
    for number, package in enumerate(packages):
        at = Rect(_MARGIN, _MARGIN + number * (_ROW_HEIGHT + _GAP), PICTURE_WIDTH - 2 * _MARGIN, _ROW_HEIGHT)
        marks += _row_marks(package, at)
    height = 2 * _MARGIN + len(packages) * (_ROW_HEIGHT + _GAP) - _GAP
    titles = join_items([package.game.info.title for package in packages])
    surfaces = tuple(dict.fromkeys(package.surface for package in packages))
    description = _("The games {games}.").format(games=titles)
    return Picture((PICTURE_WIDTH, height), (), tuple(marks), description, more_surfaces=surfaces)


def _row_marks(package: AnyPackage, at: Rect) -> Iterator[Mark]:
    yield Box(at, ColourRole.SURFACE, ColourRole.SURFACE_LINE, 22, 3, surface=package.surface)
    cover = Rect(at.x + _PADDING, at.y + _PADDING, *_COVER_SIZE)
    if package.cover is not None:
        yield from cover_marks(package.cover, cover, package.surface)
    info = package.game.info
    players = Rect(cover.x, cover.bottom + 4, cover.width, at.bottom - cover.bottom - _PADDING)
    yield Label(player_count_text(info), players, ColourRole.SURFACE_TEXT_FAINT, 32)
    words = Rect(cover.right + 24, at.y + 8, at.right - cover.right - 24 - _PADDING, _TITLE_HEIGHT)
    yield Label(info.title, words, ColourRole.SURFACE_TEXT, _TITLE_SIZE, Align.LEFT, bold=True)
    line = words._replace(y=words.bottom, height=_LINE_HEIGHT)
    for text in wrap(_(package.guide.summary), _LINE_LENGTH, max_lines=_MAX_LINES, placeholder=" ..."):
        yield Label(text, line, ColourRole.SURFACE_TEXT, _TEXT_SIZE, Align.LEFT)
        line = line.shift(down=_LINE_HEIGHT)
