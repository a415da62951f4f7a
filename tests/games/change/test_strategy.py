"""The computer players of Change."""

from itertools import product
from random import Random
from time import process_time

import pytest

from bot.games.change.minds.evaluation import WinEvaluator, evaluate_turn
from bot.games.change.moves import Move
from bot.games.change.pieces import ChangeOptions, Stage, State, View
from bot.rules.chance import FastChance
from bot.rules.evaluation import BestMove
from bot.rules.package import Strategy
from bot.rules.playout import random_move
from bot.tables.registry import RandomStrategy
from tests.games.change.hidden import redeal_hidden
from tests.games.change.positions import ALL_TWELVE, CONTENT, GAME, WITH_SETS, at
from tests.support.each_case import each_case

ANY = FastChance(Random(1))


PLAYERS: dict[str, Strategy[View, Move]] = {
    "normal": BestMove(evaluate_turn),
    "strong": BestMove(WinEvaluator(CONTENT.network)),
}


def choose(state: State, level: str = "normal") -> str:
    """Return what the seat to move does."""
    seat = GAME.seat_to_move(state)
    return str(PLAYERS[level](GAME.view(state, seat), GAME.legal_moves(state), ANY))


WHOLE = "denial control selfishness"

# Each line: a position, and what anybody would do there.
CHOICES: dict[str, tuple[State, str]] = {
    "the own last credits are released": (at("10@3", "120@0", stage=Stage.CORNER), "choose myself"),
    "no opponent is helped to win": (at("120@3", "10@0", "120@0", stage=Stage.CORNER), "choose myself"),
    "a challenge costs nothing": (at("125@5", "120@0", challenge=True, travel=False, stage=Stage.FREE), "challenge"),
    "an Add card that suffices is played": (
        at("125@29", "120@0", hands=["add-2 add-5"], missing=2, travel=False, stage=Stage.FREE),
        "card add-2",
    ),
    "Add cards that do not suffice are kept": (
        at("125@29", "120@0", hands=["add-1 add-2"], missing=8, travel=False, stage=Stage.FREE),
        "done",
    ),
    "a card that wins is played": (
        at(f"50@3 {WHOLE}", "120@0", hands=["any"], options=WITH_SETS, stage=Stage.FREE),
        "card any denial",
    ),
    "the best own space is gone back to": (
        at("120@19 habits denial", "120@0", stage=Stage.RETURN),
        "choose denial",
    ),
    "the better card is kept": (
        at(f"120@22 {ALL_TWELVE}", "120@0", hands=["add-1 fear"], stage=Stage.KEEP),
        "keep fear",
    ),
    "the worse card is replaced": (
        at(f"120@4 {ALL_TWELVE}", "120@0", hands=["add-1 fear"], stage=Stage.SWAP),
        "replace add-1",
    ),
}


@each_case("case, level", product(CHOICES, PLAYERS))
def test_choices_that_can_be_computed_by_hand(case: str, level: str) -> None:
    state, expected = CHOICES[case]
    assert choose(state, level) == expected


def at_corner(space: int) -> State:
    seats = (f"40@{space} greed", "35@0 envy fear", "30@0 anger")
    return at(*seats, hands=["add-1 greed", "add-2"], stage=Stage.CORNER, options=WITH_SETS)


FREE = at(
    *("125@5 envy denial", "40@0 greed", "120@0 control greed"),
    challenge=True,
    hands=["any greed add-3 replace-2", "add-1"],
    stage=Stage.FREE,
    options=WITH_SETS,
)


@each_case(
    "state, worths",
    [
        (at_corner(4), {"choose myself": 3.5, "choose 1": 4.0}),
        (at_corner(11), {"choose myself": 10.5, "choose 1": -0.25, "choose 1 2": -0.5}),
        (at_corner(12), {"choose myself": 15.0, "choose 1": -2.5, "choose 1 2": -5.0}),
        (at_corner(19), {"choose myself": 10.0, "choose 1": 0.0, "choose 2": 2.5}),
        (at_corner(28), {"choose myself": 22.339, "choose 1": 3.836, "choose 2": 3.83}),
        (at("120@19 habits denial", "120@0", stage=Stage.RETURN), {"choose habits": 5.0, "choose denial": 25.0}),
        (FREE, {"challenge": 4.775, "option gossip": 1.298, "option control": -9.255, "option selfishness": 3.245}),
        (FREE, {"card replace-2 greed": 2.0, "card replace-2 add-3 greed": 2.5, "card replace-2 any greed": -15.5}),
        (FREE, {"card greed": -21.0, "card greed place": -1.431, "card any habits place": -19.229}),
        (
            at("125@29", "120@0", hands=["add-2 add-5 fear"], missing=4, travel=False, stage=Stage.FREE),
            {"card add-2": 70.0, "card add-5": 66.5, "done": 0.0},
        ),
        (
            at("120@22 fear", "120@0 greed", hands=["add-1 fear any replace-1"], stage=Stage.KEEP),
            {"keep add-1": 1.5, "keep replace-1": 1.0, "keep fear": 16.0, "keep any": 18.0},
        ),
    ],
)
def test_the_worth_of_moves(state: State, worths: dict[str, float]) -> None:
    """In credits, as the computer player estimates them; a change of the estimate is to be deliberate."""
    moves = [GAME.parse_move(text) for text in worths]
    values = evaluate_turn(GAME.view(state, GAME.seat_to_move(state)), moves).values
    assert dict(zip(worths, values, strict=True)) == pytest.approx(worths, abs=0.001)


def test_a_set_that_lacks_one_is_worth_completing() -> None:
    state = at("120@3 denial control", "120@0", options=WITH_SETS, stage=Stage.PLACE)
    assert choose(state) == "choose selfishness"


@each_case("level", PLAYERS)
def test_choices_do_not_depend_on_hidden_cards(level: str) -> None:
    """The same view gives the same choice, independent of the other hands."""
    chance, state = FastChance(Random(4)), GAME.start(WITH_SETS, 3, ANY)
    for step in range(300):
        seat = GAME.seat_to_move(state)
        if seat is None:
            break
        other = redeal_hidden(state, seat, chance)
        assert choose(state, level) == choose(other, level)
        state, _ = GAME.play(state, seat, random_move(GAME.legal_moves(state), chance), FastChance(Random(step)))


def test_normal_beats_random_play_in_nine_of_ten_games_for_two() -> None:
    won = sum(_wins(PLAYERS["normal"], RandomStrategy(), seed) for seed in range(120))
    assert won >= 0.9 * 120


def test_strong_beats_normal_in_three_of_five_games_for_two() -> None:
    won = sum(_wins(PLAYERS["strong"], PLAYERS["normal"], seed) for seed in range(40))
    assert won >= 0.6 * 40


def _wins(better: Strategy[View, Move], worse: Strategy[View, Move], seed: int) -> bool:
    """Play one game with the better player in a seat that changes from game to game; a shared win is none."""
    chance, good = FastChance(Random(seed)), seed % 2
    state = GAME.start(WITH_SETS, 2, chance)
    while (seat := GAME.seat_to_move(state)) is not None:
        player = better if seat == good else worse
        move = player(GAME.view(state, seat), GAME.legal_moves(state), chance)
        state, _ = GAME.play(state, seat, move, chance)
    outcome = GAME.outcome(state)
    assert outcome is not None
    return outcome.winners == (good,)


@each_case("level", PLAYERS)
def test_a_decision_is_fast(level: str) -> None:
    """Each takes 0.1 to 10 ms; the bound leaves room for machines that are busy or much slower."""
    chance = FastChance(Random(9))
    state, longest = GAME.start(ChangeOptions(credits=300), 6, chance), 0.0
    while (seat := GAME.seat_to_move(state)) is not None:
        began = process_time()
        move = PLAYERS[level](GAME.view(state, seat), GAME.legal_moves(state), chance)
        longest = max(longest, process_time() - began)
        state, _ = GAME.play(state, seat, move, chance)
    assert longest < 1.0
