"""Commands about seats apply to the channel's table, even for a person with a solo game."""

from collections.abc import AsyncIterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bot.features.help.lessons import open_lesson
from bot.games.magpie.pieces import MagpieOptions
from bot.platform.discord.ids import parse_id
from bot.rules.refusals import Refusal
from bot.tables.handlers.commands import TableCommands
from bot.tables.handlers.ids import CancelTableId, SeatButton, SeatId
from bot.tables.handlers.lobby import LobbyCommands
from bot.tables.handlers.seats import SeatCommands
from bot.tables.model import Status, TableId
from bot.tables.opening import open_game
from bot.tables.refusals import HostReason
from bot.tables.table import Table
from tests.support.fakes import HERE, JAY, ROBIN, STRANGER, WREN, mover_of, open_lobby, roll, start_game
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter, refusal_reason
from tests.ui.fake_interactions import make_click, make_command

Command = Any


@pytest.fixture
async def solo(adapter: Adapter) -> Table:
    """Robin's own table in the channel."""
    return await open_game(
        adapter.service, "magpie", MagpieOptions(), ROBIN, replace(HERE, solo_id=ROBIN.id), click_id=1
    )


def closed_by(command: Command) -> list[TableId]:
    """Return which tables the buttons of all answers close."""
    buttons = [parse_id(item.custom_id) for answer in command.answers for item in answer.view.children]
    return [each.table_id for each in buttons if isinstance(each, CancelTableId)]


async def test_the_channels_table_comes_before_the_persons_solo_game(adapter: Adapter, solo: Table) -> None:
    robin: Command = make_command(ROBIN)
    stranger: Command = make_command(STRANGER)
    assert (await adapter.app.service(TableCommands).common_table(robin)).id == solo.id
    with pytest.raises(Refusal) as refused:
        await adapter.app.service(TableCommands).common_table(stranger)
    assert refused.value.reason is HostReason.NO_TABLE_HERE
    common = await open_lobby(adapter.service, WREN)
    for asking in (robin, stranger):
        assert (await adapter.app.service(TableCommands).common_table(asking)).id == common.id
    assert (await adapter.app.service(TableCommands).table_here(robin)).id == solo.id


async def test_commands_go_to_the_game_with_others_before_a_lesson(adapter: Adapter) -> None:
    common = await open_lobby(adapter.service, ROBIN, WREN)
    lesson = await open_lesson(adapter.service, "magpie", ROBIN, HERE, 1)
    robin: Command = make_command(ROBIN)
    stranger: Command = make_command(STRANGER)
    assert (await adapter.app.service(TableCommands).table_here(robin, "magpie")).id == lesson.id, (
        "nothing is played there yet"
    )
    common = await adapter.service.start(common.id, ROBIN, 2)
    for game in ("magpie", None):
        assert (await adapter.app.service(TableCommands).table_here(robin, game)).id == common.id
    other = await open_lesson(adapter.service, "magpie", STRANGER, HERE, 3)
    for person, table in ((ROBIN, common), (STRANGER, other)):
        asking: Command = make_command(person)
        await adapter.app.service(SeatCommands).ask_to_resign(asking)
        assert str(table.id) in asking.buttons()[0].split(":"), "the game is not the stranger's"
    for person, tables in ((ROBIN, [common, lesson]), (STRANGER, [other])):
        asking = make_command(person)
        await adapter.app.service(TableCommands).cancel(asking)
        assert closed_by(asking) == [table.id for table in tables], "the game is not the stranger's"
    assert (await adapter.app.service(TableCommands).table_here(stranger)).id == other.id
    closing: Command = make_command(ROBIN)
    await adapter.app.service(TableCommands).cancel(closing, closing.user)
    assert str(lesson.id) in closing.buttons()[0].split(":"), "by name they close their own"


async def test_seats_are_changed_at_the_channels_table(adapter: Adapter, db: MemoryDatabase, solo: Table) -> None:
    common = await open_lobby(adapter.service, ROBIN, WREN)
    command: Command = make_command(ROBIN)
    wren: Any = SimpleNamespace(id=WREN.id, display_name="Wren")
    await adapter.app.service(LobbyCommands).kick(command, wren)
    assert [who.name for who in db.records[common.id].seats] == ["Robin"]
    assert db.header(solo.id).revision == solo.header.revision


@pytest.mark.usefixtures("solo")
async def test_resigning_applies_to_the_channels_table(adapter: Adapter) -> None:
    common = await start_game(adapter.service)
    asking = make_command(ROBIN)
    await adapter.app.service(SeatCommands).ask_to_resign(asking)  # type: ignore[arg-type]
    (button,) = asking.buttons()
    assert parse_id(button) == SeatId(common.id, 0, SeatButton.RESIGN)


@pytest.fixture
async def solitaire(db: MemoryDatabase, adapter: Adapter) -> AsyncIterator[tuple[Adapter, Table]]:
    """Robin's game of The Magic Bag in the channel, dealt."""
    several = Adapter(db, adapter.fake_table_messages, load_games_once())
    table = await open_game(
        several.service, "magic_bag", several.service.games["magic_bag"].game.info.options(), ROBIN, HERE, click_id=1
    )
    yield several, await several.service.start(table.id, ROBIN, 2)
    await several.host.close()


async def test_resigning_applies_to_the_game_that_can_be_resigned(solitaire: tuple[Adapter, Table]) -> None:
    adapter, _alone = solitaire
    refused = make_command(ROBIN)
    assert await refusal_reason(adapter.app.service(SeatCommands).ask_to_resign(refused)) is HostReason.ALONE  # type: ignore[arg-type]
    common = await start_game(adapter.service, ROBIN, computers=1)
    asking = make_command(ROBIN)
    await adapter.app.service(SeatCommands).ask_to_resign(asking)  # type: ignore[arg-type]
    assert [parse_id(button) for button in asking.buttons()] == [SeatId(common.id, 0, SeatButton.RESIGN)]


async def test_closing_asks_about_both_games_of_a_person(solitaire: tuple[Adapter, Table]) -> None:
    adapter, alone = solitaire
    common = await start_game(adapter.service, ROBIN, computers=1)
    closing = make_command(ROBIN)
    await adapter.app.service(TableCommands).cancel(closing)  # type: ignore[arg-type]
    assert closed_by(closing) == [alone.id, common.id]


async def test_a_lobby_beside_a_game_is_not_closed_unasked(
    solitaire: tuple[Adapter, Table], db: MemoryDatabase
) -> None:
    adapter, alone = solitaire
    lobby = await open_lobby(adapter.service, ROBIN)
    closing = make_command(ROBIN)
    await adapter.app.service(TableCommands).cancel(closing)  # type: ignore[arg-type]
    assert closed_by(closing) == [alone.id, lobby.id]
    await adapter.click(make_click(ROBIN, CancelTableId(lobby.id)))
    assert (db.header(lobby.id).status, db.header(alone.id).status) == (Status.CANCELLED, Status.PLAYING)


async def test_closing_leaves_out_what_others_play(solitaire: tuple[Adapter, Table]) -> None:
    adapter, alone = solitaire
    await start_game(adapter.service, WREN, JAY)
    closing = make_command(ROBIN)
    await adapter.app.service(TableCommands).cancel(closing)  # type: ignore[arg-type]
    assert closed_by(closing) == [alone.id]


async def test_substitutes_come_and_go_at_the_channels_table(adapter: Adapter, db: MemoryDatabase, solo: Table) -> None:
    await adapter.service.start(solo.id, ROBIN, 2)
    common = await start_game(adapter.service)
    if mover_of(common) == ROBIN:
        common = await roll(adapter.service, common)
    absent, seat = mover_of(common), common.header.to_move
    adapter.clock.tick(120)
    await adapter.app.service(SeatCommands).substitute(make_command(ROBIN))  # type: ignore[arg-type]
    await adapter.wait_until_shown()
    assert f"!substitute {seat}" in db.texts(common.id)
    await adapter.app.service(SeatCommands).come_back(make_command(absent))  # type: ignore[arg-type]
    assert "!back" in db.texts(common.id)
    assert not [text for text in db.texts(solo.id) if text.startswith("!")]
