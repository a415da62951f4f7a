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
    """Append buttons as far as the rows have room; slash commands do the same as those left out."""
    for button in buttons:
        if rows and len(rows[-1]) < _MAX_BUTTONS_IN_ROW:
            rows = (*rows[:-1], (*rows[-1], button))
        elif len(rows) < room:
            rows = (*rows, (button,))
    return rows


def check_dice_rows(table: Table) -> tuple[tuple[Button, ...], ...]:
    """Return the button that checks the dice, unless no dice were rolled."""
    return ((Button(_("Check the dice"), str(CheckDiceId(table.id))),),) if table.header.salt else ()
