"""The badges of Mr. Houdini's Baggage, and the twins that its players escape."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from bot.games.houdinis_baggage.cards import MAX_POINTS
from bot.games.houdinis_baggage.facts import TwinOdds
from bot.games.houdinis_baggage.pieces import CardOpened, CardPlaced, GameEvent, Phase, State, TurnPlayed
from bot.rules.game import Seat
from bot.rules.picture import ColourRole, Label, Mark, Rect, Sprite
from bot.rules.rewards import MEDAL_FACE, Feat, FeatKind, GameBadge, medal
from bot.words import N_

_STEADY_CARDS: Final = 8
_CHAIN: Final = 3


def _steady_hands(before: State, _events: Sequence[GameEvent], after: State) -> Iterator[Seat]:
    """Rule HB-3."""
    has_stopped = before.phase is Phase.SEARCH and after.phase is not Phase.SEARCH and before.open == after.open
    if has_stopped and len(before.open) >= _STEADY_CARDS and before.mover is not None:
        yield before.mover


def _by_event(earns: Callable[[GameEvent], bool]) -> Callable[[State, Sequence[GameEvent], State], Iterator[Seat]]:
    """Return the condition of a badge that whoever makes an event of a kind has earned."""
    return lambda _before, events, _after: (event.seat for event in events if earns(event))


def _grand_finale(event: GameEvent) -> bool:
    """Rule HB-9."""
    return isinstance(event, TurnPlayed) and any(each.points == MAX_POINTS for each in event.completed)


def _double_act(event: GameEvent) -> bool:
    """Rule HB-9."""
    return isinstance(event, TurnPlayed) and len(event.completed) > 1


def _sleight_of_hand(event: GameEvent) -> bool:
    """Rule HB-12."""
    return isinstance(event, CardPlaced) and len(event.uses) >= _CHAIN


def _borrowed_trick(event: GameEvent) -> bool:
    """Rule HB-B5."""
    return isinstance(event, CardPlaced) and any(use.copied is not None for use in event.uses)


def _medal(*motif: Mark) -> tuple[Mark, ...]:
    return medal(ColourRole.SEAT_4, *motif)


BADGES: Final = (
    GameBadge(
        "steady_hands",
        N_("Steady Hands"),
        N_("Open eight cards without a twin, and stop."),
        _medal(Sprite("houdinis_baggage/case", MEDAL_FACE)),
        _steady_hands,
    ),
    GameBadge(
        "grand_finale",
        N_("Grand Finale"),
        N_("Complete a six-point assignment."),
        _medal(Label("6", MEDAL_FACE, ColourRole.TEXT, 64, bold=True)),
        _by_event(_grand_finale),
    ),
    GameBadge(
        "double_act",
        N_("Double Act"),
        N_("Complete two assignments in one turn."),
        _medal(
            Sprite("houdinis_baggage/red-star", Rect(MEDAL_FACE.x, MEDAL_FACE.y + 20, 36, 36)),
            Sprite("houdinis_baggage/blue-circle", Rect(MEDAL_FACE.x + 39, MEDAL_FACE.y + 20, 36, 36)),
        ),
        _by_event(_double_act),
    ),
    GameBadge(
        "sleight_of_hand",
        N_("Sleight of Hand"),
        N_("Use three or more bonuses to place one card."),
        _medal(Sprite("houdinis_baggage/hat", MEDAL_FACE.center(75, 45))),
        _by_event(_sleight_of_hand),
    ),
    GameBadge(
        "borrowed_trick",
        N_("Borrowed Trick"),
        N_("Use another player's bonus to place a card."),
        _medal(Sprite("houdinis_baggage/another", MEDAL_FACE.center(72, 30))),
        _by_event(_borrowed_trick),
    ),
)


def find_feats(before: State, events: Sequence[GameEvent], after: State) -> Iterator[Feat]:
    """Yield an opened card that was no twin, by the odds. Rule HB-4."""
    for event in events:
        if isinstance(event, CardOpened) and before.open and after.phase is not Phase.TWIN:
            odds = TwinOdds.from_state(before)
            yield Feat(FeatKind.ESCAPE, event.seat, odds.twins / odds.left)
