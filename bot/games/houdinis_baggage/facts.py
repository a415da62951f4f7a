"""What a position says beyond its state, decided once for the screen, the reading, the news, the picture and hints."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum, auto
from itertools import takewhile
from typing import NamedTuple

from bot.games.houdinis_baggage.cards import CARDS, MAX_POINTS, Assignment, Card, Trait, trait_values
from bot.games.houdinis_baggage.legality import can_place, place_moves, supply_of, ways_of
from bot.games.houdinis_baggage.pieces import (
    DONE,
    AssignmentTaken,
    BaggageMoved,
    BankUsed,
    CardKept,
    CardOpened,
    CardPlaced,
    Done,
    GameEvent,
    LastRound,
    Phase,
    Place,
    Player,
    Spot,
    State,
    Task,
    TurnPlayed,
)
from bot.games.houdinis_baggage.rules import places_of
from bot.rules.game import Seat, find_newest
from bot.words import format_number, format_odds


class Situation(Enum):
    """What the mover has to decide."""

    FIRST_CARD = auto()
    """Only a card can be opened."""
    NEXT_CARD = auto()
    ONLY_TWINS = auto()
    """Two equal cards are open: there is no choice which one to keep."""
    TWIN = auto()
    PLACING = auto()
    CHOOSING = auto()


def situation_of(view: State) -> Situation:
    """Return what the mover has to decide. Rules HB-3 to HB-10."""
    match view.phase:
        case Phase.SEARCH:
            return Situation.NEXT_CARD if view.open else Situation.FIRST_CARD
        case Phase.TWIN:
            return Situation.TWIN if len(set(view.open)) > 1 else Situation.ONLY_TWINS
        case Phase.PLACE:
            return Situation.PLACING
        case Phase.CHOOSE:
            return Situation.CHOOSING


class Way(Enum):
    """A kind of move in phase 2."""

    PLACE = auto()
    BANK = auto()
    SHIFT = auto()


def open_ways(view: State) -> tuple[Way, ...]:
    """Return what can be done in phase 2, or could be after the search, besides ending it."""
    return tuple([way for way, moves in zip(Way, ways_of(view), strict=True) if moves])


def find_forced_end(view: State) -> Done | None:
    """Return Done if nothing more fits. Rule HB-6.

    A turn with no card left to open does not end by itself, since no one might ever have anything to do again.
    """
    if view.mover is None or not (view.open or any(view.draw_pile)):
        return None
    return DONE if view.phase is Phase.PLACE and not can_place(view) else None


def fitting_places(view: State) -> tuple[Place, ...] | None:
    """Return what fits the open cards, or would if the search ended now; None if that is not the question."""
    if not view.open or view.phase not in (Phase.SEARCH, Phase.PLACE):
        return None
    return ways_of(view).places


def open_values(view: State) -> list[tuple[Trait, int]]:
    """Return the values above zero. Rule HB-2."""
    return [(trait, value) for trait, value in zip(Trait, trait_values(view.open), strict=True) if value]


def turn_order(view: State) -> list[Seat]:
    """Return the seats in the order of turns, from the mover on."""
    count = len(view.players)
    return [((view.mover or 0) + step) % count for step in range(count)]


def bonuses_of(view: State, seat: Seat) -> list[tuple[Assignment, bool]]:
    """Return a seat's completed assignments, and whether their bonuses are used up this turn. Rule HB-12."""
    return [(each, each.number in view.spent) for each in view.players[seat].completed]


def completed_counts(player: Player) -> list[tuple[int, int]]:
    """Return points and how many assignments worth them are completed, highest first: they decide ties. Rule HB-E2."""
    points = [each.points for each in player.completed]
    return [(value, points.count(value)) for value in range(MAX_POINTS, 0, -1) if value in points]


def winners_of(view: State) -> tuple[Seat, ...]:
    """Return the seats with the first place, if the game is over. Rules HB-E1 and HB-E2."""
    if view.mover is not None:
        return ()
    return tuple(seat for seat, place in enumerate(places_of(view.players)) if place == 1)


class TwinOdds(NamedTuple):
    """How many of the cards that can be drawn are twins of open cards. Rule HB-4."""

    twins: int
    left: int

    @classmethod
    def from_state(cls, view: State) -> "TwinOdds":
        """Count the twins in the draw pile."""
        return cls(sum(view.draw_pile[card] for card in view.open), sum(view.draw_pile))

    @property
    def share(self) -> float:
        """The chance of a twin."""
        return self.twins / self.left

    def words(self) -> Mapping[str, str]:
        """Return the figures as they are written."""
        figures = {"twins": format_number(self.twins), "left": format_number(self.left)}
        return {"share": format_odds(self.share), **figures}


def last_items(view: State) -> Iterator[Spot]:
    """Yield the items that alone are free of the mover's assignments."""
    for task in view.acting.tasks:
        if task.cards.count(None) == 1:
            yield Spot(task.assignment.number, task.cards.index(None))


def can_fill(view: State, spot: Spot) -> bool:
    """Return whether an open card fits an item at once, perhaps with bonuses. Rules HB-6 and HB-12."""
    return any(place.spot == spot for place in place_moves(view.open, view.acting.tasks, supply_of(view)))


def chance_to_fill(view: State, spot: Spot) -> float:
    """Return the chance that an item can be filled after another card, which must be no twin."""
    return _chance(view, lambda after: can_fill(after, spot))


def chance_to_place(view: State) -> float:
    """Return the chance that anything can be done with the open cards after another one, which must be no twin."""
    return _chance(view, can_place)


def _chance(view: State, is_good: Callable[[State], bool]) -> float:
    """Return the chance that a position is good after another card. Rules HB-3 to HB-5."""
    pile = view.draw_pile
    new = (card for card in CARDS if pile[card] and card not in view.open)
    return sum(pile[card] for card in new if is_good(view._replace(open=(*view.open, card)))) / sum(pile)


_END_OF_TURN_EVENTS = (TurnPlayed, AssignmentTaken, LastRound)


def latest_events(events: Sequence[GameEvent]) -> tuple[GameEvent, ...]:
    """Return the newest event, or all events of a turn's end."""
    ended = tuple(takewhile(lambda event: isinstance(event, _END_OF_TURN_EVENTS), reversed(events)))
    return ended or tuple(events[-1:])


def newly_opened_card(events: Sequence[GameEvent]) -> Card | None:
    """Return the card that was just opened, or added from the bank, or None."""
    match latest_events(events):
        case (CardOpened(card=card) | BankUsed(card=card),):
            return card
        case _:
            return None


def newly_filled_spot(events: Sequence[GameEvent]) -> Spot | None:
    """Return the item that was just filled, or None."""
    match latest_events(events):
        case (CardPlaced(spot=spot),):
            return spot
        case (BaggageMoved(end=end),):
            return end
        case _:
            return None


def points_gained(events: Sequence[GameEvent], seat: Seat) -> int:
    """Return the points of a seat's last turn, until it moves again."""
    own = (event for event in reversed(events) if event.seat == seat)
    newest = next((event for event in own if not isinstance(event, AssignmentTaken | LastRound)), None)
    return newest.points if isinstance(newest, TurnPlayed) else 0


def newly_taken_assignments(events: Sequence[GameEvent]) -> frozenset[int]:
    """Return the numbers of the assignments just taken."""
    return frozenset(event.assignment.number for event in latest_events(events) if isinstance(event, AssignmentTaken))


def newly_completed(events: Sequence[GameEvent]) -> tuple[Assignment, ...]:
    """Return the assignments that were just completed."""
    turn = find_newest(TurnPlayed, latest_events(events))
    return () if turn is None else turn.completed


def newest_twin(events: Sequence[GameEvent]) -> Card | None:
    """Return the card that was opened last: after a twin, its second one. None if that is not known."""
    opened = find_newest(CardOpened, events)
    return None if opened is None else opened.card


def nearest_task(player: Player) -> Task | None:
    """Return the assignment that lacks the fewest cards, the one with more points if several do, or None."""
    return min(player.tasks, key=lambda task: (task.cards.count(None), -task.assignment.points), default=None)


def latest_kept_card(events: Sequence[GameEvent]) -> CardKept | None:
    """Return the event if a card has just been kept after a twin, or None."""
    match latest_events(events):
        case (CardKept() as kept,):
            return kept
        case _:
            return None
