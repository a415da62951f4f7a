"""Answers to puzzles and streaks, on every database."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.features.puzzles import storage as puzzle_storage
from bot.features.puzzles.model import DailyAnswer, DailyBoard, PuzzleAnswer, Solver, Streak
from bot.platform.database.database import Database
from tests.store.samples import LARGEST_ID, NOON, Connect

TODAY = 20_788
HERE, THERE = 3, 4


def make_answer(
    day: int = TODAY, user_id: int = 11, *, is_right: bool = True, guild_id: int | None = HERE
) -> DailyAnswer:
    name, at = f"Person {user_id}", NOON + timedelta(days=day - TODAY)
    return DailyAnswer(user_id, day, "magpie", f"{day:08x}", 2, is_right, guild_id, name, at)


async def solve(db: Database, *days: int, user_id: int = 11, guild_id: int | None = HERE) -> None:
    for day in days:
        await db.write(puzzle_storage.answer_daily, make_answer(day, user_id, guild_id=guild_id))


async def test_only_the_first_answer_of_a_day_is_stored(db: Database) -> None:
    first = make_answer(user_id=LARGEST_ID, is_right=False, guild_id=None)
    assert await db.read(puzzle_storage.find_daily, LARGEST_ID, TODAY) is None
    assert await db.write(puzzle_storage.answer_daily, first) == first
    assert await db.write(puzzle_storage.answer_daily, replace(first, choice=4, is_right=True, guild_id=HERE)) == first
    assert await db.read(puzzle_storage.find_daily, LARGEST_ID, TODAY) == first
    assert await db.read(puzzle_storage.find_daily, LARGEST_ID, TODAY - 1) is None


async def test_of_two_processes_one_answer_counts(connect: Connect) -> None:
    one, other = await connect(), await connect()
    for day in range(TODAY, TODAY + 5):
        wrong, right = make_answer(day, is_right=False), make_answer(day)
        stored = await asyncio.gather(
            one.write(puzzle_storage.answer_daily, wrong), other.write(puzzle_storage.answer_daily, right)
        )
        assert stored[0] == stored[1] == await one.read(puzzle_storage.find_daily, 11, day)
        assert stored[0] in {wrong, right}


@pytest.mark.every_database
async def test_only_the_first_answer_to_any_other_puzzle_is_stored(db: Database) -> None:
    await db.write(puzzle_storage.answer_daily, make_answer())
    for is_right in (False, True):
        await db.write(puzzle_storage.note_answer, PuzzleAnswer(11, "magpie", "0000abcd", is_right, NOON))
        await db.write(puzzle_storage.note_answer, PuzzleAnswer(12, "magpie", "0000abce", True, NOON))
        await db.write(puzzle_storage.note_answer, PuzzleAnswer(11, "change", "0000abcd", True, NOON))
    assert await db.read(puzzle_storage.find_answered, 11, "magpie") == {f"{TODAY:08x}": True, "0000abcd": False}
    assert await db.read(puzzle_storage.find_answered, 11, "change") == {"0000abcd": True}
    assert await db.read(puzzle_storage.find_answered, 11, "fortune") == {}


async def test_a_puzzle_met_again_was_solved_only_if_the_first_answer_was_right(db: Database) -> None:
    daily_first, other_first = make_answer(is_right=False), make_answer(TODAY + 2)
    await db.write(puzzle_storage.answer_daily, daily_first)
    for daily, is_right, days in ((daily_first, True, 1), (other_first, False, -1)):
        at = daily.answered_at + timedelta(days=days)
        await db.write(puzzle_storage.note_answer, PuzzleAnswer(11, "magpie", daily.puzzle, is_right, at))
    await db.write(puzzle_storage.answer_daily, other_first)
    assert await db.read(puzzle_storage.find_answered, 11, "magpie") == {
        daily_first.puzzle: False,
        other_first.puzzle: False,
    }


async def test_a_streak_lasts_until_a_day_is_missed(db: Database) -> None:
    assert await db.read(puzzle_storage.person_streak, 11, TODAY) == Streak(0, 0)
    await solve(db, TODAY - 1, TODAY - 2, TODAY - 3)
    await solve(db, *range(TODAY - 9, TODAY - 4))
    await solve(db, TODAY, user_id=12)
    assert await db.read(puzzle_storage.person_streak, 11, TODAY - 1) == Streak(3, 5)
    assert await db.read(puzzle_storage.person_streak, 11, TODAY) == Streak(3, 5)
    assert await db.read(puzzle_storage.person_streak, 11, TODAY + 1) == Streak(0, 5)
    await solve(db, TODAY, guild_id=None)
    assert await db.read(puzzle_storage.person_streak, 11, TODAY) == Streak(4, 5)


async def test_a_streak_in_a_server_counts_the_days_that_were_solved_there(db: Database) -> None:
    await solve(db, TODAY - 2, TODAY)
    await solve(db, TODAY - 1, guild_id=HERE + 1)
    assert await db.read(puzzle_storage.person_streak, 11, TODAY) == Streak(3, 3)
    assert await db.read(puzzle_storage.person_streak, 11, TODAY, HERE) == Streak(1, 1)
    assert await db.read(puzzle_storage.person_streak, 11, TODAY, HERE + 1) == Streak(1, 1)
    assert await db.read(puzzle_storage.person_streak, 11, TODAY, HERE + 2) == Streak(0, 0)


async def test_a_wrong_answer_ends_a_streak(db: Database) -> None:
    await solve(db, TODAY - 2, TODAY - 1)
    await db.write(puzzle_storage.answer_daily, make_answer(is_right=False))
    assert await db.read(puzzle_storage.person_streak, 11, TODAY) == Streak(0, 2)
    assert await db.read(puzzle_storage.person_streak, 11, TODAY + 1) == Streak(0, 2)
    await solve(db, TODAY + 1)
    assert await db.read(puzzle_storage.person_streak, 11, TODAY + 1) == Streak(1, 2)


async def test_a_server_has_a_streak_of_its_own(db: Database) -> None:
    assert await db.read(puzzle_storage.daily_board, HERE, TODAY, 9) == DailyBoard(TODAY, 0, 0, Streak(0, 0))
    await solve(db, TODAY - 2, TODAY)
    await solve(db, TODAY - 2, TODAY - 1, user_id=12)
    await solve(db, TODAY - 3, user_id=13, guild_id=THERE)
    await solve(db, TODAY - 4, user_id=13, guild_id=None)
    assert (await db.read(puzzle_storage.daily_board, HERE, TODAY, 9)).streak == Streak(3, 3)
    assert (await db.read(puzzle_storage.daily_board, HERE, TODAY + 1, 9)).streak == Streak(3, 3)
    assert (await db.read(puzzle_storage.daily_board, HERE, TODAY + 2, 9)).streak == Streak(0, 3)
    # A wrong answer of one ends nothing for the others.
    await db.write(puzzle_storage.answer_daily, make_answer(TODAY + 1, is_right=False))
    assert (await db.read(puzzle_storage.daily_board, HERE, TODAY + 1, 9)).streak == Streak(3, 3)


async def test_the_board_names_the_solvers_of_today_by_their_streaks_in_the_server(db: Database) -> None:
    await solve(db, TODAY, user_id=10)
    await solve(db, TODAY - 1, TODAY, user_id=12)
    await solve(db, TODAY - 3, TODAY - 2, TODAY - 1, user_id=13)
    await solve(db, TODAY - 1, user_id=10, guild_id=THERE)
    await solve(db, TODAY, user_id=14, guild_id=THERE)
    await db.write(puzzle_storage.answer_daily, make_answer(user_id=13, is_right=False))
    board = await db.read(puzzle_storage.daily_board, HERE, TODAY, 9)
    assert (board.answered, board.solved) == (3, 2)
    assert board.solvers == (Solver(12, "Person 12", 2), Solver(10, "Person 10", 1))
    assert (await db.read(puzzle_storage.daily_board, HERE, TODAY, 1)).solvers == board.solvers[:1]
