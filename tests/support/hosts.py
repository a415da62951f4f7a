"""Hosts as processes of the bot have them."""

from collections.abc import Awaitable, Callable, Mapping

from bot.app.notices import MessageSender, build_notices
from bot.platform.clock import Clock
from bot.platform.database.database import Database
from bot.platform.jobs.looks import Chore, Chores
from bot.tables import host
from bot.tables.delivery import TableMessages
from bot.tables.host_settings import HostSettings
from bot.tables.registry import AnyPackage


class Host(host.Host):
    """A host with its notices and chores."""

    def __init__(
        self,
        db: Database,
        games: Mapping[str, AnyPackage],
        table_messages: TableMessages,
        sender: MessageSender,
        settings: HostSettings = HostSettings(),
        *,
        clock: Clock | None = None,
    ) -> None:
        super().__init__(db, games, table_messages, settings, clock=clock)
        self.notices = build_notices(db, self, sender)
        self.reminders, self.invitations = self.notices.reminders, self.notices.invitations
        self.announcements, self.clocks = self.notices.announcements, self.notices.clocks
        self.each_round: list[Chore] = [self.keep_up]
        self.each_minute: list[Chore] = [*self.notices.each_minute()]
        self.chores = Chores(
            db,
            lambda: self.service.clock(),  # noqa: PLW0108 - a test may give it another clock
            self.notices.looks(),
            each_round=self.each_round,
            each_minute=self.each_minute,
            after_outage=self.sweep_soon,
        )

    def start(self) -> None:
        """Start the chores."""
        self.chores.start()

    async def close(self, *others: Callable[[float], Awaitable[None]]) -> None:
        await self.chores.close()
        await super().close(self.notices.close, *others)
