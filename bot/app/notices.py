"""The messages beside tables: reminders, invitations and announcements, and the turn clocks that cause some."""

import asyncio
from dataclasses import dataclass
from typing import Protocol

from bot.features.idle_tables.announcements import Announcements, AnnouncementSender
from bot.features.invitations.service import Invitations, InvitationSender
from bot.features.reminders.service import Reminders, ReminderSender
from bot.features.turn_clocks.service import TurnClocks
from bot.platform.database.database import Database
from bot.platform.jobs.looks import Chore, Look
from bot.tables.host import Host


class MessageSender(ReminderSender, InvitationSender, AnnouncementSender, Protocol):
    """Sends reminders, invitations and announcements."""


@dataclass(frozen=True, slots=True)
class Notices:
    """What sends messages beside the tables of a host."""

    reminders: Reminders
    invitations: Invitations
    announcements: Announcements
    clocks: TurnClocks

    def looks(self) -> tuple[Look, ...]:
        """Return the looks of reminders and invitations, which are asked for every five seconds."""
        return self.reminders.look(), self.invitations.look()

    def each_minute(self) -> tuple[Chore, ...]:
        """Return the chores that are done once a minute."""
        return self.invitations.prune, self.announcements.check

    async def close(self, seconds: float) -> None:
        """Finish running work, within a number of seconds."""
        ending = (self.reminders, self.invitations, self.announcements)
        await asyncio.gather(*(each.close(seconds) for each in ending))


def build_notices(db: Database, host: Host, sender: MessageSender) -> Notices:
    """Build what sends messages beside the tables of a host, and let it follow the tables."""
    service, restore = host.service, host.publisher.restore
    reminders = Reminders(service, db, sender, is_enabled=service.settings.reminders)
    invitations = Invitations(service, db, sender, restore)
    service.add_listener(reminders.on_table_changed)
    service.add_listener(invitations.on_table_changed)
    return Notices(
        reminders, invitations, Announcements(service, db, sender, restore), TurnClocks(service, db, reminders)
    )
