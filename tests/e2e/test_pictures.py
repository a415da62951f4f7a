"""Pictures through the sandbox: each replaces the one before, and a game continues without them."""

from typing import Any

import pytest

from bot.pictures.service import DrawingFailed
from bot.sandbox import ClientRefusal
from bot.sandbox.model.attachments import Attachment
from bot.sandbox.model.interactions import Interaction
from bot.sandbox.model.messages import Message
from bot.sandbox.model.permissions import Permissions
from bot.sandbox.people.person import Person
from bot.tables.model import Status
from tests.support.parlour import Parlour, button_id, choose_setting, shared_picture_service

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


async def play_to_end(parlour: Parlour) -> Message:
    """Play a short game of two by clicks."""
    message = await parlour.start_game(parlour.robin, parlour.wren, target=50)
    while (table := await parlour.client.host.service.table(1)).header.status is Status.PLAYING:
        who = parlour.sandbox.person(table.mover.name if table.mover else "")
        await parlour.press(who, message, "Roll all five")
        await parlour.wait_until_shown()
    return message


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
    async def test_open_tables_change_at_once(self, parlour: Parlour) -> None:
        message = await parlour.start_game(parlour.robin, parlour.wren)
        standard = picture_of(message)
        panel = await choose_setting(parlour.robin, parlour.elsewhere, "pictures", "high_contrast")
        assert "Updating 1 table." in panel.text
        await parlour.sandbox.until(lambda: picture_of(message).content != standard.content)
        await choose_setting(parlour.robin, parlour.here, "pictures", "off")
        await parlour.sandbox.until(lambda: not has_picture(message))
        await choose_setting(parlour.robin, parlour.here, "pictures", "standard")
        await parlour.sandbox.until(lambda: has_picture(message))
        assert picture_of(message).content == standard.content

    async def test_settings_require_permission_to_manage_the_server(self, parlour: Parlour) -> None:
        with pytest.raises(ClientRefusal):
            await parlour.wren.slash(parlour.here, "settings show")


class TestReplay:
    async def turn(self, who: Person, shown: Message, label: str) -> Interaction:
        return await who.click(shown, button_id(shown, label))

    async def test_a_finished_game_is_replayed_from_start_to_end(self, parlour: Parlour) -> None:
        message = await play_to_end(parlour)
        last = (await parlour.client.host.service.table(1)).header.step
        shown = (await parlour.press(parlour.jay, message, "Replay")).replies[0]
        assert shown.ephemeral_to == parlour.jay.id
        assert [button.label for button in shown.buttons][:2] == ["Turn ▶", "Last ⏭"]
        seen = [picture_of(shown)]
        for step in range(1, last + 1):
            await self.turn(parlour.jay, shown, "Turn ▶")
            assert f"Step {step} of {last}" in shown.text
            seen.append(picture_of(shown))
        assert len({file.id for file in seen}) == last + 1
        assert seen[-1].content != picture_of(message).content, "the table shows the result, and the replay the dice"
        assert "⏮ First" in [button.label for button in shown.buttons]
        assert "Turn ▶" not in [button.label for button in shown.buttons]
        await self.turn(parlour.jay, shown, "⏮ First")
        assert picture_of(shown).content == seen[0].content
        await self.turn(parlour.jay, shown, "Last ⏭")
        await self.turn(parlour.jay, shown, "◀ Turn")
        assert picture_of(shown).content == seen[-2].content
        menu, *_highlights = shown.selects
        await parlour.jay.select(shown, menu.custom_id or "", ["2"])
        assert picture_of(shown).content == seen[1].content
        forged = await parlour.jay.select(shown, menu.custom_id or "", ["last"], forged=True)
        assert "another version" in forged.text


async def test_answers_and_edits_carry_their_file(parlour: Parlour) -> None:
    """What goes over the wire: a list of attachments that names the new file alone."""
    message = await parlour.start_game(parlour.robin, parlour.wren)
    await parlour.press(await parlour.mover(), message, "Roll all five")
    parlour.client.host.publisher.wake(1, again=True)
    await parlour.wait_until_settled()
    lists: list[Any] = []
    for record in parlour.sandbox.requests:
        body = record.json if isinstance(record.json, dict) else {}
        body = body.get("data", body) or {}
        if body.get("embeds") and "image" in body["embeds"][0]:
            lists.append(body["attachments"])
    assert len(lists) >= 2
    assert all(len(files) == 1 and files[0]["id"] == 0 and files[0]["description"] for files in lists)
