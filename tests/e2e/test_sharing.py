"""The end of a game: a picture of the result, which its players can share with the channel."""

from io import BytesIO

from PIL import Image

from bot.tables.host import Host
from bot.tables.shown.result_picture import CARD_SIZE
from tests.e2e.test_results import play_to_end
from tests.support.parlour import Parlour


async def test_a_result_is_shared_once_by_a_player(parlour: Parlour) -> None:
    table = await play_to_end(parlour, parlour.robin, parlour.wren)
    (ended,) = parlour.linnet.visible_messages(parlour.here)
    stranger = await parlour.press(parlour.linnet, ended, "Share")
    assert "Only the players of this game" in stranger.text

    await parlour.press(parlour.wren, ended, "Share")
    await parlour.sandbox.until(lambda: len(parlour.jay.visible_messages(parlour.here)) == 2)
    _, shared = parlour.jay.visible_messages(parlour.here)
    assert table.outcome is not None
    assert all(f"**{table.seats[seat].name}**" in shared.text for seat in table.outcome.winners)
    assert str(max(table.outcome.scores)) in shared.text
    assert "/table share" not in shared.text
    (card,) = shared.attachments
    with Image.open(BytesIO(card.content)) as image:
        assert image.size == CARD_SIZE

    again = await parlour.press(parlour.robin, ended, "Share")
    assert again.ephemeral
    assert f"shared already: https://discord.com/channels/{parlour.sandbox.world.server.id}/" in again.text
    assert str(shared.id) in again.text
    assert len(parlour.jay.visible_messages(parlour.here)) == 2

    (dare,) = shared.buttons
    await parlour.press(parlour.jay, shared, str(dare.label))
    opened = await parlour.client.app.service(Host).service.open_table_in(parlour.here.id)
    assert opened is not None
    assert (opened.seats[0].name, opened.options) == (parlour.jay.name, table.options)
