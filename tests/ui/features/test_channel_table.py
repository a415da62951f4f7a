"""Commands about seats apply to the channel's table, even for a person with a solo game."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bot.games.magpie.pieces import MagpieOptions
from bot.rules.refusals import Refusal
from bot.tables.refusals import HostReason
from bot.tables.table import Table
from bot.ui.custom_id_parser import parse_id
from bot.ui.custom_ids import SeatButton, SeatId
from tests.support.fake_store import FakeStore
from tests.support.fakes import HERE, ROBIN, STRANGER, WREN, mover_of, open_lobby, roll, start_game
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import make_command

Command = Any


@pytest.fixture
async def solo(adapter: Adapter) -> Table:
    """Robin's own table in the channel."""
    return await adapter.service.open("magpie", MagpieOptions(), ROBIN, replace(HERE, solo_id=ROBIN.id), click_id=1)


async def test_the_channels_table_comes_before_the_persons_solo_game(adapter: Adapter, solo: Table) -> None:
    robin: Command = make_command(ROBIN)
    stranger: Command = make_command(STRANGER)
    assert (await adapter.features.tables.common_table(robin)).id == solo.id
    with pytest.raises(Refusal) as refused:
        await adapter.features.tables.common_table(stranger)
    assert refused.value.reason is HostReason.NO_TABLE_HERE
    common = await open_lobby(adapter.service, WREN)
    for asking in (robin, stranger):
        assert (await adapter.features.tables.common_table(asking)).id == common.id
    assert (await adapter.features.tables.table_here(robin)).id == solo.id


async def test_commands_go_to_the_game_with_others_before_a_lesson(adapter: Adapter) -> None:
    lesson = await adapter.service.open_lesson("magpie", ROBIN, HERE, 1)
    robin: Command = make_command(ROBIN)
    stranger: Command = make_command(STRANGER)
    common = await open_lobby(adapter.service, ROBIN, WREN)
    assert (await adapter.features.tables.table_here(robin, "magpie")).id == lesson.id, "nothing is played there yet"
    common = await adapter.service.start(common.id, ROBIN, 2)
    for game in ("magpie", None):
        assert (await adapter.features.tables.table_here(robin, game)).id == common.id
    other = await adapter.service.open_lesson("magpie", STRANGER, HERE, 3)
    features = adapter.features
    for ask in (features.tables.cancel, features.seats.ask_to_resign):
        for person, table in ((ROBIN, common), (STRANGER, other)):
            asking: Command = make_command(person)
            await ask(asking)
            assert str(table.id) in asking.buttons()[0].split(":"), "the game is not the stranger's"
    assert (await features.tables.table_here(stranger)).id == other.id
    closing: Command = make_command(ROBIN)
    await features.tables.cancel(closing, closing.user)
    assert str(lesson.id) in closing.buttons()[0].split(":"), "by name they close their own"


async def test_seats_are_changed_at_the_channels_table(adapter: Adapter, store: FakeStore, solo: Table) -> None:
    common = await open_lobby(adapter.service, ROBIN, WREN)
    command: Command = make_command(ROBIN)
    wren: Any = SimpleNamespace(id=WREN.id, display_name="Wren")
    await adapter.features.lobbies.kick(command, wren)
    assert [who.name for who in store.records[common.id].seats] == ["Robin"]
    assert store.header(solo.id).revision == solo.header.revision


@pytest.mark.usefixtures("solo")
async def test_resigning_applies_to_the_channels_table(adapter: Adapter) -> None:
    common = await start_game(adapter.service)
    asking = make_command(ROBIN)
    await adapter.features.seats.ask_to_resign(asking)  # type: ignore[arg-type]
    (button,) = asking.buttons()
    assert parse_id(button) == SeatId(common.id, 0, SeatButton.RESIGN)


async def test_substitutes_come_and_go_at_the_channels_table(adapter: Adapter, store: FakeStore, solo: Table) -> None:
    await adapter.service.start(solo.id, ROBIN, 2)
    common = await start_game(adapter.service)
    if mover_of(common) == ROBIN:
        common = await roll(adapter.service, common)
    absent, seat = mover_of(common), common.header.to_move
    adapter.clock.tick(120)
    await adapter.features.seats.substitute(make_command(ROBIN))  # type: ignore[arg-type]
    await adapter.wait_until_shown()
    assert f"!substitute {seat}" in store.texts(common.id)
    await adapter.features.seats.come_back(make_command(absent))  # type: ignore[arg-type]
    assert "!back" in store.texts(common.id)
    assert not [text for text in store.texts(solo.id) if text.startswith("!")]
