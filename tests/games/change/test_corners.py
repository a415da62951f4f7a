"""The corners of Change, each taken by the lander, by another player, and by no one: rules CH-C0 to CH-C9."""

import pytest

from bot.games.change.moves import Choose
from bot.games.change.pieces import (
    CardsDrawn,
    CardsReplaced,
    ChangeReason,
    Chosen,
    Landed,
    MarkerPlaced,
    Moved,
    Released,
    Stage,
    State,
)
from bot.games.change.screen import build_screen
from bot.rules.refusals import CommonReason, Refusal
from bot.rules.screen import Tone
from tests.games.change.positions import (
    ALL_TWELVE,
    GAME,
    WITH_SETS,
    at,
    bottom,
    credits_left,
    events_of,
    hand,
    legal,
    markers,
    play_move,
    play_moves,
    play_step,
    space_of,
)
from tests.games.change.test_turn import refusal_reason
from tests.support.each_case import each_case

CORNERS = {1: (0, "12"), 2: (0, "13"), 3: (8, "12"), 4: (8, "13"), 5: (16, "12"), 6: (16, "13"), 7: (24, "12")}
CORNERS[8] = (24, "13")


def land_on_corner(corner: int, *seats: str, hands: tuple[str, ...] = (), top: str = "") -> State:
    """Land on a corner; each seat is given as its credits and its markers, and the others are on Start."""
    square, dice = CORNERS[corner]
    first, *others = seats
    count, _, placed = first.partition(" ")
    state = at(f"{count}@{square} {placed}", *map(put_on_start, others), hands=hands, top=top)
    return play_move(state, "roll", dice)


def put_on_start(seat: str) -> str:
    """Put a seat's Ragz on Start."""
    count, _, placed = seat.partition(" ")
    return f"{count}@0 {placed}"


class TestWhoFollows:
    def test_ch_c0_the_lander_chooses(self) -> None:
        """CH-C0."""
        state = land_on_corner(1, "120", "120", "120")
        assert (state.public.stage, GAME.seat_to_move(state)) == (Stage.CORNER, 0)
        assert legal(state) == ["choose myself", "choose 1", "choose 2"]

    def test_ch_c0_only_a_seat_able_to_follow_may_be_chosen(self) -> None:
        """CH-C0: seat 2 has no marker to return to."""
        state = land_on_corner(5, "120 greed", "120 envy", "120")
        assert legal(state) == ["choose myself", "choose 1"]
        assert refusal_reason(state, "choose 2") is ChangeReason.NOT_ABLE
        assert refusal_reason(state, "choose 5") is ChangeReason.NOT_ABLE

    def test_ch_c0_if_no_other_seat_can_the_lander_must_and_draws_nothing(self) -> None:
        """CH-C0: the only marker is the lander's."""
        state = land_on_corner(5, "120 greed", "120", "120")
        assert (credits_left(state), space_of(state), hand(state)) == ((110, 120, 120), 6, "")
        assert state.public.stage is Stage.FREE

    def test_ch_c0_if_the_lander_cannot_another_seat_must_be_chosen(self) -> None:
        """CH-C0: the lander has no marker; with one other who has, there is no choice."""
        state = land_on_corner(5, "120", "120 envy", "120 greed")
        assert legal(state) == ["choose 1", "choose 2"]
        assert refusal_reason(state, "choose myself") is ChangeReason.YOU_CANNOT
        alone = land_on_corner(5, "120", "120", "120 greed")
        assert (credits_left(alone), space_of(alone, 2), len(alone.hands[0])) == ((120, 120, 110), 6, 2)

    @each_case("corner, seats", [(2, ("120", "120")), (5, ("120", "120")), (8, (f"120 {ALL_TWELVE}",) * 2)])
    def test_ch_c0_if_no_seat_can_follow_nothing_happens(self, corner: int, seats: tuple[str, ...]) -> None:
        """CH-C0: no player has a card, a marker on the board, or one left; the other corners always have a choice."""
        state = land_on_corner(corner, *seats)
        assert credits_left(state) == (120, 120)
        assert state.public.hand_sizes == (0, 0)
        assert state.public.stage is not Stage.CORNER

    def test_ch_c0_the_turn_goes_on_afterwards(self) -> None:
        """CH-C0: the option move is still open."""
        for choice in ("choose myself", "choose 1"):
            after = play_move(land_on_corner(1, "120", "120"), choice)
            assert (after.public.turn, after.public.stage) == (0, Stage.FREE)
            assert "option greed" in legal(after)
            assert "challenge" not in legal(after)

    def test_ch_c0_only_the_seat_that_is_asked_may_decide(self) -> None:
        """CH-C0: even in another player's turn."""
        state = play_move(land_on_corner(8, "120", "120", "120"), "choose 2")
        assert (state.public.turn, GAME.seat_to_move(state)) == (0, 2)
        for seat in (0, 1):
            assert GAME.check(state, seat, GAME.parse_move("choose greed")) == Refusal(CommonReason.NOT_TO_MOVE)

    def test_ch_c0_a_corner_allows_no_other_moves(self) -> None:
        """CH-C0."""
        assert refusal_reason(land_on_corner(1, "120", "120"), "done") is ChangeReason.CHOOSE_FIRST
        free = play_move(land_on_corner(1, "120", "120"), "choose myself")
        assert refusal_reason(free, "choose 1") is ChangeReason.NOTHING_TO_CHOOSE
        assert refusal_reason(free, "choose greed") is ChangeReason.NOTHING_TO_CHOOSE

    @each_case(
        "corner, move, reason",
        [
            (1, "choose 1 2", ChangeReason.ONE_ONLY),
            (4, "choose 0 1", ChangeReason.NOT_YOURSELF),
            (4, "choose 1 1", ChangeReason.SEAT_TWICE),
            (4, "choose 1 4", ChangeReason.NOT_ABLE),
            (7, "choose 1", ChangeReason.ALL_OF_THEM),
        ],
    )
    def test_ch_c0_invalid_choices_of_seats_are_refused(self, corner: int, move: str, reason: ChangeReason) -> None:
        """CH-C0."""
        assert refusal_reason(land_on_corner(corner, "120", "120", "120"), move) is reason

    @each_case("corner", [1, 3, 4, 5, 6, 7, 8])
    def test_ch_c0_choosing_no_seat_is_refused(self, corner: int) -> None:
        """CH-C0: no text says so, but a move may be made in other ways."""
        state = land_on_corner(corner, "120 greed", "120 greed", "120 greed")
        assert state.public.stage is Stage.CORNER
        assert GAME.check(state, 0, Choose(())) == Refusal(ChangeReason.NOBODY_CHOSEN)

    def test_ch_c0_the_game_may_end_at_a_corner(self) -> None:
        """CH-C0, CH-12: at once, so the lander draws nothing."""
        after, events = play_step(land_on_corner(4, "120", "15", "14", "16"), "choose 1 2 3")
        outcome = GAME.outcome(after)
        assert outcome is not None
        assert outcome.places == (4, 1, 1, 3)
        assert not events_of(events, CardsDrawn)


class TestCorner1:
    def test_ch_c1_the_lander_releases_ten(self) -> None:
        """CH-C1."""
        after, events = play_step(land_on_corner(1, "120", "120"), "choose myself")
        assert (credits_left(after), hand(after)) == ((110, 120), "")
        assert events_of(events, Released) == [Released(0, 10, 3, ())]

    def test_ch_c1_if_one_other_releases_the_lander_draws_one(self) -> None:
        """CH-C1."""
        after, events = play_step(land_on_corner(1, "120", "120", "120", top="greed any"), "choose 2")
        assert (credits_left(after), hand(after)) == ((120, 120, 110), "greed")
        assert events_of(events, Chosen) == [Chosen(0, (2,))]

    def test_ch_c1_no_more_is_released_than_there_is(self) -> None:
        """CH-C1, CH-10."""
        assert credits_left(play_move(land_on_corner(1, "120", "4"), "choose 1")) == (120, 0)


class TestCorner2:
    def test_ch_c2_the_lander_replaces_one_card(self) -> None:
        """CH-C2: under the deck, and draws one."""
        state = play_move(land_on_corner(2, "120", "120", hands=("greed any", "add-1"), top="envy"), "choose myself")
        assert legal(state) == ["replace greed", "replace any"]
        after, events = play_step(state, "replace greed")
        assert (hand(after), bottom(after, 1)) == ("envy any", "greed")
        assert events_of(events, CardsReplaced) == [CardsReplaced(0, 1)]

    def test_ch_c2_if_others_replace_in_turn_order_the_lander_draws_last(self) -> None:
        """CH-C2: each chooses the card; one card for each player chosen."""
        hands = ("add-1", "envy any", "", "greed pride")
        state = land_on_corner(2, *["120"] * 4, hands=hands, top="add-2 add-3 add-4 add-5")
        state = play_move(state, "choose 1 3")
        assert GAME.seat_to_move(state) == 1
        state = play_move(state, "replace any")
        assert GAME.seat_to_move(state) == 3
        after = play_move(state, "replace greed")
        assert [hand(after, seat) for seat in range(4)] == ["add-1 add-4 add-5", "add-2 envy", "", "add-3 pride"]
        assert bottom(after, 2) == "any greed"
        assert (GAME.seat_to_move(after), after.public.stage) == (0, Stage.FREE)

    def test_ch_c2_turn_order_begins_after_the_lander(self) -> None:
        """CH-C2: seat 2 before seat 0."""
        state = at(*["120@0"] * 3, hands=["greed any", "envy", "pride blame"], turn=1)
        state = play_moves(state, "roll: 13", "choose 0 2")
        assert state.public.asked == (2, 0)

    def test_ch_c2_a_seat_with_one_card_is_not_asked(self) -> None:
        """CH-C2."""
        state = land_on_corner(2, "120", "120", hands=("", "envy"), top="add-1 add-2")
        assert [hand(state, seat) for seat in (0, 1)] == ["add-2", "add-1"]

    def test_ch_c2_only_seats_that_hold_a_card_may_be_chosen(self) -> None:
        """CH-C2."""
        state = land_on_corner(2, "120", "120", "120", hands=("envy", "", "greed"))
        assert legal(state) == ["choose myself", "choose 2"]
        assert refusal_reason(state, "choose 1 2") is ChangeReason.NOT_ABLE

    def test_ch_c2_only_a_card_of_the_own_hand_is_accepted(self) -> None:
        """CH-C2."""
        state = play_move(land_on_corner(2, "120", "120", hands=("greed any", "add-1")), "choose myself")
        assert refusal_reason(state, "replace add-1") is ChangeReason.NOT_HELD
        assert refusal_reason(state, "choose greed") is ChangeReason.CARD_FIRST


@pytest.mark.parametrize("corner", [3, 6])
class TestCorners3And6:
    def test_ch_c3_the_lander_rolls_three_dice_and_releases_the_total(self, corner: int) -> None:
        """CH-C3, CH-C6."""
        after, events = play_step(land_on_corner(corner, "120", "120"), "choose myself", "264")
        assert credits_left(after) == (108, 120)
        assert events_of(events, Released) == [Released(0, 12, space_of(after), (2, 6, 4))]

    def test_ch_c6_if_others_roll_the_lander_draws_for_each(self, corner: int) -> None:
        """CH-C3, CH-C6: each with a roll of their own."""
        state = land_on_corner(corner, "120", "120", "120", "120", top="greed any add-1")
        assert len(legal(state)) == 1 + 7
        after, _events = play_step(state, "choose 1 3", "111 666")
        assert credits_left(after) == (120, 117, 120, 102)
        assert hand(after) == "greed any"

    def test_ch_c3_several_releases_happen_at_once(self, corner: int) -> None:
        """CH-C3, CH-12."""
        outcome = GAME.outcome(play_move(land_on_corner(corner, "120", "3", "18"), "choose 1 2", "111 666"))
        assert outcome is not None
        assert outcome.winners == (1, 2)


class TestCorner4:
    def test_ch_c4_the_lander_releases_fifteen(self) -> None:
        """CH-C4."""
        assert credits_left(play_move(land_on_corner(4, "120", "120"), "choose myself")) == (105, 120)

    def test_ch_c4_if_others_release_the_lander_draws_for_each(self) -> None:
        """CH-C4."""
        after = play_move(land_on_corner(4, *["120"] * 4, top="greed any"), "choose 1 2")
        assert credits_left(after) == (120, 105, 105, 120)
        assert hand(after) == "greed any"


class TestCorner5:
    def test_ch_c5_the_lander_goes_to_a_marker_and_releases(self) -> None:
        """CH-C5."""
        state = play_move(land_on_corner(5, "120 greed denial", "120 envy"), "choose myself")
        assert legal(state) == ["choose greed", "choose denial"]
        after, events = play_step(state, "choose denial")
        assert (credits_left(after), space_of(after)) == ((95, 120), 29)
        assert events_of(events, Moved) == [Moved(0, 29)]

    def test_ch_c5_if_one_other_chooses_the_space_the_lander_draws_two(self) -> None:
        """CH-C5."""
        state = play_move(land_on_corner(5, "120 greed", "120 envy fear", top="add-1 add-2 add-3"), "choose 1")
        assert GAME.seat_to_move(state) == 1
        assert refusal_reason(state, "choose greed") is ChangeReason.NO_MARKER_THERE
        after = play_move(state, "choose fear")
        assert (credits_left(after), space_of(after, 1), hand(after)) == ((120, 100), 21, "add-1 add-2")

    def test_ch_c9_going_to_a_marker_is_no_landing(self) -> None:
        """CH-C9: no other player releases, and a set does not double the number."""
        state = at("120@16 denial control selfishness", "120@0 denial", options=WITH_SETS)
        after, events = play_step(play_moves(state, "roll: 12", "choose myself"), "choose denial")
        assert credits_left(after) == (95, 120)
        assert not events_of(events, Landed)


class TestCorner7:
    def test_ch_c7_the_lander_releases_twenty(self) -> None:
        """CH-C7."""
        assert credits_left(play_move(land_on_corner(7, "120", "120", "120"), "choose myself")) == (100, 120, 120)

    def test_ch_c7_if_all_others_release_the_lander_draws_two(self) -> None:
        """CH-C7: two, however many they are."""
        state = land_on_corner(7, "120", "120", "120", "120", top="add-1 add-2 add-3")
        assert legal(state) == ["choose myself", "choose 1 2 3"]
        after = play_move(state, "choose 1 2 3")
        assert (credits_left(after), hand(after)) == ((120, 100, 100, 100), "add-1 add-2")


class TestCorner8:
    def test_ch_c8_the_lander_places_a_marker_and_goes_there(self) -> None:
        """CH-C8: no credits, and no challenge."""
        state = play_move(land_on_corner(8, "120 greed", "120 denial"), "choose myself")
        assert len(legal(state)) == 17
        assert refusal_reason(state, "choose greed") is ChangeReason.MARKER_THERE
        after, events = play_step(state, "choose denial")
        assert (credits_left(after), space_of(after), markers(after)) == ((120, 120), 29, "greed denial")
        assert events_of(events, MarkerPlaced) == [MarkerPlaced(0, 29, fills_set=False)]

    def test_ch_c8_if_one_other_places_the_lander_draws_four(self) -> None:
        """CH-C8, CH-C9."""
        state = play_move(land_on_corner(8, "120 fear", "120", top="add-1 add-2 add-3 add-4 any"), "choose 1")
        after = play_move(state, "choose fear")
        assert (markers(after, 1), space_of(after, 1), credits_left(after)) == ("fear", 21, (120, 120))
        assert hand(after) == "add-1 add-2 add-3 add-4"

    def test_ch_c8_the_lander_needs_a_marker_left(self) -> None:
        """CH-C8, CH-C0: the other one must do it."""
        state = land_on_corner(8, f"120 {ALL_TWELVE}", "120")
        assert (state.public.stage, GAME.seat_to_move(state)) == (Stage.PLACE, 1)

    def test_ch_c8_one_other_needs_a_marker_left(self) -> None:
        """CH-C8, CH-C0: the lander must do it."""
        state = land_on_corner(8, "120", f"120 {ALL_TWELVE}")
        assert (state.public.stage, GAME.seat_to_move(state)) == (Stage.PLACE, 0)


def test_the_choice_is_highlighted_once_players_are_ticked() -> None:
    """CH-C3: any of the others may follow the corner."""
    state = land_on_corner(3, "120", "120", "120")
    view, names = GAME.view(state, None), ("Robin", "Wren", "Jay")
    screens = [build_screen(view, (), names, frozenset(ticked)) for ticked in ((), (1,))]
    choices = [screen.find_control(key) for screen, key in zip(screens, ("let_12", "let_1"), strict=True)]
    assert [choice.tone for choice in choices if choice is not None] == [Tone.QUIET, Tone.CHOSEN]
