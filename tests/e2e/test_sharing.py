"""The end of a game: a picture of the result, which its players can share with the channel."""

from io import BytesIO

from PIL import Image

from bot.tables.shown.result_picture import CARD_SIZE
from tests.e2e.test_results import play_to_end
from tests.support.parlour import Parlour


async def test_a_result_is_shared_once_by_a_player(parlour: Parlour) -> None:
    table = await play_to_end(parlour, parlour.robin, parlour.wren)
    (ended,) = parlour.linnet.visible_messages(parlour.here)
    (picture,) = ended.attachments
    assert f" {parlour.sandbox.world.server.name} · " in str(picture.description), "the picture names the server"
    stranger = await parlour.press(parlour.linnet, ended, "Share")
    assert "Only the players of this game" in stranger.text

    await parlour.press(parlour.wren, ended, "Share")
    await parlour.sandbox.until(lambda: len(parlour.jay.visible_messages(parlour.here)) == 2)
    _, shared = parlour.jay.visible_messages(parlour.here)
    assert table.outcome is not None
    winners = " and ".join(table.seats[seat].name for seat in table.outcome.winners)
    verb = "won" if len(table.outcome.winners) == 1 else "shared the win in"
    score = max(table.outcome.scores)
    assert f"🏆 **{winners}** {verb} Magpie with {score} points · 2 players" in shared.text
    assert not shared.buttons
    assert "/table share" not in shared.text
    await parlour.sandbox.until(lambda: len(parlour.wren.visible_messages(parlour.here)) == 3)
    private = parlour.wren.visible_messages(parlour.here)[-1]
    assert private.text == "`/table share` shows the highlights as an animation."
    assert len(parlour.jay.visible_messages(parlour.here)) == 2, "only Wren is told"
    (card,) = shared.attachments
    with Image.open(BytesIO(card.content)) as image:
        assert image.size == CARD_SIZE

    again = await parlour.press(parlour.robin, ended, "Share")
    assert again.ephemeral
    assert f"shared already: https://discord.com/channels/{parlour.sandbox.world.server.id}/" in again.text
    assert str(shared.id) in again.text
    assert len(parlour.jay.visible_messages(parlour.here)) == 2
