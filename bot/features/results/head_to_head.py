"""How a person and a computer player stand against each other, at the end of a game between the two."""

import logging
from typing import Final, NamedTuple

from cachetools import LRUCache
from sqlalchemy import BigInteger, Connection, and_, bindparam, case, exists, func, literal, select

from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.database.sql import UtcDateTime
from bot.tables.model import Result, TableId
from bot.tables.results import UNAIDED, results, results_of
from bot.tables.schema import HAS_PERSON
from bot.tables.shown.links import escaped_seat_names
from bot.tables.shown.words import level_name, name_with_level
from bot.tables.table import Table
from bot.words import format_number, gettext as _, join_items, ngettext

log = logging.getLogger(__name__)

_MAX_TABLES: Final = 5000
_FEWEST_GAMES: Final = 3
"""From so many games on a score says something."""
_PAIR: Final = 2
_MOST_NAMED: Final = 2

_OTHER: Final = results.alias("other")
_HAS_WON: Final = and_(results.c.place == literal(1), ~results.c.is_shared)
SELECT_SCORE: Final = select(func.count().label("games"), func.sum(case((_HAS_WON, 1), else_=0)).label("wins")).where(
    HAS_PERSON,
    UNAIDED,
    results.c.user_id == bindparam("user_id"),
    results.c.guild_id.is_not_distinct_from(bindparam("guild_id", type_=BigInteger)),
    results.c.game == bindparam("game"),
    results.c.seats == literal(_PAIR),
    # So that a message shows the same after later games.
    results.c.finished_at <= bindparam("finished_at", type_=UtcDateTime),
    exists().where(_OTHER.c.table_id == results.c.table_id, _OTHER.c.level == bindparam("level")),
)
"""A person's games between two against a level of computer players, in a server or in direct messages."""


class Score(NamedTuple):
    """How often a person has played against a level, and won."""

    games: int
    wins: int


def find_score(connection: Connection, person: Result, level: str) -> Score:
    """Return how a person stands against a level after a game, that game included."""
    values = {"user_id": person.user_id, "guild_id": person.guild_id, "game": person.game, "level": level}
    row = connection.execute(SELECT_SCORE, {**values, "finished_at": person.finished_at}).one()
    return Score(row.games, row.wins or 0)


class HeadToHead:
    """Caches the scores after finished tables; each is loaded once, before its result is first shown."""

    def __init__(self, db: Database, size: int = _MAX_TABLES) -> None:
        self._db = db
        self._known: LRUCache[TableId, Score] = LRUCache(size)

    def known(self, table: Table) -> Score | None:
        """Return the score after a table; None if it was no game between a person and a computer player."""
        return self._known.get(table.id)

    def clear(self) -> None:
        """Forget everything that was loaded."""
        self._known.clear()

    async def load(self, table: Table) -> None:
        """Load the score after a table that is over, if a person without hints and a computer player played it."""
        if table.id in self._known or len(table.seats) != _PAIR:
            return
        people = [result for result in results_of(table) if result.user_id is not None and result.is_unaided]
        levels = [who.level for who in table.seats if who.level is not None]
        if len(people) != 1 or len(levels) != 1:
            return
        try:
            self._known[table.id] = await self._db.read(find_score, people[0], levels[0])
        except StoreUnavailable as fault:
            log.debug("the score after table %s can't be loaded: %s", table.id, fault)


def name_rivals(table: Table) -> str:
    """Return the computer players at a table in words, with their levels; empty without any."""
    computers = [seat for seat, who in enumerate(table.seats) if who.is_computer]
    if len(computers) > _MOST_NAMED:
        levels = dict.fromkeys(level_name(who.level) for who in table.seats if who.level is not None)
        line = ngettext("{count} computer ({levels})", "{count} computers ({levels})", len(computers))
        return line.format(count=format_number(len(computers)), levels=join_items(list(levels)))
    names = escaped_seat_names(table)
    return join_items([name_with_level(names[seat], table.seats[seat].level or "") for seat in computers])


def rivals_line(score: Score | None, table: Table) -> str:
    """Return the line about the computer players that the only person at a table has played against; or nothing.

    Args:
        score: How the two stand if there was one computer player; None if that is not known.
        table: The finished table.
    """
    rivals = name_rivals(table)
    if not rivals or sum(not who.is_computer for who in table.seats) != 1:
        return ""
    if score is not None and score.games >= _FEWEST_GAMES:
        line = _("You and {rival}: {wins} of {games}.")
        return line.format(rival=rivals, wins=format_number(score.wins), games=format_number(score.games))
    return _("Opponents: {rivals}.").format(rivals=rivals)
