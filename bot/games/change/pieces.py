"""Change's options, hands, players and state, refusal reasons, and events."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, NamedTuple, TypeAlias

from pydantic import Field

from bot.games.change.board import Board, Card, Markers, Space, spaces_in
from bot.rules.game import EndReason, Options, RollOffRound, Seat, SeatEvent
from bot.rules.options import OfferedValues
from bot.rules.refusals import RefusalFacts, RefusalReason
from bot.words import N_, NC_

MARKERS_PER_SEAT = 12
"""The challenge markers of each seat. Rule CH-1."""

MAX_HAND_SIZE = 5
"""The most message cards in a hand. Rule CH-M1."""

TRACK_DICE_COUNT = 2
"""The dice rolled to start and to move. Rules CH-2 and CH-3."""

CHALLENGE_TARGET = 13
"""The points needed for a challenge. Rule CH-6."""

HUMILITY_CREDITS = 10
"""The credits that Humility releases. Rule CH-S4."""

CHALLENGE_ODDS = 26_936 / 46_656
"""The chance to succeed in a challenge by dice alone, over all rolls of six dice."""

STANDARD_CREDITS, SHORT_CREDITS = 120, 50
"""The credits at the start of the standard and the short game. Rule CH-1."""

Hand: TypeAlias = tuple[Card, ...]
"""The message cards of a seat, sorted."""

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
        title=NC_("spaces", "Sets"),
        description=N_("With markers on all three spaces of a set, you release double there."),
    )
    games: Annotated[int, OfferedValues(tuple(range(1, 10)))] = Field(
        default=1,
        ge=1,
        le=9,
        title=NC_("number", "Games"),
        description=N_("Play a tournament: credits left over add up from game to game, and the lowest total wins."),
    )


class Stage(StrEnum):
    """What the seat to move must do."""

    ROLL = "roll"
    """Roll the track dice. Rule CH-3."""
    FREE = "free"
    """Anything allowed after the roll. Rules CH-6, CH-8 and CH-M2."""
    CORNER = "corner"
    """Choose who follows the corner. Rule CH-C0."""
    RETURN = "return"
    """Choose a marker to go to. Rule CH-C5."""
    PLACE = "place"
    """Choose a space for a marker. Rule CH-C8."""
    SWAP = "swap"
    """Choose a message card to replace. Rule CH-C2."""
    KEEP = "keep"
    """Choose a message card to keep. Rule CH-S6."""
    OVER = "over"


class ChangeEnd(EndReason):
    """Why the game ends. Rule CH-12."""

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
    """How many cards a Replace card replaces."""

    most: int


class PublicState(NamedTuple):
    """The part of a position that everyone sees. A NamedTuple because each move creates one."""

    board: Board
    options: ChangeOptions
    roll_off: tuple[RollOffRound, ...]
    """Rule CH-2."""
    credits: tuple[int, ...]
    markers: tuple[Markers, ...]
    ragz_spaces: tuple[Space, ...]
    """The space of each seat's Ragz."""
    hand_sizes: tuple[int, ...]
    turn: Seat
    stage: Stage
    asked: tuple[Seat, ...]
    """The seats that must decide, in order; empty once the game is over."""
    draws: int
    """The message cards that the lander draws after the others have decided. Rule CH-C0."""
    may_challenge: bool
    """Whether the challenge of the space reached by the track roll is open. Rule CH-6."""
    missing: int
    """The points that a failed challenge lacks, or 0. Rule CH-7."""
    may_travel: bool
    """Whether the turn's option move or space card is unused. Rules CH-8 and CH-M4."""

    @property
    def mover(self) -> Seat | None:
        """The seat to move."""
        return self.asked[0] if self.asked else None

    def markers_left(self, seat: Seat) -> int:
        """Return the number of unplaced challenge markers of a seat."""
        return MARKERS_PER_SEAT - self.markers[seat].bit_count()

    def room_in_hand(self, seat: Seat) -> int:
        """Return the number of message cards that a seat can still draw. Rule CH-M1."""
        return MAX_HAND_SIZE - self.hand_sizes[seat]

    @property
    def may_make_option_move(self) -> bool:
        """Whether the turn's seat has its option move and a marker to win by it. Rule CH-8."""
        return self.may_travel and self.markers_left(self.turn) > 0

    @property
    def may_play_cards(self) -> bool:
        """Whether, judged by hand size alone, the turn's seat may have a playable card.

        One card can help a failed challenge or lead to a space; replacing takes two. Rules CH-7, CH-M3 and CH-M4.
        """
        size = self.hand_sizes[self.turn]
        return size > 1 or (size == 1 and (self.may_travel or self.missing > 0))

    @property
    def add_cards_may_help(self) -> bool:
        """Whether, judged by hand size alone, Add cards can make up what a failed challenge lacks. Rule CH-7."""
        return 0 < self.missing <= sum(self.board.add_amounts[: self.hand_sizes[self.turn]])

    @property
    def open_spaces(self) -> tuple[Space, ...]:
        """The spaces that the mover can go to or challenge without a card. Rules CH-6, CH-8, CH-C5 and CH-C8."""
        if self.mover is None:
            return ()
        markers, here = self.markers[self.mover], self.ragz_spaces[self.mover]
        free = [space for space in self.board.challenge_spaces if not markers >> space & 1]
        match self.stage:
            case Stage.FREE:
                can_travel = self.may_make_option_move
                return tuple(space for space in free if (self.may_challenge if space == here else can_travel))
            case Stage.RETURN:
                return spaces_in(markers)
            case Stage.PLACE:
                return tuple(free)
            case _:
                return ()

    def released_credits_for(self, seat: Seat, space: Space) -> int:
        """Return the credits that a seat's marker on a space releases at a landing. Rules CH-5 and CH-11."""
        return released_credits(self.board, self.markers[seat], space, sets=self.options.sets)

    def change_for_lander(self, seat: Seat, space: Space) -> int:
        """Return how a landing on a space changes the credits of the seat that lands. Rule CH-5."""
        return -self.released_credits_for(seat, space) or self.board.credits[space]


def released_credits(board: Board, markers: Markers, space: Space, *, sets: bool) -> int:
    """Return the credits that markers release at a landing on a space: double in a full set. Rules CH-5 and CH-11."""
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
    """The top card comes first."""


@dataclass(frozen=True, slots=True)
class View:
    """A seat's view of a position: without the hands of others and the deck. Rule CH-M1."""

    public: PublicState
    seat: Seat | None
    """The viewer, or None for a spectator."""
    hand: Hand
    """The viewer's cards."""


@dataclass(frozen=True, slots=True)
class TrackRolled(SeatEvent):
    """The track dice were rolled. Rules CH-3, CH-4 and CH-S3."""

    dice: Dice
    space: Space
    """The space reached: Start after doubles."""

    @property
    def is_double(self) -> bool:
        """Whether the dice are doubles, which end the turn. Rule CH-4."""
        return self.dice[0] == self.dice[1]


@dataclass(frozen=True, slots=True)
class Landed(SeatEvent):
    """A seat landed on a challenge space. Rule CH-5."""

    space: Space
    changes: tuple[int, ...]
    """The change of each seat's credits."""


@dataclass(frozen=True, slots=True)
class Challenged(SeatEvent):
    """A seat tried a challenge. Rule CH-6."""

    space: Space
    rolls: tuple[Dice, Dice, Dice]
    """The rolls of three, two and one die; the highest die of each counts."""

    @property
    def total(self) -> int:
        """The sum of the dice set aside."""
        return sum(map(max, self.rolls))

    @property
    def has_succeeded(self) -> bool:
        """Whether the dice alone suffice."""
        return self.total >= CHALLENGE_TARGET


@dataclass(frozen=True, slots=True)
class MarkerPlaced(SeatEvent):
    """A seat placed a challenge marker. Rules CH-6, CH-7, CH-C8 and CH-M4."""

    space: Space
    fills_set: bool
    """Whether the seat now releases double in the set. Rule CH-11."""


@dataclass(frozen=True, slots=True)
class CardPlayed(SeatEvent):
    """A seat played a message card. Rules CH-7, CH-M2 and CH-M4."""

    card: Card

    @property
    def reveals_information(self) -> bool:
        """True: the card was secret."""
        return True


@dataclass(frozen=True, slots=True)
class CardsReplaced(SeatEvent):
    """A seat put cards under the deck, unseen, and drew as many. Rules CH-C2 and CH-M3."""

    count: int


@dataclass(frozen=True, slots=True)
class CardsLost(SeatEvent):
    """A seat kept one card and put the rest under the deck, unseen. Rule CH-S6."""

    count: int


@dataclass(frozen=True, slots=True)
class CardsDrawn(SeatEvent):
    """A seat drew message cards. Rule CH-M1."""

    count: int


@dataclass(frozen=True, slots=True)
class CardsSeen(SeatEvent):
    """The faces of drawn cards, for the seat that drew them."""

    cards: tuple[Card, ...]

    @property
    def audience(self) -> Seat | None:
        """The seat that drew."""
        return self.seat


@dataclass(frozen=True, slots=True)
class Chosen(SeatEvent):
    """The lander let others follow a corner. Rule CH-C0."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Released(SeatEvent):
    """A seat released credits at a corner or by Humility. Rules CH-C1, CH-C3 to CH-C7 and CH-S4."""

    count: int
    space: Space
    """The space that caused it."""
    dice: Dice
    """The dice rolled for it, if any."""


@dataclass(frozen=True, slots=True)
class Received(SeatEvent):
    """A seat received credits by Arrogance. Rule CH-S5."""

    space: Space
    dice: Dice


@dataclass(frozen=True, slots=True)
class Moved(SeatEvent):
    """A Ragz moved to a space without landing there. Rules CH-C5, CH-C8 and CH-S2."""

    space: Space


@dataclass(frozen=True, slots=True)
class SpaceSkipped(SeatEvent):
    """A seat came to a corner that no one can follow, or to Backslide with a card at most. Rules CH-C0 and CH-S6."""

    space: Space


GameEvent: TypeAlias = (
    TrackRolled
    | Landed
    | Challenged
    | MarkerPlaced
    | CardPlayed
    | CardsReplaced
    | CardsLost
    | CardsDrawn
    | CardsSeen
    | Chosen
    | Released
    | Received
    | Moved
    | SpaceSkipped
)
"""An event of the game."""
