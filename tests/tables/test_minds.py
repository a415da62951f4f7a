"""Games that do not value moves themselves have computer players, hints and puzzles all the same."""

import importlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

import bot.games
from bot.rules.chance import FastChance
from bot.rules.evaluation import Unit
from bot.rules.package import Mind
from bot.rules.puzzle import Puzzle
from bot.tables.lobby import has_hints
from bot.tables.minds import with_mind
from bot.tables.registry import AnyPackage, GameRegistry
from bot.tables.thinker import Question, make_hint
from bot.tools.new_game import render_game
from bot.tools.puzzle_search import PuzzleSearch

SEEDS = range(3)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameRegistry]:
    """The games that `new-game` writes, one open and one with hidden hands."""
    folder = tmp_path_factory.mktemp("checkout")
    for key, is_hidden in (("newdice", False), ("newcards", True)):
        for name, text in render_game(key, hidden=is_hidden).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bot.games, "__path__", [*bot.games.__path__, str(folder / "bot" / "games")])
        packages = [importlib.import_module(f"bot.games.{key}").PACKAGE for key in ("newdice", "newcards")]
        yield GameRegistry(map(with_mind, packages))
    for name in [name for name in sys.modules if name.startswith(("bot.games.newdice", "bot.games.newcards"))]:
        del sys.modules[name]


def play(package: AnyPackage, levels: tuple[str, str], seed: int) -> tuple[float, ...]:
    """Return the shares of the win in a game between two levels."""
    game, chance, own = package.game, FastChance(Random(seed)), FastChance(Random(seed))
    state = game.start(game.info.options(), 2, chance)
    while (seat := game.seat_to_move(state)) is not None:
        choose = package.mind.strategies[levels[seat]]
        move = choose(game.view(state, seat), game.legal_moves(state), own)
        state, _ = game.play(state, seat, move, chance)
    outcome = game.outcome(state)
    assert outcome is not None
    return tuple((seat in outcome.winners) / len(outcome.winners) for seat in range(2))


@pytest.mark.parametrize(
    ("key", "level", "deals", "least"), [("newdice", "strong", 10, 0.7), ("newcards", "normal", 30, 0.55)]
)
@pytest.mark.long
def test_a_stronger_level_wins_more_often(key: str, level: str, deals: int, least: float, games: GameRegistry) -> None:
    """Each deal is played twice, with the seats exchanged."""
    first = sum(play(games[key], (level, "easy"), seed)[0] for seed in range(deals))
    second = sum(play(games[key], ("easy", level), seed)[1] for seed in range(deals))
    assert (first + second) / (2 * deals) >= least


@pytest.mark.parametrize("key", ["newdice", "newcards"])
def test_levels_and_hints_are_offered(key: str, games: GameRegistry) -> None:
    package = games[key]
    assert list(package.mind.strategies) == ["easy", "normal", "strong"]
    assert has_hints(package)
    state = package.game.start(package.game.info.options(), 2, FastChance(Random(1)))
    state, _ = package.game.play(state, 0, package.game.legal_moves(state)[0], FastChance(Random(1)))
    view, moves = package.game.view(state, 1), package.game.legal_moves(state)
    hint = make_hint(Question(key, view, moves), games)
    assert hint.is_first_choice
    assert hint.result is not None
    assert hint.result.evaluation.unit is Unit.WINS
    assert {each.text for each in hint.result.best} <= set(map(str, moves))


def test_puzzles_are_found(games: GameRegistry) -> None:
    package = games["newcards"]
    assert package.study.puzzles is not None
    puzzle = next(PuzzleSearch(package, package.study.puzzles, 1).find(1))
    assert isinstance(puzzle, Puzzle)
    assert puzzle.lead >= package.study.puzzles.margins[puzzle.unit]


def test_what_is_hidden_has_no_effect(games: GameRegistry) -> None:
    """The same view has the same values, however the hidden cards lie."""
    package = games["newcards"]
    game, evaluate, redeal = package.game, package.mind.evaluate, package.mind.redeal
    assert evaluate is not None
    assert redeal is not None
    for seed in SEEDS:
        state = game.start(game.info.options(), 3, FastChance(Random(seed)))
        view = game.view(state, 0)
        other = redeal(view, FastChance(Random(seed)))
        assert other != state
        moves = game.legal_moves(state)
        assert evaluate(view, moves) == evaluate(game.view(other, 0), game.legal_moves(other))


def test_a_game_that_hides_pieces_later_is_not_taken_for_an_open_one(games: GameRegistry) -> None:
    shown = games["newdice"]
    start = shown.game.start(shown.game.info.options(), 2, FastChance(Random(1)))

    class HidingLater(type(shown.game)):  # type: ignore[misc]  # the class of the game's rules
        """Shows everything until the first move is made."""

        def view(self, state: Any, viewer: int | None) -> Any:
            return state if state == start or viewer is not None else None

        def start(self, *_: object) -> Any:
            return start

    plain = replace(shown, game=HidingLater(), mind=Mind())
    assert with_mind(plain) is plain


def test_a_game_with_a_player_of_its_own_gets_hints_all_the_same(games: GameRegistry) -> None:
    own = games["newdice"].mind.strategies["easy"]
    package = with_mind(replace(games["newdice"], mind=Mind(strategies={"easy": own})))
    assert package.mind.strategies == {"easy": own}
    assert has_hints(package)
