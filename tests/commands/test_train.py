"""`train` writes what computer players look up."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from bot.games.fortune.minds.race import LONGEST, Race, load_race
from bot.games.fortune.pieces import Card
from bot.platform.content import DATA, NpzTables
from tests.commands.run_command import run_command


def test_training_writes_the_file_of_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = load_race(NpzTables(DATA / "fortune" / "race.npz"))

    def solve(cards: Sequence[Card], report: Callable[[float], None], longest: int) -> Race:
        assert (len(cards), longest) == (35, LONGEST)
        report(0.5)
        return Race(stored.ahead / 2, stored.last)

    monkeypatch.setattr("bot.tools.training.fortune.solve_race", solve)
    monkeypatch.setattr("bot.platform.content.DATA", tmp_path)
    (tmp_path / "fortune").mkdir()
    ended = run_command("train", "fortune")
    assert (ended.code, ended.err) == (0, "")
    written = load_race(NpzTables(tmp_path / "fortune" / "race.npz"))
    assert written.ahead[LONGEST, 0] == pytest.approx(stored.ahead[LONGEST, 0] / 2, abs=1e-4)
    assert f"Wrote race.npz: {(tmp_path / 'fortune' / 'race.npz').stat().st_size} bytes." in ended.out


def test_a_game_that_needs_no_training_is_refused() -> None:
    ended = run_command("train", "magpie")
    assert (ended.code, ended.err) == (1, "The computer players of Magpie look nothing up.\n")
