"""Daily bags played to their end with as few decisions as possible, and the jobs about them."""

from bot.features.daily_bag.service import COMMIT_KIND, PUBLISH_KIND, DailyBagService
from bot.games.magic_bag.pieces import CLAIMS, FINISH, ROLLS, State
from bot.platform.jobs.storage import Job
from bot.platform.places import Person
from bot.tables.model import Status
from bot.tables.service import TableService
from bot.tables.table import Table


def choose_move(state: State) -> str:
    """Choose the first row that can be taken, or else another roll, or the end."""
    if state.matching:
        return str(CLAIMS[state.matching[0] - 1])
    return str(ROLLS[0] if state.rolls_left else FINISH)


async def finish_daily(service: TableService, table_id: int, person: Person) -> Table:
    """Play a table to its end."""
    table = await service.table(table_id)
    while table.header.status is Status.PLAYING:
        step = table.header.step
        table = await service.play(table.id, person, step, choose_move(table.state), 1_000_000 * table.id + step)
    return table


async def do_what_is_due(bags: DailyBagService) -> None:
    """Do what the jobs do, as a running bot's own may come later."""
    await bags.begin()
    await bags.commit(Job(COMMIT_KIND, "", bags.now))
    if await bags.bag(bags.today - 1) is not None:
        await bags.publish(Job(PUBLISH_KIND, str(bags.today - 1), bags.now))
