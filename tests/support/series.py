"""Magpie as a game that goes on: a tournament with two variations, and tie-breaks."""

from dataclasses import replace

from bot.games.magpie import PACKAGE as MAGPIE
from bot.games.magpie.pieces import MagpieOptions
from bot.rules.outcome import places_by_score
from bot.rules.package import Series
from bot.tables.model import Link, LinkKind, Person, Status
from bot.tables.registry import Registry
from bot.tables.runtime.service import TableService
from bot.tables.table import Table
from tests.support.fakes import HERE, a_table
from tests.support.played import rolled

GAMES_IN_A_ROW = {(False, False): 1, (True, False): 2, (True, True): 3}
"""How many games it takes with double points for big rolls, and with fours rolled again."""


def games_in(options: MagpieOptions) -> int:
    return GAMES_IN_A_ROW[options.double_big_rolls, options.reroll_fours]


SERIAL = replace(
    MAGPIE,
    series=Series(
        games=games_in, rank=places_by_score, tie_break=lambda options: options.model_copy(update={"target": 60})
    ),
)
IN_SERIES = Registry([SERIAL])


def options_for(games: int) -> MagpieOptions:
    """Return the options of a tournament of so many games."""
    double, reroll = next(key for key, count in GAMES_IN_A_ROW.items() if count == games)
    return MagpieOptions(target=50, double_big_rolls=double, reroll_fours=reroll)


async def finished_game(service: TableService, opener: Person, *others: Person, games: int = 1) -> Table:
    """Open a table and play it to its end."""
    table = await service.open("magpie", options_for(games), opener, HERE, click_id=1)
    for at, person in enumerate(others, 2):
        table = await service.join(table.id, person, at)
    return await to_its_end(service, table, opener)


async def to_its_end(service: TableService, table: Table, starter: Person) -> Table:
    """Start a table and play it to its end."""
    table = await service.start(table.id, starter, 1000 * table.id)
    while table.header.status is Status.PLAYING:
        table = await rolled(service, table)
    return table


def won(*scores: int, games: int = 1, link: Link | None = None) -> Table:
    """Return a table that is finished with these scores."""
    table = a_table(status=Status.PLAYING, package=SERIAL)
    state = replace(table.state, mover=None, trigger=0, scores=scores)
    header = replace(table.header, options=options_for(games).model_dump_json(), status=Status.FINISHED, to_move=None)
    return replace(table, header=replace(header, link=link), seats=table.seats[: len(scores)], state=state)


def the_next(table: Table) -> Table:
    """Return a table as the second one of a series."""
    return replace(table, header=replace(table.header, link=Link(1, LinkKind.TOURNAMENT, 2)))
