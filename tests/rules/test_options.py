"""Choices for an option, and choices that no longer fit."""

from typing import Literal

import pytest
from pydantic import model_validator

from bot.rules.game import Options
from bot.rules.options import OptionValue, decode_options, encode_value, load_options, option_values, set_option
from tests.rules.heap_game import HeapOptions, Stone
from tests.support.each_case import each_case


class Both(Options):
    """Options of which two do not go together."""

    sea: bool = False
    land: bool = False
    size: Literal["small", "large"] = "small"

    @model_validator(mode="after")
    def not_both(self) -> "Both":
        if self.sea and self.land:
            raise ValueError("either sea or land")
        return self


@each_case(
    "options, name, values",
    [
        (HeapOptions(), "losing", (False, True)),
        (HeapOptions(), "kind", (Stone.PEBBLE, Stone.MARBLE)),
        (HeapOptions(), "stones", (3, 6, 12)),
        (HeapOptions(stones=7), "stones", (3, 6, 7, 12)),
        (Both(), "size", ("small", "large")),
    ],
)
def test_offered_values_include_the_present_value(options: Options, name: str, values: tuple[OptionValue, ...]) -> None:
    assert option_values(options, name) == values


@each_case(
    "options, name, value",
    [
        (HeapOptions(losing=True), "stones", 12),
        (HeapOptions(), "kind", Stone.MARBLE),
        (HeapOptions(), "losing", True),
        (Both(sea=True), "size", "large"),
    ],
)
def test_a_choice_changes_one_option(options: Options, name: str, value: OptionValue) -> None:
    chosen = set_option(options, name, encode_value(value))
    assert chosen == options.model_copy(update={name: value})
    assert type(getattr(chosen, name)) is type(value)


@each_case(
    "options, name, text",
    [
        (HeapOptions(), "stones", "2"),
        (HeapOptions(), "stones", "13"),
        (HeapOptions(), "stones", "NaN"),
        (HeapOptions(), "stones", "[6]"),
        (HeapOptions(), "stones", ""),
        (HeapOptions(), "stones", "{"),
        (HeapOptions(), "stones", "[" * 100),
        (HeapOptions(), "kind", '"moon"'),
        (HeapOptions(), "weight", "6"),
        (HeapOptions(), "model_config", "{}"),
        (Both(sea=True), "land", "true"),
    ],
)
def test_an_invalid_value_is_not_chosen(options: Options, name: str, text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the reader's fault or the model's, as it comes
        set_option(options, name, text)


@each_case(
    "text, options",
    [
        ('{"stones": 12, "losing": true}', HeapOptions(stones=12, losing=True)),
        ('{"stones": 99, "losing": true}', HeapOptions(losing=True)),
        ('{"stones": 99, "kind": "moon", "losing": true, "weight": 3}', HeapOptions(losing=True)),
        ('{"kind": "marble", "stones": null}', HeapOptions(kind=Stone.MARBLE)),
        ("{}", HeapOptions()),
        ("[1]", HeapOptions()),
    ],
)
def test_stored_options_that_are_still_valid_are_kept(text: str, options: Options) -> None:
    assert load_options(HeapOptions, text) == options


def test_stored_options_that_are_invalid_together_are_dropped() -> None:
    assert load_options(Both, '{"sea": true, "land": true, "size": "large"}') == Both()
    assert load_options(Both, '{"sea": true, "land": "no", "size": 7}') == Both(sea=True)


def test_the_values_of_all_options_are_decoded_or_none() -> None:
    options = HeapOptions()
    texts = [encode_value(getattr(options, name)) for name in HeapOptions.model_fields]
    assert decode_options(HeapOptions, texts) == options
    for wrong in (texts[:-1], [*texts, "1"], ["nonsense", *texts[1:]], []):
        assert decode_options(HeapOptions, wrong) is None
