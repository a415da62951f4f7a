"""Makes methods of a store from queries: the ports describe what they do, the queries how."""

from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from sqlalchemy import Connection

from bot.platform.database.database import Database
from bot.platform.jobs.shard_ranges import ShardRange
from bot.platform.jobs.shard_storage import ServedConnection
from bot.platform.observability.trace import note_saved

P = ParamSpec("P")
T = TypeVar("T")


class HasDatabase(Protocol):
    """A store with a database."""

    @property
    def database(self) -> Database:
        """The database."""


class HasShards(HasDatabase, Protocol):
    """A store that a process with some of the shards uses."""

    @property
    def shards(self) -> ShardRange:
        """The shards."""


def read_method(
    query: Callable[Concatenate[Connection, P], T],
) -> Callable[Concatenate[HasDatabase, P], Coroutine[Any, Any, T]]:
    """Return a method that runs a query in a read transaction."""

    async def method(self: HasDatabase, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.database.read(query, *args, **kwargs)

    return method


def write_method(
    query: Callable[Concatenate[Connection, P], T],
) -> Callable[Concatenate[HasDatabase, P], Coroutine[Any, Any, T]]:
    """Return a method that writes what a person asked for: no later fault is reported as if it were not done."""

    async def method(self: HasDatabase, /, *args: P.args, **kwargs: P.kwargs) -> T:
        written = await self.database.write(query, *args, **kwargs)
        note_saved()
        return written

    return method


def upkeep_method(
    query: Callable[Concatenate[Connection, P], T],
) -> Callable[Concatenate[HasDatabase, P], Coroutine[Any, Any, T]]:
    """Return a method that writes what nobody asked for, such as a cache or the id of a message."""

    async def method(self: HasDatabase, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.database.write(query, *args, **kwargs)

    return method


def read_method_of_shards(
    query: Callable[Concatenate[ServedConnection, P], T],
) -> Callable[Concatenate[HasShards, P], Coroutine[Any, Any, T]]:
    """Return a method that looks in a read transaction for what the store's process has to do."""

    async def method(self: HasShards, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.database.read(_with_shards(query, self.shards), *args, **kwargs)

    return method


def upkeep_method_of_shards(
    query: Callable[Concatenate[ServedConnection, P], T],
) -> Callable[Concatenate[HasShards, P], Coroutine[Any, Any, T]]:
    """Return a method that does so in a write transaction, which nobody asked for."""

    async def method(self: HasShards, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.database.write(_with_shards(query, self.shards), *args, **kwargs)

    return method


def _with_shards(
    query: Callable[Concatenate[ServedConnection, P], T], shards: ShardRange
) -> Callable[Concatenate[Connection, P], T]:
    def run(connection: Connection, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return query(ServedConnection(connection, shards), *args, **kwargs)

    return run
