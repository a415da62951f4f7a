"""The message cards of Change: rules CH-M1 to CH-M4."""

from bot.games.change.pieces import (
    CardPlayed,
    CardsDrawn,
    CardsReplaced,
    CardsSeen,
    Challenged,
    ChangeReason,
    Landed,
    Stage,
    State,
)
from tests.games.change.positions import (
    ALL_TWELVE,
    BOARD,
    GAME,
    at,
    bottom,
    cards,
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

FIVE = "add-1 add-2 add-3 add-4 add-5"


def make_free_turn(hand: str, *, first: str = "120@3", other: str = "120@0", top: str = "", missing: int = 0) -> State:
    """Return a turn after its roll, with these cards in hand."""
    return at(first, other, hands=[hand], top=top, stage=Stage.FREE, missing=missing)


class TestHands:
    def test_ch_m1_a_sixth_card_is_not_drawn(self) -> None:
        """CH-M1."""
        state = at("120@0", "120@0", hands=[FIVE], top="greed")
        after, events = play_step(state, "roll", "22")
        assert hand(after) == FIVE
        assert after.deck == state.deck
        assert events_of(events, CardsDrawn) == [CardsDrawn(0, 0)]

    def test_ch_m1_as_many_are_drawn_as_there_is_room_for(self) -> None:
        """CH-M1: one of four."""
        state = at("120@28", "120@0", hands=["add-1 add-2 add-3 add-4"], top="greed any", stage=Stage.CORNER)
        after, events = play_step(play_move(state, "choose 1"), "choose denial")
        assert hand(after) == "add-1 add-2 add-3 add-4 greed"
        assert events_of(events, CardsDrawn) == [CardsDrawn(0, 1)]

    def test_ch_m1_only_the_seat_that_draws_sees_the_card(self) -> None:
        """CH-M1."""
        _after, events = play_step(at("120@0", "120@0", top="greed"), "roll", "22")
        (seen,) = events_of(events, CardsSeen)
        assert isinstance(seen, CardsSeen)
        assert (seen.audience, seen.cards) == (0, cards("greed"))
        assert [event.audience for event in events if event is not seen] == [None] * (len(events) - 1)

    def test_ch_m1_the_order_of_several_drawn_cards_is_not_shown(self) -> None:
        """CH-M1: the deck's order stays hidden."""
        _after, events = play_step(make_free_turn("replace-2 greed envy", top="any add-1"), "card replace-2 greed envy")
        assert events_of(events, CardsSeen) == [CardsSeen(0, cards("add-1 any"))]

    def test_ch_m1_a_view_holds_the_own_hand_and_the_sizes_of_the_others(self) -> None:
        """CH-M1."""
        state = at("120@0", "120@0", hands=["greed any", "add-5"])
        assert [GAME.view(state, seat).hand for seat in (0, 1, None)] == [cards("greed any"), cards("add-5"), ()]
        assert GAME.view(state, None).public.hand_sizes == (2, 1)

    def test_ch_m1_played_cards_go_under_the_deck(self) -> None:
        """CH-M1: shown to everybody."""
        state = make_free_turn("greed add-1")
        after, events = play_step(state, "card greed place")
        assert (bottom(after, 1), hand(after)) == ("greed", "add-1")
        assert events_of(events, CardPlayed) == [CardPlayed(0, BOARD.card_by_key["greed"])]


class TestTiming:
    def test_ch_m2_not_before_the_track_move_is_done(self) -> None:
        """CH-M2: neither before the roll nor while a corner waits."""
        before = at("120@0", "120@0", hands=["greed replace-1 any"])
        assert refusal_reason(before, "card greed place") is ChangeReason.ROLL_FIRST
        corner = at("120@3", "120@0", hands=["greed replace-1 any"], stage=Stage.CORNER)
        assert refusal_reason(corner, "card replace-1 any") is ChangeReason.CHOOSE_FIRST

    def test_ch_m2_not_in_another_seats_turn(self) -> None:
        """CH-M2: a chosen player only does what the corner says."""
        state = at("120@28", "120@0", hands=["", "greed"], stage=Stage.PLACE, asked=[1])
        assert refusal_reason(state, "card greed place") is ChangeReason.SPACE_FIRST

    def test_ch_m2_any_number_in_a_turn(self) -> None:
        """CH-M2: one at a time."""
        state = at("120@0", "120@0", hands=["add-1 add-2 any"], stage=Stage.ROLL)
        after = play_moves(state, "roll: 41", "challenge: 411 41 2", "card add-1", "card add-2", "card any greed")
        assert (markers(after), space_of(after), after.public.turn) == ("desires", 6, 1)

    def test_ch_m2_passing_over_a_challenge_gives_it_up(self) -> None:
        """CH-M2: cards are played after the space is done."""
        state = play_move(at("120@0", "120@0", hands=["replace-1 any"]), "roll", "41")
        assert refusal_reason(play_move(state, "card replace-1 any"), "challenge") is ChangeReason.NO_CHALLENGE

    def test_ch_m2_add_cards_drawn_after_a_failed_challenge_still_help(self) -> None:
        """CH-M2, CH-7: at any time in the turn."""
        state = make_free_turn("replace-1 greed", first="125@5", top="add-2", missing=2)
        assert markers(play_moves(state, "card replace-1 greed", "card add-2")) == "desires"

    def test_ch_m2_a_card_that_is_not_in_the_hand_is_refused(self) -> None:
        """CH-M2."""
        for move in ("card greed place", "card any greed", "card replace-1 add-1", "card add-2"):
            assert refusal_reason(make_free_turn("add-1", first="125@5", missing=1), move) is ChangeReason.NOT_HELD


class TestReplace:
    def test_ch_m3_the_replace_card_goes_under_the_deck_first(self) -> None:
        """CH-M3: then the others as named; as many are drawn as were replaced."""
        state = make_free_turn("replace-3 add-1 greed any", top="add-5 add-4 add-3")
        after, events = play_step(state, "card replace-3 any add-1 greed")
        assert bottom(after, 4) == "replace-3 any add-1 greed"
        assert hand(after) == "add-3 add-4 add-5"
        assert events_of(events, CardsReplaced) == [CardsReplaced(0, 3)]
        assert events_of(events, CardPlayed) == [CardPlayed(0, BOARD.card_by_key["replace-3"])]

    def test_ch_m3_a_replaced_card_is_not_shown(self) -> None:
        """CH-M3, CH-M1: only the Replace card is played."""
        _after, events = play_step(make_free_turn("replace-1 greed", top="any"), "card replace-1 greed")
        public = [event for event in events if event.audience is None]
        assert public == [CardPlayed(0, BOARD.card_by_key["replace-1"]), CardsReplaced(0, 1)]

    def test_ch_m3_one_to_n_others_in_any_order(self) -> None:
        """CH-M3: with Replace 2 and three others there are three single cards and six pairs."""
        replaces = [
            move for move in legal(make_free_turn("replace-2 add-1 greed any")) if move.startswith("card replace")
        ]
        assert len(replaces) == 9
        assert "card replace-2 greed add-1" in replaces
        assert "card replace-2 add-1 greed" in replaces

    def test_ch_m3_equal_cards_are_one_choice(self) -> None:
        """CH-M3."""
        replaces = [
            move for move in legal(make_free_turn("replace-1 replace-1 any any")) if move.startswith("card replace")
        ]
        assert replaces == ["card replace-1 replace-1", "card replace-1 any"]

    @each_case(
        "hand, move, reason",
        [
            ("replace-1", "card replace-1", ChangeReason.NOTHING_REPLACED),
            ("replace-1 add-1", "card replace-1", ChangeReason.NOTHING_REPLACED),
            ("replace-1 add-1 any", "card replace-1 add-1 any", ChangeReason.TOO_MANY_REPLACED),
            ("replace-1 add-1", "card replace-1 replace-1", ChangeReason.NOT_HELD),
            ("replace-2 add-1", "card replace-2 add-1 add-1", ChangeReason.NOT_HELD),
        ],
    )
    def test_ch_m3_never_alone_and_never_more(self, hand: str, move: str, reason: ChangeReason) -> None:
        """CH-M3."""
        assert refusal_reason(make_free_turn(hand), move) is reason

    def test_ch_m3_replacing_is_not_travelling(self) -> None:
        """CH-M3, CH-8: the option move is still open."""
        after = play_move(make_free_turn("replace-1 add-1"), "card replace-1 add-1")
        assert "option greed" in legal(after)


class TestSpaceCards:
    def test_ch_m4_without_a_marker_there_it_costs_and_one_may_be_placed(self) -> None:
        """CH-M4, CH-5: no challenge."""
        state = make_free_turn("greed", other="120@0 greed")
        for move, placed in (("card greed place", "greed"), ("card greed", "")):
            after, events = play_step(state, move)
            assert (credits_left(after), markers(after), space_of(after)) == ((130, 110), placed, 6)
            assert not events_of(events, Challenged)

    def test_ch_m4_with_a_marker_there_it_releases(self) -> None:
        """CH-M4: and there is nothing to place."""
        state = make_free_turn("greed", first="120@3 greed")
        assert credits_left(play_move(state, "card greed")) == (110, 120)
        assert refusal_reason(state, "card greed place") is ChangeReason.MARKER_THERE

    def test_ch_m4_without_markers_left_only_releasing_is_possible(self) -> None:
        """CH-M4."""
        state = make_free_turn("denial", first=f"120@3 {ALL_TWELVE}")
        assert refusal_reason(state, "card denial place") is ChangeReason.NO_MARKERS_LEFT
        assert legal(state) == ["card denial", "done"]
        assert credits_left(play_move(state, "card denial")) == (145, 120)

    def test_ch_m4_the_blank_card_leads_to_any_challenge_space(self) -> None:
        """CH-M4: the one where the Ragz stands too."""
        state = make_free_turn("any", first="120@5 greed")
        travels = [move.removeprefix("card any ") for move in legal(state) if move.startswith("card any ")]
        spaces = {move.removesuffix(" place") for move in travels}
        assert spaces == set(BOARD.space_by_key)
        assert "greed place" not in travels
        assert len(travels) == 35
        after, events = play_step(state, "card any desires place")
        assert events_of(events, Landed) == [Landed(0, 5, (5, 0))]
        assert (markers(after), space_of(after)) == ("desires greed", 5)

    def test_ch_m4_a_space_card_counts_as_the_option_move(self) -> None:
        """CH-M4: at most one of them in a turn."""
        state = make_free_turn("greed any")
        assert refusal_reason(play_move(state, "card greed place"), "option envy") is ChangeReason.OPTION_USED
        assert refusal_reason(play_move(state, "card greed place"), "card any envy") is ChangeReason.OPTION_USED
        assert refusal_reason(play_move(state, "option envy", "666 66 6"), "card greed") is ChangeReason.OPTION_USED

    def test_ch_m4_a_landing_that_ends_the_game_places_nothing(self) -> None:
        """CH-M4, CH-12: the credits go at once."""
        after = play_move(make_free_turn("greed", other="10@0 greed"), "card greed place")
        assert GAME.seat_to_move(after) is None
        assert markers(after) == ""
