"""Drafts: the tokens that players have picked for their next move, kept in memory."""

from typing import TypeAlias

from cachetools import LRUCache

from bot.rules.game import Seat
from bot.rules.screen import EMPTY_DRAFT, Draft, Toggle
from bot.tables.model import TableId
from bot.tables.table import Table

_MAX_DRAFTS = 5000

DraftKey: TypeAlias = tuple[TableId, int, Seat | None]
"""Table, step and seat: a draft ends with the step it was made for."""


class Drafts:
    """The newest drafts. One that was evicted or lost in a restart is restored from the id of the clicked button."""

    def __init__(self, size: int = _MAX_DRAFTS) -> None:
        self._drafts: LRUCache[DraftKey, Draft] = LRUCache(size)

    def of(self, table: Table, fallback: Draft = EMPTY_DRAFT) -> Draft:
        """Return the draft of the seat to move, or the fallback."""
        return self._drafts.get(_key(table), fallback)

    def toggle(self, table: Table, toggle: Toggle, fallback: Draft) -> Draft:
        """Add a token to the draft of the seat to move, or remove it."""
        draft = toggle.apply(self.of(table, fallback))
        self._drafts[_key(table)] = draft
        return draft


def _key(table: Table) -> DraftKey:
    return (table.id, table.header.step, table.header.to_move)
