"""The stored puzzles of every game hold, and show nothing that is hidden from the seat to move."""

from itertools import islice
from random import Random
from typing import Any

import pytest

from bot.commands.check import check_book, replay_game
from bot.features.puzzles.model import replay_puzzle
from bot.platform.content import PuzzleFiles
from bot.rules.chance import FastChance
from bot.rules.puzzle import DECIMALS, Difficulty, Puzzle
from bot.tables.table import Table
from tests.support.games import load_games_once

FILES = PuzzleFiles()
GAMES = {key: load_games_once()[key] for key in FILES.games()}
BOOKS = {key: FILES.load(key) for key in GAMES}

SAMPLE = 12
TRIES = 100
MAX_BYTES = 300_000
MAX_BYTES_OF_GAME = 2_000_000
"""With everything that computer players have learned."""


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.slow
def test_every_stored_puzzle_holds(key: str) -> None:
    assert len(BOOKS[key].puzzles) == 365
    assert list(check_book(GAMES[key], BOOKS[key])) == []
    file = FILES.file_of(key)
    assert file.stat().st_size < MAX_BYTES
    assert sum(each.stat().st_size for each in (file, *file.parent.glob("*.npz"))) < MAX_BYTES_OF_GAME


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.slow
def test_no_hard_puzzle_is_one_that_easy_finds_every_time(key: str) -> None:
    package, easy = GAMES[key], GAMES[key].mind.strategies["easy"]
    key_of, parse = package.mind.key_of, package.game.parse_move
    for puzzle in BOOKS[key].puzzles:
        if puzzle.difficulty is Difficulty.HARD:
            state = state_of(key, puzzle)
            view, moves = package.game.view(state, package.game.seat_to_move(state)), package.game.legal_moves(state)
            best, chance = key_of(view, parse(puzzle.offered[puzzle.best])), FastChance(Random(puzzle.step))
            assert any(key_of(view, easy(view, moves, chance)) != best for _ in range(TRIES)), puzzle.key


@pytest.mark.parametrize("key", GAMES)
def test_the_stored_values_are_those_of_the_game(key: str) -> None:
    package, book = GAMES[key], BOOKS[key]
    assert package.mind.evaluate is not None
    for puzzle in islice(book.puzzles, SAMPLE):
        state = state_of(key, puzzle)
        view, moves = package.game.view(state, package.game.seat_to_move(state)), package.game.legal_moves(state)
        evaluation = package.mind.evaluate(view, moves)
        values = {str(move): value for move, value in zip(moves, evaluation.values, strict=True)}
        assert evaluation.unit is puzzle.unit
        for move, value in zip(puzzle.offered, puzzle.values, strict=True):
            assert values[move] == pytest.approx(value, abs=0.6 * 10 ** -DECIMALS[puzzle.unit])


@pytest.mark.parametrize("key", GAMES)
def test_the_table_of_a_puzzle_is_in_its_position(key: str) -> None:
    package = GAMES[key]
    for puzzle in islice(BOOKS[key].puzzles, SAMPLE):
        table = table_of(key, puzzle)
        assert package.game.encode_position(table.state) == package.game.encode_position(state_of(key, puzzle))
        assert table.header.step == puzzle.step


def state_of(key: str, puzzle: Puzzle) -> Any:
    book = BOOKS[key]
    return next(islice(replay_game(GAMES[key], book, book.games_by_number[puzzle.game]), puzzle.step, None))


def table_of(key: str, puzzle: Puzzle) -> Table:
    *_, table = replay_puzzle(GAMES[key], BOOKS[key], puzzle)
    return table
