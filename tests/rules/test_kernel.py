"""The small parts of the kernel: refusals, outcomes, options, events and screens."""

import pytest
from pydantic import ValidationError

from bot.rules.game import Event, Outcome, places_by_score
from bot.rules.refusals import Refusal, unreadable
from bot.rules.screen import EMPTY_DRAFT, Control, Menu, Play, Screen, Toggle, Tone
from tests.rules.heap_game import HeapEnd, HeapOptions, HeapReason, LimitFacts, Stone, Tossed
from tests.support.each_case import each_case


@each_case(
    "scores, places",
    [
        ((), ()),
        ((0,), (1,)),
        ((3, 8), (2, 1)),
        ((5, 5), (1, 1)),
        ((7, 9, 7, 2), (2, 1, 2, 4)),
        ((9, 9, 1), (1, 1, 3)),
        ((-4, 0, -4), (2, 1, 2)),
        ((1, 2, 3, 4, 5, 6), (6, 5, 4, 3, 2, 1)),
    ],
)
def test_equal_scores_share_a_place_and_the_next_is_skipped(scores: tuple[int, ...], places: tuple[int, ...]) -> None:
    assert places_by_score(scores) == places


@each_case("places, winners", [((1, 2), (0,)), ((2, 1, 1), (1, 2)), ((1, 1, 1), (0, 1, 2)), ((3, 2, 1), (2,))])
def test_the_winners_are_the_seats_in_first_place(places: tuple[int, ...], winners: tuple[int, ...]) -> None:
    assert Outcome(places, (0,) * len(places), HeapEnd.HEAP_EMPTY).winners == winners


def test_refusals_are_equal_when_reason_and_facts_are() -> None:
    refusal = Refusal(HeapReason.TOO_MANY, LimitFacts(2))
    assert refusal == Refusal(HeapReason.TOO_MANY, LimitFacts(2))
    assert hash(refusal) == hash(Refusal(HeapReason.TOO_MANY, LimitFacts(2)))
    assert refusal != Refusal(HeapReason.TOO_MANY, LimitFacts(3))
    assert refusal != Refusal(HeapReason.NONE_TAKEN, LimitFacts(2))
    assert refusal != HeapReason.TOO_MANY
    assert (refusal.reason, refusal.facts) == (HeapReason.TOO_MANY, LimitFacts(2))


def test_a_logged_refusal_contains_its_reason_and_facts() -> None:
    text = str(unreadable("shout"))
    assert "unreadable" in text
    assert "shout" in text


def test_options_cannot_be_changed() -> None:
    options = HeapOptions()
    with pytest.raises(ValidationError):
        options.stones = 4  # type: ignore[misc]


def test_unknown_options_are_refused() -> None:
    with pytest.raises(ValidationError):
        HeapOptions.model_validate({"pebbles": 4})


def test_equal_options_are_one_value() -> None:
    assert {HeapOptions(kind=Stone.MARBLE), HeapOptions(kind=Stone.MARBLE)} == {HeapOptions(kind=Stone.MARBLE)}


def test_an_event_is_public_unless_it_says_otherwise() -> None:
    assert Event().audience is None
    assert Tossed(1, 6).audience is None


def test_a_screen_finds_its_controls_by_key() -> None:
    first, second, third = (
        Control("a", "A", Toggle(1)),
        Control("b", "B", Toggle(2)),
        Control("c", "C", Play("x")),
    )
    screen = Screen("Title", "Text", controls=((first, second), (third,)))
    assert [screen.find_control(key) for key in "abcd"] == [first, second, third, None]


def test_a_screen_finds_controls_in_menus_and_yields_all_in_order() -> None:
    first, second, third = (Control(key, key, Play(key)) for key in "abc")
    screen = Screen("Title", "Text", controls=((third,),), menus=(Menu("x", "X", (first,)), Menu("y", "Y", (second,))))
    assert [screen.find_control(key) for key in "abcx"] == [first, second, third, None]
    assert list(screen.iter_controls()) == [first, second, third]


@each_case(
    "toggle, before, after",
    [
        (Toggle(1), set(), {1}),
        (Toggle(1), {1, 2}, {2}),
        (Toggle(1, instead_of=frozenset({2, 3})), {2, 4}, {1, 4}),
        (Toggle(1, instead_of=frozenset({2, 3})), {1}, set()),
        (Toggle(1, instead_of=frozenset({1, 2})), {1, 2}, {1}),
    ],
)
def test_a_toggle_may_replace_others(toggle: Toggle, before: set[int], after: set[int]) -> None:
    assert toggle.apply(frozenset(before)) == after


def test_an_empty_screen_offers_no_controls() -> None:
    screen = Screen("Title", "Text")
    assert (screen.fields, screen.controls, screen.note, screen.accent) == ((), (), "", None)
    assert screen.find_control("a") is None
    assert Control("a", "A", Toggle(1)).tone is Tone.QUIET
    assert frozenset() == EMPTY_DRAFT
