"""Sets, and the end of a game of Change: rules CH-10, CH-11 and CH-12."""

from bot.games.change.pieces import (
    ChangeEnd,
    ChangeOptions,
    MarkerPlaced,
    Stage,
    State,
)
from bot.rules.refusals import CommonReason, Refusal
from tests.games.change.positions import (
    GAME,
    PLAIN,
    WITH_SETS,
    at,
    credits_left,
    events_of,
    play_move,
    play_moves,
    play_step,
)
from tests.support.each_case import each_case


def test_ch_11_sets_are_the_usual_game() -> None:
    """CH-11."""
    assert ChangeOptions().sets


def test_ch_11_a_whole_set_releases_double_from_then_on() -> None:
    """CH-11: the marker that fills it doubles the next landing there, not the one that came before it."""
    state = at("120@0 habits excuses", "120@0", options=WITH_SETS)
    state, events = play_step(play_moves(state, "roll: 41"), "challenge", "666 66 6")
    assert events_of(events, MarkerPlaced) == [MarkerPlaced(0, 5, fills_set=True)]
    assert credits_left(state) == (125, 120)
    after = play_move(play_move(state, "done"), "roll", "41")
    assert credits_left(after) == (115, 125)


def test_ch_11_two_of_three_are_no_set() -> None:
    """CH-11."""
    assert credits_left(play_move(at("120@0 habits desires", "120@0", options=WITH_SETS), "roll", "41")) == (115, 120)


@each_case("options, own", [(WITH_SETS, 110), (PLAIN, 115)])
def test_ch_11_only_in_the_advanced_game(options: ChangeOptions, own: int) -> None:
    """CH-11."""
    state = at("120@0 habits excuses desires", "120@0", options=options)
    assert credits_left(play_move(state, "roll", "41")) == (own, 120)


def test_ch_11_several_players_may_own_the_same_set() -> None:
    """CH-11."""
    whole = "habits excuses desires"
    state = at("120@0", f"120@0 {whole}", f"120@0 {whole}", options=WITH_SETS)
    assert credits_left(play_move(state, "roll", "41")) == (125, 110, 110)


def test_ch_12_no_credits_end_the_game_at_once() -> None:
    """CH-12: before a challenge or anything else."""
    state = play_move(at("5@0 desires", "120@0", hands=["greed"]), "roll", "41")
    assert state.public.stage is Stage.OVER
    assert GAME.legal_moves(state) == ()
    assert GAME.check(state, 0, GAME.parse_move("done")) == Refusal(CommonReason.GAME_OVER)


def test_ch_11_without_the_option_there_are_no_sets() -> None:
    """CH-11: and there is no news of it."""
    state = at("125@5 habits excuses", "120@0", challenge=True, stage=Stage.FREE)
    _after, events = play_step(state, "challenge", "666 66 6")
    assert events_of(events, MarkerPlaced) == [MarkerPlaced(0, 5, fills_set=False)]


@each_case(
    "state, move",
    [
        (at("10@3", "120@0", stage=Stage.CORNER), "choose myself"),
        (at("120@3", "10@0", stage=Stage.CORNER), "choose 1"),
        (at("120@5", "10@0 greed", hands=["any"], missing=3, stage=Stage.FREE), "card any greed"),
        (at("120@5", "10@0 greed", challenge=True, stage=Stage.FREE), "option greed"),
    ],
)
def test_ch_12_a_move_that_ends_the_game_leaves_no_decision_open(state: State, move: str) -> None:
    """CH-12: the position of a finished game does not depend on moves that were still possible."""
    public = play_move(state, move).public
    assert (public.stage, public.asked, public.draws) == (Stage.OVER, (), 0)
    assert (public.may_challenge, public.missing, public.may_travel) == (False, 0, False)


def test_ch_12_lower_places_go_by_credits_left() -> None:
    """CH-12: fewest first; equal credits share a place."""
    outcome = GAME.outcome(play_move(at("90@0", "5@0 desires", "70@0", "95@0", "70@0"), "roll", "41"))
    assert outcome is not None
    assert outcome.places == (4, 1, 2, 4, 2)
    assert outcome.scores == (95, 0, 70, 95, 70)
    assert outcome.reason is ChangeEnd.NO_CREDITS


def test_ch_12_there_is_no_ranking_while_the_game_goes_on() -> None:
    """CH-12."""
    assert GAME.outcome(at("1@0", "2@0")) is None
