"""Magpie's computer player against brute force over every way the dice can land."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from bot.games.magpie import PACKAGE
from bot.games.magpie.minds import roll_values
from bot.games.magpie.pieces import MagpieOptions, Roll
from bot.rules.chance import FastChance, ScriptedChance
from bot.rules.playout import random_move
from bot.rules.screen import EMPTY_DRAFT
from tests.games.magpie.naive import ROLLS, score
from tests.games.magpie.positions import EVERY_MIX, GAME, PLAIN, V1_V3, V3, at, digits
from tests.support.each_case import each_case

NORMAL = PACKAGE.mind.strategies["normal"]

POSITIONS = ["11111", "11112", "21122", "13121", "12345", "66451", "54545"]


def expected_score(options: MagpieOptions, faces: tuple[int, ...], dice: tuple[int, ...]) -> Fraction:
    """Return the mean score of a roll: every way the dice can land, scored by the second scorer."""
    total = 0
    for landed in product(range(1, 7), repeat=len(dice)):
        after = dict(enumerate(faces, 1)) | dict(zip(dice, landed, strict=True))
        total += score(options, tuple(after.values()), dice)[1]
    return Fraction(total, 6 ** len(dice))


def choose(faces: str, options: MagpieOptions, moves: list[Roll] | None = None) -> tuple[int, ...]:
    """Let the computer player choose; it needs no chance."""
    state = at(f"{faces} 0/0 0 -", options)
    return NORMAL(GAME.view(state, 0), moves or GAME.legal_moves(state), ScriptedChance([])).dice


@each_case("faces, options", [*product(POSITIONS[1:5], (PLAIN, V1_V3)), *product(POSITIONS[:1], EVERY_MIX)])
def test_the_choice_has_the_best_expectation_there_is(faces: str, options: MagpieOptions) -> None:
    worth = {
        move.dice: expected_score(options, digits(faces), move.dice) for move in GAME.legal_moves(at("12346 0/0 0 -"))
    }
    best = max(worth.values())
    assert choose(faces, options) == next(dice for dice, value in worth.items() if value == best)


@each_case("faces", POSITIONS)
def test_any_two_rolls_are_ranked_exactly(faces: str) -> None:
    worth = {dice: expected_score(PLAIN, digits(faces), dice) for dice in ROLLS}
    random = Random(faces)
    for first, second in (random.sample(ROLLS, 2) for _ in range(60)):
        better = first if worth[first] >= worth[second] else second
        assert choose(faces, PLAIN, [Roll(first), Roll(second)]) == better, (first, second)


@each_case(
    "faces, options, rolls, best",
    [
        ("11111", PLAIN, ["1", "12"], "12"),  # 11/6 against (22 + 10 * 14 + 5 * 8) / 36
        ("11223", PLAIN, ["1", "5"], "5"),  # (1 + 2 + 1) / 6 against (4 + 4) / 6
        ("12346", PLAIN, ["3", "1", "5"], "3"),  # no single die makes anything: the first
        ("12346", V3, ["1", "12345"], "12345"),  # nothing against seven at least
    ],
)
def test_choices_that_can_be_reckoned_by_hand(faces: str, options: MagpieOptions, rolls: list[str], best: str) -> None:
    assert choose(faces, options, [Roll(digits(dice)) for dice in rolls]) == digits(best)


GAMES = 40


def test_it_beats_random_play_in_nine_of_ten_games_for_two() -> None:
    won = sum(_wins(seed) for seed in range(GAMES))
    assert won >= 0.9 * GAMES


def _wins(seed: int) -> bool:
    """Play one game with the computer player in a seat that changes from game to game; a shared win is none."""
    chance, sensible = FastChance(Random(seed)), seed % 2
    state = GAME.start(PLAIN, 2, chance)
    while state.mover is not None:
        moves = GAME.legal_moves(state)
        move = NORMAL(state, moves, chance) if state.mover == sensible else random_move(moves, chance)
        state, _ = GAME.play(state, state.mover, move, chance)
    outcome = GAME.outcome(state)
    assert outcome is not None
    return outcome.winners == (sensible,)


def test_a_prepared_game_has_tried_every_outcome_that_screens_need(monkeypatch: pytest.MonkeyPatch) -> None:
    assert PACKAGE.mind.prepare is not None
    PACKAGE.mind.prepare()
    monkeypatch.delattr(roll_values, "score_roll")
    for faces in POSITIONS:
        for draft in (EMPTY_DRAFT, frozenset({1}), frozenset({2, 4})):
            PACKAGE.words.build_screen(at(f"{faces} 0/0 0 -"), (), ("Ada", "Ben"), draft)
