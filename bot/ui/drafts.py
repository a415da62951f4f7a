"""What people have picked for the move they compose, kept in memory."""

from collections import OrderedDict
from typing import TypeAlias

from bot.rules.game import Seat
from bot.rules.screen import EMPTY_DRAFT, Draft, Toggle
from bot.tables.model import TableId
from bot.tables.table import Table

_MAX_DRAFTS = 5000

DraftKey: TypeAlias = tuple[TableId, int, Seat]
"""Table, step and seat: a draft ends with the step it was made for."""


class Drafts:
    """The newest drafts; one that was dropped or lost in a restart is taken from the clicked button's id."""

    def __init__(self, size: int = _MAX_DRAFTS) -> None:
        self._size = size
        self._drafts: OrderedDict[DraftKey, Draft] = OrderedDict()

    def of(self, table: Table, fallback: Draft = EMPTY_DRAFT) -> Draft:
        """Return the draft of the seat to move."""
        return self._drafts.get(_key(table), fallback)

    def toggle(self, table: Table, toggle: Toggle, fallback: Draft) -> Draft:
        """Put a token into the draft of the seat to move or take it out."""
        draft = toggle.apply(self.of(table, fallback))
        self._drafts[_key(table)] = draft
        self._drafts.move_to_end(_key(table))
        while len(self._drafts) > self._size:
            self._drafts.popitem(last=False)
        return draft


def _key(table: Table) -> DraftKey:
    return (table.id, table.header.step, table.header.to_move if table.header.to_move is not None else -1)
