"""What a simulation counts, to check that the assignments are balanced."""

from collections.abc import Iterator, Sequence

from bot.games.houdinis_baggage import events
from bot.games.houdinis_baggage.events import GameEvent
from bot.games.houdinis_baggage.moves import Use
from bot.games.houdinis_baggage.pieces import State
from bot.games.houdinis_baggage.ranking import places_of


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
        case events.CardOpened():
            yield "cards opened"
        case events.CardKept():
            yield "turns"
            yield "twins"
        case events.CardPlaced(uses=uses):
            yield "cards placed"
            yield from _bonus_labels(state, uses)
        case events.BankUsed():
            yield "cards from the bank"
        case events.BaggageMoved(use=use):
            yield from _bonus_labels(state, (use,))
        case events.AssignmentTaken(assignment=assignment):
            yield f"taken {assignment.number}"
        case events.TurnPlayed(completed=completed):
            yield "turns"
            yield from (f"completed {each.number}" for each in completed)
        case _:
            pass


def _bonus_labels(state: State, uses: Sequence[Use]) -> Iterator[str]:
    for use in uses:
        yield f"used {state.find_assignment(use.number).bonus}"
