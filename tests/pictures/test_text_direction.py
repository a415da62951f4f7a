"""The order of letters on the screen, by Unicode's bidirectional algorithm."""

from itertools import product

from bidi import get_display  # type: ignore[import-untyped]  # it has no types

from bot.pictures.shaping import levels_of, order_runs
from tests.support.each_case import each_case


def shown(text: str, base: int | None = None) -> str:
    """Return the characters of a text from left to right."""
    return "".join(text[place] for place in order_runs(levels_of(text, base)))


@each_case(
    "typed, read",
    [
        ("Robin", "Robin"),
        ("אבג", "גבא"),
        ("אב גד", "דג בא"),
        ("Robin אב", "Robin בא"),
        ("אב Robin", "Robin בא"),
        ("אב Robin Wren גד", "דג Robin Wren בא"),
        ("★ אב", "בא ★"),
        ("12:30", "12:30"),
        ("", ""),
    ],
)
def test_each_script_runs_in_its_own_direction_and_the_text_in_that_of_its_first_letter(typed: str, read: str) -> None:
    assert shown(typed) == read


@each_case(
    "typed, read",
    [
        ("אב 12", "12 בא"),
        ("אב 1,234.5 ג", "ג 1,234.5 בא"),
        ("אב $12 ג", "ג $12 בא"),
        ("אב 12-", "-12 בא"),
        ("Robin 12 אב 34", "Robin 12 34 בא"),
        ("مر ١٢٣", "١٢٣ رم"),
        ("مر 12-34", "34-12 رم"),
        ("אב 12-34", "12-34 בא"),
    ],
)
def test_numbers_run_to_the_right_in_every_text(typed: str, read: str) -> None:
    assert shown(typed) == read


@each_case("typed, read", [("אב!", "!בא"), ("Robin!", "Robin!"), ("אב, גד.", ".דג ,בא"), ("אב  ", "  בא")])
def test_signs_follow_the_letters_around_them(typed: str, read: str) -> None:
    assert shown(typed) == read


def test_marks_and_joiners_stay_with_their_letter() -> None:
    assert levels_of("ש\u05b8ל") == [1, 1, 1]
    assert levels_of("a\u0301 ש\u05b8") == [0, 0, 0, 1, 1]
    assert levels_of("نی\u200cم") == [1] * 4


def test_the_order_is_that_of_another_implementation() -> None:
    for letters in product("aאب1٢, ", repeat=4):
        text = "".join(letters)
        assert shown(text) == get_display(text), ascii(text)


def test_controls_do_no_harm() -> None:
    for control in "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\n\t":
        assert len(shown(f"אב {control}1{control} a")) == 8


def test_a_sentence_may_run_to_the_right_whatever_its_first_letter_is() -> None:
    assert shown("אב!", 0) == "בא!"
    assert shown("אב wins", 0) == "בא wins"
