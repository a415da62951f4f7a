"""Taking a move back at a table of the toy game."""

import pytest

from bot.tables.model import Person
from bot.tables.refusals import Repeated
from bot.tables.registry import Registry
from bot.tables.table import Table
from bot.ui.ids import SeatAction, SeatId
from tests.rules.toy import PACKAGE
from tests.support.fakes import HERE, ROBIN, WREN, FakeBoard, FakeStore, mover_of
from tests.ui.adapter import Adapter
from tests.ui.interactions import How, click_of, command_of


@pytest.fixture
def adapter(store: FakeStore, shown: FakeBoard) -> Adapter:
    return Adapter(store, shown, Registry([PACKAGE]))


def labels(adapter: Adapter, table: Table) -> list[str]:
    return [press.label for row in adapter.board.frame(table).rows for press in row]


async def moved(adapter: Adapter) -> tuple[Table, Person]:
    service = adapter.service
    table = await service.open("heap", PACKAGE.game.info.options(), ROBIN, HERE, click_id=1)
    table = await service.join(table.id, WREN, 2)
    table = await service.start(table.id, ROBIN, 3)
    assert "Take back" not in labels(adapter, table)
    mover = mover_of(table)
    table = await service.play(table.id, mover, 0, "take 1", 4)
    await adapter.settled()
    return await service.table(table.id), mover


async def test_the_button_takes_back_and_a_second_click_only_refreshes(adapter: Adapter, store: FakeStore) -> None:
    table, mover = await moved(adapter)
    assert "Take back" in labels(adapter, table)
    undo = SeatId(table.id, 1, SeatAction.TAKE_BACK)
    other = WREN if mover == ROBIN else ROBIN
    refused = await adapter.click(click_of(other, undo, message_id=table.header.message_id))
    assert "nothing to take back" in refused.text
    for _ in range(2):
        click = await adapter.click(click_of(mover, undo, message_id=table.header.message_id))
        assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(How.EDIT, False)]
    assert store.texts(table.id) == ["take 1", "!undo"]


async def test_an_old_button_takes_no_later_move_back(adapter: Adapter, store: FakeStore) -> None:
    table, mover = await moved(adapter)
    old = SeatId(table.id, 1, SeatAction.TAKE_BACK)
    await adapter.click(click_of(mover, old, message_id=table.header.message_id))
    await adapter.service.play(table.id, mover, 2, "take 2", 8)
    late = await adapter.click(click_of(mover, old, message_id=table.header.message_id))
    assert [(answer.how, answer.ephemeral) for answer in late.answers] == [(How.EDIT, False)]
    assert store.texts(table.id) == ["take 1", "!undo", "take 2"]


async def test_two_processes_that_get_one_click_take_one_move_back(
    adapter: Adapter, store: FakeStore, shown: FakeBoard
) -> None:
    table, mover = await moved(adapter)
    other = Adapter(store, shown, Registry([PACKAGE]))
    undo = SeatId(table.id, 1, SeatAction.TAKE_BACK)
    for process in (adapter, other):
        click = await process.click(click_of(mover, undo, id=7777, message_id=table.header.message_id))
        assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(How.EDIT, False)]
    assert store.texts(table.id) == ["take 1", "!undo"]
    await other.host.close()


async def test_two_processes_that_get_one_command_answer_once(
    adapter: Adapter, store: FakeStore, shown: FakeBoard
) -> None:
    _, mover = await moved(adapter)
    await adapter.seats.take_back(command_of(mover, id=7777))  # type: ignore[arg-type]
    other, late = Adapter(store, shown, Registry([PACKAGE])), command_of(mover, id=7777)
    with pytest.raises(Repeated) as repeated:
        await other.seats.take_back(late)  # type: ignore[arg-type]
    await other.apologies.answer(late, repeated.value)  # type: ignore[arg-type]
    assert late.answers == []
    await other.host.close()


async def test_the_command_takes_back(adapter: Adapter, store: FakeStore) -> None:
    table, mover = await moved(adapter)
    command = command_of(mover)
    await adapter.seats.take_back(command)  # type: ignore[arg-type]
    assert command.text.startswith("Your move is taken back")
    assert store.texts(table.id) == ["take 1", "!undo"]
