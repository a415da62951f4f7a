"""Games played to their end through the sandbox."""

from bot.sandbox.model.messages import ButtonStyle, Message
from bot.tables import storage as table_storage
from bot.tables.host import Host
from bot.tables.model import Status
from tests.support.parlour import ROLL, Parlour, button_id


async def play_to_end(parlour: Parlour, message: Message, most: int = 2000) -> int:
    """Let everyone roll all five dice when it is their turn until the table is closed; return the rolls."""
    for rolls in range(most):
        table = await parlour.client.app.service(Host).service.open_table_in(parlour.here.id)
        if table is None:
            return rolls
        assert table.mover is not None
        answer = await parlour.press(parlour.sandbox.person(table.mover.name), message, ROLL)
        assert not answer.replies, answer.text
    raise AssertionError("the game does not end")


async def test_three_people_play_a_whole_game_by_buttons(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren, parlour.jay)
    table = await parlour.table()
    assert table.header.status is Status.PLAYING
    assert "starts." in message.text

    rolls = await play_to_end(parlour, message)

    finished = await parlour.client.app.service(Host).service.table(table.id)
    outcome = finished.outcome
    assert outcome is not None
    assert max(outcome.scores) >= 100
    assert finished.header.step == rolls
    await parlour.wait_until_settled()
    for seat in outcome.winners:
        assert finished.seats[seat].name in message.embeds[0]["title"]
    assert parlour.here.messages == [message]
    assert " reached 100." in (await parlour.press(parlour.robin, message, "What happened")).text


async def test_dice_are_picked_and_rolled(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    table = await parlour.table()
    mover = await parlour.mover()
    before = table.state.faces

    dice = [button_id(message, at) for at in range(5)]
    await mover.click(message, dice[1])
    assert message.button("Keep ").style is ButtonStyle.PRIMARY
    await mover.click(message, button_id(message, 3))
    assert [button.label.startswith("✓") for button in message.buttons[:5]] == [
        False,
        True,
        False,
        True,
        False,
    ]
    assert "roll 3 (" in message.button("Keep ").label
    await parlour.press(mover, message, "Roll only ")

    after = (await parlour.table()).state.faces
    assert [after[at] for at in (0, 2, 4)] == [before[at] for at in (0, 2, 4)]
    record = await parlour.db.read(table_storage.load, table.id)
    assert record is not None
    assert [entry.text for entry in record.entries] == ["roll 2 4"]


async def test_three_clicks_lead_from_an_empty_channel_to_a_roll(parlour: Parlour) -> None:
    message = await parlour.open_table(parlour.robin)
    await parlour.press(parlour.robin, message, "Start with Computer")
    await parlour.sandbox.until(lambda: any(button.label.startswith(ROLL) for button in message.buttons))
    table = await parlour.table()
    await parlour.sandbox.until(lambda: "Robin, roll the dice" in message.text)
    await parlour.press(parlour.robin, message, ROLL)
    record = await parlour.db.read(table_storage.load, table.id)
    assert record is not None
    assert "roll 1 2 3 4 5" in [entry.text for entry in record.entries if entry.click_id is not None]
