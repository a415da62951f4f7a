"""What can't be shown now is shown later, and nothing is tried for ever."""

import asyncio

import pytest

import bot.tables.publisher
from bot.tables.publisher import Asleep, MessageGone, NotShown, OutOfReach, Publisher, Vanished
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.support.fakes import (
    ROBIN,
    Deed,
    FakeBoard,
    FakeStore,
    a_lobby,
    roll,
    under_way,
    until,
)
from tests.support.showing import change, shown_lobby


def waiting_retries() -> list[asyncio.Task[object]]:
    return [task for task in asyncio.all_tasks() if "retry" in task.get_name() and not task.cancelling()]


class TestFailures:
    async def test_a_deleted_message_is_posted_anew_once(
        self, service: TableService, publisher: Publisher, board: FakeBoard
    ) -> None:
        table = await shown_lobby(service, publisher)
        old = table.header.message_id or 0
        board.deleted.add(old)
        table = await change(service, table, 1)
        await publisher.close()
        await change(service, table, 1)
        await publisher.close()
        deeds = [(shown.deed, shown.revision) for shown in board.asked]
        assert deeds == [(Deed.POST, 1), (Deed.EDIT, 2), (Deed.POST, 2), (Deed.EDIT, 3)]
        assert board.shown[-1].message_id == board.shown[-2].message_id != old

    async def test_a_channel_out_of_reach_is_given_up_until_the_next_change(
        self, service: TableService, publisher: Publisher, board: FakeBoard, store: FakeStore
    ) -> None:
        table = await shown_lobby(service, publisher)
        board.faults[Deed.EDIT] = [OutOfReach("gone"), OutOfReach("gone")]
        table = await change(service, table, 1)
        await publisher.close()
        for _ in range(3):
            publisher.wake(table.id)
            await publisher.close()
        assert [shown.revision for shown in board.asked] == [1, 2]
        await service.flush()
        assert list(await store.unsettled({"magpie"}, 0, 9)) == []
        await change(service, table, 1)
        await publisher.close()
        assert [shown.revision for shown in board.asked] == [1, 2, 3]
        now = await service.table(table.id)
        assert now.header.message_id == board.shown[0].message_id

    async def test_a_channel_that_was_never_in_reach_gets_no_message(
        self, service: TableService, publisher: Publisher, board: FakeBoard
    ) -> None:
        board.faults[Deed.POST] = [OutOfReach("not allowed")]
        table = await a_lobby(service, ROBIN)
        await publisher.close()
        assert (await service.table(table.id)).header.message_id is None
        await change(service, table, 1)
        await publisher.close()
        assert [(shown.deed, shown.revision) for shown in board.shown] == [(Deed.POST, 2)]

    async def test_a_message_that_can_neither_be_edited_nor_posted_anew_is_given_up(
        self, service: TableService, publisher: Publisher, board: FakeBoard, store: FakeStore
    ) -> None:
        table = await shown_lobby(service, publisher)
        board.faults = {Deed.EDIT: [MessageGone("gone")], Deed.POST: [OutOfReach("gone")]}
        await change(service, table, 1)
        await publisher.close()
        assert len(board.asked) == 3
        await service.flush()
        assert list(await store.unsettled({"magpie"}, 0, 9)) == []

    async def test_what_failed_for_now_is_tried_at_the_next_wake(
        self, service: TableService, publisher: Publisher, board: FakeBoard, store: FakeStore
    ) -> None:
        table = await shown_lobby(service, publisher)
        await service.flush()
        board.faults[Deed.EDIT] = [NotShown("500")]
        await change(service, table, 1)
        await publisher.close()
        assert board.revisions == [1]
        assert list(await store.unsettled({"magpie"}, 0, 9)) == [table.id]
        publisher.wake(table.id)
        await publisher.close()
        assert board.revisions == [1, 2]

    async def test_what_could_not_be_posted_anew_for_now_is_tried_again(
        self, service: TableService, publisher: Publisher, board: FakeBoard
    ) -> None:
        table = await shown_lobby(service, publisher)
        board.deleted.add(table.header.message_id or 0)
        board.faults[Deed.POST] = [NotShown("500")]
        await change(service, table, 1)
        await publisher.close()
        publisher.wake(table.id)
        await publisher.close()
        assert [(shown.deed, shown.revision) for shown in board.shown] == [(Deed.POST, 1), (Deed.POST, 2)]

    async def test_a_failed_edit_never_undoes_a_move(
        self, service: TableService, publisher: Publisher, board: FakeBoard, store: FakeStore
    ) -> None:
        table = await under_way(service)
        await publisher.close()
        board.faults[Deed.EDIT] = [NotShown("500")] * 3
        for _ in range(3):
            table = await roll(service, table)
            await publisher.close()
        assert len(store.texts(table.id)) == 3
        publisher.wake(table.id)
        await publisher.close()
        assert board.shown[-1].revision == table.header.revision


class TestRetries:
    @pytest.fixture
    def pauses(self, monkeypatch: pytest.MonkeyPatch) -> list[float]:
        """The long pauses that were asked for, none of which is made."""
        asked: list[float] = []
        sleep = asyncio.sleep

        async def shortened(seconds: float) -> None:
            if seconds > 1:
                asked.append(seconds)
            await sleep(0 if seconds > 1 else seconds)

        monkeypatch.setattr(asyncio, "sleep", shortened)
        return asked

    async def test_a_channel_out_of_reach_is_tried_again_after_pauses_that_grow_to_an_hour(
        self, service: TableService, publisher: Publisher, board: FakeBoard, pauses: list[float]
    ) -> None:
        board.faults[Deed.POST] = [OutOfReach("no permission")] * 10
        await a_lobby(service, ROBIN)
        await until(lambda: board.shown)
        assert pauses == [30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]
        await asyncio.sleep(0.05)
        assert len(board.shown) == 1

    async def test_once_in_reach_the_pauses_start_anew(
        self, service: TableService, publisher: Publisher, board: FakeBoard, pauses: list[float]
    ) -> None:
        board.faults = {Deed.POST: [OutOfReach("no permission")] * 3, Deed.EDIT: [OutOfReach("no permission")]}
        table = await a_lobby(service, ROBIN)
        await until(lambda: board.shown)
        await change(service, await service.table(table.id), 1)
        await until(lambda: len(board.shown) == 2)
        assert pauses == [30, 60, 120, 30]

    async def test_what_fails_again_in_between_leaves_the_pauses_as_they_are(
        self, service: TableService, publisher: Publisher, board: FakeBoard
    ) -> None:
        table = await a_lobby(service, ROBIN)
        await until(lambda: board.shown)
        board.faults[Deed.EDIT] = [Asleep("archived")] * 8
        while board.faults[Deed.EDIT]:
            publisher.wake(table.id, again=True)
            await publisher._tasks.finish()
        assert publisher._retries._pauses == {table.id: 60}
        assert waiting_retries()

    async def test_a_channel_that_is_gone_for_months_is_still_no_fault(
        self,
        service: TableService,
        publisher: Publisher,
        board: FakeBoard,
        pauses: list[float],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(bot.tables.publisher, "_GATHER_SECONDS", 0)
        board.faults[Deed.POST] = [OutOfReach("gone")] * 2000
        await a_lobby(service, ROBIN)
        await until(lambda: len(pauses) > 60)
        assert set(pauses[10:]) == {3600}

    async def test_an_archived_thread_is_left_alone_after_an_hour_until_somebody_acts_there(
        self, service: TableService, publisher: Publisher, board: FakeBoard, store: FakeStore, pauses: list[float]
    ) -> None:
        table = await a_lobby(service, ROBIN)
        await until(lambda: board.shown)
        board.faults[Deed.EDIT] = [Asleep("archived")] * 8
        await change(service, await service.table(table.id), 1)
        await until(lambda: not board.faults[Deed.EDIT])
        await asyncio.sleep(0.05)
        assert pauses == [30, 60, 120, 240, 480, 960, 1920]
        await service.flush()
        assert list(await store.unsettled({"magpie"}, 0, 9)) == [], "the sweep has nothing to do"
        await change(service, await service.table(table.id), 1)
        await until(lambda: board.revisions[-1] == 3)
        await publisher.close()

    async def test_a_channel_that_was_deleted_is_never_tried_again(
        self, service: TableService, publisher: Publisher, board: FakeBoard, store: FakeStore, pauses: list[float]
    ) -> None:
        board.faults[Deed.POST] = [OutOfReach("missing access"), Vanished("deleted")]
        table = await a_lobby(service, ROBIN)
        await until(lambda: not board.faults[Deed.POST])
        await asyncio.sleep(0.05)
        assert pauses == [30]
        assert len(board.asked) == 2
        assert not publisher.is_stuck(table.id)
        await service.flush()
        assert list(await store.unsettled({"magpie"}, 0, 9)) == [], "the sweep has nothing to do"

    async def test_a_table_that_is_over_is_given_up_after_an_hour(
        self, service: TableService, publisher: Publisher, board: FakeBoard, pauses: list[float]
    ) -> None:
        board.faults[Deed.POST] = [OutOfReach("gone")] * 20
        table = await a_lobby(service, ROBIN)
        await service.cancel(table.id, ROBIN, is_moderator=False)
        await until(lambda: len(board.asked) == 8)
        await asyncio.sleep(0.05)
        assert pauses == [30, 60, 120, 240, 480, 960, 1920]
        assert table.id not in publisher._retries._pauses

    async def test_closing_leaves_nothing_to_be_tried_again(
        self, service: TableService, publisher: Publisher, board: FakeBoard
    ) -> None:
        board.faults[Deed.POST] = [OutOfReach("no permission")]
        table = await a_lobby(service, ROBIN)
        await until(lambda: publisher.is_stuck(table.id))
        assert waiting_retries()
        await publisher.close()
        assert not waiting_retries()

    async def test_what_an_answer_has_shown_is_tried_no_more(
        self, service: TableService, publisher: Publisher, board: FakeBoard
    ) -> None:
        board.faults[Deed.POST] = [OutOfReach("no permission")]
        table = await a_lobby(service, ROBIN)
        await until(lambda: table.id in publisher._retries._pauses)

        async def send(_: Table) -> int:
            return 4711

        await publisher.post_anew(table.id, send)
        assert table.id not in publisher._retries._pauses
        assert not waiting_retries()
