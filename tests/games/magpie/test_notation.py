"""Magpie's notation of positions."""

from bot.games.magpie.pieces import MagpieOptions
from bot.rules.chance import FairChance
from tests.games.magpie.positions import GAME, at
from tests.support.each_case import each_case


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
