"""Puzzles are found in games of known values."""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from bot.commands.check import replay_game
from bot.games.magpie import PACKAGE as MAGPIE
from bot.rules.evaluation import Evaluation, Unit
from bot.rules.puzzle import Difficulty, Puzzle, PuzzleBook, PuzzleSource
from bot.tools.puzzle_search import PuzzleSearch, PuzzlesNotFound

SOURCE = PuzzleSource(seats=(2,), margins={Unit.WINS: 0.02})


def find_book(count: int = 4, seed: int = 3, source: PuzzleSource = SOURCE, package: Any = MAGPIE) -> PuzzleBook:
    *_, book = PuzzleSearch(package, source, seed).find(count)
    assert isinstance(book, PuzzleBook)
    return book


@cache
def known_book() -> PuzzleBook:
    return find_book()


def position_of(book: PuzzleBook, puzzle: Puzzle) -> tuple[Any, Sequence[Any]]:
    """Return the view and the legal moves of a puzzle."""
    game, rules = book.games_by_number[puzzle.game], MAGPIE.game
    state = list(replay_game(MAGPIE, book, game))[puzzle.step]
    return rules.view(state, rules.seat_to_move(state)), rules.legal_moves(state)


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up a search after 12 games: the usual ones have several puzzles in that many."""
    monkeypatch.setattr("bot.tools.puzzle_search.GAMES_PER_PUZZLE", 12)


@pytest.mark.slow
def test_the_same_seed_finds_the_same_puzzles_and_yields_each_as_it_is_found() -> None:
    *puzzles, book = PuzzleSearch(MAGPIE, SOURCE, 3).find(4)
    assert book == known_book()
    assert {each.key for each in puzzles if isinstance(each, Puzzle)} == set(known_book().places)
    assert len(puzzles) == 4


def test_another_seed_finds_other_puzzles() -> None:
    assert find_book(1, seed=4).puzzles[0] not in known_book().puzzles


def test_the_best_move_leads_all_others_by_the_margin() -> None:
    for puzzle in known_book().puzzles:
        view, moves = position_of(known_book(), puzzle)
        assert MAGPIE.mind.evaluate is not None
        values: dict[Hashable, float] = {}
        for move, value in zip(moves, MAGPIE.mind.evaluate(view, moves).values, strict=True):
            values[MAGPIE.mind.key_of(view, move)] = value
        first, second, *_ = sorted(values.values(), reverse=True)
        best = MAGPIE.mind.key_of(view, MAGPIE.game.parse_move(puzzle.offered[puzzle.best]))
        assert values[best] == first
        assert first - second >= 0.0199


def test_moves_of_the_same_effect_are_one_answer() -> None:
    # A pair of equal dice can be picked in several ways, which all do the same.
    for puzzle in known_book().puzzles:
        view, _ = position_of(known_book(), puzzle)
        keys = {MAGPIE.mind.key_of(view, MAGPIE.game.parse_move(move)) for move in puzzle.offered}
        assert len(keys) == len(puzzle.offered)


@pytest.mark.usefixtures("few_games")
def test_a_move_that_everyone_finds_is_no_puzzle() -> None:
    strong = MAGPIE.mind.strategies["strong"]
    clever = replace(MAGPIE, mind=replace(MAGPIE.mind, strategies={"easy": strong, "normal": strong}))
    with pytest.raises(PuzzlesNotFound):
        find_book(1, package=clever)


def test_what_normal_misses_is_hard() -> None:
    hasty = replace(
        MAGPIE,
        mind=replace(
            MAGPIE.mind, strategies={**MAGPIE.mind.strategies, "normal": lambda _view, moves, _chance: moves[0]}
        ),
    )
    assert {puzzle.difficulty for puzzle in find_book(2, package=hasty).puzzles} == {Difficulty.HARD}


@pytest.mark.usefixtures("few_games")
def test_what_easy_finds_every_time_is_no_puzzle_even_if_normal_misses_it() -> None:
    def play_second_best(view: Any, moves: Sequence[Any], chance: object) -> Any:  # noqa: ARG001 - a strategy
        assert MAGPIE.mind.evaluate is not None
        values = MAGPIE.mind.evaluate(view, moves).values
        return moves[sorted(range(len(moves)), key=lambda at: values[at])[-2:][0]]

    odd = replace(
        MAGPIE,
        mind=replace(MAGPIE.mind, strategies={"easy": MAGPIE.mind.strategies["strong"], "normal": play_second_best}),
    )
    with pytest.raises(PuzzlesNotFound):
        find_book(1, package=odd)


@pytest.mark.usefixtures("few_games")
def test_values_in_another_unit_yield_no_puzzles() -> None:
    def evaluate(_view: object, moves: Sequence[object]) -> Evaluation:
        return Evaluation([float(at) for at in range(len(moves))], Unit.POINTS)

    with pytest.raises(PuzzlesNotFound):
        find_book(1, package=replace(MAGPIE, mind=replace(MAGPIE.mind, evaluate=evaluate)))


def test_a_game_that_values_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="does not say what moves are worth"):
        PuzzleSearch(replace(MAGPIE, mind=replace(MAGPIE.mind, evaluate=None)), SOURCE, 1)


@pytest.mark.parametrize(
    "change",
    [{"key": "twice"}, {"game": 10_000}, {"step": 10_000}, {"values": [1.0, 2.0]}, {"offered": ["roll 1"] * 6}],
    ids=lambda change: next(iter(change)),
)
def test_an_inconsistent_book_is_not_accepted(change: dict[str, Any]) -> None:
    written = known_book().model_dump(mode="json")
    first, second, *_ = written["puzzles"]
    first |= {"key": second["key"]} if "key" in change else change
    with pytest.raises(ValueError, match="puzzle"):
        PuzzleBook.model_validate(written)
