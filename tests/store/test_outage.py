"""What the log says of an outage: a line when it begins, and one when it is over."""

import logging

import pytest

from bot.store import outage
from bot.store.outage import OperationKind, OutageLog
from bot.store.schema import notes
from bot.store.store import SqlStore
from bot.tables.ports import Conflict, OutcomeUnknown, StoreUnavailable

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
def told(caplog: pytest.LogCaptureFixture) -> OutageHarness:
    caplog.set_level(logging.INFO, logger=outage.__name__)
    return OutageHarness(caplog)


def test_an_outage_is_two_lines_however_much_fails(told: OutageHarness) -> None:
    for _ in range(1000):
        told.now += 0.01
        told.fail(OperationKind.WRITE, StoreUnavailable("gone"))
        told.fail(OperationKind.READ, StoreUnavailable("gone too"))
    told.fail(OperationKind.WRITE, OutcomeUnknown("lost"))
    told.now += outage.RECOVERY_SECONDS
    told.work(OperationKind.READ)
    assert told.lines == [f"{BEGINS}gone"]
    told.work(OperationKind.WRITE)
    told.work(OperationKind.WRITE)
    over = "the database works again: in 10 s 1000 reads and 1001 writes failed, 1 of which may have been committed"
    assert told.lines == [f"{BEGINS}gone", over]
    told.fail(OperationKind.READ, StoreUnavailable("again"))
    assert told.lines[2:] == [f"{BEGINS}again"]


def test_mixed_failures_and_successes_are_one_outage(told: OutageHarness) -> None:
    for _ in range(100):
        told.now += 1
        told.fail(OperationKind.WRITE, StoreUnavailable("full"))
        told.work(OperationKind.WRITE)
    assert told.lines == [f"{BEGINS}full"]
    told.now += outage.RECOVERY_SECONDS
    told.work(OperationKind.READ)
    assert told.lines[1:] == [
        "the database works again: in 99 s 0 reads and 100 writes failed, 0 of which may have been committed"
    ]


def test_an_outage_that_lasts_until_the_end_is_counted_there(told: OutageHarness) -> None:
    told.fail(OperationKind.READ, StoreUnavailable("gone"))
    told.outage.close()
    told.outage.close()
    assert told.lines[1:] == [
        "the database still fails at shutdown: in 0 s 1 reads and 0 writes failed, 0 of which may have been committed"
    ]


def test_a_constraint_violation_is_no_outage(told: OutageHarness) -> None:
    told.fail(OperationKind.WRITE, Conflict(1))
    told.work(OperationKind.WRITE)
    assert told.lines == []


async def test_every_database_logs_its_own_outages(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger=outage.__name__)
    monkeypatch.setattr(outage, "RECOVERY_SECONDS", 0.0)
    for _ in range(3):
        with pytest.raises(StoreUnavailable):
            await store.database.read(lambda c: c.execute(notes.insert(), {"key": "a", "value": "b"}))
    await store.set_value("a", "b")
    await store.get_value("a")
    begins, over = [record.getMessage() for record in caplog.records if record.name == outage.__name__]
    assert begins.startswith(BEGINS)
    assert "3 reads and 0 writes failed" in over
    caplog.clear()
