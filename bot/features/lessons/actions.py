"""Lessons at tables: how one is opened, and how far its learner is."""

from dataclasses import replace
from typing import Any

from bot.platform.places import Location, Person
from bot.rules.lesson import CONTRIBUTION, Lesson
from bot.rules.refusals import Refusal
from bot.tables.lobby import make_occupant, with_computer
from bot.tables.model import Header
from bot.tables.refusals import GameFacts, HostReason
from bot.tables.registry import AnyPackage
from bot.tables.service import TableService
from bot.tables.table import Table, start_game


async def open_lesson(service: TableService, game: str, person: Person, location: Location, click_id: int) -> Table:
    """Open a lesson, which starts at once and leaves the channel's shared table free; raises what `open_table` raises.

    Raises:
        Refusal: The game has no lesson, or the person is in the middle of it here.
    """
    package = service.games[game]
    lesson = package.lesson
    if lesson is None:
        raise Refusal(HostReason.NO_LESSON, GameFacts(package.game.info.title))
    location = replace(location, solo_id=person.id)
    # Every lesson has the same contributions, so the click is stored with the header.
    header = replace(service.new_header(package, lesson.options, person, location), lobby_click_id=click_id)
    return await service.open_table(start_lesson(header, package, lesson, person))


def start_lesson(header: Header, package: AnyPackage, lesson: Lesson[Any], person: Person) -> Table:
    """Return the table of a new lesson, started.

    Args:
        header: The header of a new table with the lesson's options.
        package: The game.
        lesson: Its lesson.
        person: The learner.
    """
    table = Table(header, (make_occupant(person, click_id=0),), package)
    while len(table.seats) < lesson.seats:
        table = with_computer(table)
    seats = tuple(replace(occupant, contribution=CONTRIBUTION) for occupant in table.seats)
    return start_game(replace(table, header=replace(header, seed=lesson.seed_bytes, salt=lesson.salt), seats=seats))


def progress_of(table: Table) -> tuple[int, int]:
    """Return the number of the learner's next move in a lesson, and how many there are."""
    steps = table.package.lesson.steps if table.package.lesson else ()
    own = [number for number, step in enumerate(steps) if step.move and step.text]
    return sum(number <= table.header.step for number in own), len(own)
