"""The computer players of Magpie, against a second scorer and every way the dice can land; the length of games."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import factorial, prod
from random import Random
from statistics import fmean

import pytest

from bot.games.magpie import PACKAGE
from bot.games.magpie.minds import roll_values
from bot.games.magpie.minds.evaluation import evaluate_points, evaluate_wins
from bot.games.magpie.minds.race import find_race
from bot.games.magpie.pieces import ROLLS, TURNS_ALONE, Combination, MagpieOptions, Roll, State
from bot.games.magpie.words import estimate_minutes
from bot.rules.chance import FastChance, ScriptedChance
from bot.rules.evaluation import Unit
from bot.rules.playout import random_move
from bot.rules.screen import EMPTY_DRAFT
from tests.games.magpie import naive
from tests.games.magpie.naive import TABLES, score
from tests.games.magpie.positions import EVERY_MIX, GAME, PAIRED_MIXES, PLAIN, V1_V3, V3, at, digits
from tests.support.each_case import each_case

TARGET = 50


def short(options: MagpieOptions) -> MagpieOptions:
    return options.model_copy(update={"target": TARGET})


def best_chance(state: State) -> float:
    return max(evaluate_wins(state, ROLLS).values)


@cache
def chance_with_fresh_dice(state: State) -> float:
    """Return the chance of winning before five dice are rolled."""
    chances = dict.fromkeys({tuple(sorted(faces)) for faces in TABLES}, 0.0)
    for faces in chances:
        chances[faces] = best_chance(_with(state, faces))
    return fmean(chances[tuple(sorted(faces))] for faces in TABLES)


def _with(state: State, faces: tuple[int, ...]) -> State:
    return State(state.options, state.roll_off, faces, state.scores, state.mover, state.trigger)


def chance_after(state: State, roll: Roll, landed: tuple[int, ...]) -> float:
    """Return the chance of winning of the seat that has rolled, two seats taking turns. Rules MP-5 to MP-10."""
    mover = state.mover or 0
    after = dict(enumerate(state.faces, 1)) | dict(zip(roll.dice, landed, strict=True))
    faces = tuple(after.values())
    combination, points = score(state.options, faces, roll.dice)
    scores = tuple(total + points if seat == mover else total for seat, total in enumerate(state.scores))
    if state.trigger is not None:
        own, other = scores[mover], scores[1 - mover]
        return 1.0 if own > other else 0.5 if own == other else 0.0
    trigger = mover if scores[mover] >= state.options.target else None
    following = State(state.options, state.roll_off, faces, scores, 1 - mover, trigger)
    is_cleared = combination is Combination.FIVE_OF_A_KIND or (
        combination is Combination.FOUR_OF_A_KIND and state.options.reroll_fours
    )
    return 1 - (chance_with_fresh_dice(following) if is_cleared else best_chance(following))


@each_case(
    "position, dice, options",
    [
        *product(["11223 45/47 0 -"], [(3, 5)], PAIRED_MIXES),
        *product(["11112 30/44 1 -", "12345 49/12 0 -", "33344 40/55 0 1", "65421 46/50 0 1"], [(5,), (2, 4)], [PLAIN]),
        ("11223 45/47 0 -", (3, 4, 5), PLAIN),
    ],
)
def test_a_chance_of_winning_is_the_mean_of_those_that_follow(
    position: str, dice: tuple[int, ...], options: MagpieOptions
) -> None:
    state, roll = at(position, short(options)), Roll(dice)
    expected = fmean(chance_after(state, roll, landed) for landed in product(range(1, 7), repeat=len(dice)))
    found = evaluate_wins(state, [roll])
    assert (found.unit, found.is_exact) == (Unit.WINS, True)
    assert found.values[0] == pytest.approx(expected, abs=1e-6)


def test_chances_depend_on_the_distance_from_the_target_alone() -> None:
    near = evaluate_wins(at("11223 20/10 0 -", short(PLAIN)), ROLLS).values
    far = evaluate_wins(at("11223 70/60 0 -", PLAIN), ROLLS).values
    assert near == pytest.approx(far, abs=1e-6)


def test_before_the_last_round_three_seats_are_judged_by_points() -> None:
    state = at("11223 20/10/30 0 -")
    assert evaluate_wins(state, ROLLS) == evaluate_points(state, ROLLS)
    assert evaluate_points(state, ROLLS).unit is Unit.POINTS


@each_case("mover, is_exact", [(0, True), (2, False)])
def test_in_the_last_round_three_seats_are_judged_by_whether_they_reach_the_best_score(
    mover: int, is_exact: bool
) -> None:
    """MP-9. The last seat knows what it needs; the one before may still be overtaken."""
    own = {0: 90, 2: 80}[mover]
    state, roll = at(f"11223 90/101/80 {mover} 1"), Roll((3, 4, 5))
    found = evaluate_wins(state, [roll])
    wins = (
        1.0 if own + points > 101 else 0.5 if own + points == 101 else 0.0
        for landed in product(range(1, 7), repeat=3)
        for points in [score(state.options, (1, 1, *landed), roll.dice)[1]]
    )
    assert (found.unit, found.is_exact) == (Unit.WINS, is_exact)
    assert found.values[0] == pytest.approx(fmean(wins))


def test_the_usual_race_of_each_variation_is_found_once() -> None:
    found = [find_race(each) for each in EVERY_MIX]
    assert all(find_race(each) is race for each, race in zip(EVERY_MIX, found, strict=True))


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


@each_case("faces, options", [*product(POSITIONS[1:3], [V1_V3]), *product(POSITIONS[:1], EVERY_MIX)])
def test_the_choice_has_the_best_expectation_there_is(faces: str, options: MagpieOptions) -> None:
    worth = {
        move.dice: expected_score(options, digits(faces), move.dice) for move in GAME.legal_moves(at("12346 0/0 0 -"))
    }
    best = max(worth.values())
    assert choose(faces, options) == next(dice for dice, value in worth.items() if value == best)


@each_case("faces", POSITIONS)
def test_any_two_rolls_are_ranked_exactly(faces: str) -> None:
    worth = {dice: expected_score(PLAIN, digits(faces), dice) for dice in naive.ROLLS}
    random = Random(faces)
    for first, second in (random.sample(naive.ROLLS, 2) for _ in range(60)):
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


def test_it_beats_random_play_in_nine_of_ten_games_for_two() -> None:
    won = sum(_wins(seed) for seed in range(40))
    assert won >= 0.9 * 40


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


@each_case("faces, dice, least", [("11223", (3, 4, 5), 4), ("11223", (3, 4, 5), 12), ("65432", (1, 2), 1)])
def test_the_chance_of_points_is_the_share_of_rolls_that_bring_them(
    faces: str, dice: tuple[int, ...], least: int
) -> None:
    """MP-6."""
    kept = tuple(face for place, face in enumerate(digits(faces), 1) if place not in dice)
    places = tuple(range(len(kept) + 1, 6))
    landings = list(product(range(1, 7), repeat=len(dice)))
    enough = [score(PLAIN, (*kept, *landed), places)[1] >= least for landed in landings]
    assert roll_values.chance_of_points(PLAIN, digits(faces), Roll(dice), least) == pytest.approx(fmean(enough))
    if least == 1:
        assert roll_values.scoring_chance(PLAIN, tuple(sorted(kept))) == pytest.approx(fmean(enough))


def moves_of(options: MagpieOptions, seats: int, chance: FastChance) -> int:
    """Let the computer player play a game, and count its moves."""
    state, moves = GAME.start(options, seats, chance), 0
    while state.mover is not None:
        move = NORMAL(state, GAME.legal_moves(state), chance)
        state, moves = GAME.play(state, state.mover, move, chance)[0], moves + 1
    return moves


@each_case("options", EVERY_MIX)
def test_a_move_takes_about_eighteen_seconds_with_any_options(options: MagpieOptions) -> None:
    """In a long game, where minutes are not rounded much and the last roll counts for little."""
    chance, options = FastChance(Random(1)), options.model_copy(update={"target": 300})
    played = fmean(moves_of(options, 3, chance) for _ in range(5))
    assert 15 <= 60 * estimate_minutes(options, 3) / played <= 21


def test_it_grows_with_the_target_and_the_seats_and_is_never_nothing() -> None:
    assert estimate_minutes(MagpieOptions(target=100), 2) == 10
    assert estimate_minutes(MagpieOptions(target=100), 6) == 30
    assert estimate_minutes(MagpieOptions(target=500), 2) == 50
    least = MagpieOptions(target=50, double_big_rolls=True, reroll_fours=True, five_dice_bonus=True)
    assert estimate_minutes(least, 2) >= 1


def test_alone_a_roll_is_worth_its_points_and_those_that_later_turns_expect() -> None:
    """MP-S1."""
    last, before = (at(f"11234 7 0 - 7{'/0' * (TURNS_ALONE - left - 1)}") for left in (1, 2))
    found = evaluate_wins(last, ROLLS)
    points = evaluate_points(last, ROLLS)
    assert (found.unit, found.is_exact) == (Unit.FINAL_POINTS, True)
    assert found.values == pytest.approx([7 + value for value in points.values])
    # With two turns left, by every outcome of the first one.
    roll = ROLLS.index(GAME.parse_move("roll 3 4 5"))
    expected = []
    for landed in product(range(1, 7), repeat=3):
        state, _events = GAME.play(
            before, 0, ROLLS[roll], ScriptedChance([0, 0, *(face - 1 for face in landed), *[0] * 5])
        )
        if len(set(state.faces)) > 1:
            expected.append(max(evaluate_wins(state, ROLLS).values))
        else:
            expected.append(7 + 3 * Combination.FIVE_OF_A_KIND + fresh_points())
    assert evaluate_wins(before, ROLLS).values[roll] == pytest.approx(sum(expected) / len(expected))


def fresh_points() -> float:
    """What fresh dice bring in the last turn, on average."""
    worth = {}
    for faces in combinations_with_replacement(range(1, 7), 5):
        state = replace(at(f"11234 0 0 - 0{'/0' * (TURNS_ALONE - 2)}"), faces=faces)
        ways = factorial(5) // prod(factorial(faces.count(face)) for face in set(faces))
        worth[faces] = ways * max(evaluate_points(state, ROLLS).values)
    return sum(worth.values()) / 6**5
