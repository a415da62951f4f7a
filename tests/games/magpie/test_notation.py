"""Magpie's notation of rolls and positions."""

from bot.games.magpie.pieces import MagpieOptions, MagpieReason, Roll
from bot.rules.chance import FairChance
from tests.games.magpie.positions import GAME, at, digits
from tests.support.each_case import each_case


@each_case("text, dice", [("roll 5 4 3 2 1", "12345"), ("roll 2 5 1", "125")])
def test_mp_4_the_dice_of_a_roll_are_read_in_any_order(text: str, dice: str) -> None:
    """MP-4."""
    assert GAME.parse_move(text) == Roll(digits(dice))


@each_case(
    "text, reason",
    [
        ("roll", MagpieReason.NO_DICE),
        ("roll 0", MagpieReason.NO_SUCH_DIE),
        ("roll 6", MagpieReason.NO_SUCH_DIE),
        ("roll 1 9", MagpieReason.NO_SUCH_DIE),
        ("roll 3 3", MagpieReason.DIE_TWICE),
    ],
)
def test_mp_4_impossible_dice_are_refused(text: str, reason: MagpieReason) -> None:
    """MP-4: Either parse or check says no; what check says has a sentence of its own."""
    refusal = GAME.check(at("12346 0/0 0 -"), 0, GAME.parse_move(text))
    assert refusal is not None
    assert refusal.reason is reason


@each_case(
    "position",
    [
        "12346 0/0 0 -",
        "11162 12/0 1 -",
        "66666 100/99/3 1 0",
        "55123 500/7/0/0/0/612 5 0",
        "11111 101/100 - 0",
    ],
)
def test_positions_are_written_as_dice_scores_mover_and_trigger(position: str) -> None:
    assert GAME.encode_position(at(position)) == position


def test_a_position_omits_options_and_roll_off() -> None:
    state = GAME.start(MagpieOptions(target=60, reroll_fours=True), 3, FairChance(b"\1" * 32, "", 0))
    faces = "".join(map(str, state.faces))
    assert GAME.encode_position(state) == f"{faces} 0/0/0 {state.mover} -"
