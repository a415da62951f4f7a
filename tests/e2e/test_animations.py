"""`/table share`: the highlights of a finished game as an animation, drawn once, stored, and posted for everyone."""

from io import BytesIO

from PIL import Image

from bot.sandbox.model.permissions import Permissions
from tests.e2e.test_results import play_to_end
from tests.support.parlour import Parlour


async def test_a_player_posts_the_animation_of_the_newest_game_once(parlour: Parlour) -> None:
    table = await play_to_end(parlour, parlour.robin, parlour.wren)
    stranger = await parlour.linnet.slash(parlour.here, "table share")
    assert "Only the players of this game" in stranger.text

    answer = await parlour.wren.slash(parlour.here, "table share")
    await parlour.sandbox.until(lambda: len(parlour.jay.visible_messages(parlour.here)) == 2)
    _, posted = parlour.jay.visible_messages(parlour.here)
    (animation,) = posted.attachments
    assert animation.content_type == "image/gif"
    assert "Magpie with" in posted.text
    with Image.open(BytesIO(animation.content)) as image:
        assert 3 <= getattr(image, "n_frames", 1) <= 12
    await parlour.sandbox.until(lambda: str(posted.id) in answer.text)
    assert answer.ephemeral
    assert await parlour.store.load_animation(table.id) == animation.content

    again = await parlour.robin.slash(parlour.here, "table share")
    assert again.ephemeral
    assert "shared already" in again.text
    assert str(posted.id) in again.text
    assert len(parlour.jay.visible_messages(parlour.here)) == 2


async def test_a_stored_animation_is_not_drawn_again(parlour: Parlour) -> None:
    table = await play_to_end(parlour, parlour.robin, parlour.wren)
    await parlour.store.save_animation(table.id, b"GIF89a stored")
    await parlour.robin.slash(parlour.here, "table share")
    await parlour.sandbox.until(lambda: len(parlour.jay.visible_messages(parlour.here)) == 2)
    assert parlour.jay.visible_messages(parlour.here)[1].attachments[0].content == b"GIF89a stored"


async def test_without_a_finished_game_or_permission_nothing_is_posted(parlour: Parlour) -> None:
    assert "finished" in (await parlour.robin.slash(parlour.here, "table share")).text
    await play_to_end(parlour, parlour.robin, parlour.wren)
    parlour.here.bot_permissions &= ~Permissions.SEND_MESSAGES
    assert "Send Messages" in (await parlour.robin.slash(parlour.here, "table share")).text
    parlour.here.bot_permissions |= Permissions.SEND_MESSAGES
    assert len(parlour.jay.visible_messages(parlour.here)) == 1
