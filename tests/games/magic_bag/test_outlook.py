"""The strong computer player of The Magic Bag: what its network sees, how it learns, and what is stored."""

from collections.abc import Callable
from functools import partial
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import fmean
from typing import TypeAlias

import numpy as np
import pytest

from bot.games.magic_bag.minds.evaluation import OutlookEvaluator
from bot.games.magic_bag.minds.features import Holding, describe_coins, describe_rows, encode_coins
from bot.games.magic_bag.minds.network import Network, Numbers, fit, make_network
from bot.games.magic_bag.minds.outlook import PARTS, SIZE, find_outlook, load_network
from bot.games.magic_bag.minds.training import train_outlook
from bot.games.magic_bag.pieces import FINISH, STOP, Claim, Discard, MagicBagOptions
from bot.games.magic_bag.scoring import points_of, treasure_points
from bot.platform.content import DATA, NpzTables
from bot.rules.chance import FastChance
from bot.rules.content import BrokenTables
from bot.rules.evaluation import Unit
from tests.games.magic_bag.positions import GAME, SHEET, at, pieces
from tests.support.each_case import each_case

TABLES = NpzTables(DATA / "magic_bag" / "outlook.npz")
STORED = dict(zip(PARTS, load_network(TABLES).weights, strict=True))
evaluate = OutlookEvaluator(TABLES)

Weights: TypeAlias = dict[str, Numbers]

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


class TestValues:
    def test_what_ends_the_game_is_exact(self) -> None:
        """MB-7, MB-8 and MB-12."""
        rows = {1: "sun-5", 4: "moon-2 arms-ace"}
        state = at(rows, "5555", coins="arms-ace arms-3 crown-null", bag="arms-2")
        last = at({1: "sun-5"}, "1555", coins="arms-ace", bag="arms-2 crown-4")
        failed = at(rows, "0000", coins="arms-ace arms-3", bag="arms-2")
        assert evaluate(state, [Claim(1)]).values == [60 + 30]
        assert evaluate(last, [Claim(1)]).values == [fmean((30, 14))]
        assert evaluate(failed, [FINISH]).values == [20]

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


def train(report: Callable[[float], None] = lambda _: None) -> Weights:
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

    def test_training_makes_a_better_player_and_the_same_one_again(self) -> None:
        shares: list[float] = []
        weights, again = train(shares.append), train()
        assert [part.tobytes() for part in weights.values()] == [part.tobytes() for part in again.values()]
        assert shares == pytest.approx([1 / 3, 2 / 3, 1])
        assert mean_score(Network(tuple(weights.values()))) > mean_score(UNTRAINED) + 50


def mean_score(network: Network, games: int = 20) -> float:
    """Return the mean score of games with the moves that a network estimates best."""
    chance, scores = FastChance(Random(3)), []
    for _ in range(games):
        state = GAME.start(MagicBagOptions(), 1, chance)
        while state.end is None:
            outlook = find_outlook(state.layout, network)
            move = max(
                GAME.legal_moves(state), key=partial(outlook.value_of, faces=state.faces, rolls_left=state.rolls_left)
            )
            state, _ = GAME.play(state, 0, move, chance)
        scores.append(points_of(state))
    return fmean(scores)


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

    @each_case("content", [b"", b"no archive"])
    def test_one_that_cannot_be_read_is_named(self, tmp_path: Path, content: bytes) -> None:
        file = tmp_path / "outlook.npz"
        file.write_bytes(content)
        for tables in (NpzTables(file), NpzTables(tmp_path / "missing.npz")):
            with pytest.raises(BrokenTables, match=f"{tables.file.name} can't be read"):
                load_network(tables)

    @each_case("missing", ["units", "coefficient_bias"])
    def test_one_that_lacks_weights_is_refused(self, tmp_path: Path, missing: str) -> None:
        tables = NpzTables(tmp_path / "outlook.npz")
        tables.save({name: part for name, part in STORED.items() if name != missing})
        with pytest.raises(BrokenTables, match=rf"outlook\.npz can't be used: it has no {missing}\.$"):
            load_network(tables)

    @each_case(
        "units",
        [
            np.zeros((3, 3), np.float32),
            STORED["units"].astype(str),
            STORED["units"].astype(bytes),
            STORED["units"].astype(complex),
            STORED["units"].astype("datetime64[s]"),
            # They are infinite in single precision.
            np.full_like(STORED["units"], 1e300, np.float64),
        ],
    )
    def test_one_of_something_else_is_refused(self, tmp_path: Path, units: np.ndarray) -> None:
        tables = NpzTables(tmp_path / "outlook.npz")
        tables.save({**STORED, "units": units})
        with pytest.raises(BrokenTables, match=r"outlook\.npz can't be used: units is .*, not float32 of shape"):
            load_network(tables)

    @each_case("number", [np.nan, np.inf, -np.inf, 3e38, -3e38])
    def test_one_whose_values_would_not_be_finite_is_refused(self, tmp_path: Path, number: float) -> None:
        tables = NpzTables(tmp_path / "outlook.npz")
        tables.save({**STORED, "units": np.full_like(STORED["units"], number)})
        with pytest.raises(BrokenTables, match=r"outlook\.npz can't be used: a number of units is too large or none"):
            load_network(tables)
