"""What Change is made of: options, the state, and what everybody or one seat sees of it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, TypeAlias

from pydantic import Field

from bot.games.change.board import Board, Card, Markers, Space
from bot.rules.game import Options, Seat
from bot.rules.options import OfferedValues
from bot.rules.outcome import EndReason
from bot.rules.refusals import RefusalFacts, RefusalReason
from bot.rules.roll_off import RollOffRound
from bot.words import N_

MARKERS_PER_SEAT = 12
"""Every seat has so many challenge markers. Rule CH-1."""

SCORE_STEP = 1
"""Credits differ by this or a multiple of it."""

MAX_HAND_SIZE = 5
"""Nobody holds more message cards. Rule CH-M1."""

TRACK_DICE_COUNT = 2
"""Rolled for the start, and to move. Rules CH-2 and CH-3."""

CHALLENGE_TARGET = 13
"""The points that a challenge takes. Rule CH-6."""

CHALLENGE_ODDS = 26_936 / 46_656
"""The part of all challenges that reach them by dice alone: of so many ways in which the six dice fall."""

STANDARD_CREDITS, SHORT_CREDITS = 120, 50
"""What everybody starts with in the standard and in the short game. Rule CH-1."""

Hand: TypeAlias = tuple[Card, ...]
"""The message cards of a seat, in the order of the kinds."""

Dice: TypeAlias = tuple[int, ...]


class ChangeOptions(Options):
    """Rules CH-1, CH-11 and CH-14."""

    credits: Annotated[int, OfferedValues((20, 50, 80, 120, 160, 200, 300))] = Field(
        default=STANDARD_CREDITS,
        ge=20,
        le=300,
        title=N_("Self Credits"),
        description=N_("What everyone starts with: 120 in the standard game, 50 in the short one."),
    )
    sets: bool = Field(
        default=True,
        title=N_("Sets"),
        description=N_("With markers on all three spaces of a set, you release double there."),
    )
    games: Annotated[int, OfferedValues(tuple(range(1, 10)))] = Field(
        default=1,
        ge=1,
        le=9,
        title=N_("Games"),
        description=N_("Play a tournament: credits left over add up from game to game, and the lowest total wins."),
    )


class Stage(StrEnum):
    """What is being waited for."""

    ROLL = "roll"
    """The track roll that a turn begins with. Rule CH-3."""
    FREE = "free"
    """Whatever a turn still allows after its roll. Rules CH-6, CH-8 and CH-M2."""
    CORNER = "corner"
    """Who does what the corner says. Rule CH-C0."""
    RETURN = "return"
    """A space with a marker to go to. Rule CH-C5."""
    PLACE = "place"
    """A space to place a marker on. Rule CH-C8."""
    SWAP = "swap"
    """A message card to replace. Rule CH-C2."""
    KEEP = "keep"
    """The message card that is kept. Rule CH-S6."""
    OVER = "over"


class ChangeEnd(EndReason):
    """Why a game of Change is over. Rule CH-12."""

    NO_CREDITS = "no_credits"


class ChangeReason(RefusalReason):
    """Why a move is refused."""

    ROLL_FIRST = "roll_first"
    ROLLED_ALREADY = "rolled_already"
    CHOOSE_FIRST = "choose_first"
    SPACE_FIRST = "space_first"
    CARD_FIRST = "card_first"
    KEEP_FIRST = "keep_first"
    NOTHING_TO_CHOOSE = "nothing_to_choose"
    NO_CHALLENGE = "no_challenge"
    OPTION_USED = "option_used"
    NO_MARKERS_LEFT = "no_markers_left"
    MARKER_THERE = "marker_there"
    NO_MARKER_THERE = "no_marker_there"
    STANDING_THERE = "standing_there"
    NOT_HELD = "not_held"
    NOTHING_TO_ADD_TO = "nothing_to_add_to"
    NOTHING_REPLACED = "nothing_replaced"
    TOO_MANY_REPLACED = "too_many_replaced"
    NOBODY_CHOSEN = "nobody_chosen"
    NOT_YOURSELF = "not_yourself"
    NOT_ABLE = "not_able"
    ONE_ONLY = "one_only"
    ALL_OF_THEM = "all_of_them"
    SEAT_TWICE = "seat_twice"
    YOU_CANNOT = "you_cannot"


@dataclass(frozen=True)
class SpaceFacts(RefusalFacts):
    """The name of a space."""

    space: str


@dataclass(frozen=True)
class CardFacts(RefusalFacts):
    """The key of a message card."""

    card: str


@dataclass(frozen=True)
class ReplacementFacts(RefusalFacts):
    """How many cards may be replaced."""

    most: int


@dataclass(frozen=True, slots=True)
class PublicState:
    """What everybody sees of a position."""

    board: Board
    options: ChangeOptions
    roll_off: tuple[RollOffRound, ...]
    """Rule CH-2."""
    credits: tuple[int, ...]
    markers: tuple[Markers, ...]
    squares: tuple[Space, ...]
    """Where every Ragz stands."""
    held: tuple[int, ...]
    """How many message cards every seat holds."""
    turn: Seat
    stage: Stage
    asked: tuple[Seat, ...]
    """The seats that have to decide, in this order; nobody once the game is over."""
    draws: int
    """The message cards that the lander draws when they have. Rule CH-C0."""
    may_challenge: bool
    """Whether the challenge of the space that the track roll led to is open. Rule CH-6."""
    missing: int
    """The points that a failed challenge lacks; 0 without one. Rule CH-7."""
    may_travel: bool
    """Whether neither an option move nor a space card was played in this turn. Rules CH-8 and CH-M4."""

    @property
    def mover(self) -> Seat | None:
        """The seat to move."""
        return self.asked[0] if self.asked else None

    def markers_left(self, seat: Seat) -> int:
        """Return how many challenge markers a seat has not placed."""
        return MARKERS_PER_SEAT - self.markers[seat].bit_count()

    def room_in_hand(self, seat: Seat) -> int:
        """Return how many message cards a seat can still draw. Rule CH-M1."""
        return MAX_HAND_SIZE - self.held[seat]

    @property
    def may_play_cards(self) -> bool:
        """Whether whoever has the turn may hold a card that can be played now, as far as everybody can tell.

        One card can help a failed challenge or lead to a space; replacing takes two. Rules CH-7, CH-M3 and CH-M4.
        """
        held = self.held[self.turn]
        return held > 1 or (held == 1 and (self.may_travel or self.missing > 0))

    def released_credits_for(self, seat: Seat, space: Space) -> int:
        """Return what a seat's marker on a space releases when somebody lands there. Rules CH-5 and CH-11."""
        return released_credits(self.board, self.markers[seat], space, sets=self.options.sets)


def released_credits(board: Board, markers: Markers, space: Space, *, sets: bool) -> int:
    """Return what markers release when somebody lands on a space: double in a full set. Rules CH-5 and CH-11."""
    if not markers >> space & 1:
        return 0
    whole = board.set_of[space]
    return board.credits[space] * (2 if sets and markers & whole == whole else 1)


@dataclass(frozen=True, slots=True)
class State:
    """A position."""

    public: PublicState
    hands: tuple[Hand, ...]
    deck: tuple[Card, ...]
    """The card on top comes first."""


@dataclass(frozen=True, slots=True)
class View:
    """What a seat knows of a position: everything but the hands of others and the order of the deck. Rule CH-M1."""

    public: PublicState
    seat: Seat | None
    """Whose view it is; None for a spectator."""
    hand: Hand
    """The seat's own cards; a spectator has none."""
