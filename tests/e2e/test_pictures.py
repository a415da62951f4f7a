"""Pictures through the sandbox: each replaces the one before, and a game continues without them."""

from typing import Any

from bot.sandbox.model.messages import Attachment, Message
from bot.tables.host import Host
from tests.support.parlour import ROLL, Parlour

PNG = b"\x89PNG\r\n\x1a\n"


def picture_of(message: Message) -> Attachment:
    """The one picture of a message, which its embed shows."""
    (file,) = message.attachments
    assert message.embeds[0]["image"]["url"] == file.url
    assert file.content.startswith(PNG)
    assert file.description
    return file


class TestTables:
    async def test_every_edit_has_one_new_picture_and_a_lobby_the_cover_with_its_seats(self, parlour: Parlour) -> None:
        message = await parlour.open_table(parlour.robin)
        assert "1 of 6" in str(picture_of(message).description)
        await parlour.press(parlour.wren, message, "Join")
        await parlour.wait_until_shown()
        assert "2 of 6" in str(picture_of(message).description)
        await parlour.press(parlour.robin, message, "Start with 2")
        await parlour.wait_until_shown()
        seen = [picture_of(message)]
        for _ in range(4):
            await parlour.press(await parlour.mover(), message, ROLL)
            await parlour.wait_until_shown()
            seen.append(picture_of(message))
        assert len({file.id for file in seen}) == len({file.content for file in seen}) == 5


async def test_answers_and_edits_carry_their_file(parlour: Parlour) -> None:
    """What goes over the wire: a list of attachments that names the new file alone."""
    message = await parlour.start_game(parlour.robin, parlour.wren)
    await parlour.press(await parlour.mover(), message, ROLL)
    parlour.client.app.service(Host).publisher.wake(1, again=True)
    await parlour.wait_until_settled()
    lists: list[Any] = []
    for record in parlour.sandbox.requests:
        body = record.json if isinstance(record.json, dict) else {}
        body = body.get("data", body) or {}
        if body.get("embeds") and "image" in body["embeds"][0]:
            lists.append(body["attachments"])
    assert len(lists) >= 2
    assert all(len(files) == 1 and files[0]["id"] == 0 and files[0]["description"] for files in lists)
