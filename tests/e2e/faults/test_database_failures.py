"""The database fails for a while: clicks are refused completely, and the same button works later."""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.platform.database.sqlite import DriverConnection, driver_connection_of
from bot.sandbox import Sandbox
from bot.sandbox.model.interactions import InteractionState
from bot.tables import storage as table_storage
from bot.tables.host import Host
from tests.support.parlour import ROLL, Parlour, run_parlour

pytestmark = pytest.mark.slow

MAX_MOVES = 300
STORE_UNAVAILABLE_MESSAGE = "I can't save right now, so nothing was done. Please try again in a moment."


@contextmanager
def lock_database(file: Path) -> Iterator[None]:
    """Let another program hold the file's lock."""
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield
    other.execute("ROLLBACK")
    other.close()


@contextmanager
def refusing_writes(connection: DriverConnection) -> Iterator[None]:
    """Let a connection refuse every write, as SQLite does if a file is read-only."""
    connection.execute("PRAGMA query_only=ON")
    try:
        yield
    finally:
        connection.execute("PRAGMA query_only=OFF")


async def writing_connection(parlour: Parlour) -> DriverConnection:
    """Return the connection that the bot writes on."""
    return driver_connection_of(await parlour.db.write(lambda connection: connection))


@contextmanager
def assert_one_error(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """See that one error is logged, which says that the database fails, and nothing that was to be stored."""
    yield
    (error,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert error.getMessage().startswith("the database fails; further failures are counted until it works again: ")
    assert error.exc_info is None
    assert "roll " not in caplog.text
    caplog.clear()


async def test_a_move_that_cannot_be_saved_is_refused(
    sandbox: Sandbox,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("bot.platform.database.sqlite.LOCK_SECONDS", 0.1)
    file = tmp_path / "parlour.sqlite3"
    async with run_parlour(sandbox, file) as parlour:
        message = await parlour.start_game(parlour.robin, parlour.wren)
        await parlour.wait_until_shown()
        await parlour.client.app.service(Host).service.flush()
        mover = await parlour.mover()
        with assert_one_error(caplog), lock_database(file):
            answer = await parlour.press(mover, message, ROLL)
            (reply,) = await sandbox.until(lambda: answer.replies)
            assert reply.text == STORE_UNAVAILABLE_MESSAGE
            assert reply.ephemeral_to == mover.id
        assert (await parlour.table()).header.step == 0
        answer = await parlour.press(mover, message, ROLL)
        assert answer.state is InteractionState.RESPONDED
        assert not answer.replies
        record = await parlour.db.read(table_storage.load, 1)
        assert record is not None
        assert len(record.entries) == 1


async def test_a_disk_that_is_full_keeps_what_was_acknowledged(
    parlour: Parlour, caplog: pytest.LogCaptureFixture
) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren, target=500)
    connection = await writing_connection(parlour)
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count={pages}")
    with assert_one_error(caplog):
        moves, mover = 0, await parlour.mover()
        while not (answer := await parlour.press(mover, message, ROLL)).replies:
            moves, mover = moves + 1, await parlour.mover()
            assert moves < MAX_MOVES
        assert answer.text == STORE_UNAVAILABLE_MESSAGE
    record = await parlour.db.read(table_storage.load, 1)
    assert record is not None
    assert record.header.step == len(record.entries) == moves
    connection.execute(f"PRAGMA max_page_count={2**30}")
    assert not (await parlour.press(mover, message, ROLL)).replies
    assert (await parlour.table()).header.step == moves + 1


async def test_a_computer_player_waits_for_the_database_and_goes_on(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.tables.computer_players.OUTAGE_SECONDS", 0.05)
    async with run_parlour(sandbox, tmp_path / "parlour.sqlite3", pause=0.2) as parlour:
        message = await parlour.start_game(parlour.robin)
        await sandbox.until(lambda: "Robin, roll" in message.text)
        await parlour.press(parlour.robin, message, ROLL)
        before = (await parlour.table()).header.step
        with refusing_writes(await writing_connection(parlour)):
            await sandbox.until(lambda: "Rusty is rolling" in message.text)
        await sandbox.until(lambda: "Robin, roll" in message.text)
        assert (await parlour.table()).header.step > before
