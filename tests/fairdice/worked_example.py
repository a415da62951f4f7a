"""The table that `docs/fair-dice.md` works through, played through the service."""

from bot.features.fairness.records import PortableRecord
from bot.features.fairness.verification import make_record
from bot.games.magpie.pieces import MagpieOptions
from bot.tables.opening import open_game
from tests.support.fakes import GAMES, HERE, ROBIN, STRANGER, make_service
from tests.support.memory_database import MemoryDatabase

OPENING, START, CANCELLING = 1441400000000000001, 1441400000000000002, 1441400000000000003


async def make_example_record() -> PortableRecord:
    """Play the example: Robin and a computer player roll once each, then a moderator cancels."""
    service = make_service(MemoryDatabase())
    table = await open_game(service, "magpie", MagpieOptions(), ROBIN, HERE, click_id=OPENING, computers=1)
    table = await service.start(table.id, ROBIN, START)
    for text in ("roll 1 3 5", "roll 2"):
        if table.header.to_move == 0:
            table = await service.play(table.id, ROBIN, table.header.step, text, CANCELLING)
        else:
            table = await service.play_computer(table.id, table.header.step, text)
    table = await service.cancel(table.id, STRANGER, is_moderator=True)
    return make_record(await service.load_stored(table.id), GAMES["magpie"])
