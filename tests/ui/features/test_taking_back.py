"""Taking a move back at a table of the toy game."""

from dataclasses import replace

import pytest

from bot.platform.observability.trace import start_trace
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables.handlers.ids import SeatButton, SeatId
from bot.tables.handlers.seats import SeatCommands
from bot.tables.opening import open_game
from bot.tables.refusals import HostReason
from bot.tables.registry import GameRegistry
from bot.tables.seats import take_back
from bot.tables.table import Table
from tests.rules.heap_game import PACKAGE
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import HERE, JAY, ROBIN, STRANGER, WREN, mover_of
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import AnswerMethod, make_click, make_command
from tests.ui.table_clicks import offered_ids


@pytest.fixture
def games() -> GameRegistry:
    return GameRegistry([PACKAGE])


async def make_move(adapter: Adapter) -> tuple[Table, Person]:
    service = adapter.service
    table = await open_game(service, "heap", PACKAGE.game.info.options(), ROBIN, HERE, click_id=1)
    table = await service.join(table.id, WREN, 2)
    table = await service.start(table.id, ROBIN, 3)
    assert SeatId not in map(type, offered_ids(adapter, table))
    mover = mover_of(table)
    table = await service.play(table.id, mover, 0, "take 1", 4)
    await adapter.wait_until_shown()
    return await service.table(table.id), mover


async def test_the_button_takes_a_move_back_and_a_second_click_only_refreshes(
    adapter: Adapter, db: MemoryDatabase
) -> None:
    table, mover = await make_move(adapter)
    undo = SeatId(table.id, 1, SeatButton.TAKE_BACK)
    assert undo in offered_ids(adapter, table)
    other = WREN if mover == ROBIN else ROBIN
    refused = await adapter.click(make_click(other, undo, message_id=table.header.message_id))
    assert refused.refusal is HostReason.NOTHING_TO_TAKE_BACK
    for _ in range(2):
        click = await adapter.click(make_click(mover, undo, message_id=table.header.message_id))
        assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(AnswerMethod.EDIT, False)]
    assert db.texts(table.id) == ["take 1", "!undo"]


async def test_an_old_button_takes_back_no_later_move(adapter: Adapter, db: MemoryDatabase) -> None:
    table, mover = await make_move(adapter)
    old = SeatId(table.id, 1, SeatButton.TAKE_BACK)
    await adapter.click(make_click(mover, old, message_id=table.header.message_id))
    await adapter.service.play(table.id, mover, 2, "take 2", 8)
    late = await adapter.click(make_click(mover, old, message_id=table.header.message_id))
    assert [(answer.how, answer.ephemeral) for answer in late.answers] == [(AnswerMethod.EDIT, False)]
    assert db.texts(table.id) == ["take 1", "!undo", "take 2"]
    stranger = await adapter.click(make_click(STRANGER, old, message_id=table.header.message_id))
    assert stranger.refusal is HostReason.NOT_SEATED


async def test_one_click_in_two_processes_takes_back_one_move(
    adapter: Adapter, db: MemoryDatabase, shown: FakeTableMessages
) -> None:
    table, mover = await make_move(adapter)
    other = Adapter(db, shown, GameRegistry([PACKAGE]))
    undo = SeatId(table.id, 1, SeatButton.TAKE_BACK)
    for process in (adapter, other):
        click = await process.click(make_click(mover, undo, id=7777, message_id=table.header.message_id))
        assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(AnswerMethod.EDIT, False)]
    assert db.texts(table.id) == ["take 1", "!undo"]
    await other.host.close()


async def test_the_command_takes_a_move_back(adapter: Adapter, db: MemoryDatabase) -> None:
    table, mover = await make_move(adapter)
    command, trace = make_command(mover), start_trace()
    await adapter.app.service(SeatCommands).take_back(command)  # type: ignore[arg-type]
    assert trace.table == table.id
    assert command.text
    assert db.texts(table.id) == ["take 1", "!undo"]


class TestTheCommandBesideASoloGame:
    async def both(self, adapter: Adapter) -> tuple[Table, Table, Person]:
        """The channel's table, where a person has just moved, and their solo game."""
        common, mover = await make_move(adapter)
        own = replace(HERE, solo_id=mover.id)
        alone = await open_game(adapter.service, "heap", PACKAGE.game.info.options(), mover, own, click_id=5)
        await adapter.service.join(alone.id, JAY, 6)
        return common, await adapter.service.start(alone.id, mover, 7), mover

    async def test_the_command_takes_back_where_it_is_possible(self, adapter: Adapter, db: MemoryDatabase) -> None:
        common, alone, mover = await self.both(adapter)
        await adapter.app.service(SeatCommands).take_back(make_command(mover))  # type: ignore[arg-type]
        assert db.texts(common.id) == ["take 1", "!undo"]
        assert db.texts(alone.id) == []

    async def test_the_solo_game_comes_first(self, adapter: Adapter, db: MemoryDatabase) -> None:
        common, alone, mover = await self.both(adapter)
        if mover_of(alone) == JAY:
            alone = await adapter.service.play(alone.id, JAY, 0, "take 1", 8)
        await adapter.service.play(alone.id, mover, alone.header.step, "take 1", 9)
        await adapter.app.service(SeatCommands).take_back(make_command(mover))  # type: ignore[arg-type]
        assert db.texts(common.id) == ["take 1"]
        assert db.texts(alone.id)[-1] == "!undo"

    async def test_the_command_says_if_nothing_can_be_taken_back(self, adapter: Adapter) -> None:
        common, _, mover = await self.both(adapter)
        await adapter.service.apply_seat_action(common.id, mover, take_back, 10)
        with pytest.raises(Refusal) as refused:
            await adapter.app.service(SeatCommands).take_back(make_command(mover))  # type: ignore[arg-type]
        assert refused.value.reason is HostReason.NOTHING_TO_TAKE_BACK
