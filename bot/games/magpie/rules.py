"""The rules of Magpie, and the points for five dice."""

from collections.abc import Sequence
from functools import lru_cache

from bot.games.magpie.pieces import (
    DICE_COUNT,
    ROLLS,
    TURNS_ALONE,
    Combination,
    Faces,
    GameEvent,
    MagpieEnd,
    MagpieOptions,
    MagpieReason,
    Roll,
    Rolled,
    State,
    TableCleared,
    TargetReached,
)
from bot.rules.chance import Chance, roll
from bot.rules.game import GameInfo, Outcome, Seat, Transition, TurnGame, places_by_score, roll_off
from bot.rules.notation import Notation
from bot.rules.refusals import DieFacts, Refusal
from bot.words import N_

_LEGAL_DICE = {move.dice for move in ROLLS}

SCORE_STEP = 1
"""The smallest difference between two scores."""

FIVE_DICE_BONUS = 7
BIG_ROLL = 3


class Magpie(TurnGame[State, Roll, GameEvent]):
    """Magpie, for two to six seats (rule MP-1), or for one alone, as the daily challenge (rules MP-S1 to MP-S3)."""

    notation = Notation(Roll)
    info = GameInfo(
        key="magpie",
        title=N_("Magpie"),
        credits=N_("A dice game; author unknown."),
        least_seats=2,
        most_seats=6,
        options=MagpieOptions,
        version=1,
        step_limit=20_000,
        minutes_per_seat=5,
    )

    def start(self, options: MagpieOptions, seats: int, chance: Chance) -> State:
        """Roll off for the first turn, then roll the opening dice. Rules MP-2, MP-3 and MP-S3."""
        rounds = roll_off(seats, DICE_COUNT, chance)
        return State(
            options=options,
            roll_off=rounds,
            faces=roll(chance, DICE_COUNT),
            scores=(0,) * seats,
            mover=rounds[-1].leaders[0] if rounds else 0,
            trigger=None,
        )

    def seat_to_move(self, state: State) -> Seat | None:
        """Return the seat whose turn it is."""
        return state.mover

    def why_not(self, state: State, seat: Seat, move: Roll) -> Refusal | None:
        """Refuse places that are no choice of one to five dice. Rule MP-4."""
        return None if move.dice in _LEGAL_DICE else _illegal_roll_refusal(move)

    def legal_moves(self, state: State) -> Sequence[Roll]:
        """Return the 31 choices of one to five dice, or none after the end. Rule MP-4."""
        return () if state.mover is None else ROLLS

    def apply_move(self, state: State, seat: Seat, move: Roll, chance: Chance) -> Transition[State, GameEvent]:
        """Roll, score and pass the turn. Rules MP-4 to MP-9, MP-S1 and MP-S2."""
        faces = _roll_places(state, move, chance)
        combination, points = score_roll(state.options, faces, move.dice)
        scores = (*state.scores[:seat], state.scores[seat] + points, *state.scores[seat + 1 :])
        events: tuple[GameEvent, ...] = (Rolled(seat, move.dice, state.faces, faces, combination, points),)

        trigger, gains = state.trigger, (*state.gains, points) if state.is_alone else ()
        if trigger is None and scores[seat] >= state.options.target and not state.is_alone:
            trigger = seat
            events += (TargetReached(seat),)
        following = (seat + 1) % len(scores)
        mover = None if following == trigger or len(gains) == TURNS_ALONE else following
        if mover is not None and clears_table(state.options, combination):
            faces = roll(chance, DICE_COUNT)
            events += (TableCleared(seat, faces),)
        return State(state.options, state.roll_off, faces, scores, mover, trigger, gains), events

    def outcome(self, state: State) -> Outcome | None:
        """Rank the seats by their totals. Rules MP-9, MP-10 and MP-S1."""
        if state.mover is not None:
            return None
        reason = MagpieEnd.TURNS_PLAYED if state.is_alone else MagpieEnd.TARGET_REACHED
        return Outcome(places_by_score(state.scores), state.scores, reason)

    def view(self, state: State, seat: Seat | None) -> State:
        """Return the state itself: Magpie has no secrets."""
        return state

    def encode_position(self, state: State) -> str:
        """Return dice, scores, seat to move and seat that triggered the end: `11162 12/0 1 -`.

        Alone, the points of the turns follow: `11162 12 0 - 8/0/4`.
        """
        faces = "".join(map(str, state.faces))
        scores = "/".join(map(str, state.scores))
        mover, trigger = ("-" if seat is None else str(seat) for seat in (state.mover, state.trigger))
        gains = f" {'/'.join(map(str, state.gains)) or '-'}" if state.is_alone else ""
        return f"{faces} {scores} {mover} {trigger}{gains}"


def _roll_places(state: State, move: Roll, chance: Chance) -> Faces:
    """Return the dice after a roll; alone, five are drawn, of which those for the other places are not used.

    So a place shows the same face in a turn whichever others are rolled. Rules MP-4 and MP-S2.
    """
    after = list(state.faces)
    drawn = roll(chance, DICE_COUNT if state.is_alone else len(move.dice))
    for at, place in enumerate(move.dice):
        after[place - 1] = drawn[place - 1 if state.is_alone else at]
    return tuple(after)


def _illegal_roll_refusal(move: Roll) -> Refusal:
    if not move.dice:
        return Refusal(MagpieReason.NO_DICE)
    for place in move.dice:
        if not 1 <= place <= DICE_COUNT:
            return Refusal(MagpieReason.NO_SUCH_DIE, DieFacts(place))
        if move.dice.count(place) > 1:
            return Refusal(MagpieReason.DIE_TWICE, DieFacts(place))
    return Refusal(MagpieReason.OUT_OF_ORDER)


_COMBINATIONS = {
    (2, 2): Combination.TWO_PAIR,
    (3,): Combination.THREE_OF_A_KIND,
    (3, 2): Combination.FULL_HOUSE,
    (4,): Combination.FOUR_OF_A_KIND,
    (5,): Combination.FIVE_OF_A_KIND,
}


def combination_of(faces: Faces) -> tuple[Combination | None, frozenset[int]]:
    """Return the combination of the five dice as a whole, and the places (1 to 5) of its dice. Rule MP-7."""
    combination, members = _find_combination(tuple(sorted(faces)))
    return combination, frozenset(place for place, face in enumerate(faces, 1) if face in members)


# 5 us of a click.
@lru_cache(maxsize=256)
def _find_combination(faces: Faces) -> tuple[Combination | None, frozenset[int]]:
    """Return the combination of dice in rising order, and the faces that form it: all dice with such a face do."""
    groups = {face: count for face in set(faces) if (count := faces.count(face)) > 1}
    combination = _COMBINATIONS.get(tuple(sorted(groups.values(), reverse=True)))
    return combination, frozenset(groups) if combination else frozenset()


def score_roll(options: MagpieOptions, faces: Faces, rolled: tuple[int, ...]) -> tuple[Combination | None, int]:
    """Return the scoring combination after rolling the dice at these places, and its points.

    Rules MP-5, MP-6, MP-V1 and MP-V3. The bonus of MP-V3 has no combination.
    """
    combination, members = _find_combination(tuple(sorted(faces)))
    count = len(rolled)
    if combination is None or members.isdisjoint([faces[place - 1] for place in rolled]):
        combination, points = None, 0
    else:
        points = combination * count
        if is_doubled(options, count):
            points *= 2
    if options.five_dice_bonus and count == len(faces) and points < FIVE_DICE_BONUS:
        return None, FIVE_DICE_BONUS
    return combination, points


def is_doubled(options: MagpieOptions, count: int) -> bool:
    """Return whether rolling this many dice pays double. Rule MP-V1."""
    return options.double_big_rolls and count >= BIG_ROLL


def clears_table(options: MagpieOptions, combination: Combination | None) -> bool:
    """Return whether all five dice are re-rolled after scoring a combination. Rules MP-8 and MP-V2."""
    return combination is Combination.FIVE_OF_A_KIND or (
        options.reroll_fours and combination is Combination.FOUR_OF_A_KIND
    )
