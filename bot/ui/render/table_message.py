"""Renders tables: embed, buttons, menus and picture."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import discord

from bot.rules.game import Seat
from bot.rules.picture import Picture, PictureBuilder
from bot.rules.screen import Draft, Field, Screen, ScreenBuilder, Tone
from bot.tables.actions.series import tally_of
from bot.tables.model import Status, TableId
from bot.tables.table import Table, commitment_of
from bot.ui.custom_ids import (
    CheckDiceId,
    ControlId,
    GuideId,
    HandControlId,
    HandId,
    MenuId,
    NextTableId,
    PlayAgainId,
    ReadOnlyId,
    ReadTableId,
    ReplayButton,
    ReplayId,
    ResumeId,
    SeatButton,
    SeatId,
)
from bot.ui.render.absences import news_for, resignation_outcome, seat_names
from bot.ui.render.menus import SelectMenu
from bot.ui.render.message import Button, Json, MessageContent, embed_fields
from bot.ui.render.ranking import ranking_picture
from bot.ui.render.screen_cache import screen_of
from bot.ui.render.series import next_table_label
from bot.words import gettext as _

SEAT_COLOURS = (0x3B88C3, 0xF4900C, 0x78B159, 0xAA8ED6, 0xFDCB58, 0xDD2E44)
"""The colours of the seat emojis, in the same order."""

PLAIN_COLOUR = 0x5D6A75
_MAX_BUTTONS_IN_ROW = 5
_MAX_ROWS = 5
_COMMITMENT_GROUP = 16
_COMMITMENT_CACHE_SIZE = 1024
"""Every message of a table shows the commitment, and formatting it takes a hash."""

_STYLES = {
    Tone.QUIET: discord.ButtonStyle.secondary,
    Tone.CHOSEN: discord.ButtonStyle.primary,
    Tone.MAIN: discord.ButtonStyle.success,
}


def render_position(table: Table) -> MessageContent:
    """Render the position of a table, without buttons."""
    screen = screen_of(table)
    embed = _embed_json(screen, screen.note)
    return MessageContent(
        embed, make_picture=picture_maker_of(table, table.package.build_picture), picture_fields=_picture_fields(screen)
    )


def render_game(table: Table, draft: Draft) -> MessageContent:
    """Render a table that is being played or is finished."""
    screen = screen_of(table, draft)
    embed = _embed_json(screen, "\n".join(filter(None, (screen.note, commitment_text(table)))))
    make_picture, picture_fields = picture_maker_of(table, table.package.build_picture), _picture_fields(screen)
    rows, menus = _table_components(screen, table, draft)
    return MessageContent(embed, rows, menus, make_picture=make_picture, picture_fields=picture_fields)


def _table_components(
    screen: Screen, table: Table, draft: Draft
) -> tuple[tuple[tuple[Button, ...], ...], tuple[SelectMenu, ...]]:
    """Return the rows of buttons and the menus of a table."""
    if table.header.status is not Status.PLAYING:
        return _finished_buttons(table), ()
    rows, menus = _screen_components(screen, table, draft)
    room = _MAX_ROWS - len(menus)
    rows = with_buttons(rows, *_hand_button(table, screen), *seat_buttons(table), _read_button(table), room=room)
    return with_guide_button(rows, table, room), menus


def picture_maker_of(
    table: Table, build: PictureBuilder[Any] | None, seat: Seat | None = None
) -> Callable[[], Picture] | None:
    """Return a function that lays out the picture for a seat or for spectators (None), or None if there is no picture.

    If resignations make the table's outcome differ from the game's, spectators get a picture of the table's ranking and
    seats get none: the game's picture would show a turn or another ranking.
    """
    if build is None:
        return None
    if (outcome := resignation_outcome(table)) is None:
        return partial(_make_picture, table, build, seat)
    title = table.package.game.info.title
    return partial(ranking_picture, title, outcome, table.seat_status.resigned) if seat is None else None


def _make_picture(table: Table, build: PictureBuilder[Any], seat: Seat | None) -> Picture:
    return build(table.package.game.view(table.state, seat), table.recent_events_for(seat))


def render_hand(table: Table, seat: Seat, build_screen: ScreenBuilder[Any], draft: Draft) -> MessageContent:
    """Render what only one seat may see of a table that is being played."""
    view = table.package.game.view(table.state, seat)
    screen = build_screen(view, news_for(table, seat), seat_names(table), draft)
    rows, menus = _screen_components(screen, table, draft, in_hand=True)
    look_again = Button(_("Look again"), str(HandControlId(HandId(table.id))))
    make_picture = picture_maker_of(table, table.package.build_hand_picture, seat)
    return MessageContent(
        _embed_json(screen), with_buttons(rows, look_again, room=_MAX_ROWS - len(menus)), menus, make_picture
    )


def render_outdated_hand(table_id: TableId) -> MessageContent:
    """Render the message that replaces a hand which has changed since it was shown."""
    embed = discord.Embed(description=_("Your hand has changed."), colour=PLAIN_COLOUR)
    return MessageContent(embed.to_dict(), ((Button(_("Look again"), str(HandControlId(HandId(table_id)))),),))


def _screen_components(
    screen: Screen, table: Table, draft: Draft, *, in_hand: bool = False
) -> tuple[tuple[tuple[Button, ...], ...], tuple[SelectMenu, ...]]:
    """Return the buttons and menus of a screen; none while a computer player is to move."""
    if table.header.awaits_computer:
        return (), ()
    position, start = (table.id, table.header.step, draft), f"{HandControlId.prefix}:" if in_hand else ""
    control_id, menu_id = ControlId.formatter(*position), MenuId.formatter(*position)
    rows = tuple(
        tuple([Button(each.label, f"{start}{control_id(each.key)}", _STYLES[each.tone]) for each in row])
        for row in screen.controls
    )
    return rows, tuple(SelectMenu.from_menu(menu, f"{start}{menu_id(menu.key)}") for menu in screen.menus)


def _hand_button(table: Table, screen: Screen) -> tuple[Button, ...]:
    """Return the button that opens a hand, if the game has hands; it is highlighted while the turn waits for one."""
    if table.package.build_hand_screen is None:
        return ()
    is_awaited = screen.waits_for_hand and not table.header.awaits_computer
    return (_read_only_button(table, _("My hand"), HandId(table.id), Tone.MAIN if is_awaited else Tone.QUIET),)


def _read_button(table: Table) -> Button:
    """Return the button that describes the table in words."""
    return _read_only_button(table, _("Read the table"), ReadTableId(table.id))


def _read_only_button(
    table: Table, label: str, custom_id: HandId | ReadTableId | GuideId, tone: Tone = Tone.QUIET
) -> Button:
    """Return a button that does not change the table. Its id carries the revision that the message shows."""
    return Button(label, str(ReadOnlyId(table.id, table.header.revision, custom_id)), _STYLES[tone])


def with_guide_button(
    rows: tuple[tuple[Button, ...], ...], table: Table, room: int = _MAX_ROWS
) -> tuple[tuple[Button, ...], ...]:
    """Add the button that explains the game, if there is room."""
    return with_buttons(rows, _read_only_button(table, _("How to play"), GuideId(table.header.game)), room=room)


def with_buttons(
    rows: tuple[tuple[Button, ...], ...], *buttons: Button, room: int = _MAX_ROWS
) -> tuple[tuple[Button, ...], ...]:
    """Append buttons as far as the rows have room; slash commands do the same as those left out."""
    for button in buttons:
        if rows and len(rows[-1]) < _MAX_BUTTONS_IN_ROW:
            rows = (*rows[:-1], (*rows[-1], button))
        elif len(rows) < room:
            rows = (*rows, (button,))
    return rows


def seat_buttons(table: Table) -> tuple[Button, ...]:
    """Return the buttons of the seat actions that are possible now."""
    labels = {
        SeatButton.CLOSE: (_("Agree to close"), bool(table.closers)),
        SeatButton.TAKE_BACK: (_("Take back"), table.take_back_state is not None),
        SeatButton.COME_BACK: (_("I'm back"), bool(table.seat_status.substituted)),
    }
    return tuple(
        Button(label, str(SeatId(table.id, table.header.step, button)))
        for button, (label, is_possible) in labels.items()
        if is_possible
    )


def render_closed(table: Table, text: str) -> MessageContent:
    """Render a table that ended without a result or can't go on."""
    embed = discord.Embed(title=table.package.game.info.title, description=text, colour=PLAIN_COLOUR)
    return MessageContent(embed.set_footer(text=commitment_text(table)).to_dict(), _check_dice_rows(table))


def render_put_aside(table: Table) -> MessageContent:
    """Render a table that was put aside."""
    text = _(
        "This game was put aside to make room for another table, since no one had played for a while.\n"
        "Nothing is lost. Any of its players can bring it back with *Resume* or `/table resume` once "
        "this channel is free."
    )
    resume = Button(_("Resume"), str(ResumeId(table.id)), discord.ButtonStyle.primary)
    return MessageContent(render_closed(table, text).text_embed_json, ((resume,),))


def commitment_text(table: Table) -> str:
    """Return the commitment to the seed, in groups for readability.

    It goes into the footer, which all clients show in small print below everything else.
    """
    return _format_commitment(table.header.seed)


@lru_cache(_COMMITMENT_CACHE_SIZE)
def _format_commitment(seed: bytes) -> str:
    commitment = commitment_of(seed)
    groups = " ".join(commitment[at : at + _COMMITMENT_GROUP] for at in range(0, len(commitment), _COMMITMENT_GROUP))
    return _("Dice sealed as {groups}").format(groups=groups)


def _finished_buttons(table: Table) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons of a finished table."""
    replay = Button(_("Replay"), str(ReplayId(table.id, 0, ReplayButton.OPEN)))
    check_dice = (button for row in _check_dice_rows(table) for button in row)
    return with_buttons((_next_game_buttons(table),), replay, _read_button(table), *check_dice)


def _next_game_buttons(table: Table) -> tuple[Button, ...]:
    """Return the button of the next table in the series, and "Play again" unless a tournament goes on."""
    again = Button(_("Play again"), str(PlayAgainId(table.id)), discord.ButtonStyle.primary)
    label = next_table_label(table)
    if not label:
        return (again,)
    following = Button(label, str(NextTableId(table.id)), discord.ButtonStyle.success)
    return (following,) if tally_of(table) else (following, again)


def _check_dice_rows(table: Table) -> tuple[tuple[Button, ...], ...]:
    """Return the button that checks the dice, unless no dice were rolled."""
    return ((Button(_("Check the dice"), str(CheckDiceId(table.id))),),) if table.header.salt else ()


def _embed_json(screen: Screen, footer: str = "") -> Json:
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


def _picture_fields(screen: Screen) -> tuple[Field, ...] | None:
    """Return the fields for an embed with a picture, or None if they are those of the screen."""
    if all(field.brief is None for field in screen.fields):
        return None
    return tuple(brief for field in screen.fields if (brief := field.to_brief()))


def _colour(screen: Screen) -> int:
    return PLAIN_COLOUR if screen.accent is None else SEAT_COLOURS[screen.accent]
