"""Magpie's positions and turns in its own notation, for tables of cases."""

from itertools import product

from bot.games.magpie.pieces import GameEvent, MagpieOptions, State
from bot.games.magpie.rules import Magpie
from bot.rules.chance import ScriptedChance
from bot.rules.game import RollOffRound
from bot.rules.screen import EMPTY_DRAFT, Draft
from tests.support.named_positions import NamedPosition

GAME = Magpie()
PLAIN = MagpieOptions(target=100)
V1 = MagpieOptions(target=100, double_big_rolls=True)
V2 = MagpieOptions(target=100, reroll_fours=True)
V3 = MagpieOptions(target=100, five_dice_bonus=True)
V1_V3 = MagpieOptions(target=100, double_big_rolls=True, five_dice_bonus=True)
EVERY_MIX = [
    MagpieOptions(target=100, double_big_rolls=v1, reroll_fours=v2, five_dice_bonus=v3)
    for v1, v2, v3 in product((False, True), repeat=3)
]

PAIRED_MIXES = EVERY_MIX[0], EVERY_MIX[3], EVERY_MIX[5], EVERY_MIX[6]
"""Each two options are in every combination in some of these."""


def digits(text: str) -> tuple[int, ...]:
    """Read faces or places: `11162`."""
    return tuple(map(int, text))


def at(position: str, options: MagpieOptions = PLAIN) -> State:
    """Set up a position like `11162 12/0 1 -`: dice, scores, seat to move, seat that triggered the end.

    Alone, the points of the turns follow: `11162 12 0 - 8/0/4`, or `-` before the first.
    """
    faces, totals, mover, trigger, *gains = position.split(" ")
    scores = tuple(map(int, totals.split("/")))
    roll_off = RollOffRound(tuple((seat, digits("11111" if seat else "66666")) for seat in range(len(scores))))
    return State(
        options=options,
        roll_off=(roll_off,),
        faces=digits(faces),
        scores=scores,
        mover=None if mover == "-" else int(mover),
        trigger=None if trigger == "-" else int(trigger),
        gains=tuple(map(int, gains[0].split("/"))) if gains and gains[0] != "-" else (),
    )


def start_game(seats: int, dice: str, options: MagpieOptions = PLAIN) -> State:
    """Start with scripted dice: the rounds of the roll-off, seat by seat, and then the opening roll."""
    with ScriptedChance.from_faces(dice) as chance:
        return GAME.start(options, seats, chance)


def play_move(state: State, move: str, dice: str) -> tuple[State, tuple[GameEvent, ...]]:
    """Make the move of the seat to move with scripted dice, all of which must be used."""
    assert state.mover is not None
    with ScriptedChance.from_faces(dice) as chance:
        return GAME.play(state, state.mover, GAME.parse_move(move), chance)


def play_from(position: str, move: str, dice: str, options: MagpieOptions = PLAIN) -> tuple[str, tuple[GameEvent, ...]]:
    """Make a move in a position and return the position after it and what happened."""
    state, events = play_move(at(position, options), move, dice)
    return GAME.encode_position(state), events


def make_finished_game(scores: tuple[int, ...], trigger: int) -> State:
    """Return a game that has ended with these scores."""
    return at(f"12346 {'/'.join(map(str, scores))} - {trigger}")


def name_position(
    parts: str,
    state: State,
    events: tuple[GameEvent, ...] = (),
    *,
    draft: Draft = EMPTY_DRAFT,
) -> NamedPosition:
    """Name a position by the texts that are remarkable in it."""
    return NamedPosition(state, events, seats=len(state.scores), draft=draft, parts=parts)


def make_positions() -> dict[str, NamedPosition]:
    """Return positions whose texts no showcase has."""
    opening = start_game(2, "66544 11111  12346")
    first, first_events = play_move(opening, "roll 5", "6")
    second, second_events = play_move(first, "roll 5", "6")
    return {
        "roll-off": name_position("screen reading", opening),
        "first-round": name_position("screen news", first, first_events),
        "second-round": name_position("screen", second, (*first_events, *second_events)),
        "full-house": name_position("screen picture", *play_move(at("11122 4/0 0 -"), "roll 5", "2")),
        "five-dice-bonus": name_position(
            "screen picture news", *play_move(at("12346 0/0 0 -", V3), "roll 1 2 3 4 5", "11223")
        ),
        "every-option": name_position("screen reading picture", at("11234 0/0 0 -", EVERY_MIX[-1])),
        "one-die-ticked": name_position("screen", at("11234 0/0 0 -"), draft=frozenset({1})),
        "three-dice-ticked": name_position("screen", at("11234 0/0 0 -"), draft=frozenset({3, 4, 5})),
        "five-dice-ticked": name_position("screen", at("11234 0/0 0 -"), draft=frozenset({1, 2, 3, 4, 5})),
        "target-within-reach": name_position("hint", at("11223 96/40 0 -")),
        "target-far-away": name_position("hint", at("11223 20/40 0 -")),
        "last-round": name_position("screen reading picture", at("12346 0/103/0 2 1")),
        "over-without-points": name_position("screen picture", *play_move(at("11162 99/0 1 0"), "roll 4 5", "34")),
        "alone-at-the-start": name_position("screen reading picture", at("12346 0 0 - -")),
        "alone": name_position(
            "screen reading picture news", *play_move(at("11223 23 0 - 8/0/14/1"), "roll 5", "12341")
        ),
        "alone-over": name_position(
            "screen reading picture", *play_move(at("44123 71 0 - 8/0/14/1/33/0/0/8/7"), "roll 3 4 5", "11444")
        ),
        "over-with-equal-scores": name_position("screen reading picture", make_finished_game((101, 40, 101), 0)),
    }
