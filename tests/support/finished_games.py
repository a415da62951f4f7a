"""Tables of Magpie played to their end without being shown."""

from array import array
from collections.abc import Sequence
from dataclasses import replace

from bot.games.magpie.pieces import MagpieOptions
from bot.platform.places import Location, Person
from bot.tables.model import Status
from bot.tables.opening import open_game
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.support.fakes import make_table
from tests.support.games import load_games_once

ALL_FIVE = "roll 1 2 3 4 5"


def finished_magpie(turns: Sequence[tuple[int, ...]]) -> Table:
    """Return a finished table with the scores after each turn."""
    table = make_table(status=Status.PLAYING, package=load_games_once()["magpie"])
    race = b"".join(array("i", row).tobytes() for row in turns)
    state = replace(table.state, scores=turns[-1], trigger=0, mover=None)
    header = replace(table.header, status=Status.FINISHED, to_move=None)
    return replace(table, state=state, race=race, header=header)


async def play_to_end(
    service: TableService, location: Location, *people: Person, computers: int = 0, most: int = 10_000, target: int = 50
) -> Table:
    """Open a game, a short one by default, play it to its end or for a number of moves, and return it."""
    opener, *others = people
    table = await open_game(
        service, "magpie", MagpieOptions(target=target), opener, location, click_id=1, computers=computers
    )
    for at, person in enumerate(others, 2):
        table = await service.join(table.id, person, at)
    table = await service.start(table.id, opener, 50)
    while table.header.status is Status.PLAYING and table.header.step < most:
        table = await roll_all(service, table)
    return table


async def roll_all(service: TableService, table: Table) -> Table:
    """Roll all five dice for the seat to move."""
    who, step = table.mover, table.header.step
    assert who is not None
    if who.user_id is None:
        return await service.play_computer(table.id, step, ALL_FIVE)
    return await service.play(table.id, Person(who.user_id, who.name), step, ALL_FIVE, 100 + step)
