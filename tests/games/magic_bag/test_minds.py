"""The computer players of The Magic Bag: exact values of a turn, what the network sees, learns and has stored."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations, product
from random import Random
from statistics import fmean

import numpy as np
import pytest

from bot.games.magic_bag.minds.evaluation import (
    SIZE,
    OutlookEvaluator,
    evaluate_final_score,
    find_outlook,
    load_network,
)
from bot.games.magic_bag.minds.network import (
    Holding,
    Network,
    Numbers,
    describe_coins,
    describe_rows,
    encode_coins,
    fit,
    make_network,
)
from bot.games.magic_bag.minds.turn_values import RollValues, get_turn_values
from bot.games.magic_bag.pieces import FINISH, STOP, Claim, Discard, MagicBagOptions, Move, State, Suit
from bot.games.magic_bag.scoring import TILE_BONUS, points_of, treasure_points
from bot.platform.content import DATA, NpzTables
from bot.rules.chance import FastChance, ScriptedChance
from bot.rules.evaluation import BestMove, Unit
from bot.rules.playout import random_move
from bot.tools.training.magic_bag import train_outlook
from tests.games.magic_bag.positions import GAME, GOLD, SHEET, at, pieces
from tests.support.each_case import each_case

TABLES = NpzTables(DATA / "magic_bag" / "outlook.npz")
evaluate = OutlookEvaluator(TABLES)
NORMAL = BestMove(evaluate_final_score)

UNTRAINED = make_network(np.random.default_rng(0), *SIZE)
"""It expects no points after the coins that are owed."""


class TestFeatures:
    @each_case("owed", [0, 1, 2, 3, 4, 5])
    def test_the_points_of_coins_owed_are_the_mean_of_all_draws(self, owed: int) -> None:
        """MB-6."""
        have, bag = pieces("arms-ace arms-3 moon-5"), pieces("arms-2 moon-null moon-3 crown-4")
        draws = combinations(bag, min(owed, len(bag)))
        found = describe_coins(SHEET, encode_coins(bag), [Holding(encode_coins(have), owed)])
        assert found.points[0] == pytest.approx(fmean(treasure_points(SHEET, (*have, *some)) for some in draws))
        assert found.left[0] == max(0, 4 - owed)

    def test_a_row_is_described_by_the_best_chance_of_matching_it(self) -> None:
        """MB-3: three rolls of four dice."""
        (features,) = describe_rows([[pieces("sun-5"), ()]])
        assert features.reshape(4, 4)[:, 0] == pytest.approx(
            [1, 1 - (5 / 6) ** 12 + 1 - (5 / 6) ** 3, 1 - (5 / 6) ** 12, 1]
        )

    def test_rows_add_up(self) -> None:
        one, other, both = describe_rows(
            [[pieces("sun-5 moon-2")], [pieces("arms-ace")], [pieces("sun-5 moon-2"), pieces("arms-ace")]]
        )
        assert both == pytest.approx(one + other)


def _treasure(coins: str) -> int:
    return treasure_points(SHEET, pieces(coins))


class TestValues:
    def test_what_ends_the_game_is_exact(self) -> None:
        """MB-7, MB-8 and MB-12."""
        rows = {1: "sun-5", 4: "moon-2 arms-ace"}
        state = at(rows, "5555", coins="arms-ace arms-3 crown-null", bag="arms-2")
        last = at({1: "sun-5"}, "1555", coins="arms-ace", bag="arms-2 crown-4")
        failed = at(rows, "0000", coins="arms-ace arms-3", bag="arms-2")
        assert evaluate(state, [Claim(1)]).values == [_treasure("arms-ace arms-2 arms-3") + 3 * TILE_BONUS]
        assert evaluate(last, [Claim(1)]).values == [fmean(map(_treasure, ("arms-ace arms-2", "arms-ace crown-4")))]
        assert evaluate(failed, [FINISH]).values == [_treasure("arms-ace arms-3")]

    def test_stopping_is_worth_the_best_that_can_follow(self) -> None:
        """MB-8 and MB-9."""
        rows = {4: "sun-3 moon-5", 7: "moon-2 arms-ace arms-null crown-4"}
        state = at(rows, "3322", rolls=1, coins="arms-ace moon-3 crown-null")
        after, _ = GAME.play(state, 0, STOP, FastChance(Random(0)))
        found = evaluate(after, GAME.legal_moves(after))
        assert any(isinstance(move, Discard) and move.tile for move in GAME.legal_moves(after))
        assert evaluate(state, [STOP]).values[0] == pytest.approx(max(found.values))
        assert (found.unit, found.is_exact) == (Unit.FINAL_POINTS, False)


def learn_product(random: np.random.Generator) -> tuple[Network, np.ndarray, np.ndarray]:
    """Learn from 2000 of 3000 examples; return the network, the features of all, and what is wanted of each."""
    features = random.standard_normal((3000, 3)).astype(np.float32)
    wanted = features[:, 0] * features[:, 1] - features[:, 2]
    return fit(make_network(random, 3, 16), features[1000:], wanted[1000:], random, epochs=100), features, wanted


def train(report: Callable[[float], None] = lambda _: None) -> dict[str, Numbers]:
    """Learn from 120 games, enough to fill a batch."""
    return train_outlook(SHEET, report, rounds=2, games=40)


class TestTraining:
    def test_the_network_learns_a_product_of_features(self) -> None:
        network, features, wanted = learn_product(np.random.default_rng(4))
        assert np.abs(network.estimate(features[:1000]) - wanted[:1000]).mean() < 0.1 * np.abs(wanted).mean()
        pairs = network.estimate_pairs(features[:5, :1], features[:5, 1:])
        assert pairs.diagonal() == pytest.approx(network.estimate(features[:5]), abs=1e-4)

    def test_learning_finds_the_same_weights_with_any_python_and_numpy(self) -> None:
        """Their lengths, found with Python 3.11 and NumPy 2.4.6, because the last digits depend on the processor.

        What is learned from games can't be compared like this: of equal moves the one is made whose value happens to be
        rounded up, so that games differ between processors.
        """
        lengths = [float(np.linalg.norm(part)) for part in learn_product(np.random.default_rng(4))[0].weights]
        assert lengths == pytest.approx([4.18660, 0.99349, 0.74378, 0.21116], abs=3e-5)

    @pytest.mark.long
    def test_training_makes_a_better_player_and_the_same_one_again(self) -> None:
        shares: list[float] = []
        weights, again = train(shares.append), train()
        assert [part.tobytes() for part in weights.values()] == [part.tobytes() for part in again.values()]
        assert shares == pytest.approx([1 / 3, 2 / 3, 1])
        trained = choose_with(Network(tuple(weights.values())))
        assert mean_score(trained) > mean_score(choose_with(UNTRAINED)) + 50


def mean_score(choose: Callable[[State, Sequence[Move], FastChance], Move], games: int = 20) -> float:
    """Return the mean score of games."""
    chance, scores = FastChance(Random(3)), []
    for _ in range(games):
        state = GAME.start(MagicBagOptions(), 1, chance)
        while state.end is None:
            state, _ = GAME.play(state, 0, choose(state, GAME.legal_moves(state), chance), chance)
        scores.append(points_of(state))
    return fmean(scores)


def choose_with(network: Network) -> Callable[[State, Sequence[Move], FastChance], Move]:
    """Return a player of the moves that a network estimates best."""

    def choose(state: State, moves: Sequence[Move], _chance: FastChance) -> Move:
        outlook = find_outlook(state.layout, network)
        return max(moves, key=partial(outlook.value_of, faces=state.faces, rolls_left=state.rolls_left))

    return choose


class TestStoredNetwork:
    def test_a_deal_is_worth_about_what_is_scored(self) -> None:
        """The mean over many games is in docs/minds.md; that of deals varies little."""
        network, chance = load_network(TABLES), FastChance(Random(8))
        deals = [GAME.start(MagicBagOptions(), 1, chance).layout for _ in range(60)]
        assert fmean(find_outlook(layout, network).value for layout in deals) == pytest.approx(644, abs=3)

    def test_more_coins_are_worth_more(self) -> None:
        rows = {1: "sun-5", 3: "moon-2 arms-ace", 7: "crown-5 sun-4 moon-null arms-3"}
        poor, rich = (at(rows, "5012", coins=coins) for coins in ("crown-null", "crown-null arms-2 arms-3 arms-4"))
        assert evaluate(rich, [Claim(1)]).values[0] > evaluate(poor, [Claim(1)]).values[0] + 30


ALL_FACES = list(product(range(6), repeat=4))
SUBSETS = [tuple(suit for suit in Suit if mask >> suit & 1) for mask in range(16)]
FIVES = {9: "sun-5 moon-5 crown-5 arms-5"}


def choose_move(state: State) -> str:
    """Let the computer player choose; it needs no chance."""
    return str(NORMAL(GAME.view(state, 0), GAME.legal_moves(state), ScriptedChance([])))


ALL_ARMS = "arms-null arms-ace arms-2 arms-3 arms-4 arms-5"

WORTH = {faces: Random(str(faces)).random() for faces in ALL_FACES}
"""A random value for every outcome."""

WORTHS = np.reshape([*WORTH.values()], (6, 6, 6, 6))


def mean_worth(faces: Sequence[int], dice: Sequence[Suit]) -> float:
    """Return the mean of the values over every way some dice can land while the others show what they do."""
    outcomes = product(*(range(6) if suit in dice else (faces[suit],) for suit in Suit))
    return fmean(WORTH[outcome] for outcome in outcomes)


class TestExpectedValues:
    def test_mb_8_a_failed_roll_without_coins_keeps_the_points(self) -> None:
        """MB-8."""
        poor, rich = (at(FIVES, "0000", coins=coins).layout for coins in ("", "crown-2 crown-3"))
        nothing, something = (get_turn_values(layout).value_of(STOP, (0, 0, 0, 0), 1) for layout in (poor, rich))
        assert nothing == treasure_points(SHEET, ()) == 0
        assert something >= treasure_points(SHEET, rich.collected) > 0

    @each_case("dice", SUBSETS)
    def test_a_mean_covers_every_outcome_of_the_dice(self, dice: tuple[Suit, ...]) -> None:
        rolls = RollValues(WORTHS)
        for faces in ((0, 0, 0, 0), (5, 4, 3, 2), (1, 5, 0, 3)):
            assert rolls.expected_value(dice, faces) == pytest.approx(mean_worth(faces, dice))

    def test_the_best_value_covers_every_choice_of_dice(self) -> None:
        best = RollValues(WORTHS).best_values()
        for at_ in range(0, len(ALL_FACES), 97):
            wanted = max(mean_worth(ALL_FACES[at_], dice) for dice in SUBSETS)
            assert best[ALL_FACES[at_]] == pytest.approx(wanted)

    def test_the_value_of_the_last_row_is_that_of_an_average_coin(self) -> None:
        """MB-6 and MB-7: with one draw nothing is a guess."""
        state = at({9: "sun-5"}, "1111", rolls=1, coins="arms-ace arms-3", bag="arms-2 moon-5 crown-4")
        have = pieces("arms-ace arms-3")
        draws = [treasure_points(SHEET, (*have, coin)) for coin in state.layout.bag]
        last = get_turn_values(state.layout).rolls[0]
        for faces in ((1, 1, 1, 5), (4, 5, 0, 5)):
            assert last.expected_value((), faces) == pytest.approx(fmean(draws))
        assert treasure_points(SHEET, have) <= last.expected_value((), (1, 1, 1, 1)) < fmean(draws), (
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

    @each_case(
        "rows, dice, coins, bag, best",
        [
            ({3: "sun-5 moon-4", 4: "crown-3 arms-2"}, "4532", GOLD, None, "claim 4"),  # more coins
            ({}, "1234", "arms-ace arms-2 crown-null crown-3", None, "discard crown-null"),
            ({3: "sun-4 arms-null"}, "4123", "arms-ace crown-null", None, "discard crown-null tile sun-4"),
            ({}, "1234", ALL_ARMS, "crown-null", "finish"),  # nothing is left to win
            ({}, "1234", f"{ALL_ARMS.removesuffix(' arms-5')} crown-null", "arms-5", "discard crown-null"),  # much is
        ],
    )
    def test_it_ends_the_turn_with_what_promises_most(
        self, rows: dict[int, str], dice: str, coins: str, bag: str | None, best: str
    ) -> None:
        """MB-6, MB-8 and MB-9."""
        assert choose_move(at(rows | FIVES, dice, coins=coins, bag=bag)) == best


def test_it_beats_random_play() -> None:
    by_chance = mean_score(lambda _view, moves, chance: random_move(moves, chance))
    assert mean_score(NORMAL, games=4) > 5 * by_chance


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
