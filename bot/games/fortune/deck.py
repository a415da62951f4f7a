"""The deck of cards."""

from collections import Counter
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Literal, NamedTuple, TypeAlias

from pydantic import Field, model_validator

from bot.rules.content import ContentModel, Origin, Tables
from bot.rules.package import GameContent

DECK_SIZE = 35
"""Cards in the deck. Rule FO-1."""


class CardKind(StrEnum):
    """The kinds of cards; each has its own rule."""

    TREASURE_CHEST = "treasure-chest"
    CAPTAIN = "captain"
    SORCERESS = "sorceress"
    SEA_BATTLE = "sea-battle"
    GOLD = "gold"
    DIAMOND = "diamond"
    MONKEY_BUSINESS = "monkey-business"
    SKULLS = "skulls"
    STORM = "storm"
    TRUCE = "truce"


class Card(NamedTuple):
    """A card with its figures."""

    kind: CardKind
    skulls: int = 0
    """The skulls that the turn starts with. Rule FO-C7."""
    swords: int = 0
    """The swords that win a Sea Battle. Rule FO-C4."""
    bonus: int = 0
    """The points won or lost in a Sea Battle. Rule FO-C4."""

    def __str__(self) -> str:
        return name_of(self)


# 15 us of a click.
@lru_cache(maxsize=64)
def name_of(card: Card) -> str:
    """Return a card in the notation: its kind and its figures."""
    return "-".join((card.kind, *(str(figure) for figure in (card.skulls, card.swords, card.bonus) if figure)))


class _CardEntry(ContentModel):
    """A number of equal cards."""

    card: Origin
    """The origin of the card's figures."""
    copies: int = Field(ge=1, le=DECK_SIZE)
    copies_from: Origin
    """The origin of the number of copies."""

    def build_card(self) -> Card:
        """Return the card with the figures of its kind."""
        return Card(**self.model_dump(include=set(Card._fields)))


class PlainEntry(_CardEntry):
    """Equal cards without figures."""

    kind: Literal[
        CardKind.TREASURE_CHEST,
        CardKind.CAPTAIN,
        CardKind.SORCERESS,
        CardKind.GOLD,
        CardKind.DIAMOND,
        CardKind.MONKEY_BUSINESS,
        CardKind.STORM,
        CardKind.TRUCE,
    ]


class SkullsEntry(_CardEntry):
    """Equal cards with skulls."""

    kind: Literal[CardKind.SKULLS]
    skulls: int = Field(ge=1, le=2)


class SeaBattleEntry(_CardEntry):
    """Equal cards with swords to roll, and points to win or lose."""

    kind: Literal[CardKind.SEA_BATTLE]
    swords: int = Field(ge=2, le=8)
    bonus: int = Field(ge=100, le=5000, multiple_of=100)


CardEntry: TypeAlias = Annotated[PlainEntry | SkullsEntry | SeaBattleEntry, Field(discriminator="kind")]


class Deck(ContentModel):
    """The deck as a list of entries."""

    cards: tuple[CardEntry, ...]

    @model_validator(mode="after")
    def _validate_deck(self) -> "Deck":
        """Raise ValueError for a wrong number of cards, or equal entries."""
        count = sum(entry.copies for entry in self.cards)
        if count != DECK_SIZE:
            raise ValueError(f"the deck has {DECK_SIZE} cards, not {count}")
        names = Counter(str(entry.build_card()) for entry in self.cards)
        twice = [name for name, times in names.items() if times > 1]
        if twice:
            raise ValueError(f"cards that are alike belong in one entry; look at {', '.join(twice)}")
        missing = sorted(set(CardKind) - {entry.kind for entry in self.cards})
        if missing:
            raise ValueError(f"there is no card of the kind {', '.join(missing)}")
        return self

    def all_cards(self) -> tuple[Card, ...]:
        """Return every card, equal ones side by side."""
        return tuple(card for entry in self.cards for card in (entry.build_card(),) * entry.copies)


class FortuneContent(GameContent):
    """The content of Fortune."""

    deck: Deck
    race: Tables
    """The chances of winning (`bot.games.fortune.race`)."""
