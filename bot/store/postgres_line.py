"""The line to a PostgreSQL server, which can be cut while a thread still listens."""

import contextlib
import os
import socket
from weakref import WeakSet

import psycopg
from sqlalchemy import Engine, event
from sqlalchemy.pool import ConnectionPoolEntry

from bot.tables.ports import StoreUnavailable


class Line:
    """Knows the connections of an engine."""

    def __init__(self, engine: Engine) -> None:
        self._connections: WeakSet[psycopg.Connection[object]] = WeakSet()
        self._is_cut = False
        event.listen(engine, "do_connect", self._connecting)
        event.listen(engine, "connect", self._connected)

    def cut(self) -> None:
        """Shut every connection as if the server had hung up, and make no more: who waits for one gets a fault."""
        self._is_cut = True
        for connection in list(self._connections):
            with contextlib.suppress(psycopg.Error, OSError), socket.socket(fileno=os.dup(connection.fileno())) as end:
                end.shutdown(socket.SHUT_RDWR)

    def _connecting(self, *_: object) -> None:
        if self._is_cut:
            raise StoreUnavailable("the store is closed")

    def _connected(self, connection: psycopg.Connection[object], _: ConnectionPoolEntry) -> None:
        self._connections.add(connection)
        if self._is_cut:
            connection.close()
            raise StoreUnavailable("the store is closed")
