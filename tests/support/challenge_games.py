"""Challenges played to their end with as few decisions as possible, and the jobs about them."""

from typing import Any

from bot.features.challenges.model import current_editions
from bot.features.challenges.service import COMMIT_KIND, PUBLISH_KIND, ChallengeService
from bot.games.magic_bag.pieces import CLAIMS, FINISH, ROLLS as BAG_ROLLS, State as BagState
from bot.games.magpie.pieces import ROLLS
from bot.platform.jobs.storage import Job
from bot.platform.places import Person
from bot.tables.model import Status
from bot.tables.service import TableService
from bot.tables.table import Table


def choose_move(state: Any) -> str:
    """Choose all dice of Magpie; in The Magic Bag the first row that can be taken, or else another roll, or the end."""
    if not isinstance(state, BagState):
        return str(ROLLS[-1])
    if state.matching:
        return str(CLAIMS[state.matching[0] - 1])
    return str(BAG_ROLLS[0] if state.rolls_left else FINISH)


async def finish_challenge(service: TableService, table_id: int, person: Person) -> Table:
    """Play a table to its end."""
    table = await service.table(table_id)
    while table.header.status is Status.PLAYING:
        step = table.header.step
        table = await service.play(table.id, person, step, choose_move(table.state), 1_000_000 * table.id + step)
    return table


async def do_what_is_due(challenges: ChallengeService) -> None:
    """Do what the jobs do, as a running bot's own may come later."""
    await challenges.begin()
    await challenges.commit(Job(COMMIT_KIND, "", challenges.now))
    for edition in current_editions(challenges.today):
        if await challenges.seed(edition.previous) is not None:
            await challenges.publish(Job(PUBLISH_KIND, str(edition.previous), challenges.now))
