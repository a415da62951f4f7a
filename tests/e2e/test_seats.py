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


async def test_one_of_three_resigns_and_the_others_play_on(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren, parlour.jay)
    gone = await parlour.mover()
    asked = await gone.slash(parlour.here, "table resign")
    await gone.click(asked.replies[0], button_id(asked.replies[0], "Resign"))
    await parlour.sandbox.until(lambda: f"{gone.name} 🤖**" in message.text)
    table = await parlour.table()
    assert not table.header.awaits_computer
    refused = await parlour.press(gone, message, "Roll all five")
    assert "You've resigned" in refused.text
    answer = await parlour.press(await parlour.mover(), message, "Roll all five")
    assert not answer.replies


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


async def test_the_same_people_can_play_again(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    asked = await parlour.wren.slash(parlour.here, "table resign")
    await parlour.wren.click(asked.replies[0], button_id(asked.replies[0], "Resign"))
    await parlour.sandbox.until(lambda: any(button.label == "Play again" for button in message.buttons))
    await parlour.press(parlour.wren, message, "Play again")
    await parlour.sandbox.until(lambda: "waiting for players" in parlour.here.messages[-1].text)
    lobby = parlour.here.messages[-1]
    assert "Robin" in lobby.text
    (menu,) = (await parlour.press(parlour.wren, lobby, "Remove player")).replies
    await parlour.wren.select(menu, menu.selects[0].custom_id or "", ["0"])
    assert "That seat is free now" in menu.text
    await parlour.sandbox.until(lambda: "Robin" not in lobby.text)
    await parlour.press(parlour.wren, lobby, "Add computer")
    await parlour.sandbox.until(lambda: "🤖 Normal" in lobby.text)
    await parlour.press(parlour.wren, lobby, "Computer: Normal ↻")
    await parlour.sandbox.until(lambda: "🤖 Strong" in lobby.text)
    assert "Only Wren, the host" in (await parlour.press(parlour.jay, lobby, "Computer: Strong ↻")).text
