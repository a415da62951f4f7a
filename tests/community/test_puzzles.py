"""Which puzzle is whose."""

import logging
from datetime import UTC, datetime, timedelta
from typing import cast

import pytest

from bot.features.puzzles.model import ChosenPuzzle, Progress, PuzzleReason
from bot.features.puzzles.service import PuzzleService
from bot.platform.content import PuzzleFiles
from bot.platform.places import Person, day_of, start_of_day
from bot.rules.evaluation import Unit
from bot.rules.puzzle import Difficulty, Puzzle, PuzzleBook, PuzzleGame
from bot.rules.refusals import Refusal
from tests.support.memory_database import MemoryDatabase

ROBIN, WREN = Person(11, "Robin"), Person(12, "Wren")
SIZES = {"change": 3, "fortune": 5, "magpie": 4}
NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
TODAY = day_of(NOW)


def make_book(game: str, rules: int = 1) -> PuzzleBook:
    puzzles = tuple(
        Puzzle(
            key=f"{game.encode().hex()[:6]}{at:02x}",
            game=0,
            step=0,
            unit=Unit.WINS,
            difficulty=Difficulty.EASY,
            offered=("a", "b", "c"),
            values=(0.1, 0.5, 0.2),
        )
        for at in range(SIZES[game])
    )
    return PuzzleBook(
        rules=rules, seed=1, options={}, games=(PuzzleGame(number=0, seats=2, moves=""),), puzzles=puzzles
    )


class Library:
    """Passes for the files of puzzles."""

    def __init__(self, **books: PuzzleBook | Exception) -> None:
        self.books = books
        self.loads = 0

    def games(self) -> list[str]:
        return sorted(self.books)

    def load(self, game: str) -> PuzzleBook:
        self.loads += 1
        book = self.books[game]
        if isinstance(book, Exception):
            raise book
        return book


class Setting:
    """A service with its store and a clock to set."""

    def __init__(self, **books: PuzzleBook | Exception) -> None:
        self.now = NOW
        self.db = MemoryDatabase()
        self.library = Library(**books or {game: make_book(game) for game in ("change", "magpie")})
        rules = {"change": 1, "magpie": 1, "fortune": 1}
        self.service = PuzzleService(self.db, cast("PuzzleFiles", self.library), rules, lambda: self.now)


def key_of(chosen: ChosenPuzzle) -> tuple[str, int]:
    return chosen.game, chosen.book.places[chosen.puzzle.key]


def test_days_begin_at_midnight_in_utc() -> None:
    assert day_of(datetime(1970, 1, 1, tzinfo=UTC)) == 0
    assert day_of(start_of_day(20_000)) == 20_000
    assert day_of(start_of_day(20_000) - timedelta(microseconds=1)) == 19_999


async def test_games_take_turns_and_their_puzzles_follow_the_order_of_the_book() -> None:
    service = Setting().service
    first = TODAY - TODAY % (2 * 12)
    found = [key_of(await service.daily(first + day)) for day in range(8)]
    change, magpie = first // 2 % 3, first // 2 % 4
    assert found == [
        each for turn in range(4) for each in (("change", (change + turn) % 3), ("magpie", (magpie + turn) % 4))
    ]


async def test_books_are_read_once_when_they_are_needed() -> None:
    setting = Setting()
    assert setting.library.loads == 0
    for _ in range(3):
        await setting.service.daily(TODAY)
    assert setting.library.loads == 2


async def test_a_puzzle_of_a_day_is_found_as_that_day_only() -> None:
    service = Setting().service
    daily, other = await service.daily(TODAY), await service.daily(TODAY + 2)
    assert await service.find(daily.game, daily.puzzle.key, TODAY) == daily
    assert (await service.find(other.game, other.puzzle.key, None)).puzzle == other.puzzle
    for game, key in ((other.game, other.puzzle.key), (daily.game, "00000000"), ("poker", daily.puzzle.key)):
        with pytest.raises(Refusal) as refused:
            await service.find(game, key, TODAY)
        assert refused.value.reason is PuzzleReason.UNKNOWN_PUZZLE


async def test_practice_begins_with_the_newest_day_and_leaves_today_for_today() -> None:
    setting = Setting()
    service, today = setting.service, await setting.service.daily(TODAY)
    game = today.game
    past = [(await service.daily(TODAY - 2 * back)).puzzle.key for back in range(1, SIZES[game])]
    seen = []
    for _ in past:
        chosen = await service.next_puzzle(ROBIN.id, game)
        assert chosen.day is None
        seen.append(chosen.puzzle.key)
        await service.answer(chosen, ROBIN.id, 1)
    assert seen == past
    assert await service.progress(ROBIN.id, game) == Progress(len(past), len(past), SIZES[game])
    assert (await service.next_puzzle(WREN.id, game)).puzzle.key == past[0]


async def test_the_next_puzzle_is_another_even_if_all_are_answered() -> None:
    setting = Setting()
    service = setting.service
    first = await service.next_puzzle(ROBIN.id, "magpie")
    second = await service.next_puzzle(ROBIN.id, "magpie", first.puzzle.key)
    assert first.puzzle != second.puzzle
    assert (await service.next_puzzle(ROBIN.id, "magpie", "00000000")).puzzle == first.puzzle
    for puzzle in first.book.puzzles:
        await service.answer(ChosenPuzzle("magpie", first.book, puzzle), ROBIN.id, 0)
    walked = [first.puzzle.key]
    for _ in range(SIZES["magpie"]):
        walked.append((await service.next_puzzle(ROBIN.id, "magpie", walked[-1])).puzzle.key)
    # Today's puzzle and tomorrow's are left for their days; one of them is Magpie's.
    sealed = {(await service.daily(day)).puzzle.key for day in (TODAY, TODAY + 1)}
    assert set(walked) == {each.key for each in first.book.puzzles} - sealed
    assert await service.progress(ROBIN.id, "magpie") == Progress(0, 4, 4)


@pytest.mark.parametrize("unusable", [ValueError("torn"), make_book("change", rules=2)])
async def test_an_unusable_book_changes_no_day_but_those_of_its_game(
    unusable: PuzzleBook | Exception, caplog: pytest.LogCaptureFixture
) -> None:
    fortune, magpie = make_book("fortune"), make_book("magpie")
    service = Setting(change=make_book("change"), fortune=fortune, magpie=magpie).service
    broken = Setting(change=unusable, fortune=fortune, magpie=magpie).service
    days = [day for day in range(TODAY, TODAY + 12) if (await service.daily(day)).game != "change"]
    assert len(days) == 8
    for day in days:
        assert await broken.daily(day) == await service.daily(day)
    assert {(await broken.daily(day)).game for day in range(TODAY, TODAY + 12)} == {"fortune", "magpie"}
    assert await broken.next_puzzle(ROBIN.id, "magpie") == await service.next_puzzle(ROBIN.id, "magpie")
    caplog.clear()


async def test_the_next_game_stands_in_with_a_puzzle_that_is_not_the_next_days(
    caplog: pytest.LogCaptureFixture,
) -> None:
    torn = ValueError("torn")
    service = Setting(change=torn, fortune=torn, magpie=make_book("magpie")).service
    first = TODAY - TODAY % 3
    found = [await service.daily(first + day) for day in range(3)]
    assert [each.game for each in found] == ["magpie"] * 3
    assert len({each.puzzle.key for each in found}) == 3
    assert await service.find("magpie", found[0].puzzle.key, first) == found[0]
    caplog.clear()


async def test_unusable_books_are_left_out(caplog: pytest.LogCaptureFixture) -> None:
    setting = Setting(change=make_book("change", rules=2), magpie=ValueError("torn"), poker=make_book("magpie"))
    with pytest.raises(Refusal) as refused:
        await setting.service.daily(TODAY)
    assert refused.value.reason is PuzzleReason.NO_PUZZLES
    told = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert told == [
        "the puzzles of change are for another version of its rules",
        "the puzzles of magpie can't be used",
    ]
    caplog.clear()
    with pytest.raises(Refusal):
        await setting.service.next_puzzle(ROBIN.id, "magpie")
