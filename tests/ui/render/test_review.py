"""Reviews of all games, as they are read."""

import re
from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from random import Random
from typing import Any

import pytest

from bot.features.replays.model import Replay
from bot.features.reviews.messages import ReviewPage, render_review
from bot.features.reviews.model import find_made_moves, review_table
from bot.rules.chance import FastChance
from bot.rules.evaluation import Unit
from bot.rules.review import Assessment, Cause, Decision, Review, TurningPoint
from bot.tables.thinker import assess_move
from tests.support.each_case import each_case
from tests.support.games import load_games_once
from tests.support.picture_checks import find_flaws
from tests.support.review_texts import require_sums
from tests.support.stored_games import choose_by_level, play_stored, replay_of

GAMES = load_games_once()
SHORT: dict[str, dict[str, Any]] = {"magpie": {"target": 50}, "fortune": {"target": 3000}}


def play(key: str, seats: int, levels: Sequence[str]) -> Replay:
    """Play a game by computer players of some levels, in the seats of people."""
    package = GAMES[key]
    options = package.game.info.options(**SHORT.get(key, {}))
    choose = choose_by_level(package, levels, FastChance(Random(4)))
    return replay_of(play_stored(package, seats, choose, options=options, seed=4), package)


def decide(replay: Replay) -> list[Decision]:
    found = [each for each in find_made_moves(replay.entries, replay.stages, replay.turn_starts) if each]
    assessed = [(each, assess_move(each.question, each.chosen, GAMES).result) for each in found]
    return [each.decide(value) for each, value in assessed if value]


def review(replay: Replay) -> Review:
    made = review_table(replay.stages[-1], decide(replay))
    assert made is not None
    return made


@pytest.mark.parametrize(
    ("key", "seats", "adds_up"),
    [
        ("magpie", 2, True),
        ("magpie", 3, False),
        ("fortune", 2, True),
        ("fortune", 3, True),
        ("magic_bag", 1, True),
        ("houdinis_baggage", 2, True),
        ("change", 2, True),
    ],
)
def test_a_careless_player_is_told_what_to_learn(key: str, seats: int, *, adds_up: bool) -> None:
    replay = play(key, seats, ("easy", "normal"))
    made = review(replay)
    content = render_review(replay, made, 0, ReviewPage.DECISIONS)
    text = content.text_embed_json["description"]
    if adds_up:
        require_sums(text)
    cards = render_review(replay, made, 0).text_embed_json["description"].splitlines()
    assert [line[0] for line in cards][-3:] == ["🌟", "🍀", "💡"]
    assert 1 <= len(made.turning_points) <= 3
    assert len(text) < 1700
    for account in made.seats:
        assert isfinite(account.luck)
        assert account.given_away >= 0
    assert made.seats[0].given_away > 0
    assert content.make_picture is not None
    assert list(find_flaws(content.make_picture())) == []
    (menu,) = content.menus
    assert [int(option.value) for option in menu.options] == sorted(
        point.decision.step for point in made.turning_points
    )


def test_figures_in_another_unit_than_the_account_have_theirs() -> None:
    """In Magpie for three the last turn is about winning, and all turns before it are about points."""
    replay = play("magpie", 3, ("normal",))
    *others, last = decide(replay)
    assessment = Assessment(0.2, 0.5, last.assessment.best_move, Unit.WINS, is_exact=True)
    made = review_table(replay.stages[-1], [*others, replace(last, assessment=assessment)])
    assert made is not None
    content = render_review(replay, made, last.seat, ReviewPage.DECISIONS)
    text = content.text_embed_json["description"]
    assert re.search(rf" {last.turn} · .*\*\*−30% ", text)
    assert re.search("💡 .* 30% ", render_review(replay, made, last.seat).text_embed_json["description"])
    assert " · −30% " in content.menus[0].options[-1].label
    in_points = [each for each in others if each.assessment.unit is Unit.POINTS]
    without = review_table(replay.stages[-1], in_points)
    assert without is not None
    account = render_review(replay, without, last.seat, ReviewPage.DECISIONS)
    assert "%" not in account.text_embed_json["description"]


@each_case("change, told", [(-0.1, "**−10%**"), (0.1, "**+10%**")])
def test_luck_came_after_the_move_which_may_have_rolled_nothing_itself(change: float, told: str) -> None:
    replay = play("fortune", 2, ("normal",))
    made = review(replay)
    found = decide(replay)
    stopped = next(each for each in found if each.move == "stop")
    assert stopped.is_followed_by_chance, "the next player's card"
    assert {each.move.partition(" ")[0] for each in found if each.is_own_chance} == {"roll", "sorceress"}
    point = TurningPoint(stopped, Cause.LUCK, change)
    made = replace(made, turning_points=(point,))
    text = render_review(replay, made, 0, ReviewPage.DECISIONS).text_embed_json["description"]
    (line,) = [line for line in text.splitlines() if f" {stopped.turn} · " in line]
    assert line.endswith(told)


def test_a_mistake_made_often_names_both_moves_in_words_that_stand_alone() -> None:
    replay = play("fortune", 2, ("normal",))
    stopped = next(each for each in decide(replay) if each.move == "stop" and not each.seat)
    rolled = next(text for text in map(str, _moves_before(replay, stopped)) if text.startswith("roll"))
    costly = replace(stopped, assessment=replace(stopped.assessment, chosen=0.4, best=0.5, best_move=rolled))
    text = render_review(replay, replace(review(replay), costly=(costly, costly)), 0).text_embed_json["description"]
    (line,) = (line for line in text.splitlines() if line.startswith("💡"))
    assert re.findall(r"\b(\d+%?)", line)[-2:] == ["2", "20%"]


def _moves_before(replay: Replay, decision: Decision) -> Sequence[Any]:
    before = replay.stages[decision.step - 1]
    return before.package.game.legal_moves(before.state)


def test_a_solo_account_adds_up() -> None:
    (account,) = review(play("magic_bag", 1, ("easy",))).seats
    assert account.start + account.luck - account.given_away == pytest.approx(account.result)
