"""How good a score is: the share of a computer player's games with a lower one."""

from bisect import bisect_right
from statistics import fmean

import pytest
from pydantic import ValidationError
from typer.testing import CliRunner

from bot.platform.content import DATA
from bot.rules.grades import Grade, Grades, make_scale
from bot.tables.registry import levels_of
from bot.tools.grades import app, format_toml, make_grades, play_batch
from tests.support.each_case import each_case
from tests.support.games import load_games_once

MAGIC_BAG = load_games_once()["magic_bag"]


@each_case("score, percent", [(10, 50), (19, 95), (20, 99), (10**9, 99)])
def test_a_score_beats_only_lower_ones(score: int, percent: int) -> None:
    scale = make_scale([*range(20)][::-1])
    assert Grades(games=20, version=1, better_than={"normal": scale}).grade(score) == Grade("normal", percent)


@each_case(
    "score, grade",
    [
        (-1, None),
        (0, None),
        (1, Grade("random", 50)),
        (10, Grade("random", 99)),
        (11, Grade("normal", 50)),
        (20, Grade("normal", 50)),
        (21, Grade("normal", 99)),
    ],
)
def test_a_score_is_compared_with_the_strongest_level_that_it_beats_in_half_of_the_games(
    score: int, grade: Grade | None
) -> None:
    scales = {"random": make_scale([0, 9]), "normal": make_scale([10, 20])}
    assert Grades(games=2, version=1, better_than=scales).grade(score) == grade


@each_case("scales", [{}, {"random": (*range(98),)}, {"random": (*range(100),)}, {"random": (*range(98), -1)}])
def test_grades_need_99_rising_scores_for_each_level(scales: dict[str, tuple[int, ...]]) -> None:
    with pytest.raises(ValidationError):
        Grades(games=1, version=1, better_than=scales)


def test_the_shipped_grades_are_those_of_the_present_rules_and_written_as_the_command_does() -> None:
    grades = MAGIC_BAG.results.grades
    assert grades is not None
    assert grades.version == MAGIC_BAG.game.info.version
    assert [*grades.better_than] == [*levels_of(MAGIC_BAG)]
    assert [grades.grade(score) for score in (500, 600, 700)] == [None, Grade("easy", 56), Grade("strong", 64)]
    assert make_grades("magic_bag", {"easy": [7] * 100, "normal": [8] * 100}).splitlines()[2:8] == [
        "# Written by `python -m bot.tools.grades magic_bag --games 100`.",
        "games = 100",
        f"version = {MAGIC_BAG.game.info.version}",
        "",
        "[better_than]",
        "easy = [",
    ]
    assert format_toml("magic_bag", grades) == (DATA / "magic_bag" / "grades.toml").read_text(encoding="utf-8")


@each_case(
    "arguments, code, sentence",
    [
        (["nosuch"], 1, "There is no game called nosuch. The games are: "),
        (["magpie"], 1, "Magpie is not a solo game, so it can't have grades.\n"),
        (["magic_bag", "--games", "99"], 2, "Usage: "),
    ],
)
def test_games_that_cannot_be_graded_are_reported(arguments: list[str], code: int, sentence: str) -> None:
    ended = CliRunner().invoke(app, arguments)
    assert (ended.exit_code, ended.stdout) == (code, "")
    assert ended.stderr.lstrip().startswith(sentence)


def test_blocks_of_games_are_the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.tools.grades.BATCH", 2)
    first, again, other = (play_batch("magic_bag", "normal", number) for number in (1, 1, 2))
    assert first == again != other


@each_case("level", levels_of(MAGIC_BAG))
@pytest.mark.long
def test_the_shipped_grades_are_those_of_computer_players_as_they_play_now(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On average a game beats half of the others, and the average of ten games is off by nine percent."""
    monkeypatch.setattr("bot.tools.grades.BATCH", 10)
    assert MAGIC_BAG.results.grades is not None
    scale = MAGIC_BAG.results.grades.better_than[level]
    assert 25 < fmean(bisect_right(scale, score) for score in play_batch("magic_bag", level, 1)) < 75
