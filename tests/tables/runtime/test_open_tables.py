"""The limit of open tables per person, for opening, playing again and continuing a series."""

from dataclasses import replace

import pytest

from bot.features.help.lessons import open_lesson
from bot.platform.places import Location
from bot.rules.refusals import Refusal
from bot.tables import storage as table_storage
from bot.tables.lobby import make_occupant
from bot.tables.model import SeriesLink, SeriesLinkKind, Status
from bot.tables.opening import open_game, open_pairing, play_again
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


async def test_lessons_leave_room_for_tables_and_the_other_way_round(service: TableService) -> None:
    first = await open_lesson(service, "magpie", ROBIN, make_place(9), 1)
    await open_two(service)
    second = await open_lesson(service, "magpie", ROBIN, make_place(8), 2)
    assert [await service.open_table_in(channel, ROBIN.id) for channel in (9, 8)] == [first, second]
    with refused_for(HostReason.TOO_MANY_TABLES):
        await open_lesson(service, "magpie", ROBIN, make_place(7), 3)


async def test_too_many_tables_end_no_lesson(service: TableService) -> None:
    await open_two(service)
    lesson = await open_lesson(service, "magpie", ROBIN, make_place(9), 1)
    with refused_for(HostReason.TOO_MANY_TABLES):
        await open_lobby(service, ROBIN, location=make_place(3))
    assert await service.open_table_in(9, ROBIN.id) == lesson
    await service.cancel(1, ROBIN, is_moderator=False)
    await open_lobby(service, ROBIN, location=make_place(3))


async def test_a_tournaments_table_ends_no_lesson(service: TableService) -> None:
    lesson = await open_lesson(service, "magpie", ROBIN, make_place(9), 1)
    link = SeriesLink(5, SeriesLinkKind.PAIRING, 1)
    seats = (make_occupant(ROBIN, 0), make_occupant(WREN, 0))
    await open_pairing(service, "magpie", "{}", seats, make_place(9), link)
    assert await service.open_table_in(9, ROBIN.id) == lesson


async def test_a_lesson_goes_on_while_the_database_fails(service: TableService, db: MemoryDatabase) -> None:
    lesson = await open_lesson(service, "magpie", ROBIN, make_place(9), 1)
    db.broken = {table_storage.find_open}
    await open_lobby(service, ROBIN, location=make_place(9))
    db.broken = set()
    assert await service.open_table_in(9, ROBIN.id) == lesson


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
