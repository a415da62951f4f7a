"""The board and the message cards: the content of their files, and the same numbered for play."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import chain
from typing import Annotated, Self, TypeAlias

from pydantic import Field, model_validator

from bot.rules.content import ContentModel, Origin, Tables
from bot.rules.package import GameContent

SPACE_COUNT = 32
SET_SIZE = 3

Space: TypeAlias = int
"""A space's number, clockwise from Start (0)."""

Card: TypeAlias = int
"""A kind of message card: its index in `Board.cards`."""

Markers: TypeAlias = int
"""The spaces with a seat's challenge markers: bit n is set for space n."""

START: Space = 0


class SpaceKind(StrEnum):
    """The kind of a space. Rules CH-5, CH-C1 to CH-C8 and CH-S1 to CH-S6."""

    CHALLENGE = "challenge"
    CORNER = "corner"
    START = "start"
    TAKE_A_REST = "take_a_rest"
    EMOTIONAL = "emotional"
    HUMILITY = "humility"
    ARROGANCE = "arrogance"
    BACKSLIDE = "backslide"


class CornerAction(StrEnum):
    """What a corner says to do. Rules CH-C1 to CH-C8."""

    RELEASE = "release"
    REPLACE = "replace"
    ROLL = "roll"
    RETURN = "return"
    PLACE = "place"


class Others(StrEnum):
    """How many others the lander may choose to follow a corner. Rules CH-C1 to CH-C8."""

    ONE = "one"
    SEVERAL = "several"
    ALL = "all"


class _SourcedEntry(ContentModel):
    origin: Origin


Count = Annotated[int, Field(ge=1, le=40)]


class SpaceEntry(_SourcedEntry):
    """A space in the board's file."""

    name: Annotated[str, Field(pattern=r"^[A-Z][A-Za-z0-9 ]{1,19}$")]
    kind: SpaceKind
    credits: Annotated[int, Field(ge=1, le=100)] | None = None
    set: Annotated[str, Field(pattern=r"^[A-Z]$")] | None = None
    action: CornerAction | None = None
    others: Others | None = None
    draws: Annotated[int, Field(ge=1, le=5)] | None = None

    @model_validator(mode="after")
    def _validate_fields(self) -> Self:
        """Refuse a space that lacks a field of its kind, or has another one."""
        needed = {name for name, value in self._allowed_fields().items() if value}
        given = {name for name in ("credits", "set", "action", "others", "draws") if getattr(self, name) is not None}
        if needed != given:
            raise ValueError(f"{self.name} needs {', '.join(sorted(needed)) or 'neither credits nor anything else'}")
        return self

    def draws_for(self, others: int) -> int:
        """Return how many message cards the lander draws when so many other seats follow the corner. Rule CH-C0."""
        return (self.draws or 0) * (others if self.others is Others.SEVERAL else 1)

    def _allowed_fields(self) -> dict[str, bool]:
        is_challenge, is_corner = self.kind is SpaceKind.CHALLENGE, self.kind is SpaceKind.CORNER
        return {
            "credits": is_challenge or self.action is CornerAction.RELEASE,
            "set": is_challenge,
            "action": is_corner,
            "others": is_corner,
            "draws": is_corner,
        }


class BoardFile(ContentModel):
    """All spaces, clockwise from Start."""

    spaces: tuple[SpaceEntry, ...]

    @model_validator(mode="after")
    def _validate_board(self) -> Self:
        """Refuse a board that does not fit the rules."""
        kinds = Counter(space.kind for space in self.spaces)
        sets = Counter(space.set for space in self.spaces if space.set)
        wanted = {SpaceKind.CHALLENGE: 18, SpaceKind.CORNER: 8}
        corners = {space for space in self.spaces if space.kind is SpaceKind.CORNER}
        checks = {
            f"needs {SPACE_COUNT} spaces, not {len(self.spaces)}": len(self.spaces) == SPACE_COUNT,
            "must begin with Start": bool(self.spaces) and self.spaces[0].kind is SpaceKind.START,
            "needs 18 challenge spaces, 8 corners and one space of every other kind": all(
                kinds[kind] == wanted.get(kind, 1) for kind in SpaceKind
            ),
            "needs three spaces in every set": set(sets.values()) == {SET_SIZE},
            "must call every space something else, except equal corners": len({space.name for space in self.spaces})
            == SPACE_COUNT - kinds[SpaceKind.CORNER] + len(corners),
            "must give every challenge space a name of one word": all(
                " " not in space.name for space in self.spaces if space.kind is SpaceKind.CHALLENGE
            ),
        }
        faults = [fault for fault, holds in checks.items() if not holds]
        if faults:
            raise ValueError("; ".join(faults))
        return self


class SpaceCardsEntry(_SourcedEntry):
    """Cards that lead to a space."""

    count: Count


class AddEntry(_SourcedEntry):
    """Cards that add points to a failed challenge. Rule CH-7."""

    points: Annotated[int, Field(ge=1, le=12)]
    count: Count


class ReplaceEntry(_SourcedEntry):
    """Cards that replace others. Rule CH-M3."""

    most: Annotated[int, Field(ge=1, le=4)]
    count: Count


class DeckFile(ContentModel):
    """All message cards."""

    space_cards: SpaceCardsEntry
    any_space: SpaceCardsEntry
    add: tuple[AddEntry, ...]
    replace: tuple[ReplaceEntry, ...]

    @model_validator(mode="after")
    def _validate_deck(self) -> Self:
        """Refuse two entries for the same card."""
        if len({each.points for each in self.add}) < len(self.add):
            raise ValueError("must have one entry for each Add card")
        if len({each.most for each in self.replace}) < len(self.replace):
            raise ValueError("must have one entry for each Replace card")
        return self


class ChangeContent(GameContent):
    """The content of Change."""

    board: BoardFile
    deck: DeckFile
    network: Tables
    """The weights that estimate chances of winning (`bot.games.change.minds.win_chances`)."""


class CardKind(StrEnum):
    """What a message card does. Rules CH-7, CH-M3 and CH-M4."""

    ADD = "add"
    REPLACE = "replace"
    SPACE = "space"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class CardFace:
    """The face of a message card."""

    key: str
    """The card in the notation: `add-3`, `replace-2`, `greed` or `any`."""
    kind: CardKind
    amount: int = 0
    """The points of an Add card, or the most cards that a Replace card replaces."""
    space: Space | None = None


@dataclass(frozen=True, eq=False)
class Board:
    """The board and the cards, numbered."""

    spaces: tuple[SpaceEntry, ...]
    cards: tuple[CardFace, ...]
    """The kinds of cards."""
    deck: tuple[Card, ...]
    """All cards, sorted."""

    @staticmethod
    def from_content(content: ChangeContent) -> "Board":
        """Number the cards of the files."""
        counted = tuple(_count_card_faces(content))
        deck = chain.from_iterable([card] * count for card, (_face, count) in enumerate(counted))
        return _get_board(content.board.spaces, tuple(face for face, _count in counted), tuple(deck))

    def __reduce__(self) -> tuple[Callable[..., "Board"], tuple[object, ...]]:
        return _get_board, (self.spaces, self.cards, self.deck)

    @cached_property
    def add_amounts(self) -> tuple[int, ...]:
        """The points of all Add cards, highest first."""
        faces = (self.cards[card] for card in self.deck)
        return tuple(sorted((face.amount for face in faces if face.kind is CardKind.ADD), reverse=True))

    @cached_property
    def challenge_spaces(self) -> tuple[Space, ...]:
        """The challenge spaces, clockwise."""
        return tuple(at for at, space in enumerate(self.spaces) if space.kind is SpaceKind.CHALLENGE)

    @cached_property
    def credits(self) -> tuple[int, ...]:
        """The credits of each challenge space; 0 for other spaces."""
        return tuple((space.credits or 0) if space.kind is SpaceKind.CHALLENGE else 0 for space in self.spaces)

    @cached_property
    def set_of(self) -> tuple[Markers, ...]:
        """For each challenge space, the markers that fill its set; 0 for other spaces. Rule CH-11."""
        return tuple(
            sum(1 << at for at, other in enumerate(self.spaces) if space.set and other.set == space.set)
            for space in self.spaces
        )

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The keys of challenge spaces in the notation, such as `greed`; empty for other spaces."""
        return tuple(space.name.lower() if space.kind is SpaceKind.CHALLENGE else "" for space in self.spaces)

    @cached_property
    def space_by_key(self) -> dict[str, Space]:
        """The challenge spaces by their keys."""
        return {self.keys[space]: space for space in self.challenge_spaces}

    @cached_property
    def card_by_key(self) -> dict[str, Card]:
        """The cards by their keys."""
        return {face.key: card for card, face in enumerate(self.cards)}


# Boards are compared by identity. In another process, which gets one view after another, they are to be the same, too.
@lru_cache(maxsize=8)
def _get_board(spaces: tuple[SpaceEntry, ...], cards: tuple[CardFace, ...], deck: tuple[Card, ...]) -> Board:
    return Board(spaces, cards, deck)


def _count_card_faces(content: ChangeContent) -> Iterable[tuple[CardFace, int]]:
    """Yield every kind of card with its number of copies."""
    deck = content.deck
    for add in deck.add:
        yield CardFace(f"add-{add.points}", CardKind.ADD, amount=add.points), add.count
    for replace in deck.replace:
        yield CardFace(f"replace-{replace.most}", CardKind.REPLACE, amount=replace.most), replace.count
    for at, space in enumerate(content.board.spaces):
        if space.kind is SpaceKind.CHALLENGE:
            yield CardFace(space.name.lower(), CardKind.SPACE, space=at), deck.space_cards.count
    yield CardFace("any", CardKind.ANY), deck.any_space.count


def spaces_in(markers: Markers) -> tuple[Space, ...]:
    """Return the spaces with a marker, clockwise."""
    return tuple(space for space in range(SPACE_COUNT) if markers >> space & 1)
