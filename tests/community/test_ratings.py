"""Which tables count for ratings, and how."""

from dataclasses import replace
from typing import Any

import pytest

from bot.features.results.ratings import (
    DAILY_GAMES_OF_PAIR,
    NEW,
    NotRated,
    Rating,
    RatingChange,
    Strength,
    find_reason,
    rate,
)
from bot.tables.model import Company, Departure
from tests.support.each_case import each_case
from tests.support.sample_results import make_game_results

STRONG, WEAK = Rating(Strength(32.0, 2.0), 40), Rating(Strength(20.0, 2.0), 40)


def change(*people: int | None, places: tuple[int, ...] = (), **ratings: Rating) -> dict[int, RatingChange]:
    results = make_game_results(1, *people, places=places)
    found = rate(results, {int(name[1:]): rating for name, rating in ratings.items()}, {})
    assert not isinstance(found, NotRated)
    return {each.user_id: each for each in found}


def test_who_wins_gains_and_who_loses_falls() -> None:
    found = change(1, 2)
    assert (found[1].before, found[2].before) == (NEW, NEW)
    assert found[1].points > 0 > found[2].after.strength.mu - found[2].before.strength.mu
    assert {each.after.games for each in found.values()} == {1}


def test_a_tie_is_a_draw() -> None:
    equal = change(1, 2, places=(1, 1))
    assert equal[1].after == equal[2].after
    uneven = change(1, 2, places=(1, 1), p1=STRONG, p2=WEAK)
    assert uneven[1].points < 0 < uneven[2].points


def test_a_surprising_win_moves_more_than_an_expected_one() -> None:
    expected, surprising = change(1, 2, p1=STRONG, p2=WEAK), change(2, 1, p1=STRONG, p2=WEAK)
    assert 0 < expected[1].points < surprising[2].points


def test_who_resigned_falls_like_the_last() -> None:
    stayed = change(1, 2, 3, places=(1, 2, 3))
    resigned = change(1, 2, 3, places=(3, 1, 2))
    assert resigned[1].after == stayed[3].after


def test_only_games_between_people_alone_count() -> None:
    assert find_reason(make_game_results(1, 1, None, 2)) is NotRated.COMPUTER


@each_case(
    "different, reason",
    [
        ({"guild_id": None}, NotRated.NO_SERVER),
        ({"used_hints": True}, NotRated.HINTS),
        ({"had_substitute": True}, NotRated.SUBSTITUTE),
        ({"resigned_early": True}, NotRated.EARLY_RESIGNATION),
        ({"departure": Departure.RESIGNED}, None),
        ({}, None),
    ],
)
def test_what_does_not_count(different: dict[str, Any], reason: NotRated | None) -> None:
    assert find_reason([replace(result, **different) for result in make_game_results(1, 1, 2)]) is reason


def test_hints_of_one_person_are_enough() -> None:
    first, second = make_game_results(1, 1, 2)
    assert find_reason([first, replace(second, used_hints=True)]) is NotRated.HINTS


@pytest.mark.parametrize("people", [(1,), (1, None), (None, None, 1)])
def test_one_person_has_no_opponent(people: tuple[int | None, ...]) -> None:
    assert find_reason(make_game_results(1, *people, company=Company.COMPUTERS)) is NotRated.NO_OPPONENT


def test_one_pair_that_has_played_enough_keeps_the_table_from_counting() -> None:
    table = make_game_results(1, 3, 1, 2)
    assert rate(table, {}, {(1, 3): DAILY_GAMES_OF_PAIR, (1, 4): 99}) is NotRated.REPEATED_PAIR
    assert not isinstance(rate(table, {}, {(1, 3): DAILY_GAMES_OF_PAIR - 1, (1, 4): 99}), NotRated)


def test_a_rating_is_provisional_until_ten_games() -> None:
    assert [Rating(games=games).is_provisional for games in (0, 9, 10)] == [True, True, False]


def test_a_new_rating_is_a_thousand() -> None:
    assert NEW.shown == 1000
