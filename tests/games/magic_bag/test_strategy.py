"""The Magic Bag's computer player: its expected values against brute force, and its choices."""

from collections.abc import Callable, Sequence
from itertools import product
from random import Random
from statistics import fmean

import numpy as np
import pytest

from bot.games.magic_bag.minds.evaluation import evaluate_final_score
from bot.games.magic_bag.minds.turn_values import RollValues, get_turn_values
from bot.games.magic_bag.pieces import STOP, Claim, MagicBagOptions, Move, State, Suit
from bot.games.magic_bag.rules import MagicBag
from bot.games.magic_bag.scoring import treasure_points
from bot.rules.chance import FairChance, FastChance, ScriptedChance
from bot.rules.evaluation import BestMove
from bot.rules.playout import random_move
from tests.games.magic_bag.positions import GAME, SHEET, at, pieces
from tests.support.each_case import each_case

NORMAL = BestMove(evaluate_final_score)

ALL_FACES = list(product(range(6), repeat=4))
SUBSETS = [tuple(suit for suit in Suit if mask >> suit & 1) for mask in range(16)]
FIVES = {9: "sun-5 moon-5 crown-5 arms-5"}


def choose_move(state: State, moves: Sequence[Move] | None = None) -> str:
    """Let the computer player choose; it needs no chance."""
    return str(NORMAL(GAME.view(state, 0), moves or GAME.legal_moves(state), ScriptedChance([])))


def all_landings(faces: Sequence[int], dice: Sequence[Suit]) -> list[tuple[int, ...]]:
    """Return every way dice can land while the others show what they do."""
    ways = []
    for new in product(range(6), repeat=len(dice)):
        after = list(faces)
        for suit, face in zip(dice, new, strict=True):
            after[suit] = face
        ways.append(tuple(after))
    return ways


WORTH = {faces: Random(str(faces)).random() for faces in ALL_FACES}
"""A random value for every outcome."""

WORTHS = np.reshape([*WORTH.values()], (6, 6, 6, 6))


class TestExpectedValues:
    def test_mb_8_a_failed_roll_without_coins_keeps_the_points(self) -> None:
        """MB-8."""
        poor, rich = (at(FIVES, "0000", coins=coins).layout for coins in ("", "crown-2 crown-3"))
        nothing, something = (get_turn_values(layout).value_of(STOP, (0, 0, 0, 0), 1) for layout in (poor, rich))
        assert nothing == treasure_points(SHEET, ()) == 0
        assert something >= treasure_points(SHEET, rich.collected) > 0

    def brute(self, faces: Sequence[int], dice: Sequence[Suit]) -> float:
        return fmean(WORTH[way] for way in all_landings(faces, dice))

    @each_case("dice", SUBSETS)
    def test_a_mean_covers_every_outcome_of_the_dice(self, dice: tuple[Suit, ...]) -> None:
        rolls = RollValues(WORTHS)
        for faces in ((0, 0, 0, 0), (5, 4, 3, 2), (1, 5, 0, 3)):
            assert rolls.expected_value(dice, faces) == pytest.approx(self.brute(faces, dice))

    def test_the_best_value_covers_every_choice_of_dice(self) -> None:
        best = RollValues(WORTHS).best_values()
        for at_ in range(0, len(ALL_FACES), 97):
            wanted = max(self.brute(ALL_FACES[at_], dice) for dice in SUBSETS)
            assert best[ALL_FACES[at_]] == pytest.approx(wanted)

    def test_the_value_of_the_last_row_is_that_of_an_average_coin(self) -> None:
        """MB-6 and MB-7: with one draw nothing is a guess."""
        state = at({9: "sun-5"}, "1111", rolls=1, coins="arms-ace arms-3", bag="arms-2 moon-5 crown-4")
        have = pieces("arms-ace arms-3")
        draws = [treasure_points(SHEET, (*have, coin)) for coin in state.layout.bag]
        assert draws == [60, 30, 24]
        last = get_turn_values(state.layout).rolls[0]
        for faces in ((1, 1, 1, 5), (4, 5, 0, 5)):
            assert last.expected_value((), faces) == pytest.approx(fmean(draws))
        assert 20 <= last.expected_value((), (1, 1, 1, 1)) < fmean(draws), (
            "a failed roll is worth what is there, or a little more"
        )


class TestChoices:
    @each_case(
        "rows, dice, best",
        [
            (FIVES, "5551", "roll arms"),
            (FIVES, "1525", "roll sun crown"),
            (FIVES, "0000", "roll sun moon crown arms"),
            ({9: "sun-5 moon-null crown-2"}, "0511", "roll crown arms"),  # their suits don't matter
            ({9: "sun-5 moon-null crown-2"}, "0552", "roll moon"),  # the crown is as good: the first of equals
        ],
    )
    def test_it_keeps_the_dice_that_a_row_needs(self, rows: dict[int, str], dice: str, best: str) -> None:
        """MB-3 and MB-4."""
        assert choose_move(at(rows, dice, rolls=1, coins="arms-null arms-ace arms-2")) == best

    def test_it_takes_the_row_that_brings_more_coins(self) -> None:
        """MB-6."""
        state = at({3: "sun-5 moon-4", 4: "crown-3 arms-2", **FIVES}, "4532")
        assert state.matching == (3, 4)
        assert choose_move(state) == "claim 4"

    def test_it_discards_a_worthless_coin(self) -> None:
        """MB-8."""
        state = at(FIVES, "1234", coins="arms-ace arms-2 crown-null crown-3")
        assert choose_move(state).startswith("discard crown-null")

    def test_it_removes_the_tile_that_makes_a_row_easy(self) -> None:
        """MB-9."""
        state = at({3: "sun-4 arms-null", **FIVES}, "4123", coins="arms-ace crown-null")
        assert choose_move(state) == "discard crown-null tile sun-4"

    def test_it_finishes_when_nothing_is_left_to_win(self) -> None:
        """MB-8."""
        arms = "arms-null arms-ace arms-2 arms-3 arms-4 arms-5"
        assert choose_move(at(FIVES, "1234", coins=arms, bag="crown-null")) == "finish"

    def test_it_plays_on_when_much_is_left_to_win(self) -> None:
        """MB-8."""
        arms = "arms-null arms-ace arms-2 arms-3 arms-4"
        state = at({1: "sun-5"}, "1234", coins=f"{arms} crown-null", bag="arms-5")
        assert choose_move(state) == "discard crown-null"

    def test_it_finishes_when_there_is_nothing_else(self) -> None:
        """MB-8."""
        assert choose_move(at(FIVES, "1234", coins="arms-5"), [GAME.parse_move("finish")]) == "finish"

    def test_it_chooses_among_the_moves_it_is_given(self) -> None:
        state = at({1: "sun-5", **FIVES}, "5551", rolls=2)
        for move in GAME.legal_moves(state):
            assert choose_move(state, [move]) == str(move)


def play_deal(seed: int, choose: Callable[[State, Sequence[Move], FastChance], Move]) -> int:
    """Play a deal to its end and return the points."""
    game: MagicBag = GAME
    state, step = game.start(MagicBagOptions(), 1, FairChance(seed.to_bytes(32, "big"), "deal", 0)), 0
    taste = FastChance(Random(seed))
    while state.end is None:
        step += 1
        move = choose(game.view(state, 0), game.legal_moves(state), taste)
        assert game.check(state, 0, move) is None
        state, _ = game.play(state, 0, move, FairChance(seed.to_bytes(32, "big"), "deal", step))
    outcome = game.outcome(state)
    assert outcome is not None
    return outcome.scores[0]


def test_it_beats_random_play_over_the_same_deals() -> None:
    deals = range(4)
    points = [play_deal(seed, NORMAL) for seed in deals]
    by_chance = [play_deal(seed, lambda _view, moves, chance: random_move(moves, chance)) for seed in deals]
    assert fmean(points) > 5 * fmean(by_chance)
    assert sum(ours > theirs for ours, theirs in zip(points, by_chance, strict=True)) >= 3


@each_case(
    "bag, worths",
    [
        ("crown-3 moon-3", {2: 223, 3: 141, 5: 243}),
        ("crown-3 moon-3 sun-2", {2: 138.5, 3: 87, 5: 143.552}),
        ("crown-3 moon-3 sun-2 sun-3", {2: 96, 3: 33, 5: 90.103}),
    ],
)
def test_the_worth_of_rows(bag: str, worths: dict[int, float]) -> None:
    """In points, as the computer player estimates them; a change of the estimate is to be deliberate."""
    rows = {2: "sun-5", 3: "crown-2 arms-null", 5: "moon-ace moon-2 moon-null", 9: "sun-4 moon-4 crown-4 arms-4"}
    state = at(rows, "5201", coins="crown-null", bag=bag)
    values = evaluate_final_score(state, [Claim(row) for row in worths]).values
    assert state.matching == tuple(worths)
    assert values == pytest.approx([*worths.values()], abs=0.001)


def test_every_roll_is_worth_more_the_more_are_left() -> None:
    """MB-3: a roll that may be repeated is never worth less."""
    turn = get_turn_values(at({2: "sun-5", 5: "moon-4 crown-3 arms-null", **FIVES}, "1111").layout)
    last, second = (rolls.expected_value(tuple(Suit), (0, 0, 0, 0)) for rolls in turn.rolls)
    assert last < second
