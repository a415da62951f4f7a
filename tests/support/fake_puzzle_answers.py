"""Answers to puzzles in memory, with streaks counted day by day, as the port promises."""

from collections.abc import Collection, Mapping

from bot.features.puzzles.model import DailyAnswer, DailyBoard, PuzzleAnswer, Solver, Streak
from bot.platform.days import Day


class FakePuzzleAnswers:
    """Keeps the first answers."""

    def __init__(self) -> None:
        self.daily_answers: dict[tuple[int, Day], DailyAnswer] = {}
        self.answers: dict[tuple[int, str, str], PuzzleAnswer] = {}

    async def answer_daily(self, answer: DailyAnswer) -> DailyAnswer:
        return self.daily_answers.setdefault((answer.user_id, answer.day), answer)

    async def find_daily(self, user_id: int, day: Day) -> DailyAnswer | None:
        return self.daily_answers.get((user_id, day))

    async def note_answer(self, answer: PuzzleAnswer) -> None:
        self.answers.setdefault((answer.user_id, answer.game, answer.puzzle), answer)

    async def find_answered(self, user_id: int, game: str) -> Mapping[str, bool]:
        given: list[DailyAnswer | PuzzleAnswer] = [*self.daily_answers.values(), *self.answers.values()]
        given.sort(key=lambda each: each.answered_at, reverse=True)
        return {each.puzzle: each.is_right for each in given if (each.user_id, each.game) == (user_id, game)}

    async def person_streak(self, user_id: int, today: Day, guild_id: int | None = None) -> Streak:
        answer = self.daily_answers.get((user_id, today))
        own = (each for each in self._right() if each.user_id == user_id and guild_id in (None, each.guild_id))
        streak = _streak({each.day for each in own}, today)
        return streak if answer is None or answer.is_right else Streak(0, streak.longest)

    async def daily_board(self, guild_id: int, today: Day, limit: int) -> DailyBoard:
        here = [each for each in self.daily_answers.values() if each.guild_id == guild_id]
        right = [each for each in self._right() if each.guild_id == guild_id]
        days = {who: {each.day for each in right if each.user_id == who} for who in {each.user_id for each in right}}
        solvers = [
            Solver(each.user_id, each.name, _streak(days[each.user_id], today).current)
            for each in right
            if each.day == today
        ]
        solvers.sort(key=lambda each: (-each.streak, each.user_id))
        answered = sum(each.day == today for each in here)
        streak = _streak({each.day for each in right}, today)
        return DailyBoard(today, answered, len(solvers), streak, tuple(solvers[:limit]))

    def _right(self) -> list[DailyAnswer]:
        return [each for each in self.daily_answers.values() if each.is_right]


def _streak(days: Collection[Day], today: Day) -> Streak:
    """Count backwards from each day."""
    return Streak(
        _length(days, today) or _length(days, today - 1), max((_length(days, day) for day in days), default=0)
    )


def _length(days: Collection[Day], last: Day) -> int:
    """Return how many days in a row up to the last one there are."""
    return 1 + _length(days, last - 1) if last in days else 0
