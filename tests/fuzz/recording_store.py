"""A store that records its writes in order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from bot.app.store import SqlStore
from bot.features.puzzles.model import DailyAnswer
from bot.features.settings.preferences import Preferences, SettingsAuthor
from bot.platform.days import Day
from bot.tables.model import Award, Entry, Header, Occupant, TableUpdate
from bot.tables.notifications import Invitation


@dataclass(frozen=True, slots=True)
class TableOpened:
    """A new table."""

    header: Header
    seats: tuple[Occupant, ...]


@dataclass(frozen=True, slots=True)
class TableSaved:
    """A table that has changed."""

    header: Header
    seats: tuple[Occupant, ...] | None
    entry: Entry | None


@dataclass(frozen=True, slots=True)
class PersonInvited:
    """An invitation that was written."""

    invitation: Invitation


@dataclass(frozen=True, slots=True)
class SettingsSaved:
    """Settings of a server or direct message that were written."""

    scope_id: int


Write: TypeAlias = TableOpened | TableSaved | PersonInvited | SettingsSaved


class RecordingStore(SqlStore):
    """A store that records its writes."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.writes: list[Write] = []
        self.daily_answers: set[tuple[int, Day]] = set()
        """Who has answered the puzzle of which day."""

    async def open_table(
        self, header: Header, seats: Sequence[Occupant], most: int | None = None, attempts: Day | None = None
    ) -> Header:
        header = await super().open_table(header, seats, most, attempts)
        self.writes.append(TableOpened(header, tuple(seats)))
        return header

    async def save(self, change: TableUpdate) -> Sequence[Award]:
        awards = await super().save(change)
        seats = None if change.seats is None else tuple(change.seats)
        self.writes.append(TableSaved(change.header, seats, change.entry))
        return awards

    async def answer_daily(self, answer: DailyAnswer) -> DailyAnswer:
        self.daily_answers.add((answer.user_id, answer.day))
        return await super().answer_daily(answer)

    async def add_invitation(self, invitation: Invitation, since: datetime, most: int) -> None:
        await super().add_invitation(invitation, since, most)
        self.writes.append(PersonInvited(invitation))

    async def change_preferences(
        self,
        scope_id: int,
        choose: Callable[[Preferences], Preferences],
        author: SettingsAuthor | None = None,
        owner_id: int | None = None,
    ) -> Preferences:
        changed = await super().change_preferences(scope_id, choose, author, owner_id)
        self.writes.append(SettingsSaved(scope_id))
        return changed
