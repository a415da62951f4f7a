"""Hands that no longer show what their seats hold: they are marked through the interactions that showed them."""

import logging
from collections import Counter, OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.rules.game import Event, Seat
from bot.tables.model import TableId
from bot.tables.runtime.service import TableService
from bot.tables.table import Table
from bot.tables.tasks import TaskSet
from bot.ui.delivery.http import NETWORK_FAULTS
from bot.ui.interactions.ephemeral_messages import Kind, Whispers
from bot.ui.render.absences import seat_names
from bot.ui.render.table_message import outdated_hand_frame

log = logging.getLogger(__name__)

_SIZE: Final = 500

_Key: TypeAlias = tuple[int, TableId]
"""A person and a table."""


@dataclass(slots=True)
class _Shown:
    """What somebody's newest hand at a table shows."""

    held: Hashable
    news: tuple[Event, ...]
    """What the newest move brought."""
    is_outdated: bool = False


class OutdatedHands:
    """Marks a hand as soon as its seat holds something else or hears something in private, so that nobody trusts it.

    Only hands that this process has shown can be marked, and only when it learns of the change. Whoever clicks in a
    hand sees it as it is now, so it is not marked meanwhile.
    """

    def __init__(self, service: TableService, whispers: Whispers) -> None:
        self._whispers = whispers
        self._shown: OrderedDict[_Key, _Shown] = OrderedDict()
        self._refreshing: Counter[_Key] = Counter()
        self._tasks = TaskSet("outdated hand")
        service.listen(self._hear)

    def note(self, person_id: int, table: Table, seat: Seat) -> None:
        """Note that somebody's newest hand shows a table as it stands there."""
        key = (person_id, table.id)
        self._shown[key] = _Shown(_held(table, seat), _newest(table))
        self._shown.move_to_end(key)
        while len(self._shown) > _SIZE:
            self._shown.popitem(last=False)

    def _hear(self, table: Table) -> None:
        try:
            self.check(table)
        except Exception:
            # The change is saved, and others have to hear of it.
            log.exception("the hands at table %s could not be compared", table.id)

    def check(self, table: Table) -> None:
        """Mark the hands at a table that show something else than their seats hold now; nobody waits for that."""
        for seat, who in enumerate(table.seats):
            shown = self._shown.get(key := (who.user_id or 0, table.id))
            if shown is not None and table.state is not None and table.package.hand is not None:
                news, shown.news = shown.news, _newest(table)
                is_told = news != shown.news and any(event.audience == seat for event in shown.news)
                shown.is_outdated |= is_told or _held(table, seat) != shown.held
                self._mark(key)

    @contextmanager
    def refreshing(self, person_id: int, table_id: TableId) -> Iterator[None]:
        """Mark nothing of somebody's while their own click shows them their hand."""
        key = (person_id, table_id)
        self._tasks.drop(key)
        self._refreshing[key] += 1
        try:
            yield
        finally:
            self._refreshing[key] -= 1
            if not self._refreshing[key]:
                del self._refreshing[key]
                self._mark(key)

    async def close(self, seconds: float) -> None:
        """Finish what is being marked, for some seconds at most."""
        await self._tasks.close(seconds)

    def _mark(self, key: _Key) -> None:
        shown = self._shown.get(key)
        if shown is not None and shown.is_outdated and key not in self._refreshing:
            self._tasks.start(key, self._marked(key, shown))

    async def _marked(self, key: _Key, shown: _Shown) -> None:
        person_id, table_id = key
        try:
            for message in self._whispers.newest(person_id, Kind.HAND, table_id):
                await message.edit(**outdated_hand_frame(table_id).edited())
        except NETWORK_FAULTS as fault:
            log.debug("a hand could not be marked: %s", fault)
        if self._shown.get(key) is shown:
            del self._shown[key]


def _held(table: Table, seat: Seat) -> Hashable:
    """Return what a seat holds: as its game says, or else what its hand says without the news."""
    package, view = table.package, table.package.game.view(table.state, seat)
    if package.held is not None:
        return package.held(view)
    if package.hand is None:
        return None
    screen = package.hand(view, (), seat_names(table), frozenset())
    return screen.title, screen.text


def _newest(table: Table) -> tuple[Event, ...]:
    return table.news[-1].events if table.news else ()
