"""Pairing: everybody meets everybody once, no rematch while that is possible, and byes as the rules say."""

import random
from collections import Counter
from itertools import combinations

from bot.features.tournaments.pairing import (
    Match,
    Past,
    count_rounds,
    knockout_slots,
    round_robin,
    seat,
    shuffle,
    swiss_round,
)
from tests.support.each_case import each_case


def pairs_of(matches: list[Match]) -> list[frozenset[int | None]]:
    return [frozenset(match) for match in matches if match.second is not None]


@each_case("players", range(2, 33))
def test_in_a_round_robin_everybody_meets_everybody_once_and_plays_once_a_round(players: int) -> None:
    rounds = round_robin(players)
    met = Counter(pair for matches in rounds for pair in pairs_of(matches))
    assert met == Counter(map(frozenset, combinations(range(1, players + 1), 2)))
    for matches in rounds:
        seated = [number for match in matches for number in match]
        assert len(seated) == len(set(seated)) == players - players % 2
    first = Counter(match.first for matches in rounds for match in matches)
    for number in range(1, players + 1):
        assert abs(2 * first[number] - (players - 1)) <= 1 + players % 2


def play_swiss(players: int, seed: int) -> list[list[Match]]:
    """Play a tournament in which some players stop after a round, and return its rounds."""
    chance = random.Random(seed)
    points = dict.fromkeys(range(1, players + 1), 0)
    rounds: list[list[Match]] = []
    for _ in range(count_rounds(players)):
        played = [match for matches in rounds for match in matches]
        matches = swiss_round(Past(points, played))
        seated = [number for match in matches for number in match if number is not None]
        assert sorted(seated) == sorted(points), "everyone plays or has a bye"
        rounds.append(matches)
        for match in matches:
            points[chance.choice([number for number in match if number is not None])] += 2
        if len(points) > 6 and chance.random() < 0.2:
            del points[chance.choice(sorted(points))]
    return rounds


@each_case("players", [*range(4, 18), 31, 32])
def test_a_swiss_has_no_rematch_and_at_most_one_bye_each(players: int) -> None:
    for seed in range(20):
        rounds = play_swiss(players, seed)
        matches = [match for round_ in rounds for match in round_]
        assert max(Counter(pairs_of(matches)).values()) == 1
        byes = Counter(match.first for match in matches if match.second is None)
        assert max(byes.values(), default=0) <= 1
        for each in range(1, players + 1):
            firsts = sum(match.first == each for match in matches if match.second)
            seconds = sum(match.second == each for match in matches)
            assert abs(firsts - seconds) <= 3


def can_avoid_rematches(numbers: frozenset[int], met: set[frozenset[int]]) -> bool:
    """Try all ways to pair."""
    if len(numbers) % 2:
        return any(can_avoid_rematches(numbers - {bye}, met) for bye in numbers)
    if not numbers:
        return True
    one = min(numbers)
    others = [each for each in numbers - {one} if frozenset((one, each)) not in met]
    return any(can_avoid_rematches(numbers - {one, other}, met) for other in others)


def test_there_is_a_rematch_only_if_there_must_be() -> None:
    chance = random.Random(4)
    had_to = 0
    for _ in range(300):
        players = chance.choice(range(4, 9))
        possible = list(combinations(range(1, players + 1), 2))
        had = chance.sample(possible, chance.randrange(len(possible)))
        matches = [Match(*pair) for pair in had]
        points = {number: chance.randrange(4) for number in range(1, players + 1)}
        met = set(map(frozenset[int], had))
        is_possible = can_avoid_rematches(frozenset(points), met)
        pairs = pairs_of(swiss_round(Past(points, matches)))
        assert len(pairs) == players // 2
        assert met.isdisjoint(pairs) == is_possible
        had_to += not is_possible
    assert 0 < had_to < 300


def test_of_many_players_everyone_meets_the_only_possible_opponent() -> None:
    points = {number: 2 * (65 - number) for number in range(1, 65)}
    met = [Match(64, number) for number in range(2, 64)] + [Match(63, number) for number in range(3, 63)]
    pairs = pairs_of(swiss_round(Past(points, met)))
    assert pairs[:2] == [frozenset({1, 64}), frozenset({2, 63})]


def test_equal_scores_meet_and_the_last_without_a_bye_has_it() -> None:
    points = {1: 0, 2: 4, 3: 4, 4: 2, 5: 2}
    assert pairs_of(swiss_round(Past(points))) == [frozenset({2, 3}), frozenset({4, 5})]
    assert swiss_round(Past(points))[-1] == Match(1)
    assert swiss_round(Past(points, [Match(1)]))[-1] == Match(5)


def test_people_are_kept_apart_even_by_a_rematch_unless_nothing_helps() -> None:
    points = dict.fromkeys(range(1, 5), 0)
    apart = [frozenset({1, 2})]
    assert frozenset({1, 2}) not in pairs_of(swiss_round(Past(points, apart=apart)))
    met = [Match(1, 3), Match(1, 4)]
    assert frozenset({1, 2}) not in pairs_of(swiss_round(Past(points, met, apart)))
    assert pairs_of(swiss_round(Past({1: 0, 2: 0}, apart=apart))) == [frozenset({1, 2})]


@each_case("players", range(3, 33))
def test_in_a_knock_out_the_first_of_the_draw_have_byes_and_meet_last(players: int) -> None:
    slots = knockout_slots(players)
    assert len(slots) == 2 ** count_rounds(players)
    assert sorted(each for each in slots if each) == list(range(1, players + 1))
    matches = list(zip(slots[::2], slots[1::2], strict=True))
    byes = [max(one or 0, other or 0) for one, other in matches if None in (one, other)]
    assert sorted(byes) == list(range(1, len(slots) - players + 1))
    # If the lower number always wins, the first two meet in the final.
    alive = [min(each for each in match if each is not None) for match in matches]
    while len(alive) > 2:
        alive = [min(pair) for pair in zip(alive[::2], alive[1::2], strict=True)]
    assert sorted(alive) == [1, 2]


def test_a_draw_depends_on_the_seed_alone() -> None:
    people = list(range(100, 120))
    assert shuffle(people, "a") == shuffle(reversed(people), "a") != shuffle(people, "b")
    assert sorted(shuffle(people, "a")) == people


def test_whoever_sat_first_less_often_does_now() -> None:
    assert seat(1, 2, []) == Match(2, 1)
    assert seat(1, 2, [Match(1, 3)]) == Match(2, 1)
    assert seat(1, 2, [Match(2, 3)]) == Match(1, 2)
    assert seat(1, 2, [Match(1, 3), Match(3, 1), Match(3, 2), Match(2, 4)]) == Match(1, 2)
