"""Hosts as processes of the bot have them."""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from bot.features.idle_tables.service import Announcements
from bot.features.invitations.service import Invitations
from bot.features.reminders.service import Reminders
from bot.features.turn_clocks.service import TurnClocks
from bot.platform.clock import Clock
from bot.platform.database.database import Database
from bot.platform.jobs.looks import Chore, Chores
from bot.tables import host
from bot.tables.publisher import TableMessages
from bot.tables.registry import GameRegistry
from bot.tables.service import HostSettings
from bot.tables.thinker import Thinker


class Host(host.Host):
    """A host with its notices and chores."""

    def __init__(
        self,
        db: Database,
        games: GameRegistry,
        table_messages: TableMessages,
        sender: Any,
        settings: HostSettings = HostSettings(),
        *,
        thinker: Thinker | None = None,
        clock: Clock | None = None,
    ) -> None:
        super().__init__(db, games, table_messages, settings, thinker=thinker, clock=clock)
        restore = self.publisher.restore
        self.reminders = Reminders(self.service, db, sender, is_enabled=settings.reminders)
        self.invitations = Invitations(self.service, db, sender, restore)
        self.announcements = Announcements(self.service, db, sender, restore)
        self.clocks = TurnClocks(self.service, db, self.reminders)
        self.service.add_listener(self.reminders.on_table_changed)
        self.service.add_listener(self.invitations.on_table_changed)
        self.each_round: list[Chore] = [self.keep_up]
        self.each_minute: list[Chore] = [self.invitations.prune, self.announcements.check]
        self.chores = Chores(
            db,
            lambda: self.service.clock(),  # noqa: PLW0108 - a test may give it another clock
            (self.reminders.look(), self.invitations.look()),
            each_round=self.each_round,
            each_minute=self.each_minute,
            after_outage=self.sweep_soon,
        )

    def start(self) -> None:
        """Start the chores."""
        self.chores.start()

    async def close(self, *others: Callable[[float], Awaitable[None]]) -> None:
        await self.chores.close()
        notices = (self.reminders, self.invitations, self.announcements)
        await super().close(*(service.close for service in notices), *others)


class MakeHost(Protocol):
    """Starts one more process of the bot."""

    def __call__(self, *, reminds: bool = True) -> Host: ...
