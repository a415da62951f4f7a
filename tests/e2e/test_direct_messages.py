"""Tables in direct messages, where no one is a member of anything."""

from bot.platform.places import Location
from bot.tables.model import Status
from tests.support.parlour import Parlour


async def test_a_game_in_a_direct_message_is_private(parlour: Parlour) -> None:
    place = parlour.wren.direct_channel
    opened = await parlour.wren.slash(place, "magpie new", target=50)
    (message,) = opened.replies
    await parlour.press(parlour.wren, message, "Play the computer")
    await parlour.sandbox.until(lambda: "Wren to roll" in message.text)
    before = (await parlour.table(place)).header
    offered = await parlour.wren.autocomplete(place, "magpie roll", {"dice": "all"}, focused="dice")
    await parlour.wren.slash(place, "magpie roll", dice=str(offered[0].value))
    table = await parlour.table(place)
    assert (before.status, before.location) == (Status.PLAYING, Location(guild_id=None, channel_id=place.id))
    assert table.header.step > before.step
    assert parlour.robin.visible_messages(place) == []
    assert parlour.wren.visible_messages(parlour.here) == []


async def test_it_is_cancelled_by_its_opener(parlour: Parlour) -> None:
    place = parlour.wren.direct_channel
    (message,) = (await parlour.wren.slash(place, "magpie new")).replies
    answer = await parlour.wren.slash(place, "table cancel")
    assert answer.ephemeral
    await parlour.wait_until_settled()
    assert message.buttons == []


async def test_a_solo_game_is_dealt_and_played_there(parlour: Parlour) -> None:
    place = parlour.wren.direct_channel
    (message,) = (await parlour.wren.slash(place, "magic-bag new")).replies
    await parlour.press(parlour.wren, message, "Deal")
    await parlour.sandbox.until(lambda: "roll 1 of 3" in message.text)
    await parlour.press(parlour.wren, message, "Roll all four")
    await parlour.sandbox.until(lambda: "roll 2 of 3" in message.text)
    table = await parlour.client.host.service.open_table_in(place.id, parlour.wren.id)
    assert table is not None
    assert table.header.step == 1


async def test_the_lobby_there_offers_only_what_works_for_one_person(parlour: Parlour) -> None:
    place = parlour.wren.direct_channel
    (lobby,) = (await parlour.wren.slash(place, "fortune new")).replies
    assert [button.label for button in lobby.buttons] == [
        *("Play the computer", "Not now", "How to play"),
        *("Options", "Add computer", "Computer: Normal ↻"),
    ]
    await parlour.press(parlour.wren, lobby, "Computer: Normal ↻")
    await parlour.sandbox.until(lambda: any(button.label == "Computer: Strong ↻" for button in lobby.buttons))
    await parlour.press(parlour.wren, lobby, "Play the computer")
    await parlour.sandbox.until(lambda: any(button.label == "Read the table" for button in lobby.buttons))
    table = await parlour.table(place)
    assert [occupant.level for occupant in table.seats] == [None, "strong"]


async def test_a_table_there_is_closed_before_it_starts(parlour: Parlour) -> None:
    place = parlour.wren.direct_channel
    (lobby,) = (await parlour.wren.slash(place, "magpie new")).replies
    await parlour.press(parlour.wren, lobby, "Not now")
    await parlour.sandbox.until(lambda: not lobby.buttons)
    assert await parlour.client.host.service.open_table_in(place.id) is None
