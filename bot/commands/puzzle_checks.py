"""Checks stored puzzles: whether their games can be replayed, and their answers hold."""

from collections.abc import Iterator, Sequence
from math import inf
from typing import Any

from bot.rules.puzzle import Puzzle, PuzzleBook, PuzzleGame
from bot.rules.puzzle_search import replay_game
from bot.tables.registry import AnyPackage


def check_book(package: AnyPackage, book: PuzzleBook) -> Iterator[str]:
    """Yield a sentence for each puzzle that does not hold: its game, its moves, or its margin by the stored values."""
    source, info = package.puzzles, package.game.info
    if source is None:
        yield f"{info.title} has no puzzles."
    elif book.rules != info.version:
        yield f"The puzzles of {info.title} are for version {book.rules} of its rules, not {info.version}."
    else:
        steps: dict[int, list[Puzzle]] = {}
        for puzzle in book.puzzles:
            steps.setdefault(puzzle.game, []).append(puzzle)
            if puzzle.lead < source.margins.get(puzzle.unit, inf):
                yield f"{info.title}: the best move of puzzle {puzzle.key} is not better by the stated margin."
        for game in book.games:
            yield from _check_game(package, book, game, steps.get(game.number, []))


def _check_game(package: AnyPackage, book: PuzzleBook, game: PuzzleGame, puzzles: Sequence[Puzzle]) -> Iterator[str]:
    """Replay a game, and yield a sentence for each puzzle that can't be shown."""
    by_step, title = {puzzle.step: puzzle for puzzle in puzzles}, package.game.info.title
    try:
        for step, state in enumerate(replay_game(package, book, game)):
            if step in by_step and not _is_offered_legally(package, state, by_step.pop(step)):
                yield f"{title}: the puzzle of game {game.number} at step {step} offers an illegal move, or one twice."
    except Exception as fault:  # noqa: BLE001 - other rules may raise anything for moves they do not allow
        yield f"{title}: game {game.number} of the puzzles can't be replayed: {fault!r}."
    else:
        yield from (f"{title}: puzzle {puzzle.key} is at no step of its game." for puzzle in by_step.values())


def _is_offered_legally(package: AnyPackage, state: Any, puzzle: Puzzle) -> bool:
    rules = package.game
    seat = rules.seat_to_move(state)
    if seat is None or package.describe_move is None:
        return False
    moves = [rules.parse_move(move) for move in puzzle.offered]
    texts = {package.describe_move(rules.view(state, seat), move) for move in moves}
    return len(texts) == len(moves) and all(rules.check(state, seat, move) is None for move in moves)
