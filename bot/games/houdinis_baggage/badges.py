"""The badges of Mr. Houdini's Baggage."""

from collections.abc import Iterator, Sequence
from typing import Final

from bot.games.houdinis_baggage.assignments import MAX_POINTS
from bot.games.houdinis_baggage.events import CardPlaced, GameEvent, TurnPlayed
from bot.games.houdinis_baggage.pieces import Phase, State
from bot.rules.badges import MEDAL_FACE, GameBadge, medal
from bot.rules.game import Seat
from bot.rules.picture import ColourRole, Label, Mark, Rect, Sprite
from bot.words import N_

_STEADY_CARDS: Final = 8
_CHAIN: Final = 3


def _steady_hands(before: State, _events: Sequence[GameEvent], after: State) -> Iterator[Seat]:
    """Rule HB-3."""
    has_stopped = before.phase is Phase.SEARCH and after.phase is not Phase.SEARCH and before.open == after.open
    if has_stopped and len(before.open) >= _STEADY_CARDS and before.mover is not None:
        yield before.mover


def _grand_finale(_before: State, events: Sequence[GameEvent], _after: State) -> Iterator[Seat]:
    """Rule HB-9."""
    for event in events:
        if isinstance(event, TurnPlayed) and any(each.points == MAX_POINTS for each in event.completed):
            yield event.seat


def _double_act(_before: State, events: Sequence[GameEvent], _after: State) -> Iterator[Seat]:
    """Rule HB-9."""
    for event in events:
        if isinstance(event, TurnPlayed) and len(event.completed) > 1:
            yield event.seat


def _sleight_of_hand(_before: State, events: Sequence[GameEvent], _after: State) -> Iterator[Seat]:
    """Rule HB-12."""
    for event in events:
        if isinstance(event, CardPlaced) and len(event.uses) >= _CHAIN:
            yield event.seat


def _borrowed_trick(_before: State, events: Sequence[GameEvent], _after: State) -> Iterator[Seat]:
    """Rule HB-B5."""
    for event in events:
        if isinstance(event, CardPlaced) and any(use.copied is not None for use in event.uses):
            yield event.seat


def _medal(*motif: Mark) -> tuple[Mark, ...]:
    return medal(ColourRole.SEAT_4, *motif)


BADGES: Final = (
    GameBadge(
        "steady_hands",
        N_("Steady Hands"),
        N_("Stop with eight open cards and no twin."),
        _medal(Sprite("houdinis_baggage/case", MEDAL_FACE)),
        _steady_hands,
    ),
    GameBadge(
        "grand_finale",
        N_("Grand Finale"),
        N_("Complete an assignment worth six points."),
        _medal(Label("6", MEDAL_FACE, ColourRole.TEXT, 64, bold=True)),
        _grand_finale,
    ),
    GameBadge(
        "double_act",
        N_("Double Act"),
        N_("Complete two assignments in one turn."),
        _medal(
            Sprite("houdinis_baggage/red-star", Rect(MEDAL_FACE.x, MEDAL_FACE.y + 20, 36, 36)),
            Sprite("houdinis_baggage/blue-circle", Rect(MEDAL_FACE.x + 39, MEDAL_FACE.y + 20, 36, 36)),
        ),
        _double_act,
    ),
    GameBadge(
        "sleight_of_hand",
        N_("Sleight of Hand"),
        N_("Place one card with three bonuses or more."),
        _medal(Sprite("houdinis_baggage/hat", MEDAL_FACE.center(75, 45))),
        _sleight_of_hand,
    ),
    GameBadge(
        "borrowed_trick",
        N_("Borrowed Trick"),
        N_("Place a card with another player's bonus."),
        _medal(Sprite("houdinis_baggage/another", MEDAL_FACE.center(72, 30))),
        _borrowed_trick,
    ),
)
