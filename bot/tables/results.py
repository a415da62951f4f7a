"""The results of a finished table, for leaderboards and histories, and their rows."""

from collections.abc import Sequence
from dataclasses import asdict

from bot.platform.database.sql import AnyRow, Values
from bot.rules.game import Seat
from bot.tables.control_entries import SeatStatus
from bot.tables.kinds import find_daily_day
from bot.tables.model import Award, Company, Departure, Occupant, Result
from bot.tables.registry import played_level
from bot.tables.schema import read_row
from bot.tables.table import Table


def results_of(table: Table) -> tuple[Result, ...]:
    """Return the result of every seat; empty if the table has no ranking, or its result does not count."""
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
    """Return whether a table is over and counts: in a lesson or a practised bag the dice were known before."""
    return table.outcome is not None and table.kind.counts and not table.header.is_practice


def awards_of(table: Table) -> tuple[Award, ...]:
    """Return what people have earned in a game whose result counts: those who played to the end, and without hints."""
    header = table.header
    if not _counts(table):
        return ()
    return tuple(
        Award(user_id, f"{header.game}/{key}", table.id, header.location.guild_id, header.updated_at)
        for seat, key in sorted(table.badges)
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
        return Company.ALONE if find_daily_day(seats[0].contribution) is None else Company.DAILY
    people = sum(not occupant.is_computer for occupant in seats)
    return Company.PEOPLE if people > 1 else Company.COMPUTERS


def result_values(result: Result) -> Values:
    """Return the row of a seat's result."""
    departure = result.departure and result.departure.value
    return asdict(result) | {"company": result.company.value, "departure": departure}


def result_of(row: AnyRow) -> Result:
    """Return the result in a row."""
    departure = Departure(row.departure) if row.departure else None
    return read_row(Result, row, company=Company(row.company), departure=departure)
