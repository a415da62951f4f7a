"""The badges of Fortune, and the busts that its players escape."""

from collections.abc import Callable, Iterator, Sequence
from math import comb, fsum
from typing import Final

from bot.games.fortune.facts import odds_of
from bot.games.fortune.pieces import Ending, Face, GameEvent, Rolled, State, TurnEnded
from bot.games.fortune.scoring import score_of
from bot.games.fortune.words import describe_face_count
from bot.rules.game import Seat
from bot.rules.picture import ColourRole, Mark, Sprite
from bot.rules.rewards import MEDAL_FACE, Feat, FeatKind, GameBadge, medal
from bot.words import N_

_FLEET: Final = 3000
"""The points of a turn that brings a fleet of treasure."""

_TOLL: Final = 600
"""What every opponent of a castaway pays."""

_MOST_SWORDS: Final = 4


def _turn_with(deserves: Callable[[TurnEnded], bool]) -> Callable[[State, Sequence[GameEvent], State], Iterator[Seat]]:
    """Return a function that finds the seats whose turn has ended and deserves a badge."""

    def find(_before: State, events: Sequence[GameEvent], _after: State) -> Iterator[Seat]:
        return (event.seat for event in events if isinstance(event, TurnEnded) and deserves(event))

    return find


def _spellbound(before: State, events: Sequence[GameEvent], after: State) -> Iterator[Seat]:
    """Yield the seat that the Sorceress saved. Rule FO-C3."""
    rolls = (event for event in events if isinstance(event, Rolled) and event.revived is not None)
    return (event.seat for event in rolls if before.turn.is_in_doubt and after.mover == event.seat)


def _medal(art: str) -> tuple[Mark, ...]:
    return medal(ColourRole.SEAT_2, Sprite(f"fortune/{art}", MEDAL_FACE.inset(2)))


BADGES: Final = (
    # Rule FO-7.
    GameBadge(
        "full_chest",
        N_("Full Chest"),
        N_("Stop with eight dice that all score."),
        _medal("chest"),
        _turn_with(lambda end: end.ending is Ending.STOPPED and score_of(end.turn.card, end.turn.faces).full_chest > 0),
    ),
    # Rules FO-5 to FO-7.
    GameBadge(
        "treasure_fleet",
        N_("Treasure Fleet"),
        N_("Score 3,000 points or more in one turn."),
        _medal("ship"),
        _turn_with(lambda end: end.ending is Ending.STOPPED and end.points >= _FLEET),
    ),
    # Rule FO-C4.
    GameBadge(
        "admiral",
        N_("Admiral"),
        N_("Win a Sea Battle that asks for four swords."),
        _medal("sword"),
        _turn_with(
            lambda end: (
                end.ending is Ending.STOPPED
                and _MOST_SWORDS <= end.turn.card.swords <= end.turn.faces.count(Face.SWORD)
            )
        ),
    ),
    # Rules FO-9 and FO-C2.
    GameBadge(
        "castaway",
        N_("Castaway"),
        N_("On the Island, make every opponent lose 600 or more points."),
        _medal("island"),
        _turn_with(lambda end: end.toll >= _TOLL),
    ),
    GameBadge(
        "spellbound",
        N_("Spellbound"),
        N_("Let the Sorceress save you from a third skull."),
        _medal("skull"),
        _spellbound,
    ),
)


def chance_of_skulls(dice: int, least: int) -> float:
    """Return the chance that a roll of some dice brings so many skulls or more."""
    return fsum(comb(dice, count) * 5.0 ** (dice - count) for count in range(least, dice + 1)) / 6.0**dice


def find_feats(before: State, events: Sequence[GameEvent], _after: State) -> Iterator[Feat]:
    """Yield the escape of a risky roll that did not bust, and on the Island a roll with as many skulls or more."""
    end = next((event for event in events if isinstance(event, TurnEnded)), None)
    is_bust = end is not None and end.ending is Ending.DISQUALIFIED
    for event in events:
        if isinstance(event, Rolled) and before.turn.island:
            new = sum(event.faces[place - 1] is Face.SKULL for place in event.dice)
            skulls = before.turn.skulls + new
            yield Feat(
                FeatKind.LUCK,
                event.seat,
                1 - chance_of_skulls(len(event.dice), new),
                skulls,
            )
        elif isinstance(event, Rolled) and not is_bust:
            odds = odds_of(before.turn, len(event.dice), revives=event.revived is not None)
            yield Feat(FeatKind.ESCAPE, event.seat, odds.bust)


def name_roll(skulls: int) -> str:
    """Return the number of skulls on the Island in words."""
    return describe_face_count(Face.SKULL, skulls)
