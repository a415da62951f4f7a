"""Public screens of tables; the newest ones are kept, because a click is looked up on what was shown just before."""

from dataclasses import dataclass
from typing import Final

from cachetools import LRUCache

from bot.rules.screen import EMPTY_DRAFT, Draft, Screen
from bot.tables.model import TableId
from bot.tables.runtime.cache import table_bytes
from bot.tables.table import Table
from bot.ui.render.absences import news_for, seat_names, with_resignations
from bot.ui.render.close_proposal import with_proposal
from bot.ui.render.series import with_tally

_BYTES: Final = 96 * 1024 * 1024
"""Room for the newest screens of 5,000 tables of any game."""

_SCREEN_BYTES, _CONTROL_BYTES, _SIGN_BYTES = 1000, 250, 4


@dataclass(frozen=True, slots=True)
class _Kept:
    table: Table
    draft: Draft
    screen: Screen

    def is_of(self, table: Table, draft: Draft) -> bool:
        """Tell whether it is the screen of a table as it stands: notes of what is shown alone may be new."""
        return self.draft == draft and _facts(self.table) == _facts(table) and self.table.state is table.state


def _facts(table: Table) -> tuple[object, ...]:
    """Return what is told of a table besides the game's state."""
    header = table.header
    return header.revision, header.status, header.options, header.link, table.standing, table.seats, table.news


def _bytes_of(kept: _Kept) -> int:
    """Estimate how much memory a screen takes, with the table it was made of, which may be in no other memory."""
    screen = kept.screen
    signs = len(screen.text) + sum(len(field.text) + len(field.brief or "") for field in screen.fields)
    controls = sum(map(len, screen.controls)) + sum(len(menu.controls) for menu in screen.menus)
    return table_bytes(kept.table) + _SCREEN_BYTES + _CONTROL_BYTES * controls + _SIGN_BYTES * signs


_newest: Final[LRUCache[TableId, _Kept]] = LRUCache(_BYTES, getsizeof=_bytes_of)


def screen_of(table: Table, draft: Draft = EMPTY_DRAFT) -> Screen:
    """Return the public screen of a table whose game has begun; that of one that is over is made anew."""
    if not table.header.status.is_open:
        _newest.pop(table.id, None)
        return _made(table, draft)
    kept = _newest.get(table.id)
    if kept is None or not kept.is_of(table, draft):
        kept = _newest[table.id] = _Kept(table, draft, _made(table, draft))
    return kept.screen


def _made(table: Table, draft: Draft) -> Screen:
    view = table.package.game.view(table.state, None)
    screen = table.package.screen(view, news_for(table, None), seat_names(table), draft)
    return with_proposal(table, with_tally(table, with_resignations(table, screen)))
