"""What is shown keeps step with what is saved."""

import asyncio
import random
from collections.abc import AsyncIterator

import pytest

import bot.tables.publisher
from bot.tables.model import Person, Place, Status
from bot.tables.publisher import Asleep, MessageGone, NotShown, OutOfReach, Publisher, Vanished
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.support.fakes import (
    JAY,
    LINNET,
    ROBIN,
    WREN,
    Deed,
    FakeBoard,
    FakeStore,
    Gate,
    a_lobby,
    a_service,
    roll,
    under_way,
    until,
)
from tests.support.patience import DEADLINE_SECONDS


@pytest.fixture
async def publisher(service: TableService, board: FakeBoard) -> AsyncIterator[Publisher]:
    made = Publisher(service, board)
    service.listen(lambda table: made.wake(table.id))
    yield made
    await made.close()


async def change(service: TableService, table: Table, times: int) -> Table:
    """Change a lobby of Robin's a number of times."""
    for _ in range(times):
        revision = table.header.revision
        full = len(table.seats) == 6
        wish = service.remove_computer if full else service.add_computer
        table = await wish(table.id, ROBIN, revision)
    return table


async def shown_lobby(service: TableService, publisher: Publisher) -> Table:
    table = await a_lobby(service, ROBIN)
    await publisher.close()
    return await service.table(table.id)


class TestInOrder:
    async def test_a_table_is_posted_once_and_then_edited(
        self, service: TableService, publisher: Publisher, board: FakeBoard
    ) -> None:
        table = await shown_lobby(service, publisher)
        await change(service, table, 1)
        await publisher.close()
        assert [(shown.deed, shown.revision) for shown in board.shown] == [(Deed.POST, 1), (Deed.EDIT, 2)]
        assert board.shown[0].message_id == board.shown[1].message_id
        now = await service.table(table.id)
        assert (now.header.published, now.header.message_id) == (2, board.shown[0].message_id)

    async def test_a_table_that_another_process_has_posted_meanwhile_is_edited(
        self, service: TableService, publisher: Publisher, board: FakeBoard, store: FakeStore
    ) -> None:
        elsewhere = a_service(store)
        table = await a_lobby(elsewhere, ROBIN)
        seen = await service.table(table.id)
        assert seen.header.message_id is None
        there = Publisher(elsewhere, board)
        await there.post_anew(table.id)
        await service.join(table.id, WREN, 7)
        await publisher.close()
        assert [(shown.deed, shown.revision) for shown in board.shown] == [(Deed.POST, 1), (Deed.EDIT, 2)]
        assert board.shown[0].message_id == board.shown[1].message_id

    async def test_a_deleted_message_that_another_process_has_replaced_is_left_alone(
        self, service: TableService, publisher: Publisher, board: FakeBoard, store: FakeStore
    ) -> None:
        elsewhere = a_service(store)
        there = Publisher(elsewhere, board)
        table = await a_lobby(elsewhere, ROBIN)
        await there.post_anew(table.id)
        await service.table(table.id)
        await there.post_anew(table.id)
        board.faults[Deed.EDIT] = [MessageGone("deleted")]
        await service.join(table.id, WREN, 7)
        await publisher.close()
        assert [shown.deed for shown in board.shown] == [Deed.POST, Deed.POST, Deed.EDIT]
        assert board.shown[2].message_id == board.shown[1].message_id

    async def test_changes_close_together_are_shown_as_one(
        self, service: TableService, publisher: Publisher, board: FakeBoard
    ) -> None:
        table = await a_lobby(service, ROBIN)
        await change(service, table, 5)
        await publisher.close()
        assert board.revisions == [6]

    async def test_changes_during_an_edit_are_shown_by_one_more(
        self, service: TableService, publisher: Publisher, board: FakeBoard
    ) -> None:
        table = await shown_lobby(service, publisher)
        board.gates[Deed.EDIT] = gate = Gate()
        table = await change(service, table, 1)
        await gate.reached.wait()
        await change(service, table, 3)
        gate.open()
        await publisher.close()
        assert board.revisions == [1, 2, 5]

    async def test_what_is_shown_already_is_not_shown_again(
        self, service: TableService, publisher: Publisher, board: FakeBoard
    ) -> None:
        table = await shown_lobby(service, publisher)
        for _ in range(3):
            publisher.wake(table.id)
            await publisher.close()
        assert board.revisions == [1]

    async def test_unless_that_is_asked_for(
        self, service: TableService, publisher: Publisher, board: FakeBoard
    ) -> None:
        table = await shown_lobby(service, publisher)
        publisher.wake(table.id, again=True)
        await publisher.close()
        assert [(shown.deed, shown.revision) for shown in board.shown] == [(Deed.POST, 1), (Deed.EDIT, 1)]

    async def test_a_table_does_not_wait_for_another(
        self, service: TableService, publisher: Publisher, board: FakeBoard
    ) -> None:
        slow = await shown_lobby(service, publisher)
        board.gates[Deed.EDIT] = gate = Gate()
        await change(service, slow, 1)
        await gate.reached.wait()
        quick = await a_lobby(service, WREN, place=Place(3, 71))
        await until(lambda: board.shown[-1].table_id == quick.id)
        gate.open()

    async def test_closing_waits_for_edits_under_way(
        self, service: TableService, publisher: Publisher, board: FakeBoard
    ) -> None:
        table = await shown_lobby(service, publisher)
        board.gates[Deed.EDIT] = gate = Gate()
        await change(service, table, 1)
        await gate.reached.wait()
        closing = asyncio.create_task(publisher.close())
        for _ in range(20):
            await asyncio.sleep(0)
        assert not closing.done()
        gate.open()
        await closing
        assert board.revisions == [1, 2]


class TestCarrying:
    async def test_a_click_may_show_the_change_itself(
        self, service: TableService, publisher: Publisher, board: FakeBoard
    ) -> None:
        table = await shown_lobby(service, publisher)
        table = await change(service, table, 1)
        carried: list[Table] = []

        async def send(now: Table) -> int:
            carried.append(now)
            return now.header.message_id or 0

        assert await publisher.carry(table.id, table.header.message_id or 0, send)
        await publisher.close()
        assert carried == [table]
        assert board.revisions == [1]
        assert (await service.table(table.id)).header.published == 2

    async def test_a_click_carries_the_newest_revision(
        self, service: TableService, publisher: Publisher, board: FakeBoard
    ) -> None:
        table = await shown_lobby(service, publisher)
        await change(service, table, 3)
        revisions: list[int] = []

        async def send(now: Table) -> int:
            revisions.append(now.header.revision)
            return now.header.message_id or 0

        assert await publisher.carry(table.id, table.header.message_id or 0, send)
        await publisher.close()
        assert (revisions, board.revisions) == ([4], [1])

    async def test_a_click_leaves_it_to_the_edit_that_is_under_way(
        self, service: TableService, publisher: Publisher, board: FakeBoard
    ) -> None:
        table = await shown_lobby(service, publisher)
        board.gates[Deed.EDIT] = gate = Gate()
        table = await change(service, table, 1)
        await gate.reached.wait()
        await change(service, table, 1)

        async def send(_: Table) -> int:
            raise AssertionError("nothing is to be sent")

        assert not await publisher.carry(table.id, table.header.message_id or 0, send)
        gate.open()
        await publisher.close()
        assert board.revisions == [1, 2, 3]

    async def test_a_patient_click_carries_after_the_edit_that_is_under_way(
        self, service: TableService, publisher: Publisher, board: FakeBoard
    ) -> None:
        table = await shown_lobby(service, publisher)
        board.gates[Deed.EDIT] = gate = Gate()
        table = await change(service, table, 1)
        await gate.reached.wait()
        board.faults[Deed.EDIT] = [OutOfReach("forbidden")]
        carried: list[int] = []

        async def send(now: Table) -> int:
            carried.append(now.header.revision)
            return now.header.message_id or 0

        carrying = asyncio.create_task(
            publisher.carry(table.id, table.header.message_id or 0, send, patience=DEADLINE_SECONDS)
        )
        gate.open()
        assert await carrying
        assert carried == [2]
        assert not publisher.is_stuck(table.id)

    async def test_a_change_while_a_click_carries_is_shown_after_it(
        self, service: TableService, publisher: Publisher, board: FakeBoard
    ) -> None:
        table = await shown_lobby(service, publisher)
        table = await change(service, table, 1)
        gate, order = Gate(), list[str]()

        async def send(now: Table) -> int:
            await gate.wait()
            order.append(f"carried {now.header.revision}, shown {board.revisions}")
            return now.header.message_id or 0

        carrying = asyncio.create_task(publisher.carry(table.id, table.header.message_id or 0, send))
        await gate.reached.wait()
        await change(service, table, 1)
        await asyncio.sleep(0.05)  # longer than changes are gathered: the publisher now waits for the click
        gate.open()
        assert await carrying
        await publisher.close()
        assert order == ["carried 2, shown [1]"]
        assert board.revisions == [1, 3]

    async def test_a_click_on_another_message_than_the_tables_carries_nothing(
        self, service: TableService, publisher: Publisher, board: FakeBoard
    ) -> None:
        table = await shown_lobby(service, publisher)
        await change(service, table, 1)

        async def send(_: Table) -> int:
            raise AssertionError("nothing is to be sent")

        assert not await publisher.carry(table.id, 4711, send)
        await publisher.close()
        assert board.revisions == [1, 2]

    async def test_a_click_may_show_a_table_that_no_message_shows_yet(
        self, service: TableService, publisher: Publisher, board: FakeBoard
    ) -> None:
        table = await a_lobby(service, ROBIN)

        async def send(_: Table) -> int:
            return 4711

        assert await publisher.carry(table.id, 4711, send)
        await publisher.close()
        assert board.asked == []
        assert (await service.table(table.id)).header.message_id == 4711

    async def test_a_click_that_could_not_carry_leaves_it_to_the_publisher(
        self, service: TableService, publisher: Publisher, board: FakeBoard
    ) -> None:
        table = await shown_lobby(service, publisher)
        table = await change(service, table, 1)

        async def send(_: Table) -> int:
            raise ConnectionError("too late")

        with pytest.raises(ConnectionError):
            await publisher.carry(table.id, table.header.message_id or 0, send)
        await publisher.close()
        assert board.revisions == [1, 2]

    async def test_a_table_posted_anew_is_edited_in_its_new_message(
        self, service: TableService, publisher: Publisher, board: FakeBoard
    ) -> None:
        table = await shown_lobby(service, publisher)
        old = table.header.message_id

        async def send(_: Table) -> int:
            return 4711

        assert await publisher.post_anew(table.id, send) == old
        await change(service, table, 1)
        await publisher.close()
        assert (board.shown[-1].revision, board.shown[-1].message_id) == (2, 4711)

    async def test_an_answer_that_opens_a_table_is_its_first_message(
        self, service: TableService, publisher: Publisher, board: FakeBoard
    ) -> None:
        table = await a_lobby(service, ROBIN)

        async def send(_: Table) -> int:
            await asyncio.sleep(0.05)  # longer than changes are gathered
            return 4711

        assert await publisher.post_anew(table.id, send) is None
        await publisher.close()
        assert board.asked == []
        assert (await service.table(table.id)).header.message_id == 4711


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
        assert list(await store.unsettled(9)) == []
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
        assert list(await store.unsettled(9)) == []

    async def test_what_failed_for_now_is_tried_at_the_next_wake(
        self, service: TableService, publisher: Publisher, board: FakeBoard, store: FakeStore
    ) -> None:
        table = await shown_lobby(service, publisher)
        await service.flush()
        board.faults[Deed.EDIT] = [NotShown("500")]
        await change(service, table, 1)
        await publisher.close()
        assert board.revisions == [1]
        assert list(await store.unsettled(9)) == [table.id]
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
        assert [task for task in asyncio.all_tasks() if "retry" in task.get_name() and not task.cancelling()]

    async def test_a_channel_that_is_gone_for_months_is_still_no_fault(
        self, service: TableService, publisher: Publisher, board: FakeBoard, pauses: list[float]
    ) -> None:
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
        assert list(await store.unsettled(9)) == [], "the sweep has nothing to do"
        await change(service, await service.table(table.id), 1)
        await until(lambda: board.revisions[-1] == 3)
        await publisher.close()

    async def test_a_channel_that_was_deleted_is_never_tried_again(
        self, service: TableService, publisher: Publisher, board: FakeBoard, store: FakeStore, pauses: list[float]
    ) -> None:
        board.faults[Deed.POST] = [OutOfReach("missing access"), Vanished("deleted")]
        await a_lobby(service, ROBIN)
        await until(lambda: not board.faults[Deed.POST])
        await asyncio.sleep(0.05)
        assert pauses == [30]
        assert len(board.asked) == 2
        await service.flush()
        assert list(await store.unsettled(9)) == [], "the sweep has nothing to do"

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
        assert not [task for task in asyncio.all_tasks() if "retry" in task.get_name() and not task.cancelling()]


class Hammer:
    """People who join and leave, and a network that dawdles."""

    def __init__(self, service: TableService, publisher: Publisher, board: FakeBoard, seed: int) -> None:
        self.service, self.publisher, self.board = service, publisher, board
        self.random = random.Random(seed)
        self.seen: list[int] = []
        """The revisions that arrived on the screen, in order, carried ones included."""
        show = board._show

        async def show_and_note(deed: Deed, table: Table, message_id: int) -> None:
            await show(deed, table, message_id)
            self.seen.append(table.header.revision)

        board._show = show_and_note  # type: ignore[method-assign]

    async def run(self, table: Table) -> None:
        await asyncio.gather(*(self.click(table.id, person) for person in (WREN, JAY, LINNET)))
        await self.publisher.close()

    async def click(self, table_id: int, person: Person) -> None:
        for click in range(30):
            self.board.turns = self.random.randrange(6)
            await self.dawdle()
            if click % 2:
                await self.service.leave(table_id, person)
            else:
                await self.service.join(table_id, person, click)
            if self.random.random() < 0.5:
                await self.publisher.carry(table_id, self.board.shown[0].message_id, self.send)

    async def send(self, table: Table) -> int:
        await self.dawdle()
        self.seen.append(table.header.revision)
        return table.header.message_id or 0

    async def dawdle(self) -> None:
        for _ in range(self.random.randrange(8)):
            await asyncio.sleep(0)


@pytest.mark.parametrize("seed", range(8))
async def test_under_fire_the_newest_is_shown_last_and_nothing_older_after_newer(
    service: TableService, board: FakeBoard, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(bot.tables.publisher, "_GATHER_SECONDS", 0)
    publisher = Publisher(service, board)
    service.listen(lambda table: publisher.wake(table.id))
    table = await shown_lobby(service, publisher)
    hammer = Hammer(service, publisher, board, seed)
    await hammer.run(table)
    now = await service.table(table.id)
    assert now.header.revision == 91
    assert now.header.published == 91
    assert hammer.seen == sorted(hammer.seen)
    assert hammer.seen[-1] == 91
    assert len({shown.message_id for shown in board.shown}) == 1


async def test_a_finished_table_is_shown_to_its_end(
    service: TableService, publisher: Publisher, board: FakeBoard
) -> None:
    table = await under_way(service)
    await service.cancel(table.id, ROBIN, is_moderator=False)
    await publisher.close()
    assert board.shown[-1].status is Status.CANCELLED
