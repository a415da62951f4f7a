"""From `/play` and `/help` to a table and its guide, through the sandbox."""

from bot.tables.model import Status
from tests.support.parlour import Parlour


async def test_a_game_opens_in_two_clicks_and_explains_itself(parlour: Parlour) -> None:
    listed = (await parlour.robin.slash(parlour.here, "play")).replies[0]
    assert listed.attachments
    await parlour.press(parlour.robin, listed, "Fortune")
    table = await parlour.table()
    assert (table.header.game, table.header.status) == ("fortune", Status.LOBBY)
    await parlour.wait_until_settled()
    lobby = next(each for each in parlour.wren.visible_messages(parlour.here) if each.buttons)
    guide = (await parlour.press(parlour.wren, lobby, "How to play")).replies[0]
    assert guide.embeds[0]["title"] == "Fortune · The goal"
    assert guide.attachments
    await parlour.press(parlour.wren, guide, "Next ▶")
    assert guide.embeds[0]["title"] == "Fortune · Your turn"
    assert guide.attachments
