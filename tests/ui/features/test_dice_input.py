"""Dice as people type them."""

import pytest

from bot.rules.refusals import Refusal
from bot.tables.handlers.commands import parse_digits
from tests.support.each_case import each_case


@each_case("text", ["135", "1 3 5", "1,3;5", " 1 + 3 & 5. "])
def test_places_may_be_separated_in_many_ways(text: str) -> None:
    assert parse_digits(text) == [1, 3, 5]


@each_case("text", ["", " ", " , ", "a", "1a", "-1", "²", "٣"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(Refusal):
        parse_digits(text)
