"""Fortune's dice, options, refusal reasons, turn and state."""

from enum import IntEnum, StrEnum
from typing import Annotated, NamedTuple, TypeAlias

from pydantic import Field

from bot.games.fortune.deck import Card, CardKind
from bot.rules.game import Options, Seat
from bot.rules.options import OfferedValues
from bot.rules.outcome import EndReason
from bot.rules.refusals import RefusalReason
from bot.words import N_

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
FACE_LETTERS = "KMPSGD"
"""The faces in the notation of positions."""

Faces: TypeAlias = tuple[Face, ...]

Places: TypeAlias = tuple[int, ...]
"""Places of dice, 1 to 8, in rising order; a die keeps its place when rolled."""

ALL_PLACES: Places = tuple(range(1, DICE_COUNT + 1))


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

    @property
    def is_in_doubt(self) -> bool:
        """Whether the player has three skulls and may still use the Sorceress. Rule FO-C3."""
        return self.spell and not self.island and self.skulls > MAX_SKULLS

    @property
    def rolls_left(self) -> bool:
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
