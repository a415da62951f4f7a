"""The computer player of Fortune: exact for the turn, with a bonus for crossing the finish line."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from operator import attrgetter
from typing import NamedTuple

from bot.games.fortune.deck import Card, CardKind
from bot.games.fortune.dice_counts import DiceCounts, dice_counts_of
from bot.games.fortune.move_lists import FIRST_ROLL
from bot.games.fortune.moves import STOP, Move, Revive, Roll
from bot.games.fortune.pieces import ALL_PLACES, FACES, MAX_SKULLS, MIN_ROLLED_DICE, Places, State, Turn
from bot.games.fortune.scoring import SCORE_STEP, can_make_nine
from bot.games.fortune.turn_values import PointsUtility, TurnValues, get_turn_values
from bot.rules.advice import find_clear_best
from bot.rules.chance import Chance

_LINE_REACH = 2500
"""Farther from the line the bonus is ignored: few turns score more."""

_CROSSING_BONUS = 1500.0
"""The bonus for crossing the line, which leaves each opponent one turn."""

_LEAD_BONUS = 1000.0
"""The bonus for being ahead in the last round, which outweighs points."""

_LAST_ROUND_SLOPE = 0.05
_NINE_BONUS = 20_000.0
"""The bonus for winning with nine of a kind."""


def maximize_expected_turn_value(view: State, moves: Sequence[Move], chance: Chance) -> Move:
    """Choose the move with the highest expected value of this turn; the first of equals."""
    turn = view.turn
    if len(moves) == 1 or turn.island:
        return moves[0]
    expected = get_turn_values(turn.card, utility_of(view), spell=turn.spell)
    options = _turn_options(turn.card, dice_counts_of(turn.faces), expected, spell=turn.spell)
    return _build_move(turn, max(options, key=attrgetter("worth")))


class Advice(NamedTuple):
    """Recommendations to the player to move."""

    best: Move | None
    """The move that is clearly best; None if the choice is close, and where not points alone count."""
    roll: Roll | None
    """The roll with the highest expected value, even if stopping is better."""


def advice_of(view: State) -> Advice:
    """Return what the computer player recommends."""
    turn = view.turn
    if not turn.faces:
        return Advice(FIRST_ROLL, None)
    if turn.island:
        return Advice(Roll(turn.free), None)
    if not turn.rolls_left:
        return Advice(STOP, None)
    best, roll = _find_best_options(turn.card, dice_counts_of(turn.faces), utility_of(view), spell=turn.spell)
    rolled = _build_move(turn, roll) if roll else None
    return Advice(_build_move(turn, best) if best else None, rolled if isinstance(rolled, Roll) else None)


def utility_of(view: State) -> PointsUtility:
    """Return the utility of points to the seat to move. Rules FO-E1 and FO-E2."""
    seat = view.mover or 0
    own, target = view.scores[seat], view.options.target
    # Cards that can't make nine of a kind share a utility.
    nine = _NINE_BONUS if view.options.nine_wins and can_make_nine(view.turn.card) else 0.0
    if view.crosser is not None:
        others = max(score for other, score in enumerate(view.scores) if other != seat)
        return PointsUtility(_LAST_ROUND_SLOPE, max(others, target) - own, _LEAD_BONUS, nine)
    gap = target - own
    return (
        PointsUtility(line=gap, prize=_CROSSING_BONUS, nine_bonus=nine)
        if gap <= _LINE_REACH
        else PointsUtility(nine_bonus=nine)
    )


def prepare_advice(cards: Iterable[Card]) -> None:
    """Fill the caches with what does not depend on the scores, which takes about 20 ms per card."""
    for card in dict.fromkeys(cards):
        for nine in (0.0, _NINE_BONUS) if can_make_nine(card) else (0.0,):
            get_turn_values(card, PointsUtility(nine_bonus=nine), spell=card.kind is CardKind.SORCERESS)


class _TurnOption(NamedTuple):
    """An option of the player with its expected value."""

    worth: float
    kept: DiceCounts | None
    """Counts of the kept faces, without skulls; None to stop."""
    revives: bool = False


def _turn_options(card: Card, whole: DiceCounts, expected: TurnValues, *, spell: bool) -> Iterator[_TurnOption]:
    """Yield the options off the Island; equal dice are interchangeable."""
    skulls, *counts = whole
    may_revive, may_roll = spell and skulls > 0, skulls + card.skulls <= MAX_SKULLS
    yield _TurnOption(expected.value_of_stopping(whole), None)
    for kept in product(*(range(count + 1) for count in counts)):
        if may_revive:
            yield _TurnOption(expected.value_of_reviving((skulls - 1, *kept)), kept, revives=True)
        if may_roll and sum(counts) - sum(kept) >= MIN_ROLLED_DICE:
            yield _TurnOption(expected.value_of_rolling((skulls, *kept)), kept)


def _find_best_options(
    card: Card, whole: DiceCounts, utility: PointsUtility, *, spell: bool
) -> tuple[_TurnOption | None, _TurnOption | None]:
    """Return the option that is clearly best, and the best roll without the Sorceress."""
    options = list(_turn_options(card, whole, get_turn_values(card, utility, spell=spell), spell=spell))
    rolls = [option for option in options if option.kept is not None and not option.revives]
    # Near the line and in the last round the prize is a rough estimate of a win, which hints know better.
    worths = () if utility.prize else ((option.worth, option) for option in options)
    return find_clear_best(worths, SCORE_STEP / 2), max(rolls, key=attrgetter("worth"), default=None)


def _build_move(turn: Turn, option: _TurnOption) -> Move:
    """Return the move of an option; with a Treasure Chest, the kept dice go into it, which costs nothing."""
    if option.kept is None:
        return STOP
    places = _places_to_keep(turn, option.kept)
    rest = tuple(place for place in turn.free if place not in places)
    if option.revives:
        first_skull = next(place for place in ALL_PLACES if place not in turn.free)
        return Revive(first_skull, rest)
    return Roll(rest, places if turn.card.kind is CardKind.TREASURE_CHEST else ())


def _places_to_keep(turn: Turn, kept: DiceCounts) -> Places:
    """Return the places of the first dice with the faces to keep."""
    left = dict(zip(FACES[1:], kept, strict=True))
    places = []
    for place in turn.free:
        face = turn.faces[place - 1]
        if left[face]:
            left[face] -= 1
            places.append(place)
    return tuple(places)
