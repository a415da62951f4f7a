"""The moves of Mr. Houdini's Baggage and their notation."""

import re
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from bot.games.houdinis_baggage.cards import CARD_BY_KEY, CARD_KEYS, Card
from bot.games.houdinis_baggage.pieces import ITEM_LETTERS
from bot.rules.refusals import unreadable


class Spot(NamedTuple):
    """An item: the number of its assignment and its index there, from 0."""

    number: int
    at: int

    def __str__(self) -> str:
        return f"{self.number}{ITEM_LETTERS[self.at]}"


class Use(NamedTuple):
    """The use of a bonus, by its assignment's number; `copied` is the bonus that "another player's" copies."""

    number: int
    copied: int | None = None

    def __str__(self) -> str:
        return str(self.number) if self.copied is None else f"{self.number}:{self.copied}"


@dataclass(frozen=True, slots=True)
class Open:
    """Open another card. Rule HB-3."""

    def __str__(self) -> str:
        return "open"


@dataclass(frozen=True, slots=True)
class Stop:
    """End the search. Rule HB-3."""

    def __str__(self) -> str:
        return "stop"


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep an open card in the bank after a twin. Rule HB-4."""

    card: Card

    def __str__(self) -> str:
        return f"keep {CARD_KEYS[self.card]}"


@dataclass(frozen=True, slots=True)
class Place:
    """Put an open card on an item, with the bonuses it needs, in order. Rules HB-6 and HB-12."""

    card: Card
    spot: Spot
    uses: tuple[Use, ...] = ()

    def __str__(self) -> str:
        text = f"place {CARD_KEYS[self.card]} on {self.spot}"
        return " ".join((text, "with", *map(str, self.uses))) if self.uses else text


@dataclass(frozen=True, slots=True)
class Bank:
    """Add a card from the bank to the open ones. Rule HB-7."""

    card: Card

    def __str__(self) -> str:
        return f"bank {CARD_KEYS[self.card]}"


@dataclass(frozen=True, slots=True)
class Shift:
    """Move baggage from one item to another with a bonus. Rule HB-B4."""

    start: Spot
    end: Spot
    use: Use

    def __str__(self) -> str:
        return f"move {self.start} to {self.end} with {self.use}"


@dataclass(frozen=True, slots=True)
class Done:
    """End the placement. Rules HB-6 and HB-8."""

    def __str__(self) -> str:
        return "done"


@dataclass(frozen=True, slots=True)
class Take:
    """Take an open assignment, by its number. Rule HB-10."""

    number: int

    def __str__(self) -> str:
        return f"take {self.number}"


Move: TypeAlias = Open | Stop | Keep | Place | Bank | Shift | Done | Take

OPEN, STOP, DONE = Open(), Stop(), Done()

_WORDS: dict[str, Move] = {str(move): move for move in (OPEN, STOP, DONE)}

_NUMBER = r"[1-9][0-9]?"
_SPOT = re.compile(rf"({_NUMBER})([{ITEM_LETTERS}])", re.ASCII)
_USE = re.compile(rf"({_NUMBER})(?::({_NUMBER}))?", re.ASCII)


def parse_move(text: str) -> Move:
    """Parse a move such as `open`, `place green-square on 17b with 4 9:22`, `move 3a to 7b with 12` or `take 5`.

    Raises:
        Refusal: The text is no move (`unreadable`).
    """
    try:
        return _parse_words(text.split(" "))
    except (KeyError, ValueError):
        raise unreadable(text) from None


def _parse_words(words: list[str]) -> Move:
    """Parse the words of a move; raise KeyError or ValueError if they are none."""
    move: Move
    match words:
        case [word]:
            move = _WORDS[word]
        case ["keep", card]:
            move = Keep(CARD_BY_KEY[card])
        case ["bank", card]:
            move = Bank(CARD_BY_KEY[card])
        case ["take", number]:
            move = Take(_parse_number(number))
        case ["place", card, "on", spot]:
            move = Place(CARD_BY_KEY[card], _parse_spot(spot))
        case ["place", card, "on", spot, "with", first, *more]:
            move = Place(CARD_BY_KEY[card], _parse_spot(spot), tuple(map(_parse_use, (first, *more))))
        case ["move", start, "to", end, "with", use]:
            move = Shift(_parse_spot(start), _parse_spot(end), _parse_use(use))
        case _:
            raise ValueError(words)
    return move


def _parse_number(text: str) -> int:
    if re.fullmatch(_NUMBER, text, re.ASCII):
        return int(text)
    raise ValueError(text)


def _parse_spot(text: str) -> Spot:
    if found := _SPOT.fullmatch(text):
        return Spot(int(found[1]), ITEM_LETTERS.index(found[2]))
    raise ValueError(text)


def _parse_use(text: str) -> Use:
    if found := _USE.fullmatch(text):
        return Use(int(found[1]), int(found[2]) if found[2] else None)
    raise ValueError(text)
