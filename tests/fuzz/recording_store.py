"""A database that records what is written to it, in order."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar

from sqlalchemy import Connection
from sqlalchemy.engine import URL

from bot.features.invitations import storage as invitation_storage
from bot.features.invitations.model import Invitation
from bot.features.puzzles import storage as puzzle_storage
from bot.features.settings import storage as preference_storage
from bot.platform.database.sqlite import SqliteDatabase
from bot.platform.places import Day
from bot.tables import storage
from bot.tables.model import Entry, Header, Occupant

P = ParamSpec("P")
T = TypeVar("T")


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


class RecordingStore(SqliteDatabase):
    """A database that records what is written to it."""

    def __init__(self, url: URL) -> None:
        super().__init__(url)
        self.writes: list[Write] = []
        self.daily_answers: set[tuple[int, Day]] = set()
        """Who has answered the puzzle of which day."""

    async def maintain(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Write, and record it; `write` comes by here too."""
        written = await super().maintain(work, *args, **kwargs)
        self._record(work, args, written)
        return written

    async def write_statement(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Write, and record it."""
        written = await super().write_statement(work, *args, **kwargs)
        self._record(work, args, written)
        return written

    def _record(self, work: Callable[..., Any], args: tuple[Any, ...], written: Any) -> None:
        if work == storage.open_table:
            self.writes.append(TableOpened(written, tuple(args[1])))
        elif work == storage.save_move:
            header, entry = args
            self.writes.append(TableSaved(header, None, entry))
        elif work == storage.save:
            change = args[0]
            seats = None if change.seats is None else tuple(change.seats)
            self.writes.append(TableSaved(change.header, seats, change.entry))
        elif work == puzzle_storage.answer_daily:
            self.daily_answers.add((written.user_id, written.day))
        elif work == invitation_storage.add:
            self.writes.append(PersonInvited(args[0]))
        elif work == preference_storage.change:
            self.writes.append(SettingsSaved(args[0]))
