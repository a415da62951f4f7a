"""What stands out on a screen, or is a shortcut, is one of the three best moves by the values of hints.

In 150 positions of every game, or in 2,000 with --long.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, count, islice
from random import Random
from statistics import fmean
from typing import Any

import pytest

from bot.games.magpie.pieces import MagpieOptions
from bot.rules.chance import FastChance
from bot.rules.evaluation import BestMove
from bot.rules.game import Seat
from bot.rules.playout import random_move
from bot.rules.screen import (
    EMPTY_DRAFT,
    MAX_SHORTCUTS,
    Control,
    Play,
    Screen,
    Tone,
    find_clear_best,
    find_coloured_control,
)
from bot.tables.registry import usual_level
from bot.tools.contract import make_mixed_options
from bot.tools.contract.screen_checks import NAMES, compared_moves, find_poor_advice
from tests.support.each_case import each_case
from tests.support.games import load_games_once, values_moves

ROUNDING = 1e-6
"""Values of equal moves may be rounded differently."""

MOST_CONTRADICTIONS = 0.05
"""The share of highlighted moves that hints may call worse than another."""

BOUNDS = {
    "magpie": (0.0005, 0.02, 0.0005),
    "fortune": (ROUNDING, ROUNDING, ROUNDING),
    "magic_bag": (ROUNDING, ROUNDING, ROUNDING),
    "change": (0.01, 0.05, 0.002),
    "houdinis_baggage": (0.005, 0.05, 0.002),
}
"""What is not worse, and what a highlighted move may give away at most and on average, in the unit of hints.

Values of Change are off by 0.05 wins themselves.
"""

SAFEST_FIRST = frozenset(("fortune", "magic_bag"))
"""The games that colour the safest choice, unless another one is clearly the best for a beginner."""

GAMES = load_games_once()


@pytest.fixture
def position_count(is_long: bool) -> int:
    return 2000 if is_long else 300


def evaluate(key: str, view: Any, moves: Sequence[Any]) -> Sequence[float]:
    """Return what moves are worth to the Normal computer player."""
    normal = GAMES[key].mind.strategies["normal"]
    assert isinstance(normal, BestMove)
    return normal.evaluate(view, moves).values


def play_positions(
    key: str, seed: int, start: Callable[[Any], Any], *, thought: int, level: str | None
) -> Iterator[tuple[Any, int]]:
    """Yield the positions of a game and its seats; a computer player makes one in `thought` moves."""
    package = GAMES[key]
    game, info, chance = package.game, package.game.info, FastChance(Random(f"{key} {seed}"))
    best = package.mind.strategies[level or usual_level(package)]
    seats = info.least_seats + seed % (info.most_seats - info.least_seats + 1)
    state = start(game.start(make_mixed_options(info.options, seed), seats, chance))
    while (seat := game.seat_to_move(state)) is not None:
        yield state, seats
        moves = game.legal_moves(state)
        is_thought = not chance.randbelow(thought)
        move = best(game.view(state, seat), moves, chance) if is_thought else random_move(moves, chance)
        state, _ = game.play(state, seat, move, chance)


def positions(
    key: str, start: Callable[[Any], Any] = lambda state: state, *, thought: int, level: str | None = None
) -> Iterator[tuple[Any, int]]:
    """Yield positions of one game after another."""
    return chain.from_iterable(play_positions(key, seed, start, thought=thought, level=level) for seed in count())


def screens(key: str, state: Any, seats: int, seat: Seat) -> Iterator[tuple[Seat | None, Screen]]:
    """Yield what the seat to move is shown, with its viewer: the table, and its hand where there is one."""
    package = GAMES[key]
    yield None, package.words.build_screen(package.game.view(state, None), (), NAMES[:seats], EMPTY_DRAFT)
    if package.words.build_hand_screen is not None:
        yield seat, package.words.build_hand_screen(package.game.view(state, seat), (), NAMES[:seats], EMPTY_DRAFT)


def test_what_stands_out_in_magpie_is_the_normal_players_move(position_count: int) -> None:
    found = list[str | None]()
    for state, seats in islice(positions("magpie", thought=4), position_count):
        seat, moves = GAMES["magpie"].game.seat_to_move(state), GAMES["magpie"].game.legal_moves(state)
        assert seat is not None
        best = sorted(highlighted_moves("magpie", state, seats, seat))
        assert len(best) <= 1
        found.append(next(iter(best), None))
        for text in best:
            values = evaluate("magpie", GAMES["magpie"].game.view(state, seat), moves)
            assert values[[*map(str, moves)].index(text)] >= max(values) - ROUNDING
    assert len(set(found)) > 4, "all sorts of moves stand out"
    assert None in found, "where the choice is close nothing does"


def advised_buttons(key: str, screen: Screen, viewer: Seat | None) -> list[Control]:
    """Return the shortcuts and best steps of a screen, and what stands out for beginners and for others.

    Where dice may take everything, the button that stops, or takes what there is, is coloured as the safest choice.
    """
    if viewer is not None or key in SAFEST_FIRST:
        found = [each for row in screen.rows for each in row if each.tone is Tone.MAIN or viewer is not None]
        return [*screen.shortcuts, *[each for each in found if each.tone is not Tone.QUIET]]
    coloured = [find_coloured_control(screen, is_beginner=is_beginner) for is_beginner in (True, False)]
    best = [each for row in screen.controls for each in row if each.key.startswith("best")]
    return [*screen.shortcuts, *best, *([] if screen.waits_for_hand else filter(None, coloured))]


@pytest.mark.parametrize("key", ["change", "houdinis_baggage", "magic_bag", "magpie"])
@pytest.mark.slow
def test_advice_is_among_the_best_three_moves(key: str, is_long: bool) -> None:
    """By the values of hints; Fortune has a test of its own."""
    package, found = GAMES[key], 0
    for state, seats in islice(positions(key, thought=2), 2000 if is_long else 150):
        seat, moves = package.game.seat_to_move(state), package.game.legal_moves(state)
        assert seat is not None
        # Options of Magpie that nobody has calculated are only valued about.
        if key == "magpie" and state.options != MagpieOptions(target=state.options.target):
            continue
        for viewer, screen in screens(key, state, seats, seat):
            buttons, view = advised_buttons(key, screen, viewer), package.game.view(state, viewer)
            compared = compared_moves(package, screen, moves, viewer)
            assert not [*find_poor_advice(package, view, compared, buttons)], package.game.encode_position(state)
            found += len(buttons) * (len(compared) > MAX_SHORTCUTS)
    assert found > 50


def hint_values(key: str, view: Any, moves: Sequence[Any]) -> Sequence[float]:
    """Return what moves are worth to hints."""
    evaluate_for_hints = GAMES[key].mind.evaluate
    assert evaluate_for_hints is not None
    return evaluate_for_hints(view, moves).values


@pytest.mark.parametrize("key", sorted(key for key, package in GAMES.items() if values_moves(package)))
@pytest.mark.slow
def test_a_highlighted_move_seldom_contradicts_hints_and_gives_little_away(key: str, is_long: bool) -> None:
    """In games of the strongest computer players, by the values of hints."""
    losses = list(islice(losses_of_highlighted(key), 1000 if is_long else 30))
    rounding, most, most_on_average = BOUNDS[key]
    assert sum(loss > rounding for loss in losses) <= MOST_CONTRADICTIONS * len(losses)
    assert max(losses) <= most
    assert fmean(losses) <= most_on_average


def losses_of_highlighted(key: str) -> Iterator[float]:
    """Yield what highlighted moves give away where there is a choice."""
    package = GAMES[key]
    for state, seats in positions(key, thought=1, level=list(package.mind.strategies)[-1]):
        seat, moves = package.game.seat_to_move(state), package.game.legal_moves(state)
        if seat is not None and len(moves) > 1:
            for text in sorted(highlighted_moves(key, state, seats, seat)):
                values = hint_values(key, package.game.view(state, seat), moves)
                yield max(values) - values[moves.index(package.game.parse_move(text))]


def highlighted_moves(key: str, state: Any, seats: int, seat: Seat) -> set[str]:
    every = chain.from_iterable(screen.iter_controls() for _viewer, screen in screens(key, state, seats, seat))
    return {each.effect.move for each in every if isinstance(each.effect, Play) and each.tone is Tone.MAIN}


@each_case(
    "worths, best",
    [
        ([], None),
        ([(3.0, "a")], "a"),
        ([(3.0, "a"), (3.5, "b")], "b"),
        ([(3.0, "a"), (3.4, "b")], None),
        ([(3.0, "a"), (3.0, "b"), (9.0, "c")], "c"),
        ([(9.0, "a"), (9.0, "b"), (0.0, "c")], None),
    ],
)
def test_no_control_is_recommended_for_a_smaller_lead(worths: list[tuple[float, str]], best: str | None) -> None:
    assert find_clear_best(worths, 0.5) == best
