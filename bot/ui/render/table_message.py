"""Frames tables: what Discord shows of one as it stands."""

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
"""The colours of the squares that mark seats in texts, in the same order."""

PLAIN_COLOUR = 0x5D6A75
_MAX_BUTTONS_IN_ROW = 5
_MAX_ROWS = 5
_COMMITMENT_GROUP = 16
_COMMITMENT_CACHE_SIZE = 1024
"""Of so many tables the promise is kept ready: it stands under every frame."""

_STYLES = {
    Tone.QUIET: discord.ButtonStyle.secondary,
    Tone.CHOSEN: discord.ButtonStyle.primary,
    Tone.MAIN: discord.ButtonStyle.success,
}


def position_content(table: Table) -> MessageContent:
    """Frame how a table stands, without what concerns only those who play now."""
    screen = screen_of(table)
    words = _embed_json(screen, screen.note)
    return MessageContent(
        words, make_picture=picture_maker_of(table, table.package.build_picture), picture_fields=_picture_fields(screen)
    )


def game_content(table: Table, draft: Draft) -> MessageContent:
    """Frame a table that is being played or was."""
    screen = screen_of(table, draft)
    words = _embed_json(screen, "\n".join(filter(None, (screen.note, commitment_text(table)))))
    sketch, brief = picture_maker_of(table, table.package.build_picture), _picture_fields(screen)
    rows, picks = _table_components(screen, table, draft)
    return MessageContent(words, rows, picks, make_picture=sketch, picture_fields=brief)


def _table_components(
    screen: Screen, table: Table, draft: Draft
) -> tuple[tuple[tuple[Button, ...], ...], tuple[SelectMenu, ...]]:
    """Return everything that can be pressed at a table."""
    if table.header.status is not Status.PLAYING:
        return _finished_buttons(table), ()
    rows, picks = _screen_components(screen, table, draft)
    room = _MAX_ROWS - len(picks)
    rows = with_buttons(rows, *_hand_button(table, screen), *seat_buttons(table), _read_button(table), room=room)
    return with_guide_button(rows, table, room), picks


def picture_maker_of(
    table: Table, make: PictureBuilder[Any] | None, seat: Seat | None = None
) -> Callable[[], Picture] | None:
    """Return what makes the picture that a seat may see of a table, or everybody (None); None where there is none.

    Where resignations give a table another ranking than its game's, the game still shows a turn, or its own ranking:
    everybody sees the table's instead.
    """
    if make is None:
        return None
    if (end := resignation_outcome(table)) is None:
        return partial(_make_picture, table, make, seat)
    title = table.package.game.info.title
    return partial(ranking_picture, title, end, table.seat_status.resigned) if seat is None else None


def _make_picture(table: Table, make: PictureBuilder[Any], seat: Seat | None) -> Picture:
    return make(table.package.game.view(table.state, seat), table.recent_events_for(seat))


def hand_content(table: Table, seat: Seat, show: ScreenBuilder[Any], draft: Draft) -> MessageContent:
    """Frame what a seat alone may see of a table that is being played, with buttons for nobody else."""
    view = table.package.game.view(table.state, seat)
    screen = show(view, news_for(table, seat), seat_names(table), draft)
    rows, picks = _screen_components(screen, table, draft, HandControlId)
    again = Button(_("Look again"), str(HandControlId(HandId(table.id))))
    sketch = picture_maker_of(table, table.package.build_hand_picture, seat)
    return MessageContent(_embed_json(screen), with_buttons(rows, again, room=_MAX_ROWS - len(picks)), picks, sketch)


def outdated_hand_content(table_id: TableId) -> MessageContent:
    """Frame what stands in place of a hand that has changed since it was shown."""
    embed = discord.Embed(description=_("Your hand has changed."), colour=PLAIN_COLOUR)
    return MessageContent(embed.to_dict(), ((Button(_("Look again"), str(HandControlId(HandId(table_id)))),),))


def _same_id(pressed: ControlId | MenuId) -> ControlId | MenuId:
    return pressed


def _screen_components(
    screen: Screen, table: Table, draft: Draft, named: Callable[[ControlId | MenuId], object] = _same_id
) -> tuple[tuple[tuple[Button, ...], ...], tuple[SelectMenu, ...]]:
    """Return the buttons and menus of a screen, with their ids as they are named where it is shown.

    Nobody can press any while a computer player is to move, be it for somebody who has left their seat.
    """
    if table.header.awaits_computer:
        return (), ()
    at = (table.id, table.header.step)
    rows = tuple(
        tuple(
            [
                Button(control.label, str(named(ControlId(*at, control.key, draft))), _STYLES[control.tone])
                for control in row
            ]
        )
        for row in screen.controls
    )
    return rows, tuple(SelectMenu.from_menu(menu, named(MenuId(*at, menu.key, draft))) for menu in screen.menus)


def _hand_button(table: Table, screen: Screen) -> tuple[Button, ...]:
    """Offer everybody their hand where there are any; it stands out while the turn waits for a card."""
    if table.package.build_hand_screen is None:
        return ()
    is_awaited = screen.waits_for_hand and not table.header.awaits_computer
    return (_read_only_button(table, _("My hand"), HandId(table.id), Tone.MAIN if is_awaited else Tone.QUIET),)


def _read_button(table: Table) -> Button:
    """Offer the whole table in words."""
    return _read_only_button(table, _("Read the table"), ReadTableId(table.id))


def _read_only_button(
    table: Table, label: str, pressed: HandId | ReadTableId | GuideId, tone: Tone = Tone.QUIET
) -> Button:
    """Make a button that changes nothing at the table; a click on it tells what is shown there."""
    return Button(label, str(ReadOnlyId(table.id, table.header.revision, pressed)), _STYLES[tone])


def with_guide_button(
    rows: tuple[tuple[Button, ...], ...], table: Table, room: int = _MAX_ROWS
) -> tuple[tuple[Button, ...], ...]:
    """Put the button that explains the game where there is room."""
    return with_buttons(rows, _read_only_button(table, _("How to play"), GuideId(table.header.game)), room=room)


def with_buttons(
    rows: tuple[tuple[Button, ...], ...], *presses: Button, room: int = _MAX_ROWS
) -> tuple[tuple[Button, ...], ...]:
    """Put buttons after the others, as far as there is room for rows; what they do can be typed as well."""
    for press in presses:
        if rows and len(rows[-1]) < _MAX_BUTTONS_IN_ROW:
            rows = (*rows[:-1], (*rows[-1], press))
        elif len(rows) < room:
            rows = (*rows, (press,))
    return rows


def seat_buttons(table: Table) -> tuple[Button, ...]:
    """Offer what can be done about seats just now."""
    offers = {
        SeatButton.CLOSE: (_("Agree to close"), bool(table.closers)),
        SeatButton.TAKE_BACK: (_("Take back"), table.take_back_state is not None),
        SeatButton.COME_BACK: (_("I'm back"), bool(table.seat_status.substituted)),
    }
    return tuple(
        Button(label, str(SeatId(table.id, table.header.step, action)))
        for action, (label, possible) in offers.items()
        if possible
    )


def closed_content(table: Table, text: str) -> MessageContent:
    """Frame a table that ended without a result, or that can't go on."""
    embed = discord.Embed(title=table.package.game.info.title, description=text, colour=PLAIN_COLOUR)
    return MessageContent(embed.set_footer(text=commitment_text(table)).to_dict(), _check_dice_rows(table))


def put_aside_content(table: Table) -> MessageContent:
    """Frame a table that was put aside."""
    text = _(
        "This game was put aside to make room for another table: nobody had played for a while.\n"
        "Nothing is lost: moves, seats and dice stay as they are. Anybody who plays in it can bring it back with "
        "*Resume* or `/table resume` once this channel is free."
    )
    resume = Button(_("Resume"), str(ResumeId(table.id)), discord.ButtonStyle.primary)
    return MessageContent(closed_content(table, text).text_embed_json, ((resume,),))


def commitment_text(table: Table) -> str:
    """Write down which seed the dice are bound to; the gaps are for the reader.

    It stands in the footer, which every client shows small and below everything else.
    """
    return _format_commitment(table.header.seed)


@lru_cache(_COMMITMENT_CACHE_SIZE)
def _format_commitment(seed: bytes) -> str:
    commitment = commitment_of(seed)
    groups = " ".join(commitment[at : at + _COMMITMENT_GROUP] for at in range(0, len(commitment), _COMMITMENT_GROUP))
    return _("Dice sealed as {groups}").format(groups=groups)


def _finished_buttons(table: Table) -> tuple[tuple[Button, ...], ...]:
    """Offer to go on from a finished table, and to look back at it."""
    again = Button(_("Replay"), str(ReplayId(table.id, 0, ReplayButton.OPEN)))
    proof = (press for row in _check_dice_rows(table) for press in row)
    return with_buttons((_next_game_buttons(table),), again, _read_button(table), *proof)


def _next_game_buttons(table: Table) -> tuple[Button, ...]:
    """Offer the table that follows, and to play again unless a tournament is to be gone on with."""
    again = Button(_("Play again"), str(PlayAgainId(table.id)), discord.ButtonStyle.primary)
    label = next_table_label(table)
    if not label:
        return (again,)
    following = Button(label, str(NextTableId(table.id)), discord.ButtonStyle.success)
    return (following,) if tally_of(table) else (following, again)


def _check_dice_rows(table: Table) -> tuple[tuple[Button, ...], ...]:
    """Offer to check the dice of a table that is over, unless none were rolled."""
    return ((Button(_("Check the dice"), str(CheckDiceId(table.id))),),) if table.header.salt else ()


def _embed_json(screen: Screen, footer: str = "") -> Json:
    """Return a screen as an embed: what the library would make of it, made at once."""
    words: Json = {
        "type": "rich",
        "flags": 0,
        "title": screen.title,
        "description": screen.text,
        "color": _colour(screen),
        "fields": embed_fields(screen.fields),
    }
    if footer:
        words["footer"] = {"text": footer}
    return words


def _picture_fields(screen: Screen) -> tuple[Field, ...] | None:
    """Return the fields beside a picture; None where they are those of the screen."""
    if all(block.brief is None for block in screen.fields):
        return None
    return tuple(left for block in screen.fields if (left := block.to_brief()))


def _colour(screen: Screen) -> int:
    return PLAIN_COLOUR if screen.accent is None else SEAT_COLOURS[screen.accent]
