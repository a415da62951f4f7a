"""What a finished game means to the people who played it: records, first wins, streaks and round numbers of games."""

import logging
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from cachetools import LRUCache
from sqlalchemy import BigInteger, Connection, Select, bindparam, desc, exists, func, select

from bot.features.results.model import ALL_TIME, LIFETIME, week_of
from bot.features.results.storage import HAS_HIGHEST, HAS_LOWEST, IS_LIFETIME, boards, totals
from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.database.sql import UtcDateTime, Values
from bot.rules.game import Seat
from bot.tables.model import Result, TableId
from bot.tables.results import COUNTS_FOR_BADGES, results, results_of
from bot.tables.schema import HAS_PERSON
from bot.tables.shown.links import escaped_seat_names
from bot.tables.shown.pride import Pride, ProudFact, is_addressed
from bot.tables.shown.result import strongest_level
from bot.tables.table import Table
from bot.words import format_number, gettext as _, ngettext

log = logging.getLogger(__name__)

_MAX_TABLES: Final = 5000

_ROUND_NUMBERS: Final = frozenset({10, 25, 50})
_SHORTEST_STREAK: Final = 3
_FEWEST_ON_BOARD: Final = 3
"""The people who must have played in a week for its best score to mean something."""


class Milestone(NamedTuple):
    """What a finished game means to a person at its table."""

    seat: Seat
    games: int
    """How often the person has finished the game in this server, this time included."""
    best_before: int | None = None
    """Their best score in the same company before; None without one, and if this score does not count."""
    first_win_against: str = ""
    """The level of computer players against which they have won it for the first time; or empty."""
    streak: int = 0
    """How often they have won it in a row, this time included."""
    is_best_of_week: bool = False
    """Whether nobody in the server has done as well this week."""


_OF_GAME: Final = (
    boards.c.guild_id == bindparam("board_guild"),
    boards.c.game == bindparam("game"),
    totals.c.user_id == bindparam("user_id"),
)
GAMES_OF_PERSON: Final = (
    select(boards.c.company, boards.c.period, totals.c.games, totals.c.streak)
    .join(boards, boards.c.id == totals.c.board_id)
    .where(IS_LIFETIME, *_OF_GAME)
)

BEST_BEFORE: Final = select(func.min(results.c.score), func.max(results.c.score)).where(
    COUNTS_FOR_BADGES,
    results.c.user_id == bindparam("user_id"),
    results.c.game == bindparam("game"),
    results.c.company == bindparam("company"),
    results.c.guild_id.is_not_distinct_from(bindparam("guild_id", type_=BigInteger)),
    results.c.finished_at <= bindparam("finished_at", type_=UtcDateTime),
    results.c.table_id != bindparam("table_id"),
)

_OTHERS: Final = results.alias()
WON_AGAINST: Final = (
    select(results.c.table_id)
    .where(
        HAS_PERSON,
        results.c.user_id == bindparam("user_id"),
        results.c.guild_id.is_not_distinct_from(bindparam("guild_id", type_=BigInteger)),
        results.c.game == bindparam("game"),
        results.c.place == 1,
        results.c.table_id != bindparam("table_id"),
        exists().where(_OTHERS.c.table_id == results.c.table_id, _OTHERS.c.level == bindparam("level")),
    )
    .limit(1)
)


def _best_of_week(*, lower_is_better: bool) -> Select[Any]:
    """Build the query for the best people on a board."""
    score = totals.c.lowest if lower_is_better else totals.c.highest
    return (
        select(totals.c.user_id, score.label("score"))
        .join(boards, boards.c.id == totals.c.board_id)
        .where(
            HAS_LOWEST if lower_is_better else HAS_HIGHEST,
            boards.c.guild_id == bindparam("board_guild"),
            boards.c.game == bindparam("game"),
            boards.c.company == bindparam("company"),
            boards.c.period == bindparam("week"),
        )
        .order_by(score if lower_is_better else desc(score))
        .limit(_FEWEST_ON_BOARD)
    )


LOWEST_OF_WEEK: Final = _best_of_week(lower_is_better=True)
HIGHEST_OF_WEEK: Final = _best_of_week(lower_is_better=False)


def find_milestones(
    connection: Connection, finished: Sequence[Result], level: str, *, lower_is_better: bool
) -> tuple[Milestone, ...]:
    """Return what a finished table means to each of its people who played to the end.

    Args:
        connection: The connection.
        finished: The results of the table.
        level: The level of its strongest computer player; empty without one.
        lower_is_better: Whether the lowest score wins.
    """
    people = [result for result in finished if result.user_id is not None and result.departure is None]
    return tuple(_find_milestone(connection, result, level, lower_is_better=lower_is_better) for result in people)


def _find_milestone(connection: Connection, result: Result, level: str, *, lower_is_better: bool) -> Milestone:
    values: Values = {
        "user_id": result.user_id,
        "guild_id": result.guild_id,
        "board_guild": result.guild_id or 0,
        "game": result.game,
        "company": result.company.value,
        "finished_at": result.finished_at,
        "table_id": result.table_id,
        "level": level,
        "week": week_of(result.finished_at),
    }
    of_game = connection.execute(GAMES_OF_PERSON, values).all()
    games = sum(row.games for row in of_game if row.period in LIFETIME)
    if not result.is_unaided:
        return Milestone(result.seat, games)
    lowest, highest = connection.execute(BEST_BEFORE, values).one()
    has_won = result.place == 1 and not result.is_shared
    is_first = has_won and bool(level) and connection.execute(WON_AGAINST, values).first() is None
    streaks = (row.streak for row in of_game if (row.company, row.period) == (result.company.value, ALL_TIME))
    best = connection.execute(LOWEST_OF_WEEK if lower_is_better else HIGHEST_OF_WEEK, values).all()
    scores = [row.score for row in best]
    is_best = len(scores) == _FEWEST_ON_BOARD and scores[0] == result.score != scores[1]
    return Milestone(
        result.seat,
        games,
        lowest if lower_is_better else highest,
        level if is_first else "",
        next(streaks, 0) if has_won else 0,
        is_best and best[0].user_id == result.user_id and result.guild_id is not None,
    )


class Milestones:
    """Caches what finished games mean to their people; each is loaded once, before its result is first shown."""

    def __init__(self, db: Database, size: int = _MAX_TABLES) -> None:
        self._db = db
        self._known: LRUCache[TableId, tuple[Milestone, ...]] = LRUCache(size)

    def known(self, table: Table) -> tuple[Milestone, ...]:
        """Return what a finished table means to its people; nothing if it is not loaded."""
        return self._known.get(table.id, ())

    def clear(self) -> None:
        """Forget everything that was loaded."""
        self._known.clear()

    async def load(self, table: Table) -> None:
        """Load what a table means to its people, if it is over and counts."""
        if table.id in self._known or not table.kind.has_own_dice or not (finished := results_of(table)):
            return
        level, lower = strongest_level(table), table.package.results.score_kind.lower_is_better
        try:
            found = await self._db.read(find_milestones, finished, level, lower_is_better=lower)
        except StoreUnavailable as fault:
            log.debug("the milestones of table %s can't be loaded: %s", table.id, fault)
            return
        self._known[table.id] = found


def milestone_facts(milestones: Sequence[Milestone], table: Table) -> Iterator[ProudFact]:
    """Yield what people can be proud of beyond the game itself."""
    kind = table.package.results.score_kind
    sign = -1 if kind.lower_is_better else 1
    for each in milestones:
        if table.outcome is None:
            return
        is_you, score = is_addressed(table, each.seat), table.outcome.scores[each.seat]
        parts = {
            "name": escaped_seat_names(table)[each.seat],
            "score": kind.format_score(score),
            "game": _(table.package.game.info.title),
            "count": format_number(each.games),
            "wins": format_number(each.streak),
            "rival": _strongest_name(table, each.first_win_against),
        }
        found = (
            (
                Pride.OWN_BEST,
                each.best_before is not None and sign * score > sign * each.best_before,
                _("🏅 Your best score yet: {score}!") if is_you else _("🏅 {name}'s best score yet: {score}!"),
            ),
            (
                Pride.FIRST_WIN,
                each.first_win_against,
                _("🎉 Your first win against {rival}!") if is_you else _("🎉 {name}'s first win against {rival}!"),
            ),
            (
                Pride.BEST_OF_WEEK,
                each.is_best_of_week,
                _("🏅 You lead this server's week!") if is_you else _("🏅 {name} leads this server's week!"),
            ),
            (
                Pride.STREAK,
                each.streak >= _SHORTEST_STREAK,
                ngettext("🔥 You have won {wins} game in a row!", "🔥 You have won {wins} games in a row!", each.streak)
                if is_you
                else ngettext(
                    "🔥 {name} has won {wins} game in a row!", "🔥 {name} has won {wins} games in a row!", each.streak
                ),
            ),
            (
                Pride.ROUND_NUMBER,
                each.games in _ROUND_NUMBERS or (each.games and each.games % 100 == 0),
                ngettext(
                    "🎉 You have played {game} {count} time.", "🎉 You have played {game} {count} times.", each.games
                )
                if is_you
                else ngettext(
                    "🎉 {name} has played {game} {count} time.",
                    "🎉 {name} has played {game} {count} times.",
                    each.games,
                ),
            ),
        )
        for pride, is_true, line in found:
            if is_true:
                yield ProudFact(pride, each.seat, line.format(**parts))


def _strongest_name(table: Table, level: str) -> str:
    """Return the name of the first computer player of a level; empty without one."""
    names = escaped_seat_names(table)
    return next((names[seat] for seat, who in enumerate(table.seats) if level and who.level == level), "")
