"""Makes methods of a store from queries: the ports describe what they do, the queries how."""

from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from sqlalchemy import Connection

from bot.store.database import Database

P = ParamSpec("P")
T = TypeVar("T")


class HasDatabase(Protocol):
    """A store with a database."""

    @property
    def database(self) -> Database:
        """The database."""


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
    """Return a method that runs a query in a write transaction."""

    async def method(self: HasDatabase, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.database.write(query, *args, **kwargs)

    return method
