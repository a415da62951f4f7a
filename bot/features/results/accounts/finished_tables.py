"""Accounts for a finished table."""

from collections.abc import Sequence

from sqlalchemy import Connection

from bot.features.results.accounts.additions import additions_of
from bot.features.results.accounts.ratings import rate_table
from bot.features.results.accounts.totals import add_day, add_encounters, add_totals
from bot.tables.seat_result import Result


def account_for(connection: Connection, results: Sequence[Result]) -> None:
    """Add a table whose results are stored to all that is kept of results."""
    changes = rate_table(connection, results)
    add_totals(connection, list(additions_of(results, changes)))
    add_encounters(connection, results)
    add_day(connection, results[0])
