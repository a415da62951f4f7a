"""`puzzles` writes the puzzles of a game."""

from pathlib import Path

import pytest

from bot.platform.content import DATA, PuzzleFiles
from tests.commands.run_command import run_command


def test_the_same_seed_writes_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = []
    for name in ("one", "other"):
        monkeypatch.setattr("bot.platform.content.DATA", tmp_path / name)
        (tmp_path / name / "magpie").mkdir(parents=True)
        ended = run_command("puzzles", "magpie", "--count", "3", "--seed", "5")
        assert (ended.code, ended.err) == (0, "")
        assert "Wrote puzzles.json: 3 puzzles (" in ended.out
        written.append((tmp_path / name / "magpie" / "puzzles.json").read_bytes())
    assert written[0] == written[1]
    assert len(PuzzleFiles(tmp_path / "one").load("magpie").puzzles) == 3


@pytest.mark.parametrize("key", PuzzleFiles().games())
def test_a_stored_file_is_written_as_it_was_read(key: str, tmp_path: Path) -> None:
    files = PuzzleFiles(tmp_path)
    (tmp_path / key).mkdir()
    files.save(key, PuzzleFiles().load(key))
    assert files.file_of(key).read_bytes() == (DATA / key / "puzzles.json").read_bytes()


def test_an_unknown_game_is_refused() -> None:
    ended = run_command("puzzles", "chess")
    assert ended.code == 1
    assert "There is no game called chess." in ended.err


def test_check_names_puzzles_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PuzzleFiles, "file_of", lambda _self, key: Path(f"/nowhere/{key}/puzzles.json"))
    ended = run_command("check")
    assert ended.code == 1
    assert "nowhere/magpie/puzzles.json can't be read: No such file or directory. `puzzles" in ended.err
    assert "`puzzles magpie` writes them again." in ended.err
