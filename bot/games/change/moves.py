"""The moves of Change and their notation, in which spaces and cards have keys and seats have numbers."""

from dataclasses import dataclass
from typing import TypeAlias

from bot.games.change.board import Board, CardKind
from bot.rules.game import Seat
from bot.rules.refusals import unreadable

Key: TypeAlias = str
"""A challenge space or a card in the notation: `greed`, `add-3`, `replace-1` or `any`."""

PLACE = "place"
ANY = "any"
_ADD = "add-"
_REPLACE = "replace-"


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll the track dice and act on the space. Rule CH-3."""

    def __str__(self) -> str:
        return "roll"


@dataclass(frozen=True, slots=True)
class Challenge:
    """Take on the challenge of the space that the track roll led to. Rule CH-6."""

    def __str__(self) -> str:
        return "challenge"


@dataclass(frozen=True, slots=True)
class Option:
    """Go to another challenge space and take on its challenge. Rule CH-8."""

    space: Key

    def __str__(self) -> str:
        return f"option {self.space}"


@dataclass(frozen=True, slots=True)
class Add:
    """Play an Add card after a failed challenge. Rule CH-7."""

    card: Key

    def __str__(self) -> str:
        return f"card {self.card}"


@dataclass(frozen=True, slots=True)
class Replace:
    """Play a Replace card with the cards it replaces. Rule CH-M3."""

    card: Key
    others: tuple[Key, ...]
    """In the order they go under the deck."""

    def __str__(self) -> str:
        return " ".join(("card", self.card, *self.others))


@dataclass(frozen=True, slots=True)
class Travel:
    """Play a space card, with or without placing a marker there. Rule CH-M4."""

    card: Key
    space: Key
    places: bool

    def __str__(self) -> str:
        words = ("card", self.card, *(() if self.card == self.space else (self.space,)))
        return " ".join((*words, PLACE) if self.places else words)


@dataclass(frozen=True, slots=True)
class Done:
    """End the turn."""

    def __str__(self) -> str:
        return "done"


@dataclass(frozen=True, slots=True)
class Myself:
    """Follow a corner oneself. Rule CH-C0."""

    def __str__(self) -> str:
        return "choose myself"


@dataclass(frozen=True, slots=True)
class Choose:
    """Let others follow a corner, and draw message cards. Rule CH-C0."""

    seats: tuple[Seat, ...]

    def __str__(self) -> str:
        return " ".join(("choose", *map(str, self.seats)))


@dataclass(frozen=True, slots=True)
class PickSpace:
    """Go to a challenge space as a corner says. Rules CH-C5 and CH-C8."""

    space: Key

    def __str__(self) -> str:
        return f"choose {self.space}"


@dataclass(frozen=True, slots=True)
class Swap:
    """Replace a message card as a corner says. Rule CH-C2."""

    card: Key

    def __str__(self) -> str:
        return f"replace {self.card}"


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep a message card and put the rest under the deck. Rule CH-S6."""

    card: Key

    def __str__(self) -> str:
        return f"keep {self.card}"


Move: TypeAlias = Roll | Challenge | Option | Add | Replace | Travel | Done | Myself | Choose | PickSpace | Swap | Keep

ROLL, CHALLENGE, DONE, MYSELF = Roll(), Challenge(), Done(), Myself()


class Notation:
    """Parses moves for the spaces and cards of a board."""

    def __init__(self, spaces: tuple[Key, ...], cards: tuple[Key, ...]) -> None:
        self._spaces, self._cards = frozenset(spaces), frozenset(cards)
        plain: tuple[Move, ...] = (ROLL, CHALLENGE, DONE, MYSELF)
        to_spaces: tuple[Move, ...] = (*map(Option, spaces), *map(PickSpace, spaces))
        with_cards: tuple[Move, ...] = (*map(Swap, cards), *map(Keep, cards))
        self._by_text = {str(move): move for move in (*plain, *to_spaces, *with_cards)}

    def parse(self, text: str) -> Move:
        """Parse a move.

        Raises:
            Refusal: The text is no move (`unreadable`).
        """
        known = self._by_text.get(text)
        if known is not None:
            return known
        match text.split(" "):
            case ["choose", *seats] if seats and set(seats) <= set("012345"):
                return Choose(tuple(sorted(map(int, seats))))
            case ["card", card, *rest] if card in self._cards:
                return self._card(card, rest, text)
            case _:
                raise unreadable(text)

    def _card(self, card: Key, rest: list[str], text: str) -> Move:
        """Parse a move that plays a card."""
        if card.startswith(_ADD) and not rest:
            return Add(card)
        if card.startswith(_REPLACE) and self._cards.issuperset(rest):
            return Replace(card, tuple(rest))
        if card in self._spaces and rest in ([], [PLACE]):
            return Travel(card, card, bool(rest))
        if card == ANY and rest[:1] and rest[0] in self._spaces and rest[1:] in ([], [PLACE]):
            return Travel(card, rest[0], len(rest) > 1)
        raise unreadable(text)


def is_readable(board: Board, move: Move) -> bool:
    """Return whether the spaces exist, and the cards exist and suit the move."""
    match move:
        case Option(space) | PickSpace(space):
            return space in board.space_by_key
        case Swap(card) | Keep(card):
            return card in board.card_by_key
        case Add(card):
            return _kind_of(board, card) is CardKind.ADD
        case Replace(card, others):
            return _kind_of(board, card) is CardKind.REPLACE and board.card_by_key.keys() >= set(others)
        case Travel(card, space):
            kind = _kind_of(board, card)
            return space in board.space_by_key and (kind is CardKind.ANY or (kind is CardKind.SPACE and card == space))
        case _:
            return True


def _kind_of(board: Board, key: str) -> CardKind | None:
    card = board.card_by_key.get(key)
    return None if card is None else board.cards[card].kind
