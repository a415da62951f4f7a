"""What a position says beyond its state, decided once for the screen, the reading, the news, the picture and hints."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from functools import cache
from itertools import product, takewhile
from typing import NamedTuple

from bot.games.change.board import Board, Card, CardKind, Space, SpaceEntry, spaces_in
from bot.games.change.pieces import (
    CardPlayed,
    CardsSeen,
    Challenged,
    GameEvent,
    Landed,
    PublicState,
    Received,
    Released,
    Stage,
    TrackRolled,
    View,
)
from bot.games.change.turns import can_act_at_corner, current_corner, eligible_others
from bot.rules.game import Seat
from bot.rules.story import split_turns

_SIDES = 6


class Step(Enum):
    """A step that may follow the roll of a turn, besides its end."""

    CHALLENGE = auto()
    """Rule CH-6."""
    OPTION_MOVE = auto()
    """Rule CH-8."""
    CARDS = auto()
    """Rule CH-M2."""


def open_steps(public: PublicState) -> tuple[Step, ...]:
    """Return the steps that may follow in the turn, judged by the public state."""
    if public.stage is not Stage.FREE:
        return ()
    possible = zip(Step, (public.may_challenge, public.may_make_option_move, public.may_play_cards), strict=True)
    return tuple(step for step, is_possible in possible if is_possible)


def waits_for_card(public: PublicState, *, is_end_advised: bool) -> bool:
    """Return whether the next move is probably a card, judged by the public state.

    Most hands have a card that goes to a space, so it comes before the end of the turn. A Replace card alone is too
    unlikely to wait for.

    Args:
        public: The public state.
        is_end_advised: Whether ending the turn is what stands out at the table.
    """
    if public.stage is not Stage.FREE:
        return public.stage in (Stage.SWAP, Stage.KEEP)
    may_go_by_card = public.may_travel and public.hand_sizes[public.turn] > 0
    return not public.may_challenge and (public.add_cards_may_help or (is_end_advised and may_go_by_card))


class CornerChoice(NamedTuple):
    """Who may follow the corner where the turn's Ragz is. Rule CH-C0."""

    corner: SpaceEntry
    can_take: bool
    """Whether the lander can."""
    others: tuple[Seat, ...]
    """The others who can."""
    room: int
    """The cards that the lander has room for. Rule CH-M1."""


def corner_choice(public: PublicState) -> CornerChoice:
    """Return which seats may follow the corner that was landed on."""
    corner, lander = current_corner(public), public.turn
    can_take = can_act_at_corner(public, corner, lander)
    return CornerChoice(corner, can_take, eligible_others(public), public.room_in_hand(lander))


def doubled_sets(public: PublicState, seat: Seat) -> list[str]:
    """Return the sets that let a seat release double. Rule CH-11."""
    markers, board = public.markers[seat], public.board
    whole = {board.spaces[space].set or "" for space in spaces_in(markers) if not board.set_of[space] & ~markers}
    return sorted(whole) if public.options.sets else []


def can_play(view: View, card: Card) -> bool:
    """Return whether a card of the hand can be played, replaced or kept now. Rules CH-M2 to CH-M4, CH-7 and CH-S6."""
    public = view.public
    if view.seat != public.mover or public.stage not in (Stage.FREE, Stage.SWAP, Stage.KEEP):
        return False
    if public.stage is not Stage.FREE:
        return True
    match public.board.cards[card].kind:
        case CardKind.ADD:
            return public.missing > 0
        case CardKind.REPLACE:
            return len(view.hand) > 1
        case CardKind.SPACE | CardKind.ANY:
            return public.may_travel


def latest_space_roll(turn: Sequence[GameEvent]) -> Challenged | Released | Received | None:
    """Return the newest challenge or roll for credits, or None."""
    for event in reversed(turn):
        if isinstance(event, Challenged) or (isinstance(event, Released | Received) and event.dice):
            return event
    return None


def doubling_landing(public: PublicState, event: Landed) -> bool:
    """Return whether a landing has released more than its space is worth. Rule CH-11."""
    return any(-change > public.board.credits[event.space] for change in event.changes)


def latest_drawn_cards(events: Sequence[GameEvent], seat: Seat | None) -> tuple[Card, ...]:
    """Return the cards that a seat drew last; empty if it drew none."""
    drawn = [event.cards for event in events if isinstance(event, CardsSeen) and event.seat == seat]
    return drawn[-1] if drawn else ()


def played_cards(turn: Sequence[GameEvent]) -> tuple[CardPlayed, ...]:
    """Return the cards played, oldest first."""
    return tuple(event for event in turn if isinstance(event, CardPlayed))


@cache
def ways_to_total() -> tuple[int, ...]:
    """Return in how many ways the six dice of a challenge come to each total. Rule CH-6."""
    ways = [0] * (3 * _SIDES + 1)
    for of_three, of_two, of_one in product(range(1, _SIDES + 1), repeat=3):
        ways[of_three + of_two + of_one] += (of_three**3 - (of_three - 1) ** 3) * (of_two**2 - (of_two - 1) ** 2)
    return tuple(ways)


def chance_of_total(least: int) -> float:
    """Return the chance that a challenge comes to so much. Rule CH-6."""
    ways = ways_to_total()
    return sum(ways[max(least, 0) :]) / sum(ways)


def added_points(board: Board, later: Iterable[GameEvent]) -> list[int]:
    """Return the points of the Add cards that were played after a challenge, before the next one. Rule CH-7."""
    until_next = takewhile(lambda event: not isinstance(event, Challenged), later)
    faces = [board.cards[event.card] for event in until_next if isinstance(event, CardPlayed)]
    return [face.amount for face in faces if face.kind is CardKind.ADD]


def changes_in_own_turns(events: Sequence[GameEvent], seats: int) -> tuple[int, ...]:
    """Return the change of each seat's credits in its newest turn, which may be unfinished."""
    changes = [0] * seats
    for turn in split_turns(events, TrackRolled):
        seat = turn[0].seat
        changes[seat] = sum(changes_in_order(seat, turn))
    return tuple(changes)


def changes_of(turn: Sequence[GameEvent], seats: int) -> tuple[int, ...]:
    """Return the change of each seat's credits."""
    return tuple(changes_by_space(seat, turn).total() for seat in range(seats))


def changes_in_order(seat: Seat, turn: Iterable[GameEvent]) -> list[int]:
    """Return the changes of a seat's credits one by one."""
    return [change for event in turn for each, _space, change in _changes(event) if each == seat and change]


def changes_by_space(seat: Seat, turn: Iterable[GameEvent]) -> Counter[Space]:
    """Return the changes of a seat's credits by the spaces that caused them, in order."""
    changes: Counter[Space] = Counter()
    for event in turn:
        for each, space, change in _changes(event):
            if each == seat and change:
                changes[space] += change
    return changes


def _changes(event: GameEvent) -> Iterator[tuple[Seat, Space, int]]:
    match event:
        case Landed():
            yield from ((seat, event.space, change) for seat, change in enumerate(event.changes))
        case Released():
            yield event.seat, event.space, -event.count
        case Received():
            yield event.seat, event.space, sum(event.dice)
        case _:
            pass
