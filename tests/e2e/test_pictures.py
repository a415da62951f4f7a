"""Pictures through the sandbox: each replaces the one before, and a game continues without them."""

from typing import Any

import pytest

from bot.pictures.service import DrawingFailed
from bot.sandbox import ClientRefusal
from bot.sandbox.model.messages import Attachment, Message
from bot.sandbox.model.permissions import Permissions
from bot.tables.host import Host
from tests.support.parlour import Parlour, shared_picture_service

PNG = b"\x89PNG\r\n\x1a\n"


def picture_of(message: Message) -> Attachment:
    """The one picture of a message, which its embed shows."""
    (file,) = message.attachments
    assert message.embeds[0]["image"]["url"] == file.url
    assert file.content.startswith(PNG)
    assert file.description
    return file


def has_picture(message: Message) -> bool:
    return bool(message.attachments) or any("image" in embed for embed in message.embeds)


class TestTables:
    async def test_every_edit_has_one_new_picture_and_a_lobby_the_cover_with_its_seats(self, parlour: Parlour) -> None:
        message = await parlour.open_table(parlour.robin)
        assert "1 of 6 seats" in str(picture_of(message).description)
        await parlour.press(parlour.wren, message, "Join")
        await parlour.wait_until_shown()
        assert "2 of 6 seats" in str(picture_of(message).description)
        await parlour.press(parlour.robin, message, "Start with 2")
        await parlour.wait_until_shown()
        seen = [picture_of(message)]
        for _ in range(4):
            await parlour.press(await parlour.mover(), message, "Roll all five")
            await parlour.wait_until_shown()
            seen.append(picture_of(message))
        assert len({file.id for file in seen}) == len({file.content for file in seen}) == 5


class TestWithoutPictures:
    async def test_a_game_goes_on_in_words_if_nothing_can_be_drawn(
        self, parlour: Parlour, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        message = await parlour.start_game(parlour.robin, parlour.wren)
        picture_of(message)

        def fail(*_given: object) -> None:
            raise DrawingFailed("the paint is dry")

        for way in ("draw_if_quick", "draw"):
            monkeypatch.setattr(shared_picture_service(), way, fail)
        for step in (1, 2):
            await parlour.press(await parlour.mover(), message, "Roll all five")
            await parlour.wait_until_shown()
            assert not has_picture(message)
            assert (await parlour.table()).header.step == step
        assert any("paint is dry" in str(record.exc_info) for record in caplog.records)
        monkeypatch.undo()
        await parlour.press(await parlour.mover(), message, "Roll all five")
        await parlour.wait_until_shown()
        picture_of(message)
        caplog.clear()

    async def test_without_the_permission_to_attach_files_a_game_is_played_in_words(self, parlour: Parlour) -> None:
        parlour.here.bot_permissions &= ~Permissions.ATTACH_FILES
        opened = await parlour.robin.slash(parlour.here, "magpie new")
        await parlour.sandbox.until(lambda: len(opened.replies) == 2)
        lobby, note = opened.replies
        assert (lobby.ephemeral_to, note.ephemeral_to) == (None, parlour.robin.id)
        assert "**Attach Files**" in note.text
        await parlour.press(parlour.wren, lobby, "Join")
        await parlour.press(parlour.robin, lobby, "Start with 2")
        await parlour.press(await parlour.mover(), lobby, "Roll all five")
        await parlour.wait_until_shown()
        assert not has_picture(lobby)
        parlour.here.bot_permissions |= Permissions.ATTACH_FILES
        await parlour.press(await parlour.mover(), lobby, "Roll all five")
        await parlour.wait_until_shown()
        picture_of(lobby)


class TestSettings:
    async def test_settings_require_permission_to_manage_the_server(self, parlour: Parlour) -> None:
        with pytest.raises(ClientRefusal):
            await parlour.wren.slash(parlour.here, "settings show")


async def test_answers_and_edits_carry_their_file(parlour: Parlour) -> None:
    """What goes over the wire: a list of attachments that names the new file alone."""
    message = await parlour.start_game(parlour.robin, parlour.wren)
    await parlour.press(await parlour.mover(), message, "Roll all five")
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
