"""Stored puzzles that do not hold are found out."""

from typing import Any

import pytest

from bot.commands.check import check_book
from bot.games.magpie import PACKAGE as MAGPIE
from bot.platform.content import PuzzleFiles
from bot.rules.evaluation import Unit
from bot.rules.puzzle import PuzzleBook, PuzzleGame

pytestmark = pytest.mark.slow

BOOK = PuzzleFiles().load("magpie")


def change_book(**changes: Any) -> PuzzleBook:
    return BOOK.model_copy(update=changes)


def change_puzzle(**changes: Any) -> PuzzleBook:
    """Return a book whose first puzzle differs."""
    first, *others = BOOK.puzzles
    return change_book(puzzles=(first.model_copy(update=changes), *others))


@pytest.mark.parametrize(
    ("book", "fault"),
    [
        (BOOK, ""),
        (change_puzzle(values=(0.5, 0.51, 0.4, 0.3, 0.2, 0.1)), "is not better by the stated margin"),
        (change_puzzle(unit=Unit.POINTS), "is not better by the stated margin"),
        (change_puzzle(offered=("roll 9", "roll 1", "roll 2")), "can't be replayed"),
        (change_puzzle(offered=("roll 1", "roll 2", "roll 1")), "offers an illegal move, or one twice"),
        (change_puzzle(step=999), "is at no step of its game"),
        (change_book(rules=99), "are for version 99 of its rules"),
        (change_book(games=(PuzzleGame(number=0, seats=2, moves="roll 9"),)), "can't be replayed"),
    ],
    ids=range(8),
)
def test_each_fault_is_told(book: PuzzleBook, fault: str) -> None:
    found = "\n".join(check_book(MAGPIE, book))
    assert (fault in found) if fault else not found
