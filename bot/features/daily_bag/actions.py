"""Daily bags at tables."""

from dataclasses import replace

from bot.platform.places import Person
from bot.tables.daily import DailyBag, daily_contribution
from bot.tables.lobby import make_occupant
from bot.tables.model import Header
from bot.tables.registry import AnyPackage
from bot.tables.table import Table, salt_of, start_game


def start_daily(header: Header, package: AnyPackage, bag: DailyBag, person: Person) -> Table:
    """Return the table of a daily bag, started.

    Args:
        header: The header of a new table with the default options.
        package: The game.
        bag: The bag of the day.
        person: The player.
    """
    contribution = daily_contribution(bag.day)
    header = replace(header, seed=bag.seed, salt=salt_of([contribution]), allows_hints=False)
    occupant = replace(make_occupant(person, click_id=0), contribution=contribution)
    return start_game(Table(header, (occupant,), package))
