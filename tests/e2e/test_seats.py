"""Seats while a game is played, through the sandbox."""

from bot.tables.model import Status
from tests.support.parlour import Parlour, button_id


async def test_one_of_two_resigns_and_the_other_wins(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    table = await parlour.table()
    asked = await parlour.wren.slash(parlour.here, "table resign")
    assert asked.ephemeral
    question = asked.replies[0]
    await parlour.wren.click(question, button_id(question, "Resign"))
    await parlour.sandbox.until(lambda: "Robin wins" in message.text)
    assert [button.label for button in message.buttons] == [
        "Play again",
        "Share",
        "Replay",
        "Read the table",
        "Check fairness",
    ]
    assert "Robin wins" in message.text
    assert "Wren resigned" in message.text
    assert (await parlour.client.host.service.table(table.id)).header.status is Status.FINISHED


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
