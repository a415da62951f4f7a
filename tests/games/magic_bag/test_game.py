"""Whole games of The Magic Bag: one by hand, and some that keep the contract at every single step."""

from bot.games.magic_bag.pieces import MagicBagOptions
from bot.rules.chance import ScriptedChance
from bot.tools.contract.playout import PlayoutSetting, play_out
from tests.games.magic_bag.positions import GAME, play_move
from tests.support.each_case import each_case
from tests.support.games import load_games_once
from tests.support.picture_checks import project_assets

IN_ORDER = [*range(23, 0, -1)]
"""A shuffle in which every tile stays where it is."""

# The bag's places: suns 0 to 5, moons 6 to 11, crowns 3 to 5 at 12 to 14, arms from 15 on.
RECORD: list[tuple[str, list[int | str], str]] = [
    ("claim 4", [15, 15, "3333"], "sun-4 covers a four, sun-5 is exact: Arms null and ace"),
    ("roll sun", ["0"], "a null for row 1"),
    ("claim 1", [15, 15, "5555"], "exact: Arms 2 and 3"),
    ("stop", [], "two rolls are given away"),
    ("discard crown-null tile moon-5", ["3400"], "row 6 needs 3 and 4 now"),
    ("claim 6", [16, 15, "1111"], "moon-4 is exact: Arms 5 and 4"),
    ("roll sun moon crown arms", ["5555"], "row 2 is left alone"),
    ("roll sun moon crown arms", ["5555"], "and the last roll fails"),
    ("finish", [], "210 for the arms, 3 in gold"),
]


def test_a_game_by_hand() -> None:
    """MB-1 to MB-11."""
    with ScriptedChance([*IN_ORDER, 5, 2, 0, 4]) as chance:
        state = GAME.start(MagicBagOptions(), 1, chance)
    for move, script, _why in RECORD:
        state, _ = play_move(state, move, *script)
        assert GAME.audit(state) == ()
    assert GAME.encode_position(state) == (
        "-/sun-ace/sun-2+sun-3/-/moon-null+moon-ace+moon-2/-/crown-null+crown-ace+crown-2+crown-3/"
        "crown-4+crown-5+arms-null+arms-ace/arms-2+arms-3+arms-4+arms-5 5555 0 "
        "crown-ace+crown-2+arms-null+arms-ace+arms-2+arms-3+arms-5+arms-4 crown-null finished"
    )
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.scores == (213,)


@each_case("seed", [100, 101])
def test_the_contract_holds_at_every_step(seed: int) -> None:
    play_out(load_games_once()["magic_bag"], PlayoutSetting(MagicBagOptions(), 1, seed), None, project_assets())
