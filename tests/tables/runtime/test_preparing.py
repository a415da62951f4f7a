"""Whoever gets ready for a table while its newest move is on its way to the disk."""

from collections.abc import Sequence
from contextvars import Context

import pytest

from bot.observability.trace import Trace, begun, current
from bot.tables.model import Entry, Header, Occupant, Result
from bot.tables.ports import Meanwhile
from bot.tables.table import Table
from tests.support.fakes import FakeStore, a_service, roll, under_way


async def test_a_table_is_got_ready_for_before_it_is_told_of(store: FakeStore) -> None:
    service = a_service(store)
    table = await under_way(service)
    heard: list[tuple[str, int]] = []
    service.prepare_by(lambda each: heard.append(("ready", each.header.revision)))
    service.listen(lambda each: heard.append(("told", each.header.revision)))
    after = await roll(service, table)
    assert heard == [("ready", after.header.revision), ("told", after.header.revision)]


async def test_it_belongs_to_the_click_that_asked_for_the_change() -> None:
    class Elsewhere(FakeStore):
        """Calls from a thread of its own, as it were."""

        async def save(
            self,
            header: Header,
            seats: Sequence[Occupant] | None,
            entry: Entry | None,
            results: Sequence[Result] = (),
            meanwhile: Meanwhile | None = None,
        ) -> None:
            await super().save(header, seats, entry, results)
            if meanwhile is not None:
                Context().run(meanwhile)

    service = a_service(Elsewhere())
    table = await under_way(service)
    found: list[Trace | None] = []
    service.prepare_by(lambda _: found.append(current()))
    trace = begun()
    await roll(service, table)
    assert found == [trace]


async def test_who_can_not_get_ready_spoils_nothing(store: FakeStore, caplog: pytest.LogCaptureFixture) -> None:
    service = a_service(store)
    table = await under_way(service)
    heard: list[int] = []

    def fail(_: Table) -> None:
        raise RuntimeError("not ready")

    service.prepare_by(fail)
    service.prepare_by(lambda each: heard.append(each.header.step))
    assert (await roll(service, table)).header.step == 1
    assert heard == [1]
    assert "could be got ready" in caplog.text
    caplog.clear()
