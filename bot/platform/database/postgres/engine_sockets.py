"""The sockets of an engine's connections, which can be shut down while a thread is waiting on them."""

import contextlib
import os
import select
import socket
import threading
import time
from collections.abc import Iterable
from weakref import WeakKeyDictionary, WeakSet

import psycopg
from sqlalchemy import Engine, event
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry

from bot.tables.ports import StoreUnavailable


class EngineSockets:
    """Tracks the open connections of an engine."""

    def __init__(self, engine: Engine) -> None:
        self._connections: WeakSet[psycopg.Connection[object]] = WeakSet()
        self._used_since: WeakKeyDictionary[psycopg.Connection[object], float] = WeakKeyDictionary()
        self._is_shut_down = False
        self._lock = threading.Lock()
        event.listen(engine, "do_connect", self._on_do_connect)
        # Before the session is set up, which may be the first statement to go unanswered.
        event.listen(engine, "connect", self._on_connect, insert=True)
        event.listen(engine, "checkout", _check_alive)
        event.listen(engine, "checkout", self._on_checkout)
        event.listen(engine, "checkin", self._on_checkin)

    def shut_down(self) -> None:
        """Shut all connections down as if the server had closed them, and open no more. Waiting threads get errors."""
        with self._lock:
            self._is_shut_down = True
            connections = list(self._connections)
        _shut_down(connections)

    def shut_down_used(self, seconds: float) -> None:
        """Shut down the connections that a thread has been using for some seconds."""
        until = time.monotonic() - seconds
        with self._lock:
            connections = [each for each, since in self._used_since.items() if since <= until]
        _shut_down(connections)

    def exempt(self, connection: psycopg.Connection[object]) -> None:
        """Leave a connection open however long it is used, until all are shut down."""
        with self._lock:
            self._used_since.pop(connection, None)

    def _on_do_connect(self, *_: object) -> None:
        if self._is_shut_down:
            raise StoreUnavailable("the store is closed")

    def _on_checkout(self, connection: psycopg.Connection[object], *_: object) -> None:
        with self._lock:
            self._used_since[connection] = time.monotonic()

    def _on_checkin(self, connection: psycopg.Connection[object] | None, _: ConnectionPoolEntry) -> None:
        # It is None if the connection was lost.
        if connection is not None:
            with self._lock:
                self._used_since.pop(connection, None)

    def _on_connect(self, connection: psycopg.Connection[object], _: ConnectionPoolEntry) -> None:
        with self._lock:
            self._connections.add(connection)
            self._used_since[connection] = time.monotonic()
        if self._is_shut_down:
            # Earlier versions of SQLAlchemy would leave it open.
            connection.close()
            raise StoreUnavailable("the store is closed")


def _shut_down(connections: Iterable[psycopg.Connection[object]]) -> None:
    for connection in connections:
        with contextlib.suppress(psycopg.Error, OSError), socket.socket(fileno=os.dup(connection.fileno())) as end:
            end.shutdown(socket.SHUT_RDWR)


def _check_alive(connection: psycopg.Connection[object], *_: object) -> None:
    """Replace a connection that has unread data: the server has closed it.

    A move sent over it would have an unknown outcome.
    """
    poll = select.poll()
    try:
        poll.register(connection.fileno(), select.POLLIN)
    except psycopg.Error as fault:
        raise DisconnectionError(str(fault)) from fault
    if poll.poll(0):
        raise DisconnectionError("the server has closed the connection")
