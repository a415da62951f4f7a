"""The six other spaces of Change: rules CH-S1 to CH-S6."""

from bot.games.change.pieces import (
    CardsLost,
    ChangeReason,
    Moved,
    Received,
    Released,
    Stage,
    TrackRolled,
)
from tests.games.change.positions import (
    GAME,
    at,
    bottom,
    credits_left,
    events_of,
    hand,
    legal,
    play_move,
    play_step,
    space_of,
)
from tests.games.change.test_turn import refusal_reason
from tests.support.each_case import each_case


def test_ch_s1_start_brings_a_card_and_ends_the_turn() -> None:
    """CH-S1: landed on by count."""
    after = play_move(at("120@27", "120@0", top="greed"), "roll", "41")
    assert (space_of(after), hand(after), after.public.turn) == (0, "greed", 1)


def test_ch_s2_take_a_rest_leads_to_start_brings_a_card_and_ends_the_turn() -> None:
    """CH-S2."""
    after, events = play_step(at("120@11", "120@0", top="greed"), "roll", "41")
    assert (space_of(after), hand(after), after.public.turn) == (0, "greed", 1)
    assert events_of(events, Moved) == [Moved(0, 0)]


def test_ch_s3_emotional_rolls_again_and_moves_on() -> None:
    """CH-S3: nine on to 14, then seven to Resentment."""
    after, events = play_step(at("120@5", "120@0"), "roll", "54 43")
    assert events_of(events, TrackRolled) == [TrackRolled(0, (5, 4), 14), TrackRolled(0, (4, 3), 21)]
    assert (space_of(after), credits_left(after)) == (21, (140, 120))
    assert "challenge" in legal(after)


def test_ch_s3_doubles_count_on_the_second_roll_too() -> None:
    """CH-S3, CH-4."""
    after = play_move(at("120@5", "120@0", top="greed"), "roll", "54 33")
    assert (space_of(after), hand(after), after.public.turn) == (0, "greed", 1)


@each_case(
    "before, after",
    [
        ((120, 110, 90), (110, 110, 90)),
        ((100, 110, 90), (100, 100, 90)),
        ((110, 90, 110), (100, 90, 100)),
        ((80, 80, 80), (70, 70, 70)),
    ],
)
def test_ch_s4_humility_the_seats_with_the_most_release_ten(before: tuple[int, ...], after: tuple[int, ...]) -> None:
    """CH-S4: the tied each do."""
    state = at(f"{before[0]}@3", *(f"{count}@0" for count in before[1:]))
    result, events = play_step(state, "roll", "41")
    assert (space_of(result), credits_left(result)) == (8, after)
    assert len(events_of(events, Released)) == sum(map(int.__ne__, before, after))
    assert (result.public.turn, result.public.stage) == (0, Stage.FREE)


def test_ch_s4_one_humility_may_end_the_game_in_a_tie() -> None:
    """CH-S4, CH-12."""
    outcome = GAME.outcome(play_move(at("8@3", "8@0", "7@0"), "roll", "41"))
    assert outcome is not None
    assert (outcome.places, outcome.scores) == ((1, 1, 3), (0, 0, 7))


def test_ch_s5_arrogance_the_seats_with_the_fewest_roll_and_receive() -> None:
    """CH-S5: seats 1 and 0 are tied; seat 1 has the turn and rolls first."""
    after, events = play_step(at("40@0", "40@19", "41@0", turn=1), "roll", "41 123 456")
    assert events_of(events, Received) == [Received(1, 24, (1, 2, 3)), Received(0, 24, (4, 5, 6))]
    assert credits_left(after) == (55, 46, 41)
    assert (after.public.turn, after.public.stage) == (1, Stage.FREE)


def test_ch_s6_backslide_keeps_one_card_of_the_players_choice() -> None:
    """CH-S6: the rest go under the deck, unseen."""
    state = play_move(at("120@17", "120@0", hands=["add-1 greed any"]), "roll", "41")
    assert (space_of(state), legal(state)) == (22, ["keep add-1", "keep greed", "keep any"])
    assert refusal_reason(state, "option greed") is ChangeReason.KEEP_FIRST
    assert refusal_reason(state, "keep envy") is ChangeReason.NOT_HELD
    after, events = play_step(state, "keep greed")
    assert (hand(after), bottom(after, 2)) == ("greed", "add-1 any")
    assert events == (CardsLost(0, 2),)
    assert after.public.stage is Stage.FREE


def test_ch_s6_backslide_asks_a_seat_with_two_cards() -> None:
    """CH-S6."""
    state = play_move(at("120@17", "120@0", hands=["greed any"]), "roll", "41")
    assert legal(state) == ["keep greed", "keep any"]
    assert hand(play_move(state, "keep any")) == "any"


@each_case("cards", ["", "greed"])
def test_ch_s6_backslide_asks_no_seat_with_one_card_or_none(cards: str) -> None:
    """CH-S6."""
    after = play_move(at("120@17", "120@0", hands=[cards]), "roll", "41")
    assert (hand(after), after.public.stage) == (cards, Stage.FREE)
