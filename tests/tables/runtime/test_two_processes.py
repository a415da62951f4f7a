"""Two processes that overlap: one writer wins, and the other sees what it did."""

import asyncio

import pytest

from bot.rules.refusals import Refusal
from bot.tables import storage as table_storage
from bot.tables.model import Status
from bot.tables.refusals import HostReason, Stale
from bot.tables.service import TableService
from bot.tables.storage import Conflict
from tests.support.fakes import JAY, ROBIN, START_CLICK, WREN, make_service, open_lobby, roll, start_game
from tests.support.memory_database import MemoryDatabase


class TestTwoProcesses:
    """Two services on one store know nothing of each other, like two processes."""

    async def test_the_process_that_was_behind_catches_up(self, db: MemoryDatabase) -> None:
        one, two = make_service(db), make_service(db)
        behind = await start_game(one)
        await two.table(behind.id)
        ahead = await roll(one, behind)
        with pytest.raises(Stale):
            await roll(two, behind)
        after = await roll(two, ahead)
        assert [entry.step for entry in db.records[after.id].entries] == [1, 2]

    async def test_a_click_with_a_later_step_reloads_the_table(self, db: MemoryDatabase) -> None:
        one, two = make_service(db), make_service(db)
        behind = await start_game(one)
        await two.table(behind.id)
        ahead = await roll(one, behind)
        assert await two.table(behind.id) == behind
        assert await two.table(behind.id, step=1) == ahead
        assert await two.table(behind.id) == ahead

    async def test_of_two_joins_for_the_last_seat_one_is_refused(self, db: MemoryDatabase) -> None:
        one, two = make_service(db), make_service(db)
        table = await open_lobby(one, ROBIN, computers=4)
        await two.table(table.id)
        results = await asyncio.gather(one.join(table.id, WREN, 1), two.join(table.id, JAY, 2), return_exceptions=True)
        (refused,) = (result for result in results if isinstance(result, Refusal))
        assert refused.reason is HostReason.TABLE_FULL
        assert len(db.records[table.id].seats) == 6

    async def test_a_simultaneous_start_and_join_never_lose_a_player(self) -> None:
        for first in (True, False):
            db = MemoryDatabase()
            one, two = make_service(db), make_service(db)
            table = await open_lobby(one, ROBIN, WREN)
            await two.table(table.id)
            started, joined = one.start(table.id, ROBIN, START_CLICK), two.join(table.id, JAY, 2)
            pair = (started, joined) if first else (joined, started)
            await asyncio.gather(*pair, return_exceptions=True)
            now = await make_service(db).table(table.id)
            assert now.header.status is Status.PLAYING
            assert len(now.state.scores) == len(now.seats)

    async def test_an_endless_conflict_is_stale_and_releases_the_table(
        self, service: TableService, db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table = await start_game(service)
        with monkeypatch.context() as patch:

            def conflict(*_: object) -> None:
                raise Conflict(table.id)

            patch.setattr(table_storage, "save_move", conflict)
            with pytest.raises(Stale):
                await roll(service, table)
        assert (await roll(service, table)).header.step == 1
