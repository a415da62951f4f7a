"""Magpie with series: a tournament with two variations, and tie-breaks."""

from dataclasses import replace

from bot.games.magpie import PACKAGE as MAGPIE
from bot.games.magpie.pieces import MagpieOptions
from bot.platform.places import Person
from bot.rules.game import places_by_score
from bot.rules.package import Series
from bot.tables.model import SeriesLink, SeriesLinkKind, Status
from bot.tables.opening import open_game
from bot.tables.registry import GameRegistry
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.support.fakes import HERE, make_table
from tests.support.finished_games import roll_all

GAMES_IN_A_ROW = {(False, False): 1, (True, False): 2, (True, True): 3}
"""How many games it takes with double points for big rolls, and with fours rolled again."""


def series_length(options: MagpieOptions) -> int:
    return GAMES_IN_A_ROW[options.double_big_rolls, options.reroll_fours]


MAGPIE_SERIES = replace(
    MAGPIE,
    results=replace(
        MAGPIE.results,
        series=Series(
            count_games=series_length,
            rank_seats=places_by_score,
            tie_break_options=lambda options: options.model_copy(update={"target": 60}),
        ),
    ),
)
SERIES_REGISTRY = GameRegistry([MAGPIE_SERIES])


def options_for(games: int) -> MagpieOptions:
    """Return the options of a tournament of this many games."""
    double, reroll = next(key for key, count in GAMES_IN_A_ROW.items() if count == games)
    return MagpieOptions(target=50, double_big_rolls=double, reroll_fours=reroll)


async def play_new_game(service: TableService, opener: Person, *others: Person, games: int = 1) -> Table:
    """Open a table and play it to its end."""
    table = await open_game(service, "magpie", options_for(games), opener, HERE, click_id=1)
    for at, person in enumerate(others, 2):
        table = await service.join(table.id, person, at)
    return await play_series_game(service, table, opener)


async def play_series_game(service: TableService, table: Table, starter: Person) -> Table:
    """Start a table and play it to its end."""
    table = await service.start(table.id, starter, 1000 * table.id)
    while table.header.status is Status.PLAYING:
        table = await roll_all(service, table)
    return table


def make_finished_table(*scores: int, games: int = 1, link: SeriesLink | None = None) -> Table:
    """Return a table that is finished with these scores."""
    table = make_table(status=Status.PLAYING, package=MAGPIE_SERIES)
    state = replace(table.state, mover=None, trigger=0, scores=scores)
    header = replace(table.header, options=options_for(games).model_dump_json(), status=Status.FINISHED, to_move=None)
    return replace(table, header=replace(header, link=link), seats=table.seats[: len(scores)], state=state)


def as_second_game(table: Table) -> Table:
    """Return a table as the second one of a series."""
    return replace(table, header=replace(table.header, link=SeriesLink(1, SeriesLinkKind.TOURNAMENT, 2)))
