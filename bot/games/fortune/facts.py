"""What a position says beyond its state: the odds of the next roll, and what recent events left."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from bot.games.fortune.pieces import (
    DICE_COUNT,
    MAX_SKULLS,
    SIDES,
    CardKind,
    GameEvent,
    Places,
    Rolled,
    Turn,
    TurnEnded,
)
from bot.rules.game import Seat, find_newest


# 9 us of a click.
@lru_cache(maxsize=1_024)
def chance_of_skulls(dice: int, least: int, most: int = DICE_COUNT) -> float:
    """Return the probability that at least `least` and at most `most` of the dice show skulls."""
    counts = range(max(least, 0), min(most, dice) + 1)
    ways: int = sum(comb(dice, skulls) * (SIDES - 1) ** (dice - skulls) for skulls in counts)
    return float(ways / SIDES**dice)


@dataclass(frozen=True, slots=True)
class Odds:
    """Probabilities of the next roll."""

    bust: float
    """The turn ends without points; on the Island, no new skull."""
    revivable: float = 0.0
    """A third skull that the Sorceress can free."""
    island: float = 0.0
    """The turn goes to the Island of Skulls."""


def odds_of(turn: Turn, dice: int, *, revives: bool = False) -> Odds:
    """Return the odds of rolling this many dice, one of them a freed skull if `revives`.

    Rules FO-3, FO-9, FO-10, FO-C3 and FO-C4.
    """
    if turn.island:
        return Odds(bust=chance_of_skulls(dice, 0, 0))
    third = MAX_SKULLS + 1 - turn.skulls + revives
    if turn.rolls == 0 and turn.card.kind is not CardKind.SEA_BATTLE:
        island = chance_of_skulls(dice, third + 1)
        exactly = chance_of_skulls(dice, third, third)
        return Odds(0.0, revivable=exactly, island=island) if turn.spell else Odds(exactly, island=island)
    if turn.spell and not revives:
        return Odds(chance_of_skulls(dice, third + 1), revivable=chance_of_skulls(dice, third, third))
    return Odds(chance_of_skulls(dice, third))


def latest_roll(turn: Turn, events: Sequence[GameEvent]) -> Rolled | None:
    """Return the roll that produced the present dice, or None if it is unknown."""
    newest = find_newest(Rolled, events)
    return newest if newest and newest.faces == turn.faces else None


def kept_dice(turn: Turn, events: Sequence[GameEvent]) -> Places:
    """Return the free dice that the last roll kept."""
    newest = latest_roll(turn, events)
    return tuple(place for place in turn.free if place not in newest.dice) if newest else ()


def last_round(events: Sequence[GameEvent], seats: int) -> Sequence[GameEvent]:
    """Return the newest turns that have ended, one for each seat."""
    return [event for event in events if isinstance(event, TurnEnded)][-seats:]


def score_change_of(seat: Seat, events: Sequence[GameEvent]) -> int:
    """Return the change of a seat's total in turns that have ended. Rule FO-9."""
    turns = [event for event in events if isinstance(event, TurnEnded)]
    return sum(turn.points if turn.seat == seat else -turn.toll for turn in turns)
