"""A turn of Change: rules CH-3 to CH-10."""

import pytest

from bot.games.change.pieces import (
    CardsDrawn,
    Challenged,
    ChangeReason,
    Landed,
    MarkerPlaced,
    Stage,
    State,
)
from bot.rules.chance import ScriptedChance
from bot.rules.refusals import Refusal
from tests.games.change.positions import (
    ALL_TWELVE,
    GAME,
    WITH_SETS,
    at,
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
from tests.support.each_case import each_case


def refusal_reason(state: State, move: str) -> ChangeReason:
    """Return why the seat to move may not make a move."""
    refusal = GAME.check(state, GAME.seat_to_move(state) or 0, GAME.parse_move(move))
    assert isinstance(refusal, Refusal)
    assert isinstance(refusal.reason, ChangeReason)
    return refusal.reason


class TestWorkedCases:
    def test_ch_5_and_ch_6_desires_is_challenged_with_thirteen(self) -> None:
        """CH-3, CH-5, CH-6: Start, 4 + 1, receive 5; 5, 4 and 4 are 13."""
        state = play_move(at("120@0", "120@0"), "roll", "41")
        assert (space_of(state), credits_left(state)) == (5, (125, 120))
        assert legal(state)[0] == "challenge"
        state, events = play_step(state, "challenge", "512 43 4")
        assert markers(state) == "desires"
        assert [event.total for event in events_of(events, Challenged) if isinstance(event, Challenged)] == [13]

    def test_ch_8_and_then_greed_fails_with_eleven(self) -> None:
        """CH-8: receive 10, and 11 fails; there are no cards, so the turn is over."""
        state = play_moves(at("120@0", "120@0"), "roll: 41", "challenge: 512 43 4", "option greed: 412 41 3")
        assert (space_of(state), credits_left(state)) == (6, (135, 120))
        assert markers(state) == "desires"
        assert state.public.turn == 1

    def test_ch_11_two_others_own_the_whole_set_of_greed(self) -> None:
        """CH-11: each releases 20 when anybody lands there."""
        whole = "greed gossip envy"
        state = at("120@0", f"100@9 {whole}", f"80@7 {whole}", options=WITH_SETS)
        assert credits_left(play_move(state, "roll", "42")) == (130, 80, 60)
        assert credits_left(play_move(at("120@0", f"100@9 {whole}", f"80@7 {whole}"), "roll", "42")) == (130, 90, 70)

    @each_case("space", ["fear", "resentment", "denial"])
    def test_ch_12_twenty_left_and_a_marker_on_twenty_or_more_wins(self, space: str) -> None:
        """CH-12: no matter which player lands there."""
        state = at("120@0", f"20@0 {space}", hands=["any"], stage=Stage.FREE)
        after = play_move(state, f"card any {space}")
        assert GAME.seat_to_move(after) is None
        outcome = GAME.outcome(after)
        assert outcome is not None
        assert outcome.winners == (1,)


class TestTrackRoll:
    def test_ch_3_a_turn_starts_with_the_roll(self) -> None:
        """CH-3: nothing else can be done before."""
        state = at("120@0", "120@0", hands=["add-1 greed replace-1"])
        assert legal(state) == ["roll"]
        for move in ("option greed", "card greed", "done", "challenge", "choose myself", "keep add-1"):
            assert refusal_reason(state, move) is ChangeReason.ROLL_FIRST

    @each_case("square, dice, there", [(0, "12", 3), (30, "12", 1), (31, "65", 10), (21, "64", 31)])
    def test_ch_3_the_sum_is_walked_clockwise_and_past_start(self, square: int, dice: str, there: int) -> None:
        """CH-3: passing Start does nothing."""
        state = at(f"120@{square}", "120@0")
        after = play_move(state, "roll", dice)
        assert space_of(after) == there
        assert hand(after) == ""

    def test_ch_3_the_dice_are_rolled_once(self) -> None:
        """CH-3."""
        assert refusal_reason(play_move(at("120@0", "120@0"), "roll", "41"), "roll") is ChangeReason.ROLLED_ALREADY

    def test_ch_4_doubles_lead_to_start_a_card_and_the_end_of_the_turn(self) -> None:
        """CH-4: the Ragz doesn't move, and no player releases credits on the space it would have reached."""
        state = at("120@1", "120@0 desires", top="greed")
        after, events = play_step(state, "roll", "22")
        assert (space_of(after), hand(after), credits_left(after)) == (0, "greed", (120, 120))
        assert (after.public.turn, after.public.stage) == (1, Stage.ROLL)
        assert events_of(events, CardsDrawn) == [CardsDrawn(0, 1)]
        assert not events_of(events, Landed)


class TestLanding:
    def test_ch_5_every_marker_releases_and_a_lander_without_one_receives(self) -> None:
        """CH-5, CH-9: in one moment, told in one event."""
        state = at("120@0", "100@0 desires", "90@0 greed", "80@0 desires greed")
        after, events = play_step(state, "roll", "41")
        assert credits_left(after) == (125, 95, 90, 75)
        assert events_of(events, Landed) == [Landed(0, 5, (5, -5, 0, -5))]

    def test_ch_5_a_lander_with_a_marker_releases(self) -> None:
        """CH-5, CH-6: and has no challenge there."""
        state = play_move(at("120@0 desires", "100@0"), "roll", "41")
        assert credits_left(state) == (115, 100)
        assert refusal_reason(state, "challenge") is ChangeReason.NO_CHALLENGE

    def test_ch_5_an_option_move_lands_too(self) -> None:
        """CH-5, CH-8."""
        state = at("120@3", "100@0 denial", stage=Stage.FREE)
        assert credits_left(play_move(state, "option denial", "666 66 6")) == (145, 75)

    def test_ch_5_all_changes_of_a_landing_happen_at_once(self) -> None:
        """CH-5, CH-12: two players are rid of their credits together."""
        after = play_move(at("120@0", "5@0 desires", "3@0 desires"), "roll", "41")
        outcome = GAME.outcome(after)
        assert outcome is not None
        assert outcome.places == (3, 1, 1)

    def test_ch_10_credits_never_fall_below_zero(self) -> None:
        """CH-10: three credits are all there is to release."""
        after, events = play_step(at("120@0", "3@0 desires"), "roll", "41")
        assert credits_left(after) == (125, 0)
        assert events_of(events, Landed) == [Landed(0, 5, (5, -3))]

    def test_ch_10_credits_do_not_pass_between_players(self) -> None:
        """CH-10: what the lander receives doesn't depend on what others release."""
        assert credits_left(play_move(at("120@0", "120@0"), "roll", "41")) == (125, 120)
        assert credits_left(play_move(at("120@0", "120@0 desires"), "roll", "41")) == (125, 115)


class TestChallenge:
    @each_case(
        "dice, total",
        [("666 66 6", 18), ("111 11 1", 3), ("512 43 4", 13), ("152 34 3", 12), ("261 15 2", 13), ("333 33 3", 9)],
    )
    def test_ch_6_the_largest_of_three_two_and_one_count(self, dice: str, total: int) -> None:
        """CH-6: 13 or more succeed."""
        state = play_move(at("120@0", "120@0"), "roll", "41")
        after, events = play_step(state, "challenge", dice)
        assert [event.total for event in events if isinstance(event, Challenged)] == [total]
        assert markers(after) == ("desires" if total >= 13 else "")
        assert bool(events_of(events, MarkerPlaced)) is (total >= 13)

    def test_ch_6_it_is_optional_after_a_track_roll(self) -> None:
        """CH-6: any other move skips it."""
        state = play_move(at("120@0", "120@0"), "roll", "41")
        assert "done" in legal(state)
        after = play_move(state, "option habits", "111 11 1")
        assert markers(after) == ""
        assert after.public.turn == 1

    def test_ch_6_a_challenge_is_tried_once(self) -> None:
        """CH-6."""
        state = play_moves(at("120@0", "120@0"), "roll: 41", "challenge: 111 11 1")
        assert refusal_reason(state, "challenge") is ChangeReason.NO_CHALLENGE

    def test_ch_6_not_without_markers_left(self) -> None:
        """CH-6."""
        state = play_move(at(f"120@24 {ALL_TWELVE}", "120@0", hands=["add-1"]), "roll", "41")
        assert (space_of(state), credits_left(state)) == (29, (145, 120))
        assert refusal_reason(state, "challenge") is ChangeReason.NO_CHALLENGE
        eleven = ALL_TWELVE.partition(" ")[2]
        one_left = play_move(at(f"120@24 {eleven}", "120@0"), "roll", "41")
        assert events_of(play_step(one_left, "challenge", "111 11 1")[1], Challenged)

    def test_ch_6_after_an_option_move_it_must_be_tried(self) -> None:
        """CH-6: it belongs to the move."""
        _after, events = play_step(at("120@3", "120@0", stage=Stage.FREE), "option greed", "111 11 1")
        assert len(events_of(events, Challenged)) == 1

    @each_case(
        "adds, is_enough",
        [("add-2", True), ("add-5", True), ("add-1 add-1", True), ("add-1 add-3", True), ("add-1", False)],
    )
    def test_ch_7_add_cards_help_a_failed_challenge(self, adds: str, is_enough: bool) -> None:
        """CH-7: eleven lack two; several cards may be played, one after another, and more than two are enough too."""
        state = at("120@0", "120@0", hands=[adds])
        state = play_moves(state, "roll: 41", "challenge: 412 41 3", *(f"card {key}" for key in adds.split()))
        assert markers(state) == ("desires" if is_enough else "")

    def test_ch_7_after_an_option_move_too(self) -> None:
        """CH-7."""
        state = at("120@3", "120@0", hands=["add-2"], stage=Stage.FREE)
        assert markers(play_moves(state, "option greed: 412 41 3", "card add-2")) == "greed"

    def test_ch_7_nothing_is_added_without_a_failed_challenge(self) -> None:
        """CH-7: before a challenge, after a success, and once the Ragz has left."""
        state = play_move(at("120@0", "120@0", hands=["add-1 add-2 any"]), "roll", "41")
        assert refusal_reason(state, "card add-1") is ChangeReason.NOTHING_TO_ADD_TO
        assert refusal_reason(play_move(state, "challenge", "666 66 6"), "card add-1") is ChangeReason.NOTHING_TO_ADD_TO
        away = play_moves(state, "challenge: 111 11 1", "card any greed")
        assert refusal_reason(away, "card add-1") is ChangeReason.NOTHING_TO_ADD_TO


class TestOptionMove:
    def test_ch_8_a_turn_has_one_option_move(self) -> None:
        """CH-8."""
        state = at("120@3", "120@0", hands=["add-1"], stage=Stage.FREE)
        assert refusal_reason(play_move(state, "option greed", "666 66 6"), "option envy") is ChangeReason.OPTION_USED

    def test_ch_8_only_after_the_space_is_done(self) -> None:
        """CH-8: a corner is seen to first."""
        state = at("120@3", "120@0", stage=Stage.CORNER)
        assert refusal_reason(state, "option greed") is ChangeReason.CHOOSE_FIRST

    def test_ch_8_to_any_other_challenge_space_without_an_own_marker(self) -> None:
        """CH-8: other than where the Ragz stands."""
        state = at("120@6 habits desires", "120@0 envy", stage=Stage.FREE)
        options = [move.removeprefix("option ") for move in legal(state) if move.startswith("option ")]
        assert options == [
            *("excuses", "gossip", "envy", "vanity", "anger", "pride", "worry", "doubt", "fear"),
            *("resentment", "blame", "grudges", "denial", "control", "selfishness"),
        ]
        assert refusal_reason(state, "option greed") is ChangeReason.STANDING_THERE
        assert refusal_reason(state, "option habits") is ChangeReason.MARKER_THERE

    def test_ch_8_not_without_markers_left(self) -> None:
        """CH-8."""
        state = at(f"120@3 {ALL_TWELVE}", "120@0", hands=["add-1"], stage=Stage.FREE)
        assert refusal_reason(state, "option denial") is ChangeReason.NO_MARKERS_LEFT
        assert legal(state) == ["done"]

    def test_ch_8_it_affects_others_as_a_track_roll_does(self) -> None:
        """CH-8, CH-5: and may end the game before the challenge."""
        state = at("120@3", "10@0 greed", stage=Stage.FREE)
        after, events = play_step(state, "option greed")
        assert GAME.seat_to_move(after) is None
        assert not events_of(events, Challenged)

    def test_ch_9_any_number_of_players_may_have_a_marker_on_a_space(self) -> None:
        """CH-9."""
        state = at("120@3", "120@0 greed", "120@0 greed", stage=Stage.FREE)
        after = play_move(state, "option greed", "666 66 6")
        assert [markers(after, seat) for seat in range(3)] == ["greed"] * 3


class TestEndOfTurn:
    def test_ch_8_the_turn_is_over_when_nothing_is_left_to_do(self) -> None:
        """CH-8: after the option move of a player without cards."""
        after = play_move(at("120@3", "120@0", stage=Stage.FREE), "option greed", "666 66 6")
        assert (after.public.turn, after.public.stage, after.public.may_travel) == (1, Stage.ROLL, True)

    def test_ch_8_the_turn_is_over_for_a_seat_without_markers_and_cards(self) -> None:
        """CH-8: after the track move."""
        after = play_move(at(f"120@24 {ALL_TWELVE}", "120@0"), "roll", "41")
        assert (credits_left(after), after.public.turn, after.public.stage) == ((145, 120), 1, Stage.ROLL)

    @each_case("cards", ["add-1", "replace-3", "greed"])
    def test_ch_m1_a_seat_that_holds_any_card_is_asked(self, cards: str) -> None:
        """CH-M1: otherwise the end of a turn would tell about the hand."""
        after = play_move(at("120@3", "120@0", hands=[cards], stage=Stage.FREE), "option greed", "666 66 6")
        assert after.public.turn == 0
        assert "done" in legal(after)

    def test_ch_3_the_turn_passes_to_the_next_seat(self) -> None:
        """CH-3."""
        state = at("120@3", "120@0", "120@0", turn=2, stage=Stage.FREE)
        assert play_move(state, "done").public.turn == 0

    def test_nothing_uses_chance_but_dice(self) -> None:
        """CH-3: a refused move rolls nothing."""
        state = at("120@3", "120@0")
        with ScriptedChance(()) as chance, pytest.raises(Refusal):
            GAME.play(state, 0, GAME.parse_move("done"), chance)
