"""The line to a PostgreSQL server, which can be cut while a thread still listens."""

import contextlib
import os
import select
import socket
from weakref import WeakSet

import psycopg
from sqlalchemy import Engine, event
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry

from bot.tables.ports import StoreUnavailable


class Line:
    """Knows the connections of an engine."""

    def __init__(self, engine: Engine) -> None:
        self._connections: WeakSet[psycopg.Connection[object]] = WeakSet()
        self._is_cut = False
        event.listen(engine, "do_connect", self._connecting)
        event.listen(engine, "connect", self._connected)
        event.listen(engine, "checkout", _require_silence)

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


def _require_silence(connection: psycopg.Connection[object], *_: object) -> None:
    """Have a connection made anew on which the server has spoken while nobody asked: it has hung up.

    Whoever sent a move over it could not tell whether the server had got it.
    """
    line = select.poll()
    try:
        line.register(connection.fileno(), select.POLLIN)
    except psycopg.Error as fault:
        raise DisconnectionError(str(fault)) from fault
    if line.poll(0):
        raise DisconnectionError("the server has hung up")
