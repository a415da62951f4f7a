"""Commands about seats mean the channel's table, even for somebody who plays alone beside it."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bot.games.magpie.pieces import MagpieOptions
from bot.rules.refusals import Refusal
from bot.tables.refusals import HostReason
from bot.tables.table import Table
from bot.ui.custom_id_parser import parse_id
from bot.ui.custom_ids import SeatAction, SeatId
from tests.support.fakes import HERE, ROBIN, STRANGER, WREN, FakeStore, a_lobby, mover_of, roll, under_way
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import command_of

Command = Any


@pytest.fixture
async def solo(adapter: Adapter) -> Table:
    """Robin's own table in the channel."""
    return await adapter.service.open("magpie", MagpieOptions(), ROBIN, replace(HERE, solo_id=ROBIN.id), click_id=1)


async def test_is_the_channels_and_only_without_one_the_persons_own(adapter: Adapter, solo: Table) -> None:
    robin: Command = command_of(ROBIN)
    stranger: Command = command_of(STRANGER)
    assert (await adapter.desk.common_table(robin)).id == solo.id
    with pytest.raises(Refusal) as refused:
        await adapter.desk.common_table(stranger)
    assert refused.value.reason is HostReason.NO_TABLE_HERE
    common = await a_lobby(adapter.service, WREN)
    for asking in (robin, stranger):
        assert (await adapter.desk.common_table(asking)).id == common.id
    assert (await adapter.desk.table_here(robin)).id == solo.id


async def test_seats_are_given_and_taken_there(adapter: Adapter, store: FakeStore, solo: Table) -> None:
    common = await a_lobby(adapter.service, ROBIN, WREN)
    command: Command = command_of(ROBIN)
    await adapter.lobbies.add_computer(command, "random")
    wren: Any = SimpleNamespace(id=WREN.id, display_name="Wren")
    await adapter.lobbies.kick(command_of(ROBIN), wren)  # type: ignore[arg-type]
    assert [who.name for who in store.records[common.id].seats] == ["Robin", "Computer"]
    assert store.header(solo.id).revision == solo.header.revision


@pytest.mark.usefixtures("solo")
async def test_is_what_somebody_resigns(adapter: Adapter) -> None:
    common = await under_way(adapter.service)
    asking = command_of(ROBIN)
    await adapter.seats.ask_to_resign(asking)  # type: ignore[arg-type]
    (button,) = asking.buttons()
    assert parse_id(button) == SeatId(common.id, 0, SeatAction.RESIGN)


async def test_is_where_somebody_stands_in_and_goes_again(adapter: Adapter, store: FakeStore, solo: Table) -> None:
    await adapter.service.start(solo.id, ROBIN, 2)
    common = await under_way(adapter.service)
    if mover_of(common) == ROBIN:
        common = await roll(adapter.service, common)
    absent, seat = mover_of(common), common.header.to_move
    adapter.clock.tick(120)
    await adapter.seats.substitute(command_of(ROBIN))  # type: ignore[arg-type]
    await adapter.settled()
    assert f"!substitute {seat}" in store.texts(common.id)
    await adapter.seats.come_back(command_of(absent))  # type: ignore[arg-type]
    assert "!back" in store.texts(common.id)
    assert not [text for text in store.texts(solo.id) if text.startswith("!")]
