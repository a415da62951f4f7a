"""The order of letters on the screen, by Unicode's bidirectional algorithm."""

from itertools import product

from bidi import get_display  # type: ignore[import-untyped]  # it has no types

from bot.pictures.shaping import levels_of, order_runs


def shown(text: str, base: int | None = None) -> str:
    """Return the characters of a text from left to right."""
    return "".join(text[place] for place in order_runs(levels_of(text, base)))


def test_marks_and_joiners_stay_with_their_letter() -> None:
    assert levels_of("ש\u05b8ל") == [1, 1, 1]
    assert levels_of("a\u0301 ש\u05b8") == [0, 0, 0, 1, 1]
    assert levels_of("نی\u200cم") == [1] * 4


def test_the_order_is_that_of_another_implementation() -> None:
    for letters in product("aאب1٢,-$ ", repeat=4):
        text = "".join(letters)
        assert shown(text) == get_display(text), ascii(text)


def test_controls_do_no_harm() -> None:
    for control in "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\n\t":
        assert len(shown(f"אב {control}1{control} a")) == 8


def test_a_sentence_may_run_to_the_right_whatever_its_first_letter_is() -> None:
    assert shown("אב!", 0) == "בא!"
    assert shown("אב wins", 0) == "בא wins"
