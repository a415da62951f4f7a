"""What people may do now: checks that actions share, forced ends of turns, and the script of a lesson."""

from functools import lru_cache
from typing import Any, Final

from bot.platform.places import Person
from bot.rules.game import Game, Seat
from bot.rules.refusals import Refusal
from bot.rules.study import Lesson, LessonStep, play_lesson
from bot.tables.model import Status
from bot.tables.refusals import HostReason, Stale, TableFacts
from bot.tables.table import Table, forced_end_of

_MAX_LESSONS: Final = 32

NOT_PLAYING_REASONS = {
    Status.LOBBY: HostReason.NOT_STARTED,
    Status.HELD: HostReason.TABLE_HELD,
    Status.FINISHED: HostReason.TABLE_OVER,
    Status.CANCELLED: HostReason.TABLE_OVER,
    Status.EXPIRED: HostReason.TABLE_OVER,
    Status.ASIDE: HostReason.PUT_ASIDE,
    Status.HELD_ASIDE: HostReason.PUT_ASIDE,
    Status.ABANDONED: HostReason.TABLE_OVER,
}


def require_opener(table: Table, person: Person) -> None:
    """Refuse unless the person is the opener, in a lobby whose seats and options can change."""
    require_editable_lobby(table)
    if person.id != table.header.opener_id:
        raise Refusal(HostReason.NOT_OPENER, TableFacts(table))


def require_turn(table: Table, person: Person, step: int) -> None:
    """Refuse unless the person is to move.

    Raises:
        Stale: A player clicked on an earlier step.
        Refusal: The person is not to move.
    """
    seat = table.seat_of(person.id)
    if seat is not None and step != table.header.step:
        raise Stale(table.id)
    seat = require_player(table, person)
    if seat in table.seat_status.substituted:
        raise Refusal(HostReason.SUBSTITUTED, TableFacts(table))
    if seat != table.header.to_move:
        raise Refusal(HostReason.NOT_YOUR_TURN, TableFacts(table))


def require_player(table: Table, person: Person) -> Seat:
    """Return a person's seat; refuse if the game is not being played, or they have no seat or have resigned."""
    if reason := NOT_PLAYING_REASONS.get(table.header.status):
        raise Refusal(reason, TableFacts(table))
    return require_remaining_seat(table, person)


def require_seat(table: Table, person: Person) -> Seat:
    """Return a person's seat; refuse if they have none."""
    seat = table.seat_of(person.id)
    if seat is None:
        raise Refusal(HostReason.NOT_SEATED, TableFacts(table))
    return seat


def require_remaining_seat(table: Table, person: Person) -> Seat:
    """Return a person's seat; refuse if they have none or have resigned."""
    seat = require_seat(table, person)
    if seat in table.seat_status.resigned:
        raise Refusal(HostReason.RESIGNED, TableFacts(table))
    return seat


def require_finished_seat(table: Table, person: Person) -> Seat:
    """Return a person's seat at a finished table; refuse if the table is not finished or they had no seat."""
    if table.header.status is not Status.FINISHED:
        raise Refusal(HostReason.NOT_FINISHED, TableFacts(table))
    seat = table.seat_of(person.id)
    if seat is None:
        raise Refusal(HostReason.NOT_A_PLAYER, TableFacts(table))
    return seat


def require_lobby(table: Table) -> None:
    """Refuse unless the table is a lobby."""
    if table.header.status in (Status.PLAYING, Status.HELD):
        raise Refusal(HostReason.ALREADY_STARTED, TableFacts(table))
    if table.header.status is not Status.LOBBY:
        raise Refusal(NOT_PLAYING_REASONS[table.header.status], TableFacts(table))


def require_editable_lobby(table: Table) -> None:
    """Refuse unless the table is a lobby whose seats and options are not fixed by a series."""
    require_lobby(table)
    if table.is_fixed:
        raise Refusal(HostReason.SEATS_FIXED, TableFacts(table))


def require_revision(table: Table, revision: int) -> None:
    """Raise Stale if the lobby has changed since it was shown."""
    if table.header.status is Status.LOBBY and table.header.revision != revision:
        raise Stale(table.id)


def find_forced_end(table: Table) -> str | None:
    """Return the forced end of a person's turn, in the game's notation, or None.

    A lesson asks for every move, so its script has no forced ends.
    """
    header = table.header
    if header.status is not Status.PLAYING or table.state is None or header.awaits_computer:
        return None
    if scripted_step_of(table) is not None:
        return None
    move = forced_end_of(table)
    return None if move is None else str(move)


def offers_take_back(table: Table) -> bool:
    """Return whether a move can be taken back; not in a lesson."""
    return table.take_back_state is not None and scripted_step_of(table) is None


def scripted_step_of(table: Table) -> LessonStep | None:
    """Return the next step of a lesson; None at other tables, and once a table has left its script.

    The step follows from the position, so it is not stored.
    """
    if not table.is_lesson or table.package.study.lesson is None or table.header.status is not Status.PLAYING:
        return None
    game: Any = table.package.game
    number, positions = table.header.step, _positions(game, table.package.study.lesson)
    if number >= len(positions) or table.state != positions[number]:
        return None
    return table.package.study.lesson.steps[number]


def is_lesson_told(table: Table) -> bool:
    """Return whether a table is a lesson whose script is over; later moves there do not count."""
    return table.is_lesson and not scripted_move_of(table)


def scripted_move_of(table: Table) -> str:
    """Return the move that a lesson asks for now; empty if any move is fine."""
    step = scripted_step_of(table)
    return step.move if step else ""


def require_scripted(table: Table, text: str) -> None:
    """Refuse a move that is not the one the lesson asks for."""
    move = scripted_move_of(table)
    if move and str(table.package.game.parse_move(text)) != move:
        raise Refusal(HostReason.OFF_SCRIPT, TableFacts(table))


# Computing these takes 0.2 to 0.3 ms of a click in a lesson.
@lru_cache(_MAX_LESSONS)
def _positions(game: Game[Any, Any, Any, Any, Any], lesson: Lesson[Any]) -> tuple[Any, ...]:
    """Return the position before each step."""
    return tuple(state for state, _events in play_lesson(game, lesson))
