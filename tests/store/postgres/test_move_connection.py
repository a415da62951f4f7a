"""The connection on which the event loop sends moves."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import Engine
from sqlalchemy.engine import make_url

from bot.platform.database.postgres.connection import check_out, driver_of, make_autocommit_engine
from bot.platform.database.postgres.move_connection import BoundStatement, MoveConnection, Outcome
from bot.platform.observability.event_loop import make_event_loop
from bot.tables.ports import OutcomeUnknown
from tests.store.postgres.connections import NAME, backend_id, end_session
from tests.support.postgres import PostgresServer
from tests.support.timeouts import DEADLINE_SECONDS
from tests.support.waiting import wait_until

pytestmark = pytest.mark.postgres

INSERT = "INSERT INTO words SELECT $1 WHERE $1 <> ''"


def word(text: str) -> BoundStatement:
    return BoundStatement(INSERT, [text])


class Sender:
    """A connection with the outcomes of what it has sent."""

    def __init__(self, engine: Engine, *, seconds: float = DEADLINE_SECONDS) -> None:
        connection = check_out(engine)
        assert connection is not None
        self.process = backend_id(connection)
        self.driver = driver_of(connection)
        self.outcomes: list[Outcome] = []
        self.moves = MoveConnection(connection, self.outcomes.append, seconds=seconds)

    async def send(self, *texts: str) -> Outcome:
        """Send words and return the outcome."""
        earlier = len(self.outcomes)
        self.moves.send([word(text) for text in texts], time.monotonic())
        await wait_until(lambda: len(self.outcomes) > earlier)
        return self.outcomes[-1]


@pytest.fixture
def admin(postgres: PostgresServer, empty_address: str) -> Iterator[psycopg.Connection[Any]]:  # noqa: ARG001 - must exist
    with postgres.admin(NAME) as connection:
        connection.execute("CREATE TABLE words (word text PRIMARY KEY)")
        connection.execute("GRANT ALL ON words TO PUBLIC")
        yield connection


@pytest.fixture
def engine(empty_address: str, admin: psycopg.Connection[Any]) -> Iterator[Engine]:  # noqa: ARG001 - makes the table
    url = make_url(empty_address).set(drivername="postgresql+psycopg")
    made = make_autocommit_engine(url, connections=2, lock_seconds=1, statement_seconds=DEADLINE_SECONDS)
    yield made
    made.dispose()


@pytest.fixture
async def sender(engine: Engine) -> AsyncIterator[Sender]:
    made = Sender(engine)
    yield made
    made.moves.close(OutcomeUnknown("the test is over"))


def stored(admin: psycopg.Connection[Any]) -> set[str]:
    return {text for (text,) in admin.execute("SELECT word FROM words")}


async def test_a_batch_is_one_round_trip_and_one_transaction(
    sender: Sender, admin: psycopg.Connection[Any], tmp_path: Path
) -> None:
    await sender.send("prepare")
    with (tmp_path / "trace").open("w") as trace:
        sender.driver.pgconn.trace(trace.fileno())
        assert await sender.send("one", "two", "", "three") == [True, True, False, True]
        sender.driver.pgconn.untrace()
    messages = [line.split("\t") for line in (tmp_path / "trace").read_text().splitlines()]
    sent = [kind for _, direction, _, kind, *_ in messages if direction == "F"]
    assert sent == ["Bind", "Describe", "Execute"] * 4 + ["Sync"]
    assert stored(admin) == {"prepare", "one", "two", "three"}
    written = admin.execute("SELECT count(DISTINCT xmin::text) FROM words WHERE word <> 'prepare'").fetchone()
    assert written == (1,)


async def test_if_one_statement_fails_none_has_an_effect_and_the_connection_ends(
    sender: Sender, admin: psycopg.Connection[Any]
) -> None:
    await sender.send("one")
    assert await sender.send("two", "one", "three") == [False] * 3
    assert not sender.moves.is_open
    assert stored(admin) == {"one"}


async def test_values_that_cannot_be_sent_fail_before_anything_has_an_effect(
    sender: Sender, admin: psycopg.Connection[Any]
) -> None:
    assert await sender.send("one", "nothing\0ness") == [False] * 2
    assert stored(admin) == set()


async def test_what_the_network_does_not_take_at_once_is_sent_later(
    sender: Sender, admin: psycopg.Connection[Any]
) -> None:
    assert await sender.send(*(f"{number}" + "." * 2000 for number in range(1500))) == [True] * 1500
    assert len(stored(admin)) == 1500


async def test_a_connection_that_is_lost_on_the_way_leaves_the_outcome_unknown(
    sender: Sender, admin: psycopg.Connection[Any]
) -> None:
    with admin.transaction():
        admin.execute("LOCK TABLE words")
        sending = asyncio.create_task(sender.send("one", "two"))
        await wait_until(
            lambda: admin.execute("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'").fetchone()
        )
        end_session(admin, sender.process)
    assert await sending == [None] * 2
    assert not sender.moves.is_open


async def test_a_connection_that_the_server_closes_is_known_to_be_lost(
    sender: Sender, admin: psycopg.Connection[Any]
) -> None:
    end_session(admin, sender.process)
    await wait_until(lambda: not sender.moves.is_open)
    assert sender.outcomes == []


def test_a_connection_that_is_lost_while_the_loop_is_busy_is_noticed_at_once(
    engine: Engine, admin: psycopg.Connection[Any]
) -> None:
    async def lose() -> Outcome:
        sender = Sender(engine)
        await sender.send("prepare")
        with admin.transaction():
            admin.execute("LOCK TABLE words")
            sender.moves.send([word("." * 2000) for _ in range(20)], time.monotonic())
            end_session(admin, sender.process)
            # The loop is busy until the server has told why it ends, and has ended.
            while admin.execute("SELECT 1 FROM pg_stat_activity WHERE pid = %s", [sender.process]).fetchone():
                pass
        await wait_until(lambda: len(sender.outcomes) > 1)
        return sender.outcomes[-1]

    with asyncio.Runner(loop_factory=make_event_loop) as runner:
        assert runner.run(lose()) == [None] * 20


async def test_a_server_that_does_not_answer_is_given_up_on(engine: Engine) -> None:
    hanging = Sender(engine, seconds=0.05)
    os.kill(hanging.process, signal.SIGSTOP)
    try:
        outcome = await hanging.send("one")
    finally:
        os.kill(hanging.process, signal.SIGCONT)
    assert isinstance(outcome, OutcomeUnknown)
    assert "does not answer" in str(outcome)
    assert not hanging.moves.is_open


async def test_an_ended_connection_leaves_its_place_to_another(engine: Engine) -> None:
    for _ in range(5):
        sender = Sender(engine)
        assert await sender.send("same") in ([True], [False])
        sender.moves.close(OutcomeUnknown("no longer needed"))
    assert engine.pool.checkedout() == 0  # type: ignore[attr-defined]
