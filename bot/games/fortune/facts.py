"""What a position says beyond its state, decided once; screen, reading, news and picture have the words for it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from itertools import takewhile
from math import comb
from typing import NamedTuple

from bot.games.fortune.pieces import (
    DICE_COUNT,
    MAX_SKULLS,
    SIDES,
    CardKind,
    Ending,
    Face,
    Faces,
    GameEvent,
    LineCrossed,
    Rolled,
    State,
    Turn,
    TurnEnded,
)
from bot.games.fortune.scoring import points_of, score_of
from bot.rules.game import Seat, find_newest


class Stage(Enum):
    """What the seat to move can do."""

    FIRST_ROLL = auto()
    ROLLING = auto()
    IN_DOUBT = auto()
    """The third skull is there, and the Sorceress can still help. Rule FO-C3."""
    ROLLS_MADE = auto()
    """A Storm has had its two rolls. Rule FO-C8."""
    VOYAGE = auto()
    """The player is on the Island. A voyage without a further roll ends its turn at once. Rule FO-9."""


def stage_of(turn: Turn) -> Stage:
    """Return the stage of a turn. Rules FO-2 to FO-4, FO-9, FO-C3 and FO-C8."""
    if not turn.faces:
        return Stage.FIRST_ROLL
    if turn.island:
        return Stage.VOYAGE
    if turn.is_in_doubt:
        return Stage.IN_DOUBT
    return Stage.ROLLING if turn.may_roll else Stage.ROLLS_MADE


def last_round_crosser(state: State) -> Seat | None:
    """Return the seat that has crossed the line, while others still have a turn. Rule FO-E1."""
    return None if state.mover is None else state.crosser


def score_to_beat(state: State) -> int | None:
    """Return what the seat to move has to beat in the last round, or to equal for a share of the win; None before."""
    if state.mover is None or state.crosser is None:
        return None
    return max(score for seat, score in enumerate(state.scores) if seat != state.mover)


def gain_of_stopping(turn: Turn) -> int:
    """Return the points that stopping brings. Rules FO-4, FO-9 and FO-C3."""
    if turn.island or not turn.faces:
        return 0
    return points_of(turn, Ending.DISQUALIFIED if turn.is_in_doubt else Ending.STOPPED)


def is_stopping_enough(state: State) -> bool:
    """Return whether the seat to move would not be behind in the last round if it stopped. Rule FO-E2."""
    to_beat = score_to_beat(state)
    return to_beat is None or state.scores[state.mover or 0] + gain_of_stopping(state.turn) >= to_beat


class CardNote(Enum):
    """What a card no longer does, or how often it still does it."""

    SPELL_USED = auto()
    NO_SPELL_ON_ISLAND = auto()
    ONE_ROLL_LEFT = auto()
    NO_ROLLS_LEFT = auto()


def card_note(turn: Turn) -> CardNote | None:
    """Return what has changed about the card. Rules FO-C3 and FO-C8."""
    match turn.card.kind:
        case CardKind.SORCERESS if not turn.spell:
            return CardNote.NO_SPELL_ON_ISLAND if turn.island else CardNote.SPELL_USED
        case CardKind.STORM if turn.faces:
            return CardNote.ONE_ROLL_LEFT if turn.may_roll else CardNote.NO_ROLLS_LEFT
        case _:
            return None


class Part(Enum):
    """The kinds of parts that the points of dice have."""

    SET = auto()
    TREASURE = auto()
    FULL_CHEST = auto()
    DOUBLED = auto()
    BATTLE_WON = auto()
    SWORDS_MISSING = auto()
    TRUCE = auto()


@dataclass(frozen=True, slots=True)
class ScorePart:
    """A part of the points of dice."""

    kind: Part
    points: int = 0
    faces: Faces = ()
    """The faces of a set."""
    count: int = 0
    """The objects of a set, the factor, or the swords."""
    wanted: int = 0
    """The swords that win the battle."""


def score_parts(turn: Turn) -> Iterator[ScorePart]:
    """Yield the parts of what the dice are worth. Rules FO-5 to FO-8 and FO-C1 to FO-C9."""
    score = score_of(turn.card, turn.faces)
    yield from (ScorePart(Part.SET, each.points, each.faces, each.count) for each in score.sets)
    if score.treasure:
        yield ScorePart(Part.TREASURE, score.treasure)
    if score.full_chest:
        yield ScorePart(Part.FULL_CHEST, score.full_chest)
    if score.factor > 1:
        yield ScorePart(Part.DOUBLED, count=score.factor)
    if score.battle > 0:
        yield ScorePart(Part.BATTLE_WON, score.battle)
    if score.battle < 0:
        yield ScorePart(Part.SWORDS_MISSING, count=turn.faces.count(Face.SWORD), wanted=turn.card.swords)
    if score.penalty:
        yield ScorePart(Part.TRUCE)


class Result(Enum):
    """What a turn brought or cost."""

    POINTS = auto()
    """The player stopped."""
    TOLL = auto()
    """The opponents lost it to the Island."""
    CHEST_SAVED = auto()
    """A bust left the points of the dice in the chest."""
    BATTLE_LOST = auto()
    """A bust cost the bonus of the battle."""
    DICE_LOST = auto()
    """A bust took what the dice were worth."""
    NOTHING = auto()
    """A bust, with dice that were worth nothing."""


def result_of(end: TurnEnded) -> tuple[Result, int]:
    """Return what a turn brought or cost, and how many points. Rules FO-3, FO-9, FO-C1 and FO-C4."""
    if end.ending is Ending.ISLAND:
        return Result.TOLL, end.toll
    if end.ending is Ending.STOPPED:
        return Result.POINTS, end.points
    if end.points:
        return Result.CHEST_SAVED if end.points > 0 else Result.BATTLE_LOST, end.points
    lost = lost_points(end.turn)
    return (Result.DICE_LOST, lost) if lost else (Result.NOTHING, 0)


def lost_points(turn: Turn) -> int:
    """Return what the dice would have brought without the skulls."""
    return max(0, score_of(turn.card, turn.faces).total)


# Saves 9 us of a click.
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


class FirstRollRisk(Enum):
    """What the first roll can bring besides dice."""

    BUST = auto()
    """A Sea Battle has no Island. Rule FO-C4."""
    BUST_OR_ISLAND = auto()
    SPELL_OR_ISLAND = auto()
    """The Sorceress can free a third skull. Rule FO-C3."""


def first_roll_risk_of(turn: Turn) -> tuple[FirstRollRisk, float, float]:
    """Return what the first roll can bring, with the odds of three skulls and of the Island. Rules FO-9 and FO-10."""
    odds = odds_of(turn, DICE_COUNT)
    if turn.spell:
        return FirstRollRisk.SPELL_OR_ISLAND, odds.revivable, odds.island
    return FirstRollRisk.BUST_OR_ISLAND if odds.island else FirstRollRisk.BUST, odds.bust, odds.island


def latest_roll(turn: Turn, events: Sequence[GameEvent]) -> Rolled | None:
    """Return the roll that produced the present dice, or None if it is unknown."""
    newest = find_newest(Rolled, events)
    return newest if newest and newest.faces == turn.faces else None


class Trace(NamedTuple):
    """What the last turn of a seat left behind."""

    change: int | None = None
    """The points that it brought, or if it brought none, minus the tolls since then; None if nothing is known of it."""
    lost: int = 0
    """What a bust took, if it brought no points."""


def trace_of(view: State, seat: Seat, events: Sequence[GameEvent]) -> Trace:
    """Return what the last turn of a seat left behind, until the seat rolls again."""
    if seat == view.mover and view.turn.faces:
        return Trace()
    tolls = 0
    for event in reversed(events):
        if isinstance(event, TurnEnded) and event.seat != seat:
            tolls += event.toll
        elif isinstance(event, TurnEnded):
            result, amount = result_of(event)
            if event.points:
                return Trace(event.points)
            return Trace(lost=amount) if result is Result.DICE_LOST else Trace(-tolls)
    return Trace(-tolls or None)


class Moment(Enum):
    """The ends of turns that fill the picture."""

    BUST = auto()
    ISLAND_LEFT = auto()
    LINE_CROSSED = auto()
    BATTLE_WON = auto()
    BATTLE_LOST = auto()
    FULL_CHEST = auto()
    BIG_TURN = auto()


BIG_TURN = 1000
"""About one turn in ten brings as many points."""


def moment_of(view: State, events: Sequence[GameEvent]) -> tuple[Moment, TurnEnded] | None:
    """Return the moment that the newest turn ended with, until the next one rolls; None if it was no moment."""
    end = find_newest(TurnEnded, events)
    if end is None or view.mover is None or view.turn.faces:
        return None
    since = takewhile(lambda event: event is not end, reversed(events))
    moment = _moment_of_end(end, is_crossed=any(isinstance(event, LineCrossed) for event in since))
    return None if moment is None else (moment, end)


def _moment_of_end(end: TurnEnded, *, is_crossed: bool) -> Moment | None:
    score = score_of(end.turn.card, end.turn.faces)
    match end.ending:
        case Ending.DISQUALIFIED:
            return Moment.BUST
        case Ending.ISLAND:
            return Moment.ISLAND_LEFT
        case _ if is_crossed:
            return Moment.LINE_CROSSED
        case _ if score.battle:
            return Moment.BATTLE_WON if score.battle > 0 else Moment.BATTLE_LOST
        case _ if score.full_chest:
            return Moment.FULL_CHEST
        case _:
            return Moment.BIG_TURN if end.points >= BIG_TURN else None


def faces_that_score(turn: Turn) -> frozenset[Face]:
    """Return the faces of the dice that bring points. Rules FO-5, FO-6 and FO-C4."""
    score = score_of(turn.card, turn.faces)
    faces = {face for each in score.sets for face in each.faces}
    if score.treasure:
        faces |= {Face.GOLD, Face.DIAMOND}
    if score.battle > 0:
        faces.add(Face.SWORD)
    return frozenset(faces)


def score_change_of(seat: Seat, events: Sequence[GameEvent]) -> int:
    """Return the change of a seat's total in turns that have ended. Rule FO-9."""
    turns = [event for event in events if isinstance(event, TurnEnded)]
    return sum(turn.points if turn.seat == seat else -turn.toll for turn in turns)
