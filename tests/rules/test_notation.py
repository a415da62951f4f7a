"""The notation of moves, both ways."""

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, NamedTuple, TypeAlias

import pytest

from bot.rules.notation import MAX_WORDS, Notation, digits, names, notation, word
from bot.rules.refusals import CommonReason, Refusal, UnreadableText
from tests.support.each_case import each_case

Digit: TypeAlias = Annotated[int, digits("[0-9]")]


class Suit(Enum):
    SUN = 1
    MOON = 2


@notation("{suit}-{value}")
class Tile(NamedTuple):
    suit: Suit
    value: Annotated[int, names({"null": 0, "ace": 1})]


@notation("pass (for now)")
@dataclass(frozen=True, slots=True)
class Pass:
    pass


@notation("bid {amount}")
@dataclass(frozen=True, slots=True)
class Bid:
    amount: int


@notation("go {fast}{space}")
@dataclass(frozen=True, slots=True)
class Go:
    fast: Annotated[bool, names({"": False, "fast ": True})]
    space: Annotated[str, word("[a-z]+")]


@notation("lay {tiles} on {row}[ over {below}].")
@dataclass(frozen=True, slots=True)
class Lay:
    tiles: tuple[Tile, ...]
    row: Digit
    below: Tile | None = None


@notation("roll[ {dice}][ and {others}]")
class Roll(NamedTuple):
    dice: Annotated[tuple[Digit, ...], sorted]
    others: tuple[Digit, ...] = ()


Move: TypeAlias = Pass | Bid | Go | Lay | Roll
NOTATION = Notation[Move](Pass, Bid, Go, Lay, Roll)
SUN, MOON = Tile(Suit.SUN, 0), Tile(Suit.MOON, 1)


@each_case(
    "text, move",
    [
        ("pass (for now)", Pass()),
        *((f"bid {amount}", Bid(amount)) for amount in (0, 7, 10, 999_999_999)),
        ("go home", Go(fast=False, space="home")),
        ("go fast home", Go(fast=True, space="home")),
        ("go fast", Go(fast=False, space="fast")),
        ("lay sun-null on 3.", Lay((SUN,), 3)),
        ("lay sun-null moon-ace sun-null on 0 over moon-ace.", Lay((SUN, MOON, SUN), 0, MOON)),
        ("roll", Roll(())),
        ("roll 1 3", Roll((1, 3))),
        ("roll and 3 1", Roll((), (3, 1))),
        ("roll 1 and 2", Roll((1,), (2,))),
    ],
)
def test_a_move_is_written_and_read(text: str, move: Move) -> None:
    assert str(move) == text
    assert NOTATION.parse(text) == move


def test_words_in_any_order_are_sorted_and_others_stay() -> None:
    assert NOTATION.parse("roll 3 1 2 and 2 1") == Roll((1, 2, 3), (2, 1))


@each_case(
    "text",
    [
        *("", " ", "pass", "pass for now", "Bid 1", "bid", "bid ", "bid x", "bid 01", "bid -1", "bid +1", "bid 1 2"),
        *("bid 1 ", " bid 1", "bid  1", "bid 1\n", "bid\t1", "bid ٣", "bid ³", "bid １", "bid 1000000000", "bid 1.0"),
        *(
            "go",
            "go ",
            "go Home",
            "go home fast",
            "lay on 1.",
            "lay sun on 1.",
            "lay sun-null on 1",
            "lay sun-two on 1.",
        ),
        *(
            "lay sun-null on 1..",
            "lay sun-null on 1x",
            "lay sun-null on 1 over .",
            "lay sun-null on 10.",
            "lay 1 on 1.",
        ),
        *(
            "roll ",
            "roll 12",
            "roll 1,2",
            "roll and",
            "roll and ",
            "roll 1 and",
            "roll and 1 and 2",
            "roll" + " 1" * 65,
        ),
        *("x" * 100_000, "roll " + "1" * 100_000, "bid " + "9" * 100_000, "bid \x00", "bid \ud800"),
    ],
)
def test_anything_else_is_refused_with_what_was_expected(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        NOTATION.parse(text)
    assert refused.value.reason is CommonReason.UNREADABLE
    assert isinstance(refused.value.facts, UnreadableText)
    assert "bid {amount}, go {fast}{space}" in refused.value.facts.expected


def test_words_are_limited_so_that_no_text_is_long() -> None:
    assert NOTATION.parse("roll" + " 1" * MAX_WORDS) == Roll((1,) * MAX_WORDS)


@each_case("template", ["bid", "bid {amount} {amount}", "bid {sum}", "bid [amount]", "bid [{amount} {amount}]"])
def test_a_template_names_each_field_once(template: str) -> None:
    with pytest.raises(TypeError, match=r"Bid.*amount"):
        notation(template)(Bid)


@each_case("hint", [str, bool, float, int | None, tuple[int, int], list[int], Annotated[int, "digits"]])
def test_a_field_says_how_it_is_written(hint: Any) -> None:
    with pytest.raises(TypeError, match="annotate it with a codec"):
        notation("bid {amount}")(type("Bid", (), {"__annotations__": {"amount": hint}}))
