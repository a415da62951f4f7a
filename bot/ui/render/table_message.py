"""Frames tables: what Discord shows of one as it stands."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import discord

from bot.rules.game import Seat
from bot.rules.picture import Picture, PictureMaker
from bot.rules.screen import Draft, Field, Screen, ScreenMaker, Tone
from bot.tables.actions.series import tally_of
from bot.tables.model import Status, TableId
from bot.tables.table import Table, commitment_of
from bot.ui.custom_ids import (
    AgainId,
    CheckId,
    ControlId,
    GuideId,
    HandId,
    InHandId,
    LookId,
    MenuId,
    NextId,
    ReadId,
    ReplayId,
    ResumeId,
    SeatAction,
    SeatId,
    Turn,
)
from bot.ui.render.absences import news_for, other_end, seat_names
from bot.ui.render.menus import Pick
from bot.ui.render.message import Frame, Json, Press, fields_of
from bot.ui.render.ranking import ranking_picture
from bot.ui.render.screen_cache import screen_of
from bot.ui.render.series import next_label
from bot.words import gettext as _

SEAT_COLOURS = (0x3B88C3, 0xF4900C, 0x78B159, 0xAA8ED6, 0xFDCB58, 0xDD2E44)
"""The colours of the squares that mark seats in texts, in the same order."""

PLAIN_COLOUR = 0x5D6A75
_ROW_WIDTH = 5
_ROWS = 5
_GROUP = 16
_PROMISES = 1024
"""Of so many tables the promise is kept ready: it stands under every frame."""

_STYLES = {
    Tone.QUIET: discord.ButtonStyle.secondary,
    Tone.CHOSEN: discord.ButtonStyle.primary,
    Tone.MAIN: discord.ButtonStyle.success,
}


def still_frame(table: Table) -> Frame:
    """Frame how a table stands, without what concerns only those who play now."""
    screen = screen_of(table)
    words = _words_of(screen, screen.note)
    return Frame(words, sketch=sketch_of(table, table.package.picture), brief=_brief(screen))


def game_frame(table: Table, draft: Draft) -> Frame:
    """Frame a table that is being played or was."""
    screen = screen_of(table, draft)
    words = _words_of(screen, "\n".join(filter(None, (screen.note, promise_of(table)))))
    sketch, brief = sketch_of(table, table.package.picture), _brief(screen)
    rows, picks = _buttons(screen, table, draft)
    return Frame(words, rows, picks, sketch=sketch, brief=brief)


def _buttons(screen: Screen, table: Table, draft: Draft) -> tuple[tuple[tuple[Press, ...], ...], tuple[Pick, ...]]:
    """Return everything that can be pressed at a table."""
    if table.header.status is not Status.PLAYING:
        return _over(table), ()
    rows, picks = _offered(screen, table, draft)
    room = _ROWS - len(picks)
    rows = with_press(rows, *_hand_press(table, screen), *seat_presses(table), _read_press(table), room=room)
    return with_guide(rows, table, room), picks


def sketch_of(table: Table, make: PictureMaker[Any] | None, seat: Seat | None = None) -> Callable[[], Picture] | None:
    """Return what makes the picture that a seat may see of a table, or everybody (None); None where there is none.

    Where resignations give a table another ranking than its game's, the game still shows a turn, or its own ranking:
    everybody sees the table's instead.
    """
    if make is None:
        return None
    if (end := other_end(table)) is None:
        return partial(_sketched, table, make, seat)
    title = table.package.game.info.title
    return partial(ranking_picture, title, end, table.standing.resigned) if seat is None else None


def _sketched(table: Table, make: PictureMaker[Any], seat: Seat | None) -> Picture:
    return make(table.package.game.view(table.state, seat), table.latest_for(seat))


def hand_frame(table: Table, seat: Seat, show: ScreenMaker[Any], draft: Draft) -> Frame:
    """Frame what a seat alone may see of a table that is being played, with buttons for nobody else."""
    view = table.package.game.view(table.state, seat)
    screen = show(view, news_for(table, seat), seat_names(table), draft)
    rows, picks = _offered(screen, table, draft, InHandId)
    again = Press(_("Look again"), str(InHandId(HandId(table.id))))
    sketch = sketch_of(table, table.package.hand_picture, seat)
    return Frame(_words_of(screen), with_press(rows, again, room=_ROWS - len(picks)), picks, sketch)


def outdated_hand_frame(table_id: TableId) -> Frame:
    """Frame what stands in place of a hand that has changed since it was shown."""
    embed = discord.Embed(description=_("Your hand has changed."), colour=PLAIN_COLOUR)
    return Frame(embed.to_dict(), ((Press(_("Look again"), str(InHandId(HandId(table_id)))),),))


def _itself(pressed: ControlId | MenuId) -> ControlId | MenuId:
    return pressed


def _offered(
    screen: Screen, table: Table, draft: Draft, named: Callable[[ControlId | MenuId], object] = _itself
) -> tuple[tuple[tuple[Press, ...], ...], tuple[Pick, ...]]:
    """Return the buttons and menus of a screen, with their ids as they are named where it is shown.

    Nobody can press any while a computer player is to move, be it for somebody who has left their seat.
    """
    if table.header.awaits_computer:
        return (), ()
    at = (table.id, table.header.step)
    rows = tuple(
        tuple(
            [
                Press(control.label, str(named(ControlId(*at, control.key, draft))), _STYLES[control.tone])
                for control in row
            ]
        )
        for row in screen.controls
    )
    return rows, tuple(Pick.of(menu, named(MenuId(*at, menu.key, draft))) for menu in screen.menus)


def _hand_press(table: Table, screen: Screen) -> tuple[Press, ...]:
    """Offer everybody their hand where there are any; it stands out while the turn waits for a card."""
    if table.package.hand is None:
        return ()
    is_awaited = screen.waits_for_hand and not table.header.awaits_computer
    return (_look(table, _("My hand"), HandId(table.id), Tone.MAIN if is_awaited else Tone.QUIET),)


def _read_press(table: Table) -> Press:
    """Offer the whole table in words."""
    return _look(table, _("Read the table"), ReadId(table.id))


def _look(table: Table, label: str, pressed: HandId | ReadId | GuideId, tone: Tone = Tone.QUIET) -> Press:
    """Make a button that changes nothing at the table; a click on it tells what is shown there."""
    return Press(label, str(LookId(table.id, table.header.revision, pressed)), _STYLES[tone])


def with_guide(rows: tuple[tuple[Press, ...], ...], table: Table, room: int = _ROWS) -> tuple[tuple[Press, ...], ...]:
    """Put the button that explains the game where there is room."""
    return with_press(rows, _look(table, _("How to play"), GuideId(table.header.game)), room=room)


def with_press(
    rows: tuple[tuple[Press, ...], ...], *presses: Press, room: int = _ROWS
) -> tuple[tuple[Press, ...], ...]:
    """Put buttons after the others, as far as there is room for rows; what they do can be typed as well."""
    for press in presses:
        if rows and len(rows[-1]) < _ROW_WIDTH:
            rows = (*rows[:-1], (*rows[-1], press))
        elif len(rows) < room:
            rows = (*rows, (press,))
    return rows


def seat_presses(table: Table) -> tuple[Press, ...]:
    """Offer what can be done about seats just now."""
    offers = {
        SeatAction.CLOSE: (_("Agree to close"), bool(table.closers)),
        SeatAction.TAKE_BACK: (_("Take back"), table.earlier is not None),
        SeatAction.COME_BACK: (_("I'm back"), bool(table.standing.substituted)),
    }
    return tuple(
        Press(label, str(SeatId(table.id, table.header.step, action)))
        for action, (label, possible) in offers.items()
        if possible
    )


def closed_frame(table: Table, text: str) -> Frame:
    """Frame a table that ended without a result, or that can't go on."""
    embed = discord.Embed(title=table.package.game.info.title, description=text, colour=PLAIN_COLOUR)
    return Frame(embed.set_footer(text=promise_of(table)).to_dict(), _proof(table))


def aside_frame(table: Table) -> Frame:
    """Frame a table that was put aside."""
    text = _(
        "This game was put aside to make room for another table: nobody had played for a while.\n"
        "Nothing is lost: moves, seats and dice stay as they are. Anybody who plays in it can bring it back with "
        "*Resume* or `/table resume` once this channel is free."
    )
    resume = Press(_("Resume"), str(ResumeId(table.id)), discord.ButtonStyle.primary)
    return Frame(closed_frame(table, text).words, ((resume,),))


def promise_of(table: Table) -> str:
    """Write down which seed the dice are bound to; the gaps are for the reader.

    It stands in the footer, which every client shows small and below everything else.
    """
    return _promise(table.header.seed)


@lru_cache(_PROMISES)
def _promise(seed: bytes) -> str:
    commitment = commitment_of(seed)
    groups = " ".join(commitment[at : at + _GROUP] for at in range(0, len(commitment), _GROUP))
    return _("Dice sealed as {groups}").format(groups=groups)


def _over(table: Table) -> tuple[tuple[Press, ...], ...]:
    """Offer to go on from a finished table, and to look back at it."""
    again = Press(_("Replay"), str(ReplayId(table.id, 0, Turn.OPEN)))
    proof = (press for row in _proof(table) for press in row)
    return with_press((_onwards(table),), again, _read_press(table), *proof)


def _onwards(table: Table) -> tuple[Press, ...]:
    """Offer the table that follows, and to play again unless a tournament is to be gone on with."""
    again = Press(_("Play again"), str(AgainId(table.id)), discord.ButtonStyle.primary)
    label = next_label(table)
    if not label:
        return (again,)
    following = Press(label, str(NextId(table.id)), discord.ButtonStyle.success)
    return (following,) if tally_of(table) else (following, again)


def _proof(table: Table) -> tuple[tuple[Press, ...], ...]:
    """Offer to check the dice of a table that is over, unless none were rolled."""
    return ((Press(_("Check the dice"), str(CheckId(table.id))),),) if table.header.salt else ()


def _words_of(screen: Screen, footer: str = "") -> Json:
    """Return a screen as an embed: what the library would make of it, made at once."""
    words: Json = {
        "type": "rich",
        "flags": 0,
        "title": screen.title,
        "description": screen.text,
        "color": _colour(screen),
        "fields": fields_of(screen.fields),
    }
    if footer:
        words["footer"] = {"text": footer}
    return words


def _brief(screen: Screen) -> tuple[Field, ...] | None:
    """Return the fields beside a picture; None where they are those of the screen."""
    if all(block.brief is None for block in screen.fields):
        return None
    return tuple(left for block in screen.fields if (left := block.beside_picture()))


def _colour(screen: Screen) -> int:
    return PLAIN_COLOUR if screen.accent is None else SEAT_COLOURS[screen.accent]
