"""`make bench` compares this tree with the last release, row by row, on one page."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.page import WIDTH, print_page, read_figures
from tests.bench.rows import Figure, Row, read_aims
from tests.bench.trees import BenchFailed, Tree, check_out, compare, find_release

MEASURE = """
import json, sys

PARTS = json.loads({parts!r})
if sys.argv[1:]:
    print(flush=True)
    for number, _ in enumerate(sys.stdin, 1):
        rows = {{row: [number * value, beside] for row, (value, beside) in PARTS[sys.argv[1]].items()}}
        print(json.dumps({{"rows": rows, "details": None}}), flush=True)
else:
    print("\\n".join(PARTS))
"""
VENV_SCRIPT = """
[ "$1" = dev ] && mkdir -p "$2/bin" && ln -s "{python}" "$2/bin/python"
"""
MAX_LINES = 40

Parts = dict[str, dict[str, tuple[float, float | None] | None]]


class Repository:
    """A repository with a tiny bench, which needs nothing else of the tree."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "tests/bench").mkdir(parents=True)
        (folder / "requirements").mkdir()
        (folder / "requirements/venv.sh").write_text(VENV_SCRIPT.format(python=sys.executable))
        self.lock("a==1")
        self._git("init", "--quiet")

    def lock(self, packages: str) -> None:
        """Write the locked packages."""
        (self.folder / "requirements/dev.txt").write_text(packages)

    def write_bench(self, parts: Parts) -> None:
        """Let the bench print the same figures in each round, times the number of the round."""
        (self.folder / "tests/bench/measure.py").write_text(MEASURE.format(parts=json.dumps(parts)))

    def commit(self, tag: str = "") -> None:
        """Commit everything, and tag it."""
        self._git("add", "--all")
        self._git("commit", "--quiet", "--message", "Change something")
        if tag:
            self._git("tag", tag)

    def tree(self) -> Tree:
        """Return the tree as it stands in the folder."""
        return Tree("now", self.folder)

    def _git(self, *words: str) -> None:
        settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        who = {f"GIT_{role}_{kind}": "bench" for role in ("AUTHOR", "COMMITTER") for kind in ("NAME", "EMAIL")}
        subprocess.run(["git", *words], cwd=self.folder, env=os.environ | settings | who, check=True)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def test_the_last_release_is_the_newest_one_before_this_commit(repository: Repository) -> None:
    repository.commit()
    assert find_release(repository.folder) == ""
    for number, tag in enumerate(("v0.9.0", "v0.10.0", "nightly", "v1.0.0")):
        repository.lock(f"a=={number}")
        repository.commit(tag)
    assert find_release(repository.folder) == "v0.10.0"


def test_a_folder_without_history_has_no_last_release(tmp_path: Path) -> None:
    assert find_release(tmp_path) == ""


def test_rows_that_both_trees_know_are_compared_round_by_round(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    old_parts: Parts = {"clicks": {Row.MOVE_ON_SQLITE: (4.0, 1.0), "a row that went": (1.0, None)}, "an old part": {}}
    repository.write_bench(old_parts)
    repository.commit("v1.0.0")
    new_parts: Parts = {
        "clicks": {Row.MOVE_ON_SQLITE: (6.0, 3.0), Row.PICTURE_CLICK: (9.6, 2.0)},
        "catalogues": {Row.CATALOGUES_MEMORY: (3.0, None)},
    }
    repository.write_bench(new_parts)
    with check_out(repository.folder, "v1.0.0") as release:
        measured = compare([repository.tree(), release], ["clicks", "catalogues"], rounds=3)
    now, then = (read_figures(measured[name]) for name in ("now", "v1.0.0"))
    assert now[Row.MOVE_ON_SQLITE] == [Figure(6, 3), Figure(12, 3), Figure(18, 3)]

    print_page(read_aims(), now, "v1.0.0", then)
    assert [re.split(r" {2,}", line.rstrip()) for line in capsys.readouterr().out.splitlines()] == [
        ["ratios; less is better", "size", "beside", "v1.0.0", "of aim"],
        ["a saved move, SQLite", "4.00", "1.50", "1.00 ✓"],
        ["a click with a picture", "9.60", "3.00 ✗"],
        ["memory of all catalogues", "6.0 MiB", "0.50 ✓"],
    ]


def test_without_a_release_its_column_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    print_page(read_aims(), {Row.FLOOD: [Figure(3, 2)]}, "", {})
    heading, line = capsys.readouterr().out.splitlines()
    assert re.split(r" {2,}", heading.rstrip())[1:] == ["size", "beside", "of aim"]
    assert line.split()[-3:] == ["1.50", "0.75", "✓"]


def test_a_release_with_other_packages_is_measured_in_an_environment_of_its_own(repository: Repository) -> None:
    repository.write_bench({"clicks": {}})
    repository.commit("v1.0.0")
    with check_out(repository.folder, "v1.0.0") as release:
        assert release.python == sys.executable
    repository.lock("a==2")
    with check_out(repository.folder, "v1.0.0") as release:
        assert release.python == str(release.folder / ".venv/bin/python")
        assert release.list_parts() == ["clicks"]


def test_a_commit_without_a_bench_is_refused(repository: Repository) -> None:
    repository.commit()
    with check_out(repository.folder, "HEAD") as tree, pytest.raises(BenchFailed, match="HEAD has no bench"):
        compare([tree], ["clicks"], rounds=1)


def test_a_part_that_fails_is_named_and_left_out(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository.write_bench({"clicks": {Row.FLOOD: None}, "moves": {}})
    measured = compare([repository.tree()], ["clicks", "moves"], rounds=1)
    assert measured == {"now": {"moves": [{"rows": {}, "details": None}]}}
    assert "clicks of now" in capsys.readouterr().err


def test_what_is_no_commit_is_refused(repository: Repository) -> None:
    with pytest.raises(BenchFailed, match="v9"), check_out(repository.folder, "v9"):
        pass


def test_every_row_has_an_aim_in_the_docs() -> None:
    assert read_aims().keys() == set(Row)


def test_all_rows_fit_on_one_page(capsys: pytest.CaptureFixture[str]) -> None:
    figures = {str(row): [Figure(999.9, 10.0)] for row in Row}
    print_page(read_aims(), figures, "v1.10.0", figures)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + len(Row) <= MAX_LINES
    assert max(map(len, lines)) <= WIDTH
