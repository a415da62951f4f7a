"""The network that estimates chances of winning: its training, and the one that is stored."""

from functools import cache
from pathlib import Path
from random import Random
from statistics import fmean

import numpy as np
import pytest

from bot.games.change.minds.win_chances import UNITS, WinEvaluator, load_network
from bot.games.change.pieces import ChangeOptions
from bot.platform.content import NpzTables
from bot.rules.chance import FastChance
from bot.rules.content import BrokenTables
from bot.rules.evaluation import Unit
from bot.rules.review import Assessment, Decision, review_game
from bot.tools.training.change import Examples, begin, loss_of, play_examples, train_network
from tests.games.change.positions import BOARD, CONTENT, GAME
from tests.support.each_case import each_case

STORED = load_network(CONTENT.network)


@cache
def fresh() -> list[Examples]:
    """Play games that no network has been trained with: what is wanted is whether the viewer won."""
    return play_examples(GAME, STORED, 40, Random(77), trace=1)


@pytest.mark.long
def test_training_finds_the_same_network_with_any_python_and_numpy(tmp_path: Path) -> None:
    """The lengths of its arrays were found with Python 3.11 and NumPy 2.4.6.

    Lengths instead of a digest, because the last digits depend on the processor.
    """
    files = [NpzTables(tmp_path / name) for name in ("one.npz", "other.npz")]
    for tables in files:
        tables.save(train_network(BOARD, lambda _: None, rounds=2, games=2))
    assert files[0].file.read_bytes() == files[1].file.read_bytes()
    lengths = {name: float(np.linalg.norm(array)) for name, array in load_network(files[0]).pack().items()}
    assert lengths == pytest.approx({"hidden": 7.51201, "bias": 0.21228, "output": 0.29225}, abs=3e-5)


@pytest.mark.long
def test_the_stored_network_is_better_than_an_untrained_one() -> None:
    assert loss_of(STORED, fresh()) < loss_of(begin(np.random.default_rng(1)), fresh()) - 0.1


@pytest.mark.long
def test_training_improves_on_none(tmp_path: Path) -> None:
    tables = NpzTables(tmp_path / "network.npz")
    tables.save(train_network(BOARD, lambda _: None, rounds=4, games=4))
    assert loss_of(load_network(tables), fresh()) < loss_of(begin(np.random.default_rng(1)), fresh()) - 0.02


@pytest.mark.long
def test_seats_win_as_often_as_the_stored_network_says() -> None:
    """Ranges of chances; what one game decides is counted many times, so the bounds are wide."""
    chances = np.concatenate([STORED.chances(STORED.activate(features))[:, 0] for features, _ in fresh()])
    won = np.concatenate([won for _, won in fresh()])
    for low in (0.0, 0.2, 0.4, 0.6, 0.8):
        within = (low <= chances) & (chances < low + 0.2)
        assert within.sum() > 100
        assert abs(chances[within].mean() - won[within].mean()) < 0.1


def lucks_of_game(chance: FastChance) -> list[float]:
    """Play a game of two strong players, and return the luck of both."""
    state, evaluate = GAME.start(ChangeOptions(), 2, chance), WinEvaluator(CONTENT.network)
    decisions = list[Decision]()
    while (seat := GAME.seat_to_move(state)) is not None:
        moves = GAME.legal_moves(state)
        values = evaluate(GAME.view(state, seat), moves).values
        best = max(values)
        move = moves[values.index(best)]
        if len(moves) > 1:
            assessment = Assessment(best, best, str(move), Unit.WINS, is_exact=False)
            decisions.append(Decision(len(decisions), seat, len(decisions), 0.0, True, str(move), assessment))
        state, _ = GAME.play(state, seat, move, chance)
    left = state.public.credits
    review = review_game(decisions, {Unit.WINS: [(each == 0) / left.count(0) for each in left]})
    assert review is not None
    return [account.luck for account in review.seats]


@pytest.mark.long
def test_strong_players_are_neither_lucky_nor_unlucky_on_average() -> None:
    """The mean of 40 games is within 0.12 of the true one, 19 times out of 20."""
    chance = FastChance(Random(3))
    lucks = [luck for _ in range(40) for luck in lucks_of_game(chance)]
    assert abs(fmean(lucks)) < 0.12


def test_the_chances_of_a_table_sum_to_one() -> None:
    for features, _ in play_examples(GAME, STORED, 2, Random(77), trace=1):
        assert STORED.chances(STORED.activate(features)).sum(axis=-1) == pytest.approx(1)


ARRAYS = STORED.pack()


@each_case("arrays", [{}, ARRAYS | {"bias": np.zeros(UNITS + 1)}, {"hidden": ARRAYS["hidden"]}])
def test_arrays_of_something_else_are_refused(tmp_path: Path, arrays: dict[str, np.ndarray]) -> None:
    tables = NpzTables(tmp_path / "network.npz")
    tables.save(arrays)
    with pytest.raises(BrokenTables, match=r"network\.npz can't be"):
        load_network(tables)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(BrokenTables, match=r"network\.npz can't be read"):
        load_network(NpzTables(tmp_path / "network.npz"))
