"""A table of Change."""

from bot.games.change.pieces import ChangeOptions
from bot.platform.places import Location, Person
from bot.tables.opening import open_game
from bot.tables.registry import GameRegistry
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.support.games import load_games_once

CHANGE = load_games_once()["change"]
CHANGE_REGISTRY = GameRegistry([CHANGE])


async def start_change_game(service: TableService, location: Location, *people: Person) -> Table:
    """Start a table of Change."""
    opener, *others = people
    table = await open_game(service, "change", ChangeOptions(), opener, location, click_id=1)
    for at, person in enumerate(others, 2):
        table = await service.join(table.id, person, at)
    return await service.start(table.id, opener, 50)
