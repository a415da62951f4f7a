"""The badges of Fortune, and its closest and costliest busts."""

from collections.abc import Iterator, Sequence
from typing import Final

from bot.games.fortune.facts import lost_points, odds_of
from bot.games.fortune.pieces import Ending, Face, GameEvent, Rolled, State, TurnEnded
from bot.games.fortune.scoring import score_of
from bot.rules.game import Seat
from bot.rules.picture import ColourRole, Mark, Sprite
from bot.rules.rewards import MEDAL_FACE, Feat, FeatKind, GameBadge, medal
from bot.words import N_, format_number, gettext as _

_FLEET: Final = 3000
"""The points of a turn that brings a fleet of treasure."""

_TOLL: Final = 600
"""What every opponent of a castaway pays."""

_MOST_SWORDS: Final = 4

_COSTLY = 500


def _full_chest(_before: State, events: Sequence[GameEvent], _after: State) -> Iterator[Seat]:
    """Rule FO-7."""
    for end in _stops(events):
        if score_of(end.turn.card, end.turn.faces).full_chest:
            yield end.seat


def _treasure_fleet(_before: State, events: Sequence[GameEvent], _after: State) -> Iterator[Seat]:
    """Rules FO-5 to FO-7."""
    for end in _stops(events):
        if end.points >= _FLEET:
            yield end.seat


def _admiral(_before: State, events: Sequence[GameEvent], _after: State) -> Iterator[Seat]:
    """Rule FO-C4."""
    for end in _stops(events):
        if end.turn.card.swords >= _MOST_SWORDS and end.turn.faces.count(Face.SWORD) >= end.turn.card.swords:
            yield end.seat


def _castaway(_before: State, events: Sequence[GameEvent], _after: State) -> Iterator[Seat]:
    """Rules FO-9 and FO-C2."""
    for event in events:
        if isinstance(event, TurnEnded) and event.toll >= _TOLL:
            yield event.seat


def _spellbound(before: State, events: Sequence[GameEvent], after: State) -> Iterator[Seat]:
    """Rule FO-C3."""
    if not before.turn.is_in_doubt:
        return
    for event in events:
        if isinstance(event, Rolled) and event.revived is not None and after.mover == event.seat:
            yield event.seat


def _stops(events: Sequence[GameEvent]) -> Iterator[TurnEnded]:
    """Yield the end of a turn that its player stopped. Rule FO-4."""
    for event in events:
        if isinstance(event, TurnEnded) and event.ending is Ending.STOPPED:
            yield event


def _medal(*motif: Mark) -> tuple[Mark, ...]:
    return medal(ColourRole.SEAT_2, *motif)


BADGES: Final = (
    GameBadge(
        "full_chest",
        N_("Full Chest"),
        N_("Stop with eight dice that all score."),
        _medal(Sprite("fortune/chest", MEDAL_FACE.inset(2))),
        _full_chest,
    ),
    GameBadge(
        "treasure_fleet",
        N_("Treasure Fleet"),
        N_("Score 3,000 points or more in one turn."),
        _medal(Sprite("fortune/ship", MEDAL_FACE.inset(2))),
        _treasure_fleet,
    ),
    GameBadge(
        "admiral",
        N_("Admiral"),
        N_("Win a Sea Battle that takes four swords."),
        _medal(Sprite("fortune/sword", MEDAL_FACE.inset(2))),
        _admiral,
    ),
    GameBadge(
        "castaway",
        N_("Castaway"),
        N_("Cost every opponent 600 points or more on the Island."),
        _medal(Sprite("fortune/island", MEDAL_FACE.inset(2))),
        _castaway,
    ),
    GameBadge(
        "spellbound",
        N_("Spellbound"),
        N_("Have the Sorceress save you from a third skull."),
        _medal(Sprite("fortune/skull", MEDAL_FACE.inset(2))),
        _spellbound,
    ),
)


def find_feats(before: State, events: Sequence[GameEvent], _after: State) -> Iterator[Feat]:
    """Yield a roll that did not bust, by its odds, and a bust that cost much."""
    end = next((event for event in events if isinstance(event, TurnEnded)), None)
    is_bust = end is not None and end.ending is Ending.DISQUALIFIED
    for event in events:
        if isinstance(event, Rolled) and not before.turn.island and not is_bust:
            odds = odds_of(before.turn, len(event.dice), revives=event.revived is not None)
            yield Feat(FeatKind.ESCAPE, event.seat, odds.bust)
    if end is not None and is_bust and (lost := lost_points(end.turn) - end.points) >= _COSTLY:
        yield Feat(FeatKind.BUST, end.seat, lost, _("{points} lost").format(points=format_number(lost)))
