"""The moves of Change and their notation, in which spaces and cards have keys and seats have numbers."""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from bot.games.change.board import Board, CardKind
from bot.rules.game import Seat
from bot.rules.notation import digits, names, notation, word

SpaceKey: TypeAlias = Annotated[str, word("[a-z]+")]
"""The key of a challenge space, such as `greed`."""

CardKey: TypeAlias = Annotated[str, word("[a-z]+(?:-[0-9])?")]
"""The key of a card: `add-3`, `replace-1`, `greed` or `any`."""

ANY = "any"


@notation("roll")
@dataclass(frozen=True, slots=True)
class Roll:
    """Roll the track dice and act on the space. Rule CH-3."""


@notation("challenge")
@dataclass(frozen=True, slots=True)
class Challenge:
    """Take on the challenge of the space that the track roll led to. Rule CH-6."""


@notation("option {space}")
@dataclass(frozen=True, slots=True)
class Option:
    """Go to another challenge space and take on its challenge. Rule CH-8."""

    space: SpaceKey


@notation("card {card}")
@dataclass(frozen=True, slots=True)
class Add:
    """Play an Add card after a failed challenge. Rule CH-7."""

    card: Annotated[str, word("add-[0-9]")]


@notation("card {card}[ {others}]")
@dataclass(frozen=True, slots=True)
class Replace:
    """Play a Replace card with the cards it replaces. Rule CH-M3."""

    card: Annotated[str, word("replace-[0-9]")]
    others: tuple[CardKey, ...]
    """In the order they go under the deck."""


@notation("card {by_any}{space}{places}")
@dataclass(frozen=True, slots=True)
class Travel:
    """Play a space card, with or without placing a marker there. Rule CH-M4."""

    by_any: Annotated[bool, names({"": False, "any ": True})]
    """Whether the card is not that of the space."""
    space: SpaceKey
    places: Annotated[bool, names({"": False, " place": True})]

    @property
    def card(self) -> CardKey:
        """The card that is played."""
        return ANY if self.by_any else self.space


@notation("done")
@dataclass(frozen=True, slots=True)
class Done:
    """End the turn."""


@notation("choose myself")
@dataclass(frozen=True, slots=True)
class Myself:
    """Follow a corner oneself. Rule CH-C0."""


@notation("choose {seats}")
@dataclass(frozen=True, slots=True)
class Choose:
    """Let others follow a corner, and draw message cards. Rule CH-C0."""

    seats: Annotated[tuple[Annotated[Seat, digits("[0-5]")], ...], sorted]


@notation("choose {space}")
@dataclass(frozen=True, slots=True)
class PickSpace:
    """Go to a challenge space as a corner says. Rules CH-C5 and CH-C8."""

    space: SpaceKey


@notation("replace {card}")
@dataclass(frozen=True, slots=True)
class Swap:
    """Replace a message card as a corner says. Rule CH-C2."""

    card: CardKey


@notation("keep {card}")
@dataclass(frozen=True, slots=True)
class Keep:
    """Keep a message card and put the rest under the deck. Rule CH-S6."""

    card: CardKey


Move: TypeAlias = Roll | Challenge | Option | Add | Replace | Travel | Done | Myself | Choose | PickSpace | Swap | Keep

ROLL, CHALLENGE, DONE, MYSELF = Roll(), Challenge(), Done(), Myself()


def is_readable(board: Board, move: Move) -> bool:
    """Return whether the spaces exist, and the cards exist and suit the move."""
    match move:
        case Option(space=space) | PickSpace(space=space) | Travel(space=space):
            return space in board.space_by_key
        case Swap(card) | Keep(card):
            return card in board.card_by_key
        case Add(card):
            return _kind_of(board, card) is CardKind.ADD
        case Replace(card, others):
            return _kind_of(board, card) is CardKind.REPLACE and board.card_by_key.keys() >= set(others)
        case _:
            return True


def _kind_of(board: Board, key: str) -> CardKind | None:
    card = board.card_by_key.get(key)
    return None if card is None else board.cards[card].kind
