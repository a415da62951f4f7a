"""What is kept of results, counted person by person from the results themselves."""

from collections.abc import Sequence
from math import inf
from typing import TypeVar

from bot.features.boards.model import BoardKey, BoardOrder, Standing, Standings
from bot.features.profiles.model import PersonRecord
from bot.features.results.model import (
    ALL_TIME,
    ChannelsFilter,
    FinishedTable,
    FinishedTables,
    GameStats,
    HistoryFilter,
    PersonInChannelsFilter,
    PlayerStats,
    bounds_of,
)
from bot.tables.control_entries import TableEndReason
from bot.tables.model import Result, TableId

T = TypeVar("T")


class RecountedResults:
    """Answers as the store does, but counts all results for every answer."""

    def __init__(self, results: Sequence[Result]) -> None:
        self.results = results

    async def standings(self, contest: BoardKey, asker_id: int, offset: int, limit: int) -> Standings:
        own = [result for result in self.results if _is_of(result, contest)]
        people = sorted({result.user_id for result in own if result.user_id is not None})
        figures = {person: sum_figures([each for each in own if each.user_id == person]) for person in people}
        strength = {person: _sort_key(each, contest) for person, each in figures.items()}
        if contest.by is BoardOrder.BEST:
            people = [person for person in people if figures[person].highest is not None]
        rows = [
            Standing(
                place=1 + sum(other > strength[person] for other in strength.values()),
                user_id=person,
                name=self._newest_name(person, contest.guild_id),
                stats=figures[person],
                rating=None,
            )
            for person in sorted(people, key=lambda person: strength[person], reverse=True)
        ]
        mine = next((row for row in rows if row.user_id == asker_id), None)
        return Standings(len(rows), _page(rows, offset, limit), mine)

    async def person_record(self, user_id: int, guild_id: int | None) -> PersonRecord:
        own = [each for each in self.results if each.user_id == user_id and guild_id in (None, each.guild_id)]
        kinds = {
            kind: [each for each in own if (each.game, each.company) == kind]
            for kind in sorted({(each.game, each.company) for each in own})
        }
        return PersonRecord(
            tuple(
                GameStats(
                    game,
                    company,
                    sum_figures([e for e in of_kind if e.is_unaided]),
                    with_hints=sum(e.used_hints for e in of_kind),
                )
                for (game, company), of_kind in kinds.items()
            )
        )

    async def finished_tables(self, shelf: HistoryFilter, offset: int, limit: int) -> FinishedTables:
        moments = {each.table_id: each.finished_at for each in self.results if _matches_filter(each, shelf)}
        newest = sorted(moments, key=lambda table_id: (moments[table_id], table_id), reverse=True)
        return FinishedTables(len(newest), tuple(map(self._table, _page(newest, offset, limit))))

    def _table(self, table_id: TableId) -> FinishedTable:
        own = [each for each in self.results if each.table_id == table_id]
        return FinishedTable(tuple(sorted(own, key=lambda e: (e.place, e.seat))), 1000 + table_id)

    def _newest_name(self, user_id: int, guild_id: int) -> str:
        own = [each for each in self.results if (each.user_id, each.guild_id) == (user_id, guild_id)]
        return max(own, key=lambda each: (each.finished_at, each.table_id)).name


def _page(found: Sequence[T], offset: int, limit: int) -> tuple[T, ...]:
    """Cut a stretch out; like PostgreSQL it knows none that begins before the first row."""
    if offset < 0:
        raise ValueError(f"a stretch can't begin at {offset}")
    return tuple(found[offset : offset + limit])


def sum_figures(results: Sequence[Result]) -> PlayerStats:
    """Add up a user's results."""
    scored = [each.score for each in results if each.reason != TableEndReason.RESIGNED]
    return PlayerStats(
        games=len(results),
        wins=sum(each.place == 1 for each in results),
        shared_wins=sum(each.is_shared for each in results),
        points=sum(each.score for each in results),
        highest=max(scored, default=None),
        lowest=min(scored, default=None),
    )


def _is_of(result: Result, contest: BoardKey) -> bool:
    kind = (result.guild_id or 0, result.game, result.company, result.used_hints)
    if contest.period != ALL_TIME:
        begin, end = bounds_of(contest.period)
        if not begin <= result.finished_at < end:
            return False
    return kind == (contest.guild_id, contest.game, contest.company, False)


def _sort_key(figures: PlayerStats, contest: BoardKey) -> tuple[float, ...]:
    match contest.by:
        case BoardOrder.BEST if contest.lower_is_better:
            return -inf if figures.lowest is None else -figures.lowest, -figures.average
        case BoardOrder.BEST:
            return -inf if figures.highest is None else figures.highest, figures.average
        case BoardOrder.POINTS:
            return (figures.points,)
        case _:
            return figures.wins, figures.wins / figures.games


def _matches_filter(result: Result, shelf: HistoryFilter) -> bool:
    if isinstance(shelf, ChannelsFilter):
        return result.guild_id == shelf.guild_id and result.channel_id in shelf.channels
    if isinstance(shelf, PersonInChannelsFilter) and result.channel_id not in shelf.channels:
        return False
    return result.user_id == shelf.user_id and shelf.guild_id in (None, result.guild_id)
