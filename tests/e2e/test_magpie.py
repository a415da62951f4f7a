"""Games played through the sandbox, to their end or die by die."""

from bot.sandbox.model.messages import ButtonStyle, Message
from bot.tables import storage as table_storage
from bot.tables.host import Host
from bot.tables.model import Status
from tests.support.parlour import ROLL, Parlour, button_id, find_button


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
    assert "opening roll starts" in message.text

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

    await mover.click(message, button_id(message, "@keep2"))
    assert find_button(message, "@others").style is ButtonStyle.PRIMARY
    await mover.click(message, button_id(message, "@keep4"))
    picked = [find_button(message, f"@keep{place}").label.startswith("✓") for place in range(1, 6)]
    assert picked == [False, True, False, True, False]
    await parlour.press(mover, message, "@others")

    after = (await parlour.table()).state.faces
    assert [after[at] for at in (1, 3)] == [before[at] for at in (1, 3)]
    record = await parlour.db.read(table_storage.load, table.id)
    assert record is not None
    assert [entry.text for entry in record.entries] == ["roll 1 3 5"]
