"""What a simulation of Mr. Houdini's Baggage counts."""

from collections.abc import Iterator, Sequence

from bot.games.houdinis_baggage.cards import Use
from bot.games.houdinis_baggage.pieces import (
    AssignmentTaken,
    BaggageMoved,
    BankUsed,
    CardKept,
    CardOpened,
    CardPlaced,
    GameEvent,
    State,
    TurnPlayed,
)
from bot.games.houdinis_baggage.rules import places_of


def tally(state: State, events: Sequence[GameEvent]) -> Iterator[str]:
    """Yield a label for everything to count: events, and at the end the winners' places in the order of play."""
    for event in events:
        yield from _event_labels(state, event)
    if state.mover is None:
        places = places_of(state.players)
        for seat, place in enumerate(places):
            if place == 1:
                yield f"won by number {(seat - state.starter) % len(places) + 1} in the order of play"


def _event_labels(state: State, event: GameEvent) -> Iterator[str]:
    match event:
        case CardOpened():
            yield "cards opened"
        case CardKept():
            yield "turns"
            yield "twins"
        case CardPlaced(uses=uses):
            yield "cards placed"
            yield from _bonus_labels(state, uses)
        case BankUsed():
            yield "cards from the bank"
        case BaggageMoved(use=use):
            yield from _bonus_labels(state, (use,))
        case AssignmentTaken(assignment=assignment):
            yield f"taken {assignment.number}"
        case TurnPlayed(completed=completed):
            yield "turns"
            yield from (f"completed {each.number}" for each in completed)
        case _:
            pass


def _bonus_labels(state: State, uses: Sequence[Use]) -> Iterator[str]:
    for use in uses:
        yield f"used {state.find_assignment(use.number).bonus}"
