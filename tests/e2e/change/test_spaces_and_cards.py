"""A space of Change that asks in the hand, and a turn by commands, through the sandbox."""

from tests.e2e.change.change_table import ChangeTable
from tests.games.change.positions import at, credits_left, hand, markers


async def test_backslide_asks_in_the_hand_which_card_is_kept(game: ChangeTable) -> None:
    """CH-S6."""
    robin = game.parlour.robin
    await game.set_position(at("120@17", "120@0", hands=["greed any add-1"]), "41")
    await game.press(robin, "Roll")
    own = await game.open_hand(robin)
    await game.parlour.press(robin, own, "Keep: Greed")
    assert hand(await game.state()) == "greed"
    assert "1 of 5 cards" in own.text


async def test_a_turn_by_commands(game: ChangeTable) -> None:
    robin, here = game.parlour.robin, game.parlour.here
    await game.set_position(at("120@0", "120@0", hands=["add-2 any greed"]), "41 412 41 3 111 11 1")
    for command, options in (
        ("change roll", {}),
        ("change challenge", {}),
        ("change card", {"play": "Add 2"}),
        ("change option", {"space": "Habits"}),
        ("change done", {}),
    ):
        answer = await robin.slash(here, command, **options)
        assert answer.ephemeral
        assert "Done" in answer.text, (command, answer.text)
    state = await game.state()
    assert (markers(state), credits_left(state), state.public.turn) == ("desires", (130, 120), 1)
