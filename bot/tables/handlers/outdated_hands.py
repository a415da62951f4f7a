"""Marks hands that are out of date, through the interactions that showed them."""

import logging
from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TypeAlias

from cachetools import LRUCache

from bot.platform.discord import late_pictures
from bot.platform.discord.http import NETWORK_ERRORS
from bot.platform.discord.private_messages import EphemeralKind, EphemeralMessages
from bot.platform.tasks import TaskSet
from bot.rules.game import Event, Seat
from bot.tables.model import TableId
from bot.tables.service import TableService
from bot.tables.shown.absences import seat_names
from bot.tables.shown.message import render_outdated_hand
from bot.tables.table import Table

log = logging.getLogger(__name__)

_MAX_HANDS: Final = 500

_Key: TypeAlias = tuple[int, TableId]
"""A person and a table."""


@dataclass(slots=True)
class _ShownHand:
    """What a user's newest hand at a table shows."""

    held: Hashable
    events: tuple[Event, ...]
    """The events of the newest move."""
    is_bag: bool = False
    is_outdated: bool = False


class OutdatedHands:
    """Marks a hand as outdated when its contents change or its seat gets a private event.

    Only hands that this process has shown can be marked, and only when it learns of the change. A hand is not marked
    while a click refreshes it.
    """

    def __init__(self, service: TableService, ephemeral_messages: EphemeralMessages) -> None:
        self._ephemeral_messages = ephemeral_messages
        self._shown: LRUCache[_Key, _ShownHand] = LRUCache(_MAX_HANDS)
        self._refreshing: Counter[_Key] = Counter()
        self._tasks = TaskSet("outdated hand")
        service.add_listener(self._on_change)

    def clear(self) -> None:
        """Forget the hands that people see; they are not marked any more."""
        self._shown.clear()

    def record_shown(self, user_id: int, table: Table, seat: Seat) -> None:
        """Note that a user's newest hand shows this state of a table."""
        self._shown[user_id, table.id] = _ShownHand(_hand_contents(table, seat), _latest_events(table), table.is_sealed)

    def _on_change(self, table: Table) -> None:
        try:
            self.check(table)
        except Exception:
            # The change is saved; the other listeners must run.
            log.exception("the hands at table %s could not be compared", table.id)

    def check(self, table: Table) -> None:
        """Mark the outdated hands at a table, in the background."""
        for seat, occupant in enumerate(table.seats):
            shown = self._shown.get(key := (occupant.user_id or 0, table.id))
            if shown is not None and table.state is not None:
                events, shown.events = shown.events, _latest_events(table)
                has_private_events = events != shown.events and any(event.audience == seat for event in shown.events)
                shown.is_outdated |= has_private_events or _hand_contents(table, seat) != shown.held
                self._schedule_marking(key)

    @contextmanager
    def suspend_marking(self, user_id: int, table_id: TableId) -> Iterator[None]:
        """Do not mark a user's hand while their own click refreshes it."""
        key = (user_id, table_id)
        self._tasks.cancel_running(key)
        self._refreshing[key] += 1
        try:
            yield
        finally:
            self._refreshing[key] -= 1
            if not self._refreshing[key]:
                del self._refreshing[key]
                self._schedule_marking(key)

    async def close(self, seconds: float) -> None:
        """Finish running edits, within some seconds."""
        await self._tasks.close(seconds)

    def _schedule_marking(self, key: _Key) -> None:
        shown = self._shown.get(key)
        if shown is not None and shown.is_outdated and key not in self._refreshing:
            self._tasks.start(key, self._edit_outdated_hand(key, shown))

    async def _edit_outdated_hand(self, key: _Key, shown: _ShownHand) -> None:
        user_id, table_id = key
        try:
            for message in self._ephemeral_messages.newest(user_id, EphemeralKind.HAND, table_id):
                late_pictures.forget(message.message_id)
                await message.edit(**render_outdated_hand(table_id, is_bag=shown.is_bag).edit_kwargs())
        except NETWORK_ERRORS as fault:
            log.debug("a hand could not be marked: %s", fault)
        if self._shown.get(key) is shown:
            del self._shown[key]


def _hand_contents(table: Table, seat: Seat) -> Hashable:
    """Return what a seat holds, in the game's own terms or else as the text of its hand without news."""
    if table.is_sealed:
        return table.header.step
    package, view = table.package, table.package.game.view(table.state, seat)
    if package.hand_contents is not None:
        return package.hand_contents(view)
    if package.build_hand_screen is None:
        return None
    screen = package.build_hand_screen(view, (), seat_names(table), frozenset())
    return screen.title, screen.text


def _latest_events(table: Table) -> tuple[Event, ...]:
    return table.news[-1].events if table.news else ()
