"""Fortune's cards, dice, options, refusal reasons, turn and state, its moves with their notation, and its events.

To add a card:

1. name its kind in `CardKind`, give it an entry (`PlainEntry` if it has no figures), and put it into
   `data/fortune/deck.toml`;
2. decide what its dice score in `scoring`, and what it allows or changes in `rules`; what an evaluation has to know
   of it stands in `minds.turn_values`;
3. word it in `words` (`CARD_TEXTS`, `_CARD_EFFECTS`, `_CARD_RULES`), draw it in `card_picture` (a tag, and art in
   `_ON_RAYS` or a file `card-<kind>`), and name a part or a note of its own in `facts` and in the tables of words;
4. explain it on a page of `guide`.

The tests of `tests/games/fortune` and the golden files fail for what is left out of 3 and 4.
"""

from collections import Counter
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import lru_cache
from itertools import compress
from typing import Annotated, Literal, NamedTuple, TypeAlias

from pydantic import Field, model_validator

from bot.rules.content import ContentModel, Origin, Tables
from bot.rules.game import EndReason, Event, Options, Seat, SeatEvent
from bot.rules.notation import digits, notation
from bot.rules.options import OfferedValues
from bot.rules.package import GameContent
from bot.rules.refusals import RefusalReason
from bot.words import N_

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


# Saves 15 us of a click.
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
    """The chances of winning (`bot.games.fortune.minds.race`)."""


MOST_SEATS = 4
DICE_COUNT = 8
MIN_ROLLED_DICE = 2
"""A single die can't be rolled. Rule FO-2."""

MAX_SKULLS = 2
"""One more ends the turn. Rule FO-3."""

MAX_STORM_ROLLS = 2
"""Rolls of a turn in a Storm. Rule FO-C8."""


class Face(IntEnum):
    """The face of a die."""

    SKULL = 0
    MONKEY = 1
    PARROT = 2
    SWORD = 3
    GOLD = 4
    DIAMOND = 5


FACES = tuple(Face)
SIDES = len(FACES)
FACE_LETTERS = "KMPSGD"
"""The faces in the notation of positions."""

Faces: TypeAlias = tuple[Face, ...]

Place: TypeAlias = Annotated[int, digits("[0-9]")]
"""The place of a die, 1 to 8, which it keeps when rolled."""

Places: TypeAlias = Annotated[tuple[Place, ...], sorted]
"""Places of dice, in rising order."""

ALL_PLACES: Places = tuple(range(1, DICE_COUNT + 1))


def free_places(faces: Faces) -> Places:
    """Return the places of the dice without a skull."""
    return tuple(compress(ALL_PLACES, faces))


def faces_at(faces: Faces, places: Places) -> Faces:
    """Return the faces of the dice at some places."""
    return tuple([faces[place - 1] for place in places])


class FortuneOptions(Options):
    """Rule FO-O1."""

    target: Annotated[int, OfferedValues((1000, 2000, 3000, 5000, 8000, 10_000, 15_000, 20_000))] = Field(
        default=8000,
        ge=1000,
        le=20_000,
        title=N_("Finish line"),
        description=N_("Score to beat: passing it starts the last round."),
    )
    nine_wins: bool = Field(
        default=False,
        title=N_("Nine wins"),
        description=N_(
            "Eight gold with the Gold card, or eight diamonds with the Diamond card, win the game immediately."
        ),
    )


class FortuneReason(RefusalReason):
    """Why a move is refused."""

    FIRST_ROLL = "first_roll"
    TOO_FEW_DICE = "too_few_dice"
    NO_SUCH_DIE = "no_such_die"
    DIE_TWICE = "die_twice"
    OUT_OF_ORDER = "out_of_order"
    SKULL_STAYS = "skull_stays"
    THIRD_SKULL = "third_skull"
    NO_ROLLS_LEFT = "no_rolls_left"
    WHOLE_CREW = "whole_crew"
    NO_CHEST = "no_chest"
    SKULL_IN_CHEST = "skull_in_chest"
    ROLLED_FROM_CHEST = "rolled_from_chest"
    NO_SORCERESS = "no_sorceress"
    SPELL_USED = "spell_used"
    NO_SPELL_ON_ISLAND = "no_spell_on_island"
    NOT_A_SKULL = "not_a_skull"


class FortuneEnd(EndReason):
    """Why a game of Fortune is over."""

    LINE_CROSSED = "line_crossed"
    NINE_OF_A_KIND = "nine_of_a_kind"


class Ending(StrEnum):
    """How a turn ended."""

    STOPPED = "stopped"
    DISQUALIFIED = "disqualified"
    ISLAND = "island"


class Turn(NamedTuple):
    """The current turn."""

    card: Card
    faces: Faces = ()
    """The eight dice by place; empty before the first roll."""
    free: Places = ALL_PLACES
    """The dice without a skull."""
    rolls: int = 0
    """Rolls so far."""
    chest: Places = ()
    """The dice in the treasure chest. Rule FO-C1."""
    spell: bool = False
    """Whether a Sorceress can still help. Rule FO-C3."""
    island: bool = False
    """Whether the player is on the Island of Skulls. Rule FO-9."""

    @property
    def skulls(self) -> int:
        """The number of skulls on dice and card. Rule FO-3."""
        return self.card.skulls + DICE_COUNT - len(self.free)

    def kept(self, rolled: Places) -> Places:
        """Return the dice without a skull that a roll leaves lying."""
        return tuple([place for place in self.free if place not in rolled])

    @property
    def is_in_doubt(self) -> bool:
        """Whether the player has three skulls and may still use the Sorceress. Rule FO-C3."""
        return self.spell and not self.island and self.skulls > MAX_SKULLS

    @property
    def may_roll(self) -> bool:
        """Whether the card still allows a roll: a Storm has two. Rule FO-C8."""
        return self.rolls < MAX_STORM_ROLLS or self.card.kind is not CardKind.STORM


class State(NamedTuple):
    """A position; nothing in it is secret, so it is also every seat's view."""

    options: FortuneOptions
    scores: tuple[int, ...]
    mover: Seat | None
    """The seat to move; None once the game is over."""
    crosser: Seat | None
    """The first seat to cross the finish line; the game ends before its next turn. Rules FO-E1 and FO-E2."""
    turn: Turn
    """The current turn, or the last one."""
    unseen: tuple[Card, ...]
    """The cards not turned up yet, in the order of the deck; which one comes is up to chance."""
    returned: tuple[Card, ...]
    """The cards at the bottom of the pile, in the order in which they return. Rule FO-1."""
    nine: Seat | None = None
    """The seat that won with nine of a kind. Rule FO-8."""


@notation("roll[ {dice}][ chest {chest}]")
class Roll(NamedTuple):
    """Roll these dice, with those in the treasure chest. Rules FO-2 and FO-C1."""

    dice: Places
    chest: Places = ()


@notation("sorceress {skull}[ with {dice}]")
class Revive(NamedTuple):
    """Free a skull with the Sorceress, and roll it with these other dice. Rule FO-C3."""

    skull: Place
    dice: Places = ()


@notation("stop")
@dataclass(frozen=True, slots=True)
class Stop:
    """End the turn. Rule FO-4."""


Move: TypeAlias = Roll | Revive | Stop

STOP = Stop()


@dataclass(frozen=True, slots=True)
class CardTurned(SeatEvent):
    """A turn began with this card. Rule FO-1."""

    card: Card

    @property
    def reveals_information(self) -> bool:
        """Always true: the card is turned up even if the pile comes round without chance."""
        return True


@dataclass(frozen=True, slots=True)
class Rolled(SeatEvent):
    """Dice were rolled, all eight at first. Rules FO-2 and FO-C3."""

    dice: Places
    faces: Faces
    """All eight dice after the roll."""
    revived: int | None = None
    """The place of the skull that the Sorceress freed."""


@dataclass(frozen=True, slots=True)
class Sailed(SeatEvent):
    """The first roll brought the player to the Island of Skulls. Rule FO-9."""

    skulls: int


@dataclass(frozen=True, slots=True)
class TurnEnded(SeatEvent):
    """A turn is over."""

    turn: Turn
    ending: Ending
    points: int
    """The change of the seat's total."""
    toll: int
    """The points that every opponent lost. Rule FO-9."""


@dataclass(frozen=True, slots=True)
class LineCrossed(SeatEvent):
    """A seat crossed the finish line: every other seat has one more turn. Rule FO-E1."""


@dataclass(frozen=True, slots=True)
class LineLost(Event):
    """No seat was above the line after the last round, so play goes on. Rule FO-E2."""


GameEvent: TypeAlias = CardTurned | Rolled | Sailed | TurnEnded | LineCrossed | LineLost
"""An event of the game."""
