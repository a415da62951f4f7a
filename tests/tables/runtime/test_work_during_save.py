"""Work done for a table while its newest move is being saved."""

import pytest

from bot.platform.observability.trace import Trace, current_trace, start_trace
from bot.tables.table import Table
from tests.support.fake_store import FakeStore
from tests.support.fakes import make_service, roll, start_game


async def test_a_change_is_prepared_before_listeners_are_notified(store: FakeStore) -> None:
    heard: list[tuple[str, int]] = []
    service = make_service(store, prepare=lambda each: heard.append(("prepared", each.header.revision)))
    table = await start_game(service)
    service.add_listener(lambda each: heard.append(("changed", each.header.revision)))
    heard.clear()
    after = await roll(service, table)
    assert heard == [("prepared", after.header.revision), ("changed", after.header.revision)]


async def test_nothing_is_prepared_after_the_commit(store: FakeStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "shares_commits", True)
    heard: list[Table] = []
    service = make_service(store, prepare=heard.append)
    await roll(service, await start_game(service))
    assert heard == []


async def test_preparing_belongs_to_the_trace_of_the_click(store: FakeStore) -> None:
    found: list[Trace | None] = []
    service = make_service(store, prepare=lambda _: found.append(current_trace()))
    table = await start_game(service)
    found.clear()
    trace = start_trace()
    await roll(service, table)
    assert found == [trace]


async def test_an_error_in_preparing_does_not_stop_the_move(store: FakeStore, caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: Table) -> None:
        raise RuntimeError("not ready")

    service = make_service(store, prepare=fail)
    table = await start_game(service)
    assert (await roll(service, table)).header.step == 1
    assert "preparing table" in caplog.text
    caplog.clear()
