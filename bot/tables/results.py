"""The results of a finished table, for leaderboards and histories, and their rows."""

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import BigInteger, Boolean, Column, Integer, Text, false, text

from bot.platform.database.sql import AnyRow, UtcDateTime, Values, partial_index, rowless_table, table_id_column
from bot.rules.game import GameInfo, Options, Seat
from bot.tables.control_entries import SeatStatus
from bot.tables.model import Award, Company, Departure, Occupant, Result, Status
from bot.tables.registry import played_level
from bot.tables.schema import HAS_PERSON, read_row
from bot.tables.table import Table

# SQLite uses a partial index only if a query repeats its condition word for word, so these have no parameters.
IS_FIRST_SEAT = text("seat = 0")
_UNAIDED = "NOT used_hints"
UNAIDED = text(_UNAIDED)
IS_SOLO = text(f"company = 'alone' AND {_UNAIDED}")
COUNTS_FOR_BADGES = text("user_id IS NOT NULL AND departure IS NULL AND reason <> 'resigned'")

# The results of finished tables. The columns of `tables` that queries filter by are repeated here, so that each query
# uses one index.
results = rowless_table(
    "results",
    table_id_column(),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("game", Text, nullable=False),
    Column("company", Text, nullable=False),
    Column("guild_id", BigInteger),
    Column("channel_id", BigInteger, nullable=False),
    Column("user_id", BigInteger),
    Column("name", Text, nullable=False),
    Column("level", Text),
    Column("place", Integer, nullable=False),
    Column("is_shared", Boolean, nullable=False),
    Column("score", Integer, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("steps", Integer, nullable=False),
    Column("opened_at", UtcDateTime, nullable=False),
    Column("finished_at", UtcDateTime, nullable=False),
    Column("reason", Text, nullable=False),
    Column("departure", Text),
    Column("used_hints", Boolean, nullable=False, server_default=false()),
    Column("had_substitute", Boolean, nullable=False, server_default=false()),
    Column("resigned_early", Boolean, nullable=False, server_default=false()),
    # The time at which the table counted for ratings; set only if a table that ended then or later counted before it.
    Column("counted_at", UtcDateTime),
    # For profiles, shared tables of two people, and people's newest names.
    partial_index(
        "results_of_people", "user_id", "guild_id", "finished_at", "table_id", "channel_id", where=HAS_PERSON
    ),
    # For the average of the newest solo games.
    partial_index("results_alone", "user_id", "guild_id", "game", "finished_at", "table_id", where=IS_SOLO),
    # For a server's history.
    partial_index("results_of_tables", "guild_id", "channel_id", "finished_at", "table_id", where=IS_FIRST_SEAT),
    # For badges. The last three columns let SQLite answer from the index alone.
    partial_index(
        "results_for_badges",
        *("user_id", "game", "company", "finished_at", "place", "departure", "used_hints", "reason"),
        where=COUNTS_FOR_BADGES,
    ),
)


def results_of(table: Table) -> tuple[Result, ...]:
    """Return the result of every seat; empty if the table has no ranking or does not count."""
    outcome, header = table.outcome, table.header
    if outcome is None or not _counts(table):
        return ()
    company = company_of(table.seats)
    is_shared = len(outcome.winners) > 1
    return tuple(
        Result(
            table_id=table.id,
            seat=seat,
            game=header.game,
            company=company,
            guild_id=header.location.guild_id,
            channel_id=header.location.channel_id,
            user_id=occupant.user_id,
            name=occupant.name,
            level=occupant.level and played_level(table.package, occupant.level),
            place=place,
            is_shared=is_shared and place == 1,
            score=score,
            seats=len(table.seats),
            steps=header.step,
            opened_at=header.created_at,
            finished_at=header.updated_at,
            reason=outcome.reason.value,
            departure=_departure(table.seat_status, seat),
            used_hints=not header.is_unaided(seat),
            had_substitute=table.had_substitute,
            resigned_early=table.resigned_early,
        )
        for seat, (occupant, place, score) in enumerate(zip(table.seats, outcome.places, outcome.scores, strict=True))
    )


def _counts(table: Table) -> bool:
    """Return whether a table is over and counts."""
    return table.outcome is not None and table.kind.counts


def awards_of(table: Table) -> tuple[Award, ...]:
    """Return the badges that moves have earned so far, without those of people who have used hints or have left."""
    header = table.header
    if not table.kind.counts:
        return ()
    return tuple(
        Award(user_id, f"{header.game}/{key}", table.id, header.location.guild_id, header.updated_at)
        for seat, key in sorted(table.lasting_badges)
        if (user_id := table.seats[seat].user_id) is not None
        and _departure(table.seat_status, seat) is None
        and header.is_unaided(seat)
    )


def _departure(status: SeatStatus, seat: Seat) -> Departure | None:
    if seat in status.resigned:
        return Departure.RESIGNED
    return Departure.SUBSTITUTED if seat in status.substituted else None


def company_of(seats: Sequence[Occupant]) -> Company:
    """Return the company of a game with these occupants."""
    if len(seats) == 1:
        return Company.ALONE
    people = sum(not occupant.is_computer for occupant in seats)
    return Company.PEOPLE if people > 1 else Company.COMPUTERS


def companies_of(info: GameInfo[Options]) -> tuple[Company, ...]:
    """Return the companies a game can be played in, most common first."""
    together = (Company.PEOPLE, Company.COMPUTERS) if info.most_seats > 1 else ()
    return (*together, Company.ALONE) if info.least_seats == 1 else together


def can_be_rated(table: Table) -> bool:
    """Return whether a table's place and seats allow it to change ratings; the seats of a lobby may still change."""
    header = table.header
    if header.location.guild_id is None or table.package.game.info.is_solo:
        return False
    are_people = len(table.seats) > 1 and not any(occupant.is_computer for occupant in table.seats)
    return are_people or header.status is Status.LOBBY


def result_values(result: Result) -> Values:
    """Return the row of a seat's result."""
    departure = result.departure and result.departure.value
    return asdict(result) | {"company": result.company.value, "departure": departure}


def result_of(row: AnyRow) -> Result:
    """Return the result in a row."""
    departure = Departure(row.departure) if row.departure else None
    return read_row(Result, row, company=Company(row.company), departure=departure)
