"""Whoever gets ready for a table while its newest move is on its way to the disk."""

import pytest

from bot.observability.trace import Trace, current_trace, start_trace
from bot.tables.table import Table
from tests.support.fakes import FakeStore, make_service, roll, start_game


async def test_a_table_is_got_ready_for_before_it_is_told_of(store: FakeStore) -> None:
    service = make_service(store)
    table = await start_game(service)
    heard: list[tuple[str, int]] = []
    service.add_preparer(lambda each: heard.append(("ready", each.header.revision)))
    service.add_listener(lambda each: heard.append(("told", each.header.revision)))
    after = await roll(service, table)
    assert heard == [("ready", after.header.revision), ("told", after.header.revision)]


async def test_nothing_is_got_ready_after_the_commit(store: FakeStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "shares_commits", True)
    service = make_service(store)
    table = await start_game(service)
    heard: list[Table] = []
    service.add_preparer(heard.append)
    await roll(service, table)
    assert heard == []


async def test_it_belongs_to_the_click_that_asked_for_the_change(store: FakeStore) -> None:
    service = make_service(store)
    table = await start_game(service)
    found: list[Trace | None] = []
    service.add_preparer(lambda _: found.append(current_trace()))
    trace = start_trace()
    await roll(service, table)
    assert found == [trace]


async def test_who_can_not_get_ready_spoils_nothing(store: FakeStore, caplog: pytest.LogCaptureFixture) -> None:
    service = make_service(store)
    table = await start_game(service)
    heard: list[int] = []

    def fail(_: Table) -> None:
        raise RuntimeError("not ready")

    service.add_preparer(fail)
    service.add_preparer(lambda each: heard.append(each.header.step))
    assert (await roll(service, table)).header.step == 1
    assert heard == [1]
    assert "preparing table" in caplog.text
    caplog.clear()
