"""The limit of open tables per person, for opening, playing again and continuing a series."""

from dataclasses import replace

import pytest

from bot.platform.places import Location
from bot.rules.refusals import Refusal
from bot.tables.model import Status
from bot.tables.opening import open_game, play_again
from bot.tables.refusals import HostReason, Stale, refused_table
from bot.tables.seats import resign_seat
from bot.tables.service import HostSettings, TableService
from tests.support.fakes import GAMES, HERE, ROBIN, WREN, open_lobby, start_game
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.tables.refusals import refused_for


@pytest.fixture
def service(db: MemoryDatabase) -> TableService:
    return TableService(db, GAMES, HostSettings(max_open_tables=2))


def make_place(channel_id: int) -> Location:
    return Location(guild_id=3, channel_id=channel_id)


async def open_two(service: TableService, *channels: int) -> None:
    """Open as many tables for Robin as one person may have."""
    for channel in channels or (1, 2):
        await open_lobby(service, ROBIN, location=make_place(channel))


async def test_a_solo_game_leaves_room_for_other_tables(db: MemoryDatabase) -> None:
    games = load_games_once()
    service = TableService(db, games)
    for person in (ROBIN, WREN):
        table = await open_game(service, "magic_bag", games["magic_bag"].game.info.options(), person, HERE, click_id=1)
        assert table.header.location == replace(HERE, solo_id=person.id)
    assert (await open_lobby(service, ROBIN)).header.location == HERE


async def test_playing_again_counts_and_a_player_of_the_next_table_is_referred_to_it(service: TableService) -> None:
    table = await start_game(service, ROBIN, WREN, location=make_place(1))
    table = await service.apply_seat_action(table.id, WREN, resign_seat, 7)
    assert table.header.status is Status.FINISHED
    await open_two(service, 2, 3)
    with refused_for(HostReason.TOO_MANY_TABLES):
        await play_again(service, table.id, ROBIN, 8)
    following = await play_again(service, table.id, WREN, 9)
    with pytest.raises(Refusal) as refused:
        await play_again(service, table.id, ROBIN, 10)
    assert (refused.value.reason, refused_table(refused.value)) == (HostReason.CHANNEL_TAKEN, following)


async def test_the_click_that_opened_the_last_table_is_stale_in_another_process(
    service: TableService, db: MemoryDatabase
) -> None:
    await open_two(service)
    other = TableService(db, GAMES, HostSettings(max_open_tables=2))
    with pytest.raises(Stale):
        await open_lobby(other, ROBIN, location=make_place(2))
