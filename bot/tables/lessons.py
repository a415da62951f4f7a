"""The script of a lesson. Where a lesson stands follows from the position, so it is stored nowhere."""

from functools import lru_cache
from typing import Any, Final

from bot.rules.game import Game
from bot.rules.lesson import Lesson, LessonStep, play_lesson
from bot.rules.refusals import Refusal
from bot.tables.model import Status
from bot.tables.refusals import HostReason, TableFacts
from bot.tables.table import Table

_MAX_LESSONS: Final = 32


def scripted_step_of(table: Table) -> LessonStep | None:
    """Return the next step of a lesson; None at other tables, and once a table has left its script."""
    if not table.is_lesson or table.package.lesson is None or table.header.status is not Status.PLAYING:
        return None
    game: Any = table.package.game
    number, positions = table.header.step, _positions(game, table.package.lesson)
    if number >= len(positions) or table.state != positions[number]:
        return None
    return table.package.lesson.steps[number]


def is_lesson_told(table: Table) -> bool:
    """Return whether a table is a lesson whose script is over; what is played there afterwards does not count."""
    return table.is_lesson and not scripted_move_of(table)


def scripted_move_of(table: Table) -> str:
    """Return the move that a lesson asks for now; empty if any move will do."""
    step = scripted_step_of(table)
    return step.move if step else ""


def require_scripted(table: Table, text: str) -> None:
    """Refuse a move that is not the one the lesson asks for."""
    move = scripted_move_of(table)
    if move and str(table.package.game.parse_move(text)) != move:
        raise Refusal(HostReason.OFF_SCRIPT, TableFacts(table))


# 0.2 to 0.3 ms of a click in a lesson.
@lru_cache(_MAX_LESSONS)
def _positions(game: Game[Any, Any, Any, Any, Any], lesson: Lesson[Any]) -> tuple[Any, ...]:
    """Return the position before each step."""
    return tuple(state for state, _events in play_lesson(game, lesson))
