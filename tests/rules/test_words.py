"""How numbers, lists, places and progress are written."""

from datetime import date
from pathlib import Path

import pytest
from babel import Locale

from bot.languages import ENGLISH, EnglishTexts, Language, speaking
from bot.tables.shown.words import write_date
from bot.words import (
    format_minutes,
    format_number,
    format_percentage,
    format_signed,
    forward_arrow,
    game_over_text,
    game_over_title,
    gettext,
    join_items,
    keep_order,
    list_facts,
    place_label,
    plural_number,
    progress_bar,
    ranking_rows,
    score_row,
    wrap_words,
)
from tests.support.each_case import each_case
from tests.support.languages import add_languages


def test_an_empty_text_does_not_become_the_header_of_a_catalogue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with speaking(add_languages(monkeypatch, tmp_path, {"Play": {"de": "Spielen"}}).find("de")):
        assert gettext("Play") == "Spielen"
        assert gettext("") == ""


@each_case(
    "value, written",
    [(0, "0"), (7, "7"), (-12, "−12"), (999, "999"), (1000, "1,000"), (1234567, "1,234,567"), (1234.5, "1,234.5")],
)
def test_numbers_have_separators(value: float, written: str) -> None:
    assert format_number(value) == written


@each_case("value, written", [(0, "0"), (7, "+7"), (-7, "−7"), (1200, "+1,200"), (-1200, "−1,200")])
def test_signed_numbers_have_a_real_minus(value: int, written: str) -> None:
    assert format_signed(value) == written


@each_case(
    "share, written",
    [(0, "0%"), (1, "100%"), (0.5, "50%"), (0.1344, "13.4%"), (1 / 3, "33.3%"), (0.0004, "0%"), (-0.0004, "0%")],
)
def test_shares_are_written_to_a_tenth_of_a_percent(share: float, written: str) -> None:
    assert format_percentage(share) == written


HEBREW, SPANISH, FRENCH, BRAZILIAN = (
    Language(code, Locale.parse(code), EnglishTexts()) for code in ("he", "es", "fr", "pt_BR")
)


@each_case(
    "language, value, number",
    [
        (ENGLISH, 1.0, 1),
        (ENGLISH, -1, 1),
        (ENGLISH, -3.0, 3),
        (ENGLISH, 641.338, 3),
        (ENGLISH, 0.5, 3),
        (HEBREW, 1.5, 3),
        (HEBREW, 2.5, 3),
        (HEBREW, -2.0, 2),
        (FRENCH, 1.5, 1),
        (FRENCH, -0.5, 1),
        (FRENCH, 2.5, 3),
        (BRAZILIAN, 1.5, 1),
        (BRAZILIAN, 0, 0),
    ],
)
def test_a_noun_takes_the_form_of_the_number_beside_it(language: Language, value: float, number: int) -> None:
    with speaking(language):
        assert plural_number(value) == number


@each_case(
    "language, items, written",
    [
        (ENGLISH, "", ""),
        (ENGLISH, "one", "one"),
        (ENGLISH, "one two", "one and two"),
        (ENGLISH, "one two three", "one, two, and three"),
        (HEBREW, "דן רון", "דן ורון"),
        (HEBREW, "דן Robin", "דן ו־Robin"),
        (HEBREW, "א ב **4**", "א, ב ו־**4**"),
        (SPANISH, "Robin Wren", "Robin y Wren"),
        (SPANISH, "Robin Wren **Iris**", "Robin, Wren e **Iris**"),
        (SPANISH, "agujas hilo", "agujas e hilo"),
        (SPANISH, "agua hielo", "agua y hielo"),
    ],
)
def test_the_word_before_the_last_item_of_a_list_fits_it(language: Language, items: str, written: str) -> None:
    with speaking(language):
        assert join_items(items.split()) == written


@each_case(
    "day, pattern, written",
    [(1, "MMMMd", "1er mars"), (1, "yMMMEd", "dim. 1er mars 2026"), (11, "long", "11 mars 2026")],
)
def test_the_first_day_of_a_french_month_is_an_ordinal_number(day: int, pattern: str, written: str) -> None:
    with speaking(FRENCH):
        assert write_date(date(2026, 3, day), pattern) == written


def test_facts_have_commas_and_no_word_before_the_last() -> None:
    for language in (ENGLISH, HEBREW):
        with speaking(language):
            assert list_facts(("a", "", "b", "c")) == "a, b, c"
            assert list_facts(()) == ""


def test_what_points_onward_points_to_the_left_in_hebrew_and_things_keep_their_order() -> None:
    row = score_row(0, "Robin", "12", has_turn=True)
    assert (forward_arrow(), row[0], keep_order("⚀ ⚁")) == ("→", "▶", "⚀ ⚁")
    with speaking(HEBREW):
        row = score_row(0, "Robin", "12", has_turn=True)
        assert (forward_arrow(), row[0], keep_order("⚀ ⚁")) == (
            "←",
            "◀",
            "\N{LEFT-TO-RIGHT MARK}⚀ ⚁\N{LEFT-TO-RIGHT MARK}",
        )


@each_case(
    "text, lines",
    [
        ("First Win", ["First Win"]),
        ("Old Friendship", ["Old", "Friendship"]),
        ("Doppelnummer", ["Doppelnummer"]),
        ("one two three four five", ["one two three", "four five"]),
    ],
)
def test_words_are_wrapped_whole_into_lines_as_wide_as_they_have_to_be(text: str, lines: list[str]) -> None:
    assert wrap_words(text, 11, 2) == lines


@each_case("place, sign", [(1, "🥇"), (2, "🥈"), (3, "🥉"), (4, "**4.**"), (6, "**6.**"), (1000, "**1,000.**")])
def test_the_first_three_places_have_medals(place: int, sign: str) -> None:
    assert place_label(place) == sign


@each_case(
    "minutes, written",
    [
        (1, "about 1 minute"),
        (9, "about 9 minutes"),
        (12, "about 10 minutes"),
        (13, "about 15 minutes"),
        (58, "about 60 minutes"),
        (97, "about 90 minutes"),
        (98, "about 105 minutes"),
    ],
)
def test_times_are_rounder_the_longer_they_are(minutes: int, written: str) -> None:
    assert format_minutes(minutes) == written


@each_case(
    "winners, title, sentence",
    [
        (["Ada"], "Ada wins!", "The game is over: Ada wins."),
        (["Ada", "Bo"], "Ada and Bo share the win!", "The game is over: Ada and Bo share the win."),
        (
            ["Ada", "Bo", "Cy"],
            "3 players share the win!",
            "The game is over: Ada, Bo, and Cy share the win.",
        ),
    ],
)
def test_winners_are_named_or_counted_in_a_title(winners: list[str], title: str, sentence: str) -> None:
    assert (game_over_title(winners), game_over_text(winners)) == (title, sentence)


@each_case(
    "value, full, cells",
    [
        (0, 100, 0),
        (9, 100, 0),
        (10, 100, 1),
        (99, 100, 9),
        (100, 100, 10),
        (155, 100, 10),
        (-5, 100, 0),
        (49, 50, 9),
    ],
)
def test_a_bar_fills_one_of_ten_cells_for_each_whole_tenth(value: int, full: int, cells: int) -> None:
    assert progress_bar(value, full) == "▰" * cells + "▱" * (10 - cells)


def test_the_row_of_the_seat_to_move_is_bold() -> None:
    assert score_row(0, "Robin", "**12**", has_turn=True, bar="▰▱") == "▶ 🟦 ▰▱ **12** **Robin**"
    assert score_row(1, "Wren", "**0**", has_turn=False) == "▫ 🟧 **0** Wren"


def test_a_ranking_keeps_the_order_of_seats_that_share_a_place() -> None:
    assert ranking_rows((4, 1, 3, 1), "abcd").splitlines() == ["🥇 🟧 b", "🥇 🟪 d", "🥉 🟩 c", "**4.** 🟦 a"]
