"""Magpie through the sandbox, die by die."""

from bot.sandbox.model.messages import ButtonStyle
from bot.tables import storage as table_storage
from tests.support.parlour import Parlour, button_id, find_button


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
