"""The network that estimates chances of winning: its training, and the one that is stored."""

from pathlib import Path

import numpy as np
import pytest

from bot.content import NpzTables
from bot.games.change.training import begin, loss_of, play_examples, train_network
from bot.games.change.win_network import UNITS, WinNetwork, load_network
from bot.rules.content import BrokenTables
from tests.games.change.positions import BOARD, CONTENT
from tests.support.each_case import each_case

STORED = load_network(CONTENT.network)
FRESH = play_examples(BOARD, 60, seed=77)
"""Games that no network has been trained with."""


def test_training_finds_the_same_network_and_improves_on_none(tmp_path: Path) -> None:
    files = [NpzTables(tmp_path / name) for name in ("one.npz", "other.npz")]
    for tables in files:
        tables.save(train_network(BOARD, lambda _: None, games=30))
    assert files[0].file.read_bytes() == files[1].file.read_bytes()
    untrained = loss_of(begin(np.random.default_rng(1)), FRESH)
    assert loss_of(load_network(files[0]), FRESH) < untrained - 0.05
    assert loss_of(STORED, FRESH) < untrained - 0.3


def test_seats_win_as_often_as_the_stored_network_says() -> None:
    """Tenfold ranges of chances; what one game decides is counted many times, so the bounds are wide."""
    chances = np.concatenate([STORED.chances(STORED.activate(features)).ravel() for features, _ in FRESH])
    shares = np.concatenate([shares.ravel() for _, shares in FRESH])
    for low in (0.0, 0.2, 0.4, 0.6, 0.8):
        within = (low <= chances) & (chances < low + 0.2)
        assert within.sum() > 500
        assert abs(chances[within].mean() - shares[within].mean()) < 0.1


def test_the_chances_of_a_table_sum_to_one() -> None:
    for features, _ in FRESH:
        assert STORED.chances(STORED.activate(features)).sum(axis=-1) == pytest.approx(1)


ARRAYS = STORED.pack()


@each_case("arrays", [{}, ARRAYS | {"bias": np.zeros(UNITS + 1)}, {"hidden": ARRAYS["hidden"]}])
def test_arrays_of_something_else_are_refused(arrays: dict[str, np.ndarray]) -> None:
    with pytest.raises(BrokenTables, match="The network of Change"):
        WinNetwork.unpack(arrays)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(BrokenTables, match=r"network\.npz can't be read"):
        load_network(NpzTables(tmp_path / "network.npz"))
