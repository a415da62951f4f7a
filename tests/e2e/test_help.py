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


async def test_help_leads_to_the_games_and_back(parlour: Parlour) -> None:
    helped = (await parlour.robin.slash(parlour.here, "help")).replies[0]
    assert [each.description for each in helped.attachments] == [
        "The games Change, Fortune, Magpie, Mr. Houdini's Baggage, and The Magic Bag."
    ]
    for button, title in (("About", "About Parlour"), ("◀ Help", "Parlour"), ("How to play", "Games")):
        await parlour.press(parlour.robin, helped, button)
        assert helped.embeds[0]["title"] == title
        assert bool(helped.attachments) is (button != "About")
    for button, title in (("Change", "Change · The goal"), ("◀ Games", "Games"), ("◀ Help", "Parlour")):
        assert (await parlour.press(parlour.robin, helped, button)).replies == ()
        assert helped.embeds[0]["title"] == title


async def test_games_are_listed_in_direct_messages(parlour: Parlour) -> None:
    place = parlour.wren.direct_channel
    (listed,) = (await parlour.wren.slash(place, "play")).replies
    await parlour.press(parlour.wren, listed, "The Magic Bag")
    table = await parlour.client.host.service.open_table_in(place.id, parlour.wren.id)
    assert table is not None
    assert table.header.game == "magic_bag"
