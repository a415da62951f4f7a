"""Tables in direct messages, where no one is a member of anything."""

from bot.platform.places import Location
from bot.tables.model import Status
from tests.support.parlour import Parlour


async def test_a_game_in_a_direct_message_is_private(parlour: Parlour) -> None:
    place = parlour.wren.direct_channel
    opened = await parlour.wren.slash(place, "magpie new", target=50)
    (message,) = opened.replies
    await parlour.press(parlour.wren, message, "Start with Rusty")
    await parlour.sandbox.until(lambda: "Wren, roll" in message.text)
    before = (await parlour.table(place)).header
    offered = await parlour.wren.autocomplete(place, "magpie roll", {"dice": "all"}, focused="dice")
    await parlour.wren.slash(place, "magpie roll", dice=str(offered[0].value))
    table = await parlour.table(place)
    assert (before.status, before.location) == (Status.PLAYING, Location(guild_id=None, channel_id=place.id))
    assert table.header.step > before.step
    assert parlour.robin.visible_messages(place) == []
    assert parlour.wren.visible_messages(parlour.here) == []
