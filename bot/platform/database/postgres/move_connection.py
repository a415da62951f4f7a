"""A connection on which the event loop itself sends moves, without a thread."""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import psycopg
from psycopg.adapt import PyFormat, Transformer
from psycopg.pq import ConnStatus, ExecStatus
from psycopg.pq.abc import PGresult
from sqlalchemy import Connection

from bot.platform.database.postgres.connection import driver_of, require_replicated
from bot.tables.ports import OutcomeUnknown


class BoundStatement(NamedTuple):
    """A statement with numbered parameters, and their values."""

    text: str
    values: Sequence[Any]


Outcome: TypeAlias = Sequence[bool | None] | OutcomeUnknown
"""Whether each statement has written its row; None if that is unknown, because the connection was lost."""

NO_ANSWER: Final = "the server does not answer"


class MoveConnection:
    """Sends batches of statements, one after another: each is one round trip, one transaction and one commit.

    This is libpq's pipeline as psycopg wraps it. psycopg's own connections for event loops take twice as long.
    Whatever fails ends the connection, and then no statement of the batch has had an effect, unless that is unknown.
    """

    def __init__(self, connection: Connection, on_sent: Callable[[Outcome], None], *, seconds: float) -> None:
        """Take over a connection that commits each statement.

        Args:
            connection: The connection, which nobody else uses from now on.
            on_sent: Called with the outcome of each batch.
            seconds: How long to wait for the server's answer.
        """
        self._connection = connection
        driver = driver_of(connection)
        self._server = driver.pgconn
        self._adapter = Transformer(driver)
        self._on_sent = on_sent
        self._seconds = seconds
        self._names: dict[str, bytes] = {}
        """The names of the statements that are prepared, by their texts: one for each set of written columns."""
        self._size = 0
        """How many statements are on their way."""
        self._written: list[bool] = []
        self._has_failed = False
        self._timer: asyncio.TimerHandle | None = None
        self.is_open = True
        self._server.nonblocking = 1
        self._server.enter_pipeline_mode()
        self._loop = asyncio.get_running_loop()
        self._socket = self._server.socket
        self._loop.add_reader(self._socket, self._on_readable)

    def send(self, statements: Sequence[BoundStatement], began_at: float) -> None:
        """Send statements that write one row each: all do, or none.

        Args:
            statements: The statements.
            began_at: The monotonic time from which the seconds count.
        """
        self._size, self._written, self._has_failed = len(statements), [], False
        self._timer = self._loop.call_later(max(0.0, began_at + self._seconds - time.monotonic()), self._give_up)
        try:
            for text, values in statements:
                parameters = self._adapter.dump_sequence(values, [PyFormat.TEXT] * len(values))
                self._server.send_query_prepared(self._names.get(text) or self._prepare(text), parameters)
        except (psycopg.Error, UnicodeError):
            # Nothing is committed before the end of the pipeline is sent.
            self._end([False] * self._size)
            return
        try:
            self._server.pipeline_sync()
            self._flush()
        except psycopg.Error:
            self._lose()

    def close(self, outcome: OutcomeUnknown) -> None:
        """Disconnect; a batch that is on its way has the given outcome."""
        if self.is_open:
            self._end(outcome)

    def _prepare(self, text: str) -> bytes:
        name = self._names[text] = b"move_%d" % len(self._names)
        self._server.send_prepare(name, text.encode())
        return name

    def _flush(self) -> None:
        """Send what the network did not take at once."""
        if self._server.flush():
            self._loop.add_writer(self._socket, self._on_writable)

    def _on_writable(self) -> None:
        self._loop.remove_writer(self._socket)
        try:
            self._flush()
        except psycopg.Error:
            self._lose()

    def _on_readable(self) -> None:
        batch = self._timer
        try:
            self._read()
            if self.is_open and self._size and self._timer is batch:
                # uvloop tells of a lost connection once, and libpq reads what the server sent before it, first.
                self._read()
        except psycopg.Error:
            self._lose()

    def _read(self) -> None:
        self._server.consume_input()
        if not self._size:
            # The server sends nothing unasked, unless it closes the connection.
            self._end([])
        while self._size and not self._server.is_busy():
            self._take(self._server.get_result())

    def _take(self, result: PGresult | None) -> None:
        if result is None:
            # Stands between the results of two statements, and after the last if the connection is lost.
            if self._server.status != ConnStatus.OK:
                self._lose()
        elif result.status == ExecStatus.PIPELINE_SYNC:
            self._finish()
        elif result.status != ExecStatus.COMMAND_OK:
            self._has_failed = True
        elif result.command_tuples is not None:
            self._written.append(result.command_tuples == 1)

    def _finish(self) -> None:
        if self._has_failed:
            self._end([False] * self._size)
            return
        try:
            require_replicated(self._connection)
        except OutcomeUnknown as unknown:
            self._report(unknown)
        else:
            self._report(self._written if len(self._written) == self._size else [None] * self._size)

    def _lose(self) -> None:
        self._end([None] * self._size)

    def _give_up(self) -> None:
        self._end(OutcomeUnknown(NO_ANSWER))

    def _end(self, outcome: Outcome) -> None:
        self.is_open = False
        self._loop.remove_reader(self._socket)
        self._loop.remove_writer(self._socket)
        try:
            self._connection.invalidate()
            self._connection.close()
        finally:
            if self._size:
                self._report(outcome)

    def _report(self, outcome: Outcome) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._size = 0
        self._on_sent(outcome)
