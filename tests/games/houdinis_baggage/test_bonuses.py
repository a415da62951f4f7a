"""Bonuses: rules HB-12 and HB-B1 to HB-B5, and the worked turn."""

from bot.games.houdinis_baggage.cards import Use
from bot.games.houdinis_baggage.pieces import BaggageReason, CardPlaced, Player, Spot, State
from tests.games.houdinis_baggage.positions import (
    at,
    cards,
    describe_tasks,
    legal,
    parse_assignments,
    play_move,
    player,
    refusal_reason,
)
from tests.support.each_case import each_case

# Bonuses of the tests' assignments: 1 12 move, 3 13 another player's, 5 6 20 +1 colour, 2 11 +1 shape,
# 4 red to green, 7 yellow to red, 8 green to blue, 14 blue to yellow, 16 green to red, 18 blue to green,
# 19 yellow to blue, 9 triangle to square, 10 square to star, 15 star to circle, 17 circle to star.


def choices_of(state: State, placement: str) -> list[str]:
    """Return the sets of bonuses offered for a placement, in the game's notation; an empty text needs none."""
    start = f"place {placement}"
    return sorted(move.removeprefix(start).removeprefix(" with ") for move in legal(state, start))


def make_placement(completed: str, opened: str, tasks: str = "2; 20", others: str = "") -> State:
    return at(player(tasks, completed), player("", others), opened=opened, target=30)


class TestTheWorkedTurn:
    """The source's own example: green square, yellow, green and red triangle; red to green and +1 colour at hand."""

    START = "green-square yellow-triangle green-triangle red-triangle"

    def test_step_by_step(self) -> None:
        """HB-6, HB-12, HB-B1, HB-B3 and HB-9."""
        state = at(player("1; 2", "4 5"), player("3; 9"), opened=self.START)
        steps = [
            ("green-triangle on 1a", ""),  # triangle is 3
            ("green-square on 1b", "4 5"),  # green is 1, with red to green 2, with +1 colour 3
            ("yellow-triangle on 1c", ""),  # yellow is 1
            ("red-triangle on 1d", ""),  # the bonuses are over: the red card is red again
        ]
        for placement, bonuses in steps:
            assert choices_of(state, placement) == [bonuses]
            state, events = play_move(state, f"place {placement}{bonuses and f' with {bonuses}'}")
            assert isinstance(events[0], CardPlaced)
            assert " ".join(map(str, events[0].uses)) == bonuses
        assert state.spent == (4, 5)
        assert describe_tasks(state)[0] == "1 green-triangle green-square yellow-triangle red-triangle"
        state, _ = play_move(state, "done")
        assert state.players[0].completed == parse_assignments("4 5 1")

    @each_case(
        "completed, uses, reason",
        [
            ("4 5", "5 4", None),  # a +1 counts after all changes
            ("", "", BaggageReason.WRONG_VALUE),
            ("", "4 5", BaggageReason.NO_SUCH_BONUS),
        ],
    )
    def test_step_two_needs_both_bonuses_in_either_order(
        self, completed: str, uses: str, reason: BaggageReason | None
    ) -> None:
        """HB-12 and HB-B3."""
        state = at(player("1; 2", completed), player("3; 9"), opened=self.START)
        state, _ = play_move(state, "place green-triangle on 1a")
        move = f"place green-square on 1b{uses and f' with {uses}'}"
        if reason is None:
            assert play_move(state, move) == play_move(state, "place green-square on 1b with 4 5")
        else:
            assert refusal_reason(state, move).reason is reason


OFFERED = """
4 5 2 | | 2; 20 | green-star green-circle blue-circle | green-star on 2a: free | HB-12: green is 2 already
4 5 | | 2; 20 | green-star red-circle | green-star on 2a: 4 or 5 | HB-12: a +1 or the red card would do
4 | | 2; 20 | red-star red-circle | red-star on 2a: 4, red-circle on 2a: 4 | HB-B1: all red cards change
4 5 | | 20; 12 | red-star green-circle | red-star on 12a: free, green-circle on 12a: never | HB-B1: then no card is red
4 5 | | 20; 12 | red-star green-circle | red-star on 12b: 4, green-circle on 12b: 4 or 5 | HB-B1
4 7 | | 2; 20 | yellow-circle green-circle | green-circle on 2a: 7 4, yellow-circle on 2a: 7 4 | HB-B1: a chain
4 7 14 | | 2; 20 | blue-circle blue-square | blue-circle on 2a: 14 7 4 | HB-B1: a chain of three
4 7 | | 2; 20 | yellow-circle red-circle green-circle | green-circle on 2a: 4 | HB-B1: yellow is not to become green
4 7 | | 1; 20 | yellow-circle red-circle green-circle | green-circle on 1b: 7 4 | HB-B1: yellow is to become green too
8 4 | | 2; 20 | green-circle red-circle red-star blue-square | blue-square on 2c: 8 | HB-B1: after 4 it would be 4
9 10 | | 4; 20 | red-triangle green-triangle blue-star | red-triangle on 4b: never | HB-B2: star would be 3
9 10 | | 4; 20 | red-triangle blue-star | red-triangle on 4b: 9 10, blue-star on 4b: 9 10 | HB-B2: a chain
4 10 | | 2; 4 | red-square green-circle blue-star | red-square on 2a: 4, red-square on 4b: 10 | HB-B2: no chain
5 2 | | 11; 4 | green-star red-circle | green-star on 4b: 2 | HB-B3: the item asks for a shape
5 | | 4; 20 | green-star | green-star on 4b: never | HB-B3: the item asks for a shape
2 | | 8; 2 | green-star | green-star on 2a: never | HB-B3: the item asks for a colour
5 6 | | 1; 2 | green-star | green-star on 1b: 5 6 | HB-B3: they add up
4 5 | | 1; 12 | red-circle red-star | red-star on 1b: 4 5 | HB-B3: a +1 counts after changes
20 6 5 | | 2; 12 | green-star | green-star on 2a: 5 | HB-B3: equal ones are offered once
5 6 20 | | 1; 2 | green-star | green-star on 1b: 5 6 | HB-B3: equal ones are offered once
3 20 | 5 | 2; 12 | green-star | green-star on 2a: 20 | HB-B3: one's own come first
3 20 | 5 | 1; 12 | green-star | green-star on 1b: 20 3:5 | HB-B3: one's own come first
3 | 4 5 | 2; 20 | red-star red-circle | red-star on 2a: 3:4 | HB-B5
3 7 5 | 4 | 1; 20 | yellow-circle yellow-star | yellow-star on 1b: 7 3:4 5 | HB-B5: copied in the middle of a chain
3 13 | 5 8 | 1; 20 | green-star | green-star on 1b: 3:5 13:5 | HB-B5: two copy one
3 13 | 4 5 | 1; 20 | red-star red-circle | red-star on 1b: 3:4 13:5 | HB-B5: two copy two
3 | 13 | 2; 12 | green-star | green-star on 2a: never | HB-B5: a copying one can't be copied
 | 5 | 2; 12 | green-star | green-star on 2a: never | HB-B5: it takes a copying one
"""


@each_case("line", OFFERED.strip("\n").splitlines())
def test_each_needed_set_of_bonuses_is_offered_once(line: str) -> None:
    """HB-12, HB-B1, HB-B2, HB-B3 and HB-B5."""
    completed, others, tasks, opened, offered, _rule = line.split("|")
    state = make_placement(completed, opened, tasks.strip(), others)
    for choice in offered.split(", "):
        placement, bonuses = choice.strip().split(": ")
        wanted = {"free": [""], "never": []}.get(bonuses, bonuses.split(" or "))
        assert choices_of(state, placement) == wanted


@each_case("others, wanted", [([player("", "6"), player("", "5")], ["3:5"]), ([player("5; 6")], [])])
def test_hb_b5_of_the_others_equal_bonuses_count_once_and_unfinished_ones_not(
    others: list[Player], wanted: list[str]
) -> None:
    """HB-B3 and HB-B5."""
    assert choices_of(at(player("2; 12", "3"), *others, opened="green-star"), "green-star on 2a") == wanted


OTHER, MISSING = BaggageReason.OTHER_BONUSES, BaggageReason.NO_SUCH_BONUS


@each_case(
    "completed, others, tasks, opened, uses, reason",
    [
        # Not needed, too many, or in an order that does not work.
        ("4 5 2", "", "2; 20", "green-star green-circle blue-circle", ["4", "2", "4 5"], OTHER),
        ("4 5", "", "2; 20", "green-star red-circle", ["5 4", "5 5"], OTHER),
        ("4 7", "", "2; 20", "green-star yellow-circle", ["4 7"], OTHER),
        # An equal bonus is offered instead.
        ("20 6 5", "", "2; 12", "green-star", ["6"], OTHER),
        ("3 20", "5", "2; 12", "green-star", ["3:5"], OTHER),
        ("3", "13", "2; 12", "green-star", ["3:13"], MISSING),
        ("", "5", "2; 12", "green-star", ["5", "5:5", "3:5"], MISSING),
    ],
)
def test_other_sets_are_refused(
    completed: str, others: str, tasks: str, opened: str, uses: list[str], reason: BaggageReason
) -> None:
    """HB-12, HB-B1, HB-B3 and HB-B5."""
    state = make_placement(completed, opened, tasks, others)
    for each in uses:
        assert refusal_reason(state, f"place green-star on 2a with {each}").reason is reason


def test_hb_b5_the_owner_keeps_a_copied_bonus_and_the_copying_one_is_spent() -> None:
    """HB-B5."""
    state, events = play_move(make_placement("3", "red-star red-circle", others="4 5"), "place red-star on 2a with 3:4")
    assert events == (CardPlaced(0, cards("red-star")[0], Spot(2, 0), (Use(3, 4),)),)
    assert (state.spent, state.players[1].completed) == ((3,), parse_assignments("4 5"))
    assert refusal_reason(state, "place red-circle on 20a with 3:5").reason is BaggageReason.NO_SUCH_BONUS
