"""A computer player stands in for an absent player, through the sandbox."""

from tests.support.parlour import Parlour


async def test_a_computer_substitutes_until_the_player_is_back(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    while await parlour.mover() is not parlour.wren:
        await parlour.press(parlour.robin, message, "Roll all five")
    early = await parlour.robin.slash(parlour.here, "table substitute")
    assert "hasn't been quiet for two minutes" in early.text
    parlour.advance_clock(minutes=2)
    done = await parlour.robin.slash(parlour.here, "table substitute")
    assert "stands in for Wren" in done.text
    await parlour.sandbox.until(lambda: "Robin to roll" in message.text and "Wren 🤖" in message.text)
    assert "You're already in your seat" in (await parlour.press(parlour.robin, message, "I'm back")).text
    answer = await parlour.press(parlour.wren, message, "I'm back")
    assert not answer.replies
    # The computer player has rolled; no one else is one any more.
    await parlour.sandbox.until(lambda: "**Wren 🤖**" in message.text and message.text.count("🤖") == 1)
    assert all(button.label != "I'm back" for button in message.buttons)
