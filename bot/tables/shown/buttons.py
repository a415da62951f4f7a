"""The buttons of a table, and their arrangement in rows that fit into a message."""

from itertools import islice
from typing import Final, TypeAlias

import discord

from bot.platform.discord.content import Button
from bot.rules.screen import MAX_ROW_WIDTH, Screen, Tone
from bot.tables.handlers.ids import (
    DareId,
    GuideId,
    HandId,
    MoreId,
    NextTableId,
    PlayAgainId,
    ReadOnlyId,
    ReadTableId,
    SeatButton,
    SeatId,
    WhatHappenedId,
)
from bot.tables.model import SeriesLinkKind
from bot.tables.series import next_table_of, tally_of
from bot.tables.shown.parts import Place, TableParts
from bot.tables.table import Table
from bot.tables.turns import offers_take_back
from bot.words import N_, gettext as _

MAX_ROWS: Final = 5

_BUTTONS_IN_LINE: Final = 3
"""As many of the buttons of the last row fit into a line on a phone."""

BUTTON_STYLES = {
    Tone.QUIET: discord.ButtonStyle.secondary,
    Tone.CHOSEN: discord.ButtonStyle.primary,
    Tone.MAIN: discord.ButtonStyle.success,
}

_Buttons: TypeAlias = tuple[Button, ...]
_Rows: TypeAlias = tuple[_Buttons, ...]


def playing_buttons(table: Table, screen: Screen, parts: TableParts) -> _Buttons:
    """Return the last row of a table that is being played, below the game's own rows."""
    buttons = (*hand_button(table, screen), *seat_buttons(table), more_button(table))
    # What is beside *More …* is behind it, too, so it can give way where it would take a second line on a phone.
    return (*buttons, *parts.buttons(Place.BESIDE_MORE, table)) if len(buttons) < _BUTTONS_IN_LINE else buttons


def more_button(table: Table) -> Button:
    """Return the button that offers everything else that people can do at a table, privately."""
    return _read_only_button(table, _("More …"), MoreId(table.id))


def with_buttons(rows: _Rows, *buttons: Button, room: int = MAX_ROWS) -> _Rows:
    """Append as many rows of buttons as there is room for; slash commands replace the rest."""
    added = (buttons[first : first + MAX_ROW_WIDTH] for first in range(0, len(buttons), MAX_ROW_WIDTH))
    return (*rows, *islice(added, max(0, room - len(rows))))


def hand_button(table: Table, screen: Screen) -> tuple[Button, ...]:
    """Return the button that opens a hand, if the game has hands, highlighted while the turn needs a hand."""
    if table.package.words.build_hand_screen is None:
        return ()
    is_awaited = screen.waits_for_hand and not table.header.awaits_computer
    return (_read_only_button(table, _("My hand"), HandId(table.id), Tone.CHOSEN if is_awaited else Tone.QUIET),)


def read_button(table: Table) -> Button:
    """Return the button that describes the table in words."""
    return _read_only_button(table, _("Read the table"), ReadTableId(table.id))


def news_button(table: Table) -> tuple[Button, ...]:
    """Return the button that tells what happened, once there are news."""
    has_news = table.package.words.narration is not None and bool(table.news)
    return (_read_only_button(table, _("What happened"), WhatHappenedId(table.id)),) if has_news else ()


def guide_button(table: Table) -> Button:
    """Return the button that explains the game."""
    return _read_only_button(table, _("How to play"), GuideId(table.header.game))


def _read_only_button(
    table: Table,
    label: str,
    custom_id: HandId | ReadTableId | WhatHappenedId | GuideId | MoreId,
    tone: Tone = Tone.QUIET,
) -> Button:
    """Return a button that does not change the table. Its id carries the revision that the message shows."""
    return Button(label, str(ReadOnlyId(table.id, table.header.revision, custom_id)), BUTTON_STYLES[tone])


def seat_buttons(table: Table) -> tuple[Button, ...]:
    """Return the buttons of the seat actions that are possible now."""
    possible = (
        (SeatButton.CLOSE, N_("Agree to close"), table.closers),
        (SeatButton.TAKE_BACK, N_("Take back"), offers_take_back(table)),
        (SeatButton.COME_BACK, N_("I'm back"), table.seat_status.substituted - table.seat_status.removed),
    )
    return tuple(
        [Button(_(label), str(SeatId(table.id, table.header.step, button))) for button, label, now in possible if now]
    )


def finished_buttons(table: Table, parts: TableParts) -> _Rows:
    """Return the three buttons of a finished table: what comes next, what people share, and everything else."""
    return ((_next_game_button(table), *parts.buttons(Place.SHARE_BUTTON, table), more_button(table)),)


def _next_game_button(table: Table) -> Button:
    """Return the button for the next table of the series, or else for another game of the same seats."""
    sequel, tally = next_table_of(table), tally_of(table)
    if sequel is None:
        return play_again_button(table, discord.ButtonStyle.primary)
    label = _("Next game: {number} of {games}").format(number=sequel.link.part, games=tally.games if tally else 0)
    if sequel.link.kind is SeriesLinkKind.TIE_BREAK:
        label = _("Tie-break")
    return Button(label, str(NextTableId(table.id)), discord.ButtonStyle.success)


def play_again_button(table: Table, style: discord.ButtonStyle = discord.ButtonStyle.secondary) -> Button:
    """Return the button for another game of the same seats."""
    return Button(_("Play again"), str(PlayAgainId(table.id)), style)


def dare_buttons(table: Table) -> _Buttons:
    """Return the button of a shared result for those who want to play the same game."""
    return (Button(_("Take the dare"), str(DareId(table.id)), discord.ButtonStyle.success),)


def may_leave_series(table: Table) -> bool:
    """Return whether people can play again although a tie-break could follow."""
    return next_table_of(table) is not None and tally_of(table) is None
