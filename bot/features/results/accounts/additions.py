"""What a table adds to the totals: values that the live path adds in the database and a rebuild adds in memory."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from bot.features.results.periods import LIFETIME, WITH_HINTS, periods_at
from bot.features.results.rating_model import RatingChange
from bot.platform.database.sql import Values
from bot.tables.control_entries import TableEndReason
from bot.tables.seat_result import Company, Result


class BoardName(NamedTuple):
    """What a row of `boards` stands for."""

    guild_id: int
    game: str
    company: Company
    period: str


class Addition(NamedTuple):
    """What a result adds to a person's totals on a board."""

    board: BoardName
    user_id: int
    values: Values


def additions_of(results: Sequence[Result], changes: Sequence[RatingChange]) -> Iterator[Addition]:
    """Yield what the results of a table add, on all boards of each person."""
    rated = {change.seat: change for change in changes}
    for result in results:
        if result.user_id is not None:
            values = _values_of(result, rated.get(result.seat))
            for period in periods_of(result) if result.is_unaided else (WITH_HINTS,):
                board = BoardName(result.guild_id or 0, result.game, result.company, period)
                yield Addition(board, result.user_id, values | {"is_lifetime": period in LIFETIME})


def encounters_of(results: Sequence[Result]) -> Iterator[Values]:
    """Yield the rows of `encounters` of a table in a server: one for every two people who used no hints."""
    if results[0].guild_id is None:
        return
    # Pseudonyms are negative: nobody can ask how they did against somebody who is gone.
    counted = [result for result in results if result.is_unaided]
    people = {result.user_id: result for result in counted if result.user_id is not None and result.user_id > 0}
    for user_id, other_id in combinations(sorted(people), 2):
        first, second = people[user_id], people[other_id]
        yield {
            "guild_id": first.guild_id,
            "user_id": user_id,
            "other_id": other_id,
            "finished_at": first.finished_at,
            "table_id": first.table_id,
            "game": first.game,
            "outcome": (second.place > first.place) - (second.place < first.place),
        }


def periods_of(result: Result) -> tuple[str, ...]:
    """Return the periods in which a result counts: outside servers there are only totals of all time."""
    return periods_at(result.finished_at) if result.guild_id is not None else LIFETIME[:1]


def _values_of(result: Result, change: RatingChange | None) -> Values:
    is_best = result.reason != TableEndReason.RESIGNED.value and result.is_unaided
    is_won = result.place == 1
    return {
        "games": 1,
        "wins": int(is_won),
        "shared_wins": int(result.is_shared),
        "points": result.score,
        "highest": result.score if is_best else None,
        "lowest": result.score if is_best else None,
        "streak": int(is_won),
        "longest_streak": int(is_won),
        "rating": None if change is None else change.after.shown,
        "rated_games": int(change is not None),
        "share": float(is_won),
        "average": float(result.score),
    }


def add(total: dict[str, Any], values: Mapping[str, Any]) -> None:
    """Add the values of a result to a total, as the statement in `totals` does."""
    for name in ("games", "wins", "shared_wins", "points", "rated_games"):
        total[name] += values[name]
    if (score := values["highest"]) is not None:
        total["highest"] = score if total["highest"] is None else max(total["highest"], score)
        total["lowest"] = score if total["lowest"] is None else min(total["lowest"], score)
    total["streak"] = (total["streak"] + 1) * values["wins"]
    total["longest_streak"] = max(total["longest_streak"], total["streak"])
    total["rating"] = total["rating"] if values["rating"] is None else values["rating"]
    total["share"] = total["wins"] / total["games"]
    total["average"] = total["points"] / total["games"]
