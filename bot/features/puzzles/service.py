"""Chooses puzzles, and records people's answers."""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime

from bot.features.puzzles import storage
from bot.features.puzzles.model import (
    ChosenPuzzle,
    DailyAnswer,
    DailyBoard,
    Progress,
    PuzzleAnswer,
    PuzzleReason,
    Streak,
)
from bot.platform.content import PuzzleFiles
from bot.platform.database.database import Database
from bot.platform.observability.metrics import Ending
from bot.platform.places import Day, Person, day_of
from bot.rules.puzzle import PuzzleBook
from bot.rules.refusals import Refusal

log = logging.getLogger(__name__)

BOARD_ROWS = 10
"""The most solvers listed on a board."""


class PuzzleService:
    """Chooses puzzles and records answers.

    The games take turns from day to day, each with its puzzles in the order of its book. If a book is unusable, the
    next game stands in on its days, and all other days keep their puzzles. People practise with the puzzles of past
    days, newest first, so that they reach those of coming days last.
    """

    def __init__(
        self, db: Database, library: PuzzleFiles, games: Mapping[str, int], clock: Callable[[], datetime]
    ) -> None:
        """Take the versions of the rules of the installed games."""
        self._db, self._library, self._rules, self._clock = db, library, games, clock
        self._books: Mapping[str, PuzzleBook] = {}
        self._turns: Sequence[str] = ()
        """The games that have a book, even an unusable one."""
        self._load_lock = asyncio.Lock()
        self._is_loaded = False

    @property
    def today(self) -> Day:
        """The present day."""
        return day_of(self._clock())

    async def daily(self, day: Day) -> ChosenPuzzle:
        """Return the puzzle of a day, which is the same in every process that can use its game's book.

        Raises:
            Refusal: No game has puzzles.
        """
        books = await self._load_books()
        if not books:
            raise Refusal(PuzzleReason.NO_PUZZLES)
        count = len(self._turns)
        late, game = next((late, game) for late in range(count) if (game := self._turns[(day + late) % count]) in books)
        puzzles = books[game].puzzles
        # A stand-in comes from far away in the book, because the game's own days use the puzzles close by.
        number = day // count + late * len(puzzles) // count
        return ChosenPuzzle(game, books[game], puzzles[number % len(puzzles)], day)

    async def find(self, game: str, key: str, day: Day | None) -> ChosenPuzzle:
        """Return the puzzle that someone answers, as a day's puzzle or for practice.

        The puzzles of today and tomorrow are found only under their days, because a practice answer shows the solution.

        Raises:
            Refusal: The puzzle does not exist or belongs to another day, or the day has not begun.
        """
        found, today = await self.look_up(game, key, day), self.today
        is_of_day = found is not None and (day is None or (await self.daily(day)).puzzle == found.puzzle)
        is_sealed = day != today and ((day or 0) > today or (game, key) in await self._sealed())
        if found is None or not is_of_day or is_sealed:
            raise Refusal(PuzzleReason.UNKNOWN_PUZZLE)
        return found

    async def _sealed(self) -> Collection[tuple[str, str]]:
        """Return the games and keys of the puzzles of today and tomorrow; today's answer shows tomorrow's key."""
        days = [await self.daily(day) for day in (self.today, self.today + 1)]
        return [(chosen.game, chosen.puzzle.key) for chosen in days]

    async def look_up(self, game: str, key: str, day: Day | None) -> ChosenPuzzle | None:
        """Return the puzzle that was answered on a day, even if the day has another puzzle now.

        Return None if an upgrade has removed it.
        """
        book = (await self._load_books()).get(game)
        puzzle = None if book is None else book.find(key)
        return None if book is None or puzzle is None else ChosenPuzzle(game, book, puzzle, day)

    async def next_puzzle(self, user_id: int, game: str, after: str | None = None) -> ChosenPuzzle:
        """Return a game's next puzzle that a person has not answered; without one, the puzzle after another.

        Args:
            user_id: The person.
            game: The key of the game.
            after: The key of the puzzle shown now.

        Raises:
            Refusal: The game has no puzzles.
        """
        books = await self._load_books()
        if game not in books:
            raise Refusal(PuzzleReason.NO_PUZZLES)
        answered, sealed = await self._db.read(storage.find_answered, user_id, game), await self._sealed()
        # First the puzzles of past days, newest first, and then those of coming days.
        puzzles = books[game].puzzles
        newest = (self.today - 1 - self._turns.index(game)) // len(self._turns)
        order = [puzzles[(newest - at) % len(puzzles)].key for at in range(len(puzzles))]
        if after in order:
            at = order.index(after) + 1
            order = order[at:] + order[: at - 1]
        order = [key for key in order if (game, key) not in sealed] or [after or ""]
        return await self.find(game, next((key for key in order if key not in answered), order[0]), None)

    async def progress(self, user_id: int, game: str) -> Progress:
        """Return a person's progress with the puzzles of a game."""
        answered = await self._db.read(storage.find_answered, user_id, game)
        keys = (await self._load_books())[game].places
        known = [is_right for key, is_right in answered.items() if key in keys]
        return Progress(sum(known), len(known), len(keys))

    async def daily_answer(self, user_id: int, day: Day) -> DailyAnswer | None:
        """Return a person's answer to a day's puzzle, or None."""
        return await self._db.read(storage.find_daily, user_id, day)

    async def answer_daily(
        self, chosen: ChosenPuzzle, day: Day, person: Person, guild_id: int | None, choice: int
    ) -> DailyAnswer:
        """Record a person's answer to a day's puzzle, and return their first answer, which alone counts."""
        is_right = choice == chosen.puzzle.best
        answer = DailyAnswer(
            *(person.id, day, chosen.game, chosen.puzzle.key, choice, is_right, guild_id, person.name),
            answered_at=self._clock(),
        )
        first = await self._db.write(storage.answer_daily, answer)
        if first is answer:
            self.count_ending(Ending.FINISHED)
        return first

    def count_ending(self, ending: Ending) -> None:
        """Count in the metrics what becomes of a person's puzzle of the day."""
        self._db.metrics.count_ending("puzzle", ending)

    async def answer(self, chosen: ChosenPuzzle, user_id: int, choice: int) -> None:
        """Record a person's answer to a practice puzzle, if it is their first."""
        is_right = choice == chosen.puzzle.best
        await self._db.write(
            storage.note_answer,
            PuzzleAnswer(user_id, chosen.game, chosen.puzzle.key, is_right, answered_at=self._clock()),
        )

    async def streak(self, user_id: int, guild_id: int | None = None) -> Streak:
        """Return a person's streak in a server, or (None) across servers, which only the person may see."""
        return await self._db.read(storage.person_streak, user_id, self.today, guild_id)

    async def board(self, guild_id: int) -> DailyBoard:
        """Return a server's results for today's puzzle."""
        return await self._db.read(storage.daily_board, guild_id, self.today, BOARD_ROWS)

    async def _load_books(self) -> Mapping[str, PuzzleBook]:
        """Return the usable books, sorted by key; they are read when first needed."""
        if not self._is_loaded:
            async with self._load_lock:
                if not self._is_loaded:
                    self._turns = await asyncio.to_thread(self._library.games)
                    self._books = await asyncio.to_thread(self._read_books, self._turns)
                    self._is_loaded = True
        return self._books

    def _read_books(self, games: Collection[str]) -> Mapping[str, PuzzleBook]:
        """Read the books of the installed games among some games."""
        books = {}
        for game in games:
            if game not in self._rules:
                continue
            try:
                book = self._library.load(game)
            except Exception:
                log.exception("the puzzles of %s can't be used", game)
                continue
            if book.rules == self._rules[game]:
                books[game] = book
            else:
                log.warning("the puzzles of %s are for another version of its rules", game)
        return books
