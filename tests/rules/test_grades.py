"""How good a score is: the share of a computer player's games with a lower one."""

import pytest
from pydantic import ValidationError

from bot.commands.grades import format_toml, make_grades, play_block
from bot.commands.simulate import play_scores
from bot.rules.grades import Grades, grade_scores
from tests.support.each_case import each_case
from tests.support.games import load_games_once

MAGIC_BAG = load_games_once()["magic_bag"]


@each_case("score, percent", [(-5, 0), (0, 0), (1, 5), (4, 20), (10, 50), (19, 95), (20, 99), (10**9, 99)])
def test_a_score_beats_only_lower_ones(score: int, percent: int) -> None:
    assert grade_scores([*range(20)][::-1], "sensible", 1).percent_beaten(score) == percent


@each_case("count, last", [(98, 98), (100, 100), (99, -1)])
def test_grades_need_99_rising_scores(count: int, last: int) -> None:
    with pytest.raises(ValidationError):
        Grades(level="sensible", games=1, version=1, better_than=(*range(count - 1), last))


def test_the_shipped_grades_are_those_of_the_present_rules_and_written_as_the_command_does() -> None:
    grades = MAGIC_BAG.grades
    assert grades is not None
    assert (grades.level, grades.version) == ([*MAGIC_BAG.strategies][-1], MAGIC_BAG.game.info.version)
    assert 0 <= grades.percent_beaten(323) < 50 < grades.percent_beaten(700)
    assert make_grades("magic_bag", [7] * 100).splitlines()[1:5] == [
        "# Written by `python -m bot.commands.grades magic_bag --games 100`.",
        'level = "sensible"',
        "games = 100",
        f"version = {MAGIC_BAG.game.info.version}",
    ]
    assert format_toml("magic_bag", grades).splitlines()[3] == f"games = {grades.games}"


def test_blocks_of_games_are_the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.commands.grades.BLOCK", 1)
    assert play_block("magic_bag", 1) == play_scores(MAGIC_BAG, 1, 1) == [FIRST_SCORE]


FIRST_SCORE = 400
"""The score of the first game behind the shipped grades."""
