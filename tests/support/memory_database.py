"""A database in memory that fails or waits where a test says so."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, MutableMapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cache
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar

from sqlalchemy import Connection, Engine, delete, insert, select, update
from sqlalchemy.engine import URL

from bot.features.idle_tables.storage import Announcement, announcements
from bot.features.invitations.model import Invitation
from bot.features.invitations.storage import invitations
from bot.features.reminders import storage as reminder_storage
from bot.features.reminders.model import Reminder
from bot.features.reminders.storage import reminders
from bot.features.results.accounts import add_results
from bot.features.settings import storage as setting_storage
from bot.features.settings.kinds import Chosen
from bot.features.settings.storage import settings
from bot.platform.database.database import Database
from bot.platform.database.errors import OperationKind, OutcomeUnknown, StoreUnavailable
from bot.platform.database.migrate import run_migrations
from bot.platform.database.sqlite import BEGIN_WRITING, driver_connection_of, make_engine, transact
from bot.platform.jobs.storage import Job, jobs
from bot.platform.observability.metrics import DatabaseUsage
from bot.platform.places import Location
from bot.tables import storage
from bot.tables.model import Header, Result, Status, StoredTable, TableId, build_lobby_header
from bot.tables.results import result_of, results
from bot.tables.schema import (
    changed_table_values,
    move_values,
    moves,
    new_table_values,
    read_row,
    seats,
    tables,
)
from bot.tables.storage import add_seats, save_move
from tests.support.waiting import Gate

P = ParamSpec("P")
T = TypeVar("T")
Work: TypeAlias = Callable[..., Any]
K = TypeVar("K")
V = TypeVar("V")


IN_MEMORY = URL.create("sqlite", database=":memory:")


class MemoryDatabase(Database):
    """A database in memory that fails or waits where a test says so.

    Each transaction runs at once, in the event loop. Like any database it lets others run before a transaction and
    after it, never in the middle of one.
    """

    def __init__(self, image: bytes | None = None) -> None:
        super().__init__(IN_MEMORY)
        self._connection = shared_engine().connect()
        driver_connection_of(self._connection).deserialize(migrated_image() if image is None else image)
        self.calls: list[Work] = []
        """The functions that were run in a transaction."""
        self.broken: set[Work] = set()
        """Functions that do nothing and say so."""
        self.unanswered: set[Work] = set()
        """Functions that do their work but whose answer gets lost."""
        self.before: dict[Work, Gate] = {}
        self.after: dict[Work, Gate] = {}

    def run(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a transaction at once, whatever is said to fail."""
        return transact(self._connection, lambda connection: work(connection, *args, **kwargs))

    async def read(self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Read where the test lets it."""
        async with self._hooked(query):
            return await super().read(query, *args, **kwargs)

    async def maintain(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Write where the test lets it."""
        async with self._hooked(work):
            return await super().maintain(work, *args, **kwargs)

    async def write_statement(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Write where the test lets it."""
        async with self._hooked(work):
            return await super().write_statement(work, *args, **kwargs)

    async def run_exclusively(self, work: Callable[[Connection], T]) -> T:
        """Run a function in a transaction."""
        return self.run(work)

    def usage(self) -> DatabaseUsage:
        """Return that no connection is busy."""
        return DatabaseUsage(0, 0)

    async def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    async def _run(self, kind: OperationKind, work: Callable[[Connection], T], *, is_statement: bool = False) -> T:
        return self.run(work)

    @asynccontextmanager
    async def _hooked(self, work: Work) -> AsyncIterator[None]:
        # A move is saved by a function of its own.
        work = storage.save if work is save_move else work
        self.calls.append(work)
        await asyncio.sleep(0)
        if gate := self.before.get(work):
            await gate.wait()
        if work in self.broken:
            raise StoreUnavailable(f"{work.__name__} is broken")
        yield
        if gate := self.after.get(work):
            await gate.wait()
        await asyncio.sleep(0)
        if work in self.unanswered:
            raise OutcomeUnknown(f"the answer of {work.__name__} got lost")

    def image(self) -> bytes:
        """Return the database as it stands, for others that begin with it."""
        return driver_connection_of(self._connection).serialize()

    def header(self, table_id: TableId) -> Header:
        """Return the header that is kept."""
        return self.records[table_id].header

    def texts(self, table_id: TableId) -> list[str]:
        """Return the moves that are kept."""
        return [entry.text for entry in self.records[table_id].entries]

    def tamper(self, table_id: TableId, change: Callable[[StoredTable], StoredTable]) -> None:
        """Change the stored rows directly."""
        self.records[table_id] = change(self.records[table_id])

    @property
    def records(self) -> "Rows[TableId, StoredTable]":
        """The tables that are kept."""
        return Rows(
            lambda: list(self.run(lambda connection: connection.execute(select(tables.c.id)).scalars().all())),
            lambda table_id: self.run(storage.load, table_id),
            lambda table_id, record: self.run(_replace, table_id, record),
        )

    @property
    def results(self) -> list[Result]:
        """The results that are kept; those that are appended to this list are not."""
        return self.run(lambda connection: [result_of(row) for row in connection.execute(_SELECT_RESULTS)])

    def add_results(self, *added: Result) -> None:
        """Add the results of a finished table, with all that is kept of results, and the table if it is not kept."""

        def add(connection: Connection) -> None:
            _add_missing_table(connection, added[0])
            add_results(connection, added)

        self.run(add)

    @property
    def chosen(self) -> "Rows[int, Chosen]":
        """What was chosen, by scope: a server, a channel of direct messages, or a person."""
        return Rows(
            lambda: self.run(lambda found: found.scalars(select(settings.c.scope_id).distinct()).all()),
            lambda scope: self.run(setting_storage.find, scope),
            lambda scope, value: self.run(_choose, scope, value),
        )

    @property
    def jobs(self) -> "dict[tuple[str, str], Job]":
        """The jobs that are kept."""
        found = self.run(lambda connection: connection.execute(select(jobs)).all())
        return {(row.kind, row.key): Job(row.kind, row.key, row.due_at, row.counts_from, row.guild_id) for row in found}

    @property
    def reminders(self) -> dict[TableId, Reminder]:
        """The reminders that are kept, by table."""

        def read(connection: Connection) -> list[Reminder | None]:
            return [reminder_storage.find(connection, row.table_id) for row in connection.execute(select(reminders))]

        return {each.table_id: each for each in self.run(read) if each is not None}

    @property
    def invitations(self) -> list[Invitation]:
        """The invitations that are kept."""
        found = self.run(lambda connection: connection.execute(select(invitations)).all())
        return [read_row(Invitation, row) for row in found]

    @property
    def announcements(self) -> dict[TableId, Announcement]:
        """The announcements of closings that are kept, by table."""
        found = self.run(lambda connection: connection.execute(select(announcements)).all())
        return {row.table_id: read_row(Announcement, row) for row in found}


class Rows(MutableMapping[K, V]):
    """Rows of a database by key, each read when it is asked for."""

    def __init__(
        self, keys: Callable[[], Sequence[K]], find: Callable[[K], V | None], put: Callable[[K, V], object]
    ) -> None:
        self._keys, self._find, self._put = keys, find, put

    def __getitem__(self, key: K) -> V:
        found = self._find(key)
        if found is None:
            raise KeyError(key)
        return found

    def __setitem__(self, key: K, value: V) -> None:
        self._put(key, value)

    def __delitem__(self, key: K) -> None:
        raise TypeError("rows are deleted by what the bot does")

    def __iter__(self) -> Iterator[K]:
        return iter(self._keys())

    def __len__(self) -> int:
        return len(self._keys())


_SELECT_RESULTS = select(results).order_by(results.c.finished_at, results.c.table_id, results.c.seat)


def _choose(connection: Connection, scope_id: int, chosen: Chosen) -> None:
    """Write what was chosen in a scope, whatever was there."""
    connection.execute(delete(settings).where(settings.c.scope_id == scope_id))
    if chosen.texts:
        values = [{"scope_id": scope_id, "key": key, "value": text} for key, text in chosen.texts.items()]
        connection.execute(insert(settings), values)


def _replace(connection: Connection, table_id: TableId, record: StoredTable) -> None:
    """Write a table as it stands, whatever was there."""
    header = record.header
    values = new_table_values(header) | changed_table_values(header)
    values |= {"published": header.published, "message_id": header.message_id}
    connection.execute(update(tables).where(tables.c.id == table_id).values(values))
    connection.execute(delete(seats).where(seats.c.table_id == table_id))
    add_seats(connection, table_id, record.seats)
    connection.execute(delete(moves).where(moves.c.table_id == table_id))
    if record.entries:
        connection.execute(insert(moves), [move_values(table_id, each) for each in record.entries])


def _add_missing_table(connection: Connection, result: Result) -> None:
    """Write a finished table of nobody with a result's id and place, unless it is there."""
    if connection.scalar(select(tables.c.id).where(tables.c.id == result.table_id)) is None:
        place = Location(result.guild_id, result.channel_id)
        header = build_lobby_header(result.game, 1, "{}", location=place, opener_id=11, seed=b"", at=result.opened_at)
        values = new_table_values(replace(header, status=Status.FINISHED))
        connection.execute(insert(tables), values | {"id": result.table_id})


@cache
def shared_engine() -> Engine:
    """Return an engine each of whose connections has a database of its own.

    They share it because it keeps compiled statements: compiling them again takes a third of a test.
    """
    engine = make_engine(IN_MEMORY, begin=BEGIN_WRITING, pragmas=("foreign_keys=ON",), lock_seconds=0)
    # More statements than the engine would keep.
    return engine.execution_options(compiled_cache={})


@cache
def migrated_image() -> bytes:
    """Return a database as the migrations leave it."""
    engine = make_engine(IN_MEMORY, begin=BEGIN_WRITING, pragmas=(), lock_seconds=0)
    with engine.connect() as connection:
        transact(connection, run_migrations)
        return driver_connection_of(connection).serialize()
