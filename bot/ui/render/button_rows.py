"""Rows of buttons: what fits into a message."""

from typing import Final

from bot.tables.table import Table
from bot.ui.render.message import Button
from bot.ui.result_ids import CheckDiceId
from bot.words import gettext as _

MAX_ROWS: Final = 5
_MAX_BUTTONS_IN_ROW: Final = 5


def with_buttons(
    rows: tuple[tuple[Button, ...], ...], *buttons: Button, room: int = MAX_ROWS
) -> tuple[tuple[Button, ...], ...]:
    """Append buttons as far as the rows have room; slash commands do the same as those left out.

    The last row gets two buttons at least: one alone would take a line of its own on a phone, and so would the one
    before it.
    """
    free = _MAX_BUTTONS_IN_ROW - len(rows[-1]) if rows else 0
    if len(buttons) - free == 1 and free and len(rows) < room:
        free -= 1
    if free:
        rows = (*rows[:-1], (*rows[-1], *buttons[:free]))
    for first in range(free, len(buttons), _MAX_BUTTONS_IN_ROW):
        if len(rows) < room:
            rows = (*rows, buttons[first : first + _MAX_BUTTONS_IN_ROW])
    return rows


def check_dice_rows(table: Table) -> tuple[tuple[Button, ...], ...]:
    """Return the button that checks the dice, unless no dice were rolled."""
    return ((Button(_("Check the dice"), str(CheckDiceId(table.id))),),) if table.header.salt else ()
