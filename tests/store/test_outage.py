"""The log of an outage: one line when it begins, and one when it ends."""

import logging

import pytest

from bot.platform.database import errors as outage
from bot.platform.database.database import Database
from bot.platform.database.errors import OperationKind, OutageLog, OutcomeUnknown, StoreUnavailable
from bot.platform.database.sql import get_value, notes, set_value
from bot.tables.storage import Conflict

BEGINS = "the database fails; further failures are counted until it works again: "


class OutageHarness:
    """An outage's lines, under a clock that stands still."""

    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        self.now = 100.0
        self.outage = OutageLog(lambda: self.now)
        self._caplog = caplog
        self._lines: list[str] = []

    def fail(self, work: OperationKind, fault: Exception) -> None:
        with pytest.raises(type(fault)), self.outage.track(work):
            raise fault

    def work(self, work: OperationKind) -> None:
        with self.outage.track(work):
            pass

    @property
    def lines(self) -> list[str]:
        """Return every line until now, and clear the log: here they are no errors of the test."""
        assert not any(record.exc_info for record in self._caplog.records)
        self._lines += [record.getMessage() for record in self._caplog.records]
        self._caplog.clear()
        return self._lines


@pytest.fixture
def harness(caplog: pytest.LogCaptureFixture) -> OutageHarness:
    caplog.set_level(logging.INFO, logger=outage.__name__)
    return OutageHarness(caplog)


def test_an_outage_is_two_lines_however_much_fails(harness: OutageHarness) -> None:
    for _ in range(1000):
        harness.now += 0.01
        harness.fail(OperationKind.WRITE, StoreUnavailable("gone"))
        harness.fail(OperationKind.READ, StoreUnavailable("gone too"))
    harness.fail(OperationKind.WRITE, OutcomeUnknown("lost"))
    harness.now += outage.RECOVERY_SECONDS
    harness.work(OperationKind.READ)
    assert harness.lines == [f"{BEGINS}gone"]
    harness.work(OperationKind.WRITE)
    harness.work(OperationKind.WRITE)
    over = "the database works again: in 10 s 1000 reads and 1001 writes failed, 1 of which may have been committed"
    assert harness.lines == [f"{BEGINS}gone", over]
    harness.fail(OperationKind.READ, StoreUnavailable("again"))
    assert harness.lines[2:] == [f"{BEGINS}again"]


def test_mixed_failures_and_successes_are_one_outage(harness: OutageHarness) -> None:
    for _ in range(100):
        harness.now += 1
        harness.fail(OperationKind.WRITE, StoreUnavailable("full"))
        harness.work(OperationKind.WRITE)
    assert harness.lines == [f"{BEGINS}full"]
    harness.now += outage.RECOVERY_SECONDS
    harness.work(OperationKind.READ)
    assert harness.lines[1:] == [
        "the database works again: in 99 s 0 reads and 100 writes failed, 0 of which may have been committed"
    ]


def test_a_constraint_violation_is_no_outage(harness: OutageHarness) -> None:
    harness.fail(OperationKind.WRITE, Conflict(1))
    harness.work(OperationKind.WRITE)
    assert harness.lines == []


async def test_every_database_logs_its_own_outages(
    db: Database, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger=outage.__name__)
    monkeypatch.setattr(outage, "RECOVERY_SECONDS", 0.0)
    for _ in range(3):
        with pytest.raises(StoreUnavailable):
            await db.read(lambda c: c.execute(notes.insert(), {"key": "a", "value": "b"}))
    await db.maintain(set_value, "a", "b")
    await db.read(get_value, "a")
    begins, over = [record.getMessage() for record in caplog.records if record.name == outage.__name__]
    assert begins.startswith(BEGINS)
    assert "3 reads and 0 writes failed" in over
    with pytest.raises(StoreUnavailable):
        await db.read(lambda c: c.execute(notes.insert(), {"key": "a", "value": "b"}))
    await db.close()
    assert caplog.messages[-1].startswith("the database still fails at shutdown: ")
    caplog.clear()
