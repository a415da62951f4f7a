"""The store of a bot that is watched: it counts what is saved, and says how things stand."""

from collections.abc import Sequence

from sqlalchemy import Connection, func, literal, select

from bot.store.schema import IS_OPEN, IS_UNSHOWN, notes, tables
from bot.store.store import SqlStore
from bot.tables.model import Entry, Header, Occupant, Result
from bot.tables.ports import Meanwhile
from bot.watch.watch import Pulse, Watch

_TRIVIAL = select(literal(1)).select_from(notes).limit(1)
_OPEN = select(tables.c.status, func.count()).where(IS_OPEN).group_by(tables.c.status)
_UNSHOWN = select(func.count(), func.min(tables.c.updated_at)).where(IS_UNSHOWN)


class WatchedStore(SqlStore):
    """A store that tells of itself."""

    def __init__(self, database_url: str, watch: Watch) -> None:
        super().__init__(database_url)
        self._watch = watch

    async def save(
        self,
        header: Header,
        seats: Sequence[Occupant] | None,
        entry: Entry | None,
        results: Sequence[Result] = (),
        meanwhile: Meanwhile | None = None,
    ) -> None:
        """Save as any store does, and count moves that are on disk."""
        await super().save(header, seats, entry, results, meanwhile)
        if entry is not None:
            self._watch.saved(header.game)

    async def ping(self) -> None:
        """Answer a trivial question, or raise StoreUnavailable."""
        await self._database.read(_ping)

    async def pulse(self) -> Pulse:
        """Return how many tables are open, and how many wait to be shown."""
        return await self._database.read(_pulse)


def _ping(connection: Connection) -> None:
    connection.execute(_TRIVIAL).first()


def _pulse(connection: Connection) -> Pulse:
    open_tables = {str(status): int(count) for status, count in connection.execute(_OPEN)}
    unshown, since = connection.execute(_UNSHOWN).one()
    return Pulse(open_tables, unshown, since)
