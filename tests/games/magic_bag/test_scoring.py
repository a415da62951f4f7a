"""The score of a game, and the reference sheet, a data file whose faults are reported: rules MB-10 to MB-13."""

from itertools import combinations, permutations

import pytest
from pydantic import ValidationError

from bot.games.magic_bag.news import NARRATION
from bot.games.magic_bag.pieces import (
    PIECES,
    Grid,
    MagicBagEnd,
    Piece,
    ReferenceSheet,
    State,
    Suit,
    adjacent_pairs,
    find_groups,
)
from bot.games.magic_bag.scoring import GROUP_POINTS, artifact_grids, points_of, score_of, treasure_points
from bot.rules.screen import to_news
from tests.games.magic_bag.positions import GAME, SHEET, at, pieces, play_move
from tests.support.each_case import each_case

EDGES = {
    Suit.ARMS: "01 12 23 34 45",
    Suit.MOON: "02 24 31 03 21 35",
    Suit.SUN: "50 34 12 53 31 04 42",
}
"""The edges as the rules list them, null written as 0."""


def grid_of(suit: Suit) -> Grid:
    return dict(artifact_grids(SHEET))[suit]


def edges(suit: Suit) -> list[frozenset[int]]:
    return [frozenset(map(int, edge)) for edge in EDGES[suit].split()]


def plain_points(suit: Suit, values: frozenset[int]) -> int:
    """Score an artifact from the list of edges alone, by merging groups."""
    parts = [{value} for value in values]
    for edge in edges(suit):
        mine = [part for part in parts if part & edge]
        if edge <= values and len(mine) == 2:
            parts = [part for part in parts if part not in mine] + [mine[0] | mine[1]]
    return sum(GROUP_POINTS[len(part)] for part in parts)


def end_game(state: State, move: str, *script: int | str) -> int:
    after, _ = play_move(state, move, *script)
    outcome = GAME.outcome(after)
    assert outcome is not None
    assert outcome.places == (1,)
    return outcome.scores[0]


class TestGold:
    @each_case(
        "coins, gold",
        [
            ("", 0),
            ("crown-null", 0),
            ("crown-null crown-ace crown-2", 3),
            ("crown-5 crown-3", 8),
            ("crown-null crown-ace crown-2 crown-3 crown-4 crown-5", 15),
        ],
    )
    def test_mb_10_crowns_count_their_values(self, coins: str, gold: int) -> None:
        """MB-10."""
        assert end_game(at({9: "sun-5"}, "1111", coins=coins or "sun-null"), "finish") == gold + (
            0 if coins else GROUP_POINTS[1]
        )
        assert treasure_points(SHEET, pieces(coins)) == gold


class TestSheet:
    @each_case("suit", EDGES)
    def test_mb_13_the_sheet_has_the_edges_of_the_rules(self, suit: Suit) -> None:
        """MB-13."""
        assert adjacent_pairs(grid_of(suit)) == {pair for edge in edges(suit) for pair in permutations(edge)}

    def test_mb_13_a_gap_joins_nothing(self) -> None:
        """MB-13."""
        assert adjacent_pairs(((0, None, 1), (2, 3, None), (4, 5, None))) == {
            *((0, 2), (2, 0), (2, 3), (3, 2)),
            *((2, 4), (4, 2), (3, 5), (5, 3), (4, 5), (5, 4)),
        }


class TestArtifacts:
    def test_mb_11_the_original_example(self) -> None:
        """MB-11: Arms 1, 2, 3 and 5 make 60 + 10."""
        state = at({9: "sun-5"}, "1111", coins="arms-ace arms-2 arms-3 arms-5")
        assert end_game(state, "finish") == 70
        (arms,) = [artifact for artifact in score_of(state).artifacts if artifact.suit is Suit.ARMS]
        assert arms.groups == ((1, 2, 3), (5,))

    @each_case("count, points", enumerate([0, 10, 30, 60, 100, 150, 210]))
    def test_mb_11_a_group_by_its_size(self, count: int, points: int) -> None:
        """MB-11: in the order of their values, Arms are connected."""
        assert treasure_points(SHEET, [Piece(Suit.ARMS, value) for value in range(count)]) == points

    @each_case("suit", EDGES)
    def test_mb_11_every_choice_of_pieces(self, suit: Suit) -> None:
        """MB-11: against a second scorer that knows only the edges."""
        for count in range(7):
            for values in combinations(range(6), count):
                coins = [Piece(suit, value) for value in values]
                assert treasure_points(SHEET, coins) == plain_points(suit, frozenset(values)), values

    def test_mb_11_groups_come_in_a_stable_order(self) -> None:
        """MB-11."""
        assert find_groups(grid_of(Suit.SUN), frozenset({5, 2, 1, 0})) == ((0, 5), (1, 2))

    def test_mb_11_the_artifacts_are_counted_apart(self) -> None:
        """MB-10 and MB-11."""
        assert treasure_points(SHEET, pieces("arms-ace moon-2 sun-3")) == 3 * GROUP_POINTS[1]
        assert treasure_points(SHEET, PIECES) == 3 * GROUP_POINTS[6] + 15


REST = {6: "sun-null crown-5 moon-2"}


class TestTilesLeft:
    def test_mb_12_the_original_example(self) -> None:
        """MB-12: Sun-null, Crown-5 and Moon-2 remain when the last coin is drawn: 70."""
        state = at({1: "arms-5", **REST}, "5111", bag="crown-null", coins="crown-ace")
        after, events = play_move(state, "claim 1", 0)
        assert after.end is MagicBagEnd.LAST_COIN
        assert score_of(after).bonus == 70
        assert "+70" in NARRATION.brief(after, to_news(events, ("Robin",))), "the last turn brought it"
        assert points_of(after) == score_of(after).total == 71

    @each_case(
        "state, move, script, points",
        [
            (at(REST, "1111", coins="crown-ace"), "finish", [], 1),
            (at(REST, "1111", rolls=1, coins=""), "roll sun", ["1"], 0),
            # The last row brings the last coin.
            (at({6: "crown-5"}, "5111", bag="crown-null", coins="crown-ace"), "claim 6", [0], 1),
        ],
    )
    def test_mb_12_not_at_another_end(self, state: State, move: str, script: list[int | str], points: int) -> None:
        """MB-7 and MB-12."""
        assert end_game(state, move, *script) == points
        assert score_of(state).bonus == 0, "while the game goes on"


def test_the_parts_add_up_to_the_total() -> None:
    """MB-10, MB-11 and MB-12: the quick total is that of the parts, for many hoards."""
    for at_most in range(24):
        state = at({9: "sun-5"}, "1111", coins=" ".join(map(str, PIECES[at_most:] + PIECES[: at_most // 3])))
        assert points_of(state) == score_of(state).total


SUNS = ["5 0", "3 4", "1 2"]
MOONS = ["0 2 4", "3 1", "5"]
ARMS = ["0", "1", "2", "3", "4", "5"]


def sheet(**artifacts: object) -> ReferenceSheet:
    return ReferenceSheet.model_validate({"suns": SUNS, "moons": MOONS, "arms": ARMS} | artifacts)


def test_mb_13_rows_are_read_as_they_lie() -> None:
    """MB-13."""
    assert sheet().moons == ((0, 2, 4), (3, 1), (5,))
    assert sheet(moons=["0 . 4", ". 3 1", "2  5"]).moons == ((0, None, 4), (None, 3, 1), (2, 5))


@each_case(
    "moons, fault",
    [
        (["0 2 4", "3 1"], "must show each value from 0 to 5 once; look at 5"),
        (["0 2 4", "3 1", "5 5"], "look at 5"),
        (["0 0 4", "3 1", "5"], "look at 0, 2"),
        ([], "look at 0, 1, 2, 3, 4, 5"),
        (["0 2 4", "3 1", "6"], "'6' is neither a value from 0 to 5 nor a dot"),
        (["024", "31", "5"], "'024' is neither"),
        (["0 2 4", "3 1", "N"], "'N' is neither"),
        (["٣"], "neither"),
        ("0 2 4 3 1 5", 'must be a list of rows such as "0 2 4"'),
        ([0, 2, 4, 3, 1, 5], "must be a list of rows"),
        ({"0": "1"}, "must be a list of rows"),
    ],
)
def test_mb_13_faults_are_reported(moons: object, fault: str) -> None:
    """MB-13."""
    with pytest.raises(ValidationError) as raised:
        sheet(moons=moons)
    (error,) = raised.value.errors()
    assert error["loc"] == ("moons",)
    assert fault in error["msg"]


def test_mb_13_every_artifact_is_needed() -> None:
    """MB-13."""
    with pytest.raises(ValidationError, match="3 validation errors"):
        ReferenceSheet.model_validate({})
