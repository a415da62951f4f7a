"""Pictures in the answers to clicks and commands."""

import asyncio
import logging
from dataclasses import replace
from typing import Any

import discord
import pytest

import bot.platform.discord.picture_attachments
from bot.features.new_tables.handlers import NewTables
from bot.features.settings import storage as setting_storage
from bot.features.settings.all_settings import PICTURES
from bot.features.settings.choices import PictureChoice
from bot.features.settings.service import SettingsCache
from bot.pictures.service import PictureFile
from bot.platform.discord.context import UPLOADS_ARE_LIMITED
from bot.platform.discord.http import UPLOADS_LIMITED
from bot.platform.discord.picture_attachments import LIMITED_SECONDS, PictureAttacher
from bot.platform.observability.metrics import Metrics
from bot.rules.picture import Picture, Theme
from bot.tables.handlers.commands import TableCommands
from bot.tables.model import Status
from bot.tables.registry import GameRegistry
from bot.tables.table import Table
from bot.words import gettext
from tests.support.chosen_settings import chosen
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import HERE, ROBIN, WREN, make_table, mover_of
from tests.support.magpie_with_picture import MAGPIE_WITH_PICTURE, PICTURE_REGISTRY, picture_description
from tests.support.memory_database import MemoryDatabase
from tests.support.rendering import render_game
from tests.support.waiting import Gate, wait_until
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import (
    Answer,
    AnswerMethod,
    FakeInteraction,
    make_command,
    make_http_error,
)
from tests.ui.fake_pictures import FakePictureDrawer
from tests.ui.table_clicks import make_control_click, start_shown_game

NO_FILES = discord.Permissions(discord.Permissions.all().value & ~discord.Permissions(attach_files=True).value)


@pytest.fixture
def games() -> GameRegistry:
    return PICTURE_REGISTRY


async def press_control(adapter: Adapter, table: Table, key: str, **more: Any) -> FakeInteraction:
    """Press a button of the table as the player to move."""
    return await adapter.click(make_control_click(table, mover_of(table), key, **more))


def image_of(answer: Answer | dict[str, Any]) -> str | None:
    embed = answer["embed"] if isinstance(answer, dict) else answer.embed
    assert embed is not None
    url: str | None = embed.image.url
    return url


class TestClicks:
    async def test_a_move_is_answered_with_the_new_picture_instead_of_the_old(self, adapter: Adapter) -> None:
        table = await start_shown_game(adapter)
        click = await press_control(adapter, table, "roll")
        (answer,) = click.answers
        assert answer.how is AnswerMethod.EDIT
        (file,) = answer.attachments
        assert image_of(answer) == f"attachment://{file.filename}"
        assert file.fp.read() == b"picture 1"
        assert str(file.description).startswith(picture_description(await adapter.service.table(table.id)))

    async def test_the_description_is_complete_only_without_a_picture(
        self, adapter: Adapter, caplog: pytest.LogCaptureFixture
    ) -> None:
        short = await press_control(adapter, await start_shown_game(adapter), "roll")
        adapter.picture_drawer.fault = RuntimeError("the brush is broken")
        whole = await press_control(adapter, await adapter.service.table(1), "roll")
        caplog.clear()
        embeds = [click.answers[0].embed for click in (short, whole)]
        assert [len(embed.fields) for embed in embeds if embed] == [0, 2]
        assert ["\n# " in str(embed.description) for embed in embeds if embed] == [False, True]

    async def test_a_toggle_updates_only_the_buttons_and_draws_nothing(self, adapter: Adapter) -> None:
        click = await press_control(adapter, await start_shown_game(adapter), "keep2")
        assert [answer.sent for answer in click.answers] == [{"view"}]
        assert adapter.picture_drawer.drawn_pictures == []

    async def test_a_cached_picture_is_attached_without_waiting(self, adapter: Adapter) -> None:
        adapter.picture_drawer.ready = PictureFile(b"ready", "table.png", "as it was")
        (answer,) = (await press_control(adapter, await start_shown_game(adapter), "roll")).answers
        (file,) = answer.attachments
        assert (file.fp.read(), file.description) == (b"ready", "as it was")
        assert adapter.picture_drawer.drawn_pictures == []

    async def test_a_failed_drawing_leaves_words_and_the_game_goes_on(
        self, adapter: Adapter, caplog: pytest.LogCaptureFixture
    ) -> None:
        table = await start_shown_game(adapter)
        adapter.picture_drawer.fault = RuntimeError("the brush is broken")
        for _ in range(3):
            click = await press_control(adapter, table, "roll")
            (answer,) = click.answers
            assert (answer.how, answer.attachments, image_of(answer)) == (AnswerMethod.EDIT, [], None)
            table = await adapter.service.table(table.id)
        assert table.header.step == 3
        failures = [record for record in caplog.records if record.levelno == logging.ERROR]
        assert len(failures) == 3
        assert "words" in failures[0].getMessage()
        assert b'parlour_pictures_total{outcome="failed"} 3.0' in adapter.metrics.export_text(adapter.clock(), None)
        caplog.clear()

    async def test_a_game_that_fails_to_lay_out_its_picture_is_shown_in_words(
        self, db: MemoryDatabase, shown: FakeTableMessages, caplog: pytest.LogCaptureFixture
    ) -> None:
        def broken(view: object, events: object, _names: object) -> Picture:
            raise ValueError(f"no such piece in {view} after {events}")

        adapter = Adapter(
            db,
            shown,
            GameRegistry([replace(MAGPIE_WITH_PICTURE, look=replace(MAGPIE_WITH_PICTURE.look, build_picture=broken))]),
        )
        table = await start_shown_game(adapter)
        click = await press_control(adapter, table, "roll")
        assert [answer.attachments for answer in click.answers] == [[]]
        assert "no such piece" in caplog.text
        caplog.clear()
        await adapter.host.close()

    async def test_a_slow_picture_is_acknowledged_and_the_publisher_follows(
        self, adapter: Adapter, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level("INFO", "bot.platform.discord.picture_attachments")
        monkeypatch.setattr(bot.platform.discord.picture_attachments, "CLICK_PICTURE_SECONDS", 0.01)
        table = await start_shown_game(adapter)
        adapter.picture_drawer.gate = Gate()
        before = len(adapter.fake_table_messages.shown)
        click = await press_control(adapter, table, "roll")
        assert [answer.how for answer in click.answers] == [AnswerMethod.DEFER]
        adapter.picture_drawer.gate.open()
        await adapter.wait_until_shown()
        assert [shown.revision for shown in adapter.fake_table_messages.shown[before:]] == [table.header.revision + 1]
        assert caplog.messages == ["a picture takes longer than 0 s"]
        assert b'parlour_pictures_total{outcome="late"} 1.0' in adapter.metrics.export_text(adapter.clock(), None)

    async def test_a_response_deferred_meanwhile_is_left_to_the_publisher(
        self, adapter: Adapter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("bot.platform.discord.answers.DEFER_AFTER_SECONDS", 0.01)
        table = await start_shown_game(adapter)
        adapter.picture_drawer.gate = Gate()
        before = len(adapter.fake_table_messages.shown)
        click = make_control_click(table, mover_of(table), "roll")
        clicking = asyncio.create_task(adapter.click(click))
        await wait_until(lambda: click.answers)
        adapter.picture_drawer.gate.open()
        await clicking
        await adapter.wait_until_shown()
        assert [answer.how for answer in click.answers] == [AnswerMethod.DEFER]
        assert len(adapter.fake_table_messages.shown) == before + 1

    async def test_without_permission_to_attach_files_the_table_is_shown_in_words(self, adapter: Adapter) -> None:
        table = await start_shown_game(adapter)
        click = await press_control(adapter, table, "roll", app_permissions=NO_FILES)
        assert [answer.attachments for answer in click.answers] == [[]]
        assert adapter.picture_drawer.drawn_pictures == []
        table = await adapter.service.table(table.id)
        click = await press_control(adapter, table, "roll")
        assert [len(answer.attachments) for answer in click.answers] == [1]

    async def test_a_replaced_table_message_loses_its_picture(self, adapter: Adapter) -> None:
        table = await start_shown_game(adapter)
        await adapter.host.publisher.repost(table.id)
        click = await press_control(adapter, table, "roll")
        (answer,) = click.answers
        assert answer.content
        assert {"attachments", "embed", "view"} <= answer.sent
        assert answer.attachments == []


class TestPreferences:
    @pytest.mark.parametrize("theme", Theme)
    async def test_the_theme_of_the_server_is_used(self, adapter: Adapter, db: MemoryDatabase, theme: Theme) -> None:
        db.chosen[HERE.scope_id] = chosen({PICTURES: PictureChoice(theme)})
        await press_control(adapter, await start_shown_game(adapter), "roll")
        assert [drawn for _, drawn in adapter.picture_drawer.drawn_pictures] == [theme]

    async def test_a_server_without_pictures_gets_none(self, adapter: Adapter, db: MemoryDatabase) -> None:
        db.chosen[HERE.scope_id] = chosen({PICTURES: PictureChoice.OFF})
        click = await press_control(adapter, await start_shown_game(adapter), "roll")
        assert [answer.attachments for answer in click.answers] == [[]]
        assert adapter.picture_drawer.drawn_pictures == []

    async def test_a_database_failure_after_the_move_still_shows_the_picture(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        table = await start_shown_game(adapter)
        db.broken = {setting_storage.find}
        click = await press_control(adapter, table, "roll")
        assert [len(answer.attachments) for answer in click.answers] == [1]

    async def test_sprites_are_prepared_before_the_first_picture(self, adapter: Adapter) -> None:
        await adapter.pictures.prepare()
        assert adapter.picture_drawer.prepared == [Theme.STANDARD]

    async def test_missing_art_does_not_prevent_the_start(
        self, adapter: Adapter, caplog: pytest.LogCaptureFixture
    ) -> None:
        adapter.picture_drawer.fault = OSError("no such folder")
        await adapter.pictures.prepare()
        assert "no such folder" in caplog.text
        caplog.clear()


class TestCommands:
    async def test_opening_a_table_names_missing_permissions_for_pictures_once(self, adapter: Adapter) -> None:
        command = make_command(ROBIN, app_permissions=NO_FILES)
        await adapter.app.service(NewTables).open(command, "magpie", {}, 0)  # type: ignore[arg-type]
        lobby, note = command.answers
        assert (lobby.ephemeral, note.ephemeral) == (False, True)
        assert gettext("Attach Files") in (note.content or "")

    async def test_opening_a_table_tells_that_discord_limits_uploads(self, adapter: Adapter) -> None:
        adapter.pictures.note_refusal(HERE, make_http_error(discord.HTTPException, 400, UPLOADS_LIMITED))
        command = make_command(ROBIN)
        await adapter.app.service(NewTables).open(command, "magpie", {}, 0)  # type: ignore[arg-type]
        lobby, note = command.answers
        assert (lobby.ephemeral, note.ephemeral, note.content) == (False, True, gettext(UPLOADS_ARE_LIMITED))

    async def test_without_pictures_no_permissions_are_named(self, adapter: Adapter, db: MemoryDatabase) -> None:
        db.chosen[HERE.scope_id] = chosen({PICTURES: PictureChoice.OFF})
        command = make_command(ROBIN, app_permissions=NO_FILES)
        await adapter.app.service(NewTables).open(command, "magpie", {}, 0)  # type: ignore[arg-type]
        assert len(command.answers) == 1

    async def test_a_game_without_a_picture_needs_no_permissions(
        self, adapter: Adapter, db: MemoryDatabase, shown: FakeTableMessages
    ) -> None:
        adapter = Adapter(
            db,
            shown,
            GameRegistry([replace(MAGPIE_WITH_PICTURE, look=replace(MAGPIE_WITH_PICTURE.look, build_picture=None))]),
        )
        command = make_command(ROBIN, app_permissions=NO_FILES)
        await adapter.app.service(NewTables).open(command, "magpie", {}, 0)  # type: ignore[arg-type]
        assert len(command.answers) == 1
        await adapter.host.close()

    async def test_the_table_is_shown_again_in_words_if_files_are_not_allowed(self, adapter: Adapter) -> None:
        await start_shown_game(adapter)
        command = make_command(WREN, app_permissions=NO_FILES)
        await adapter.app.service(TableCommands).show(command)  # type: ignore[arg-type]
        assert [answer.file for answer in command.answers] == [None]


async def test_a_server_with_limited_uploads_is_remembered_for_an_hour_and_told_once(db: MemoryDatabase) -> None:
    now = 0.0
    attacher = PictureAttacher(FakePictureDrawer(), SettingsCache(db).theme_of, Metrics(), seconds=lambda: now)
    table = make_table(status=Status.PLAYING, package=MAGPIE_WITH_PICTURE)
    content, elsewhere = render_game(table, frozenset()), replace(HERE, guild_id=99)
    attacher.note_refusal(HERE, make_http_error(discord.HTTPException, 400, UPLOADS_LIMITED))
    assert (await attacher.attach(content, replace(HERE, channel_id=71))).picture is None
    assert (await attacher.attach(content, elsewhere)).picture is not None
    assert [attacher.pop_news_of_limit(place) for place in (HERE, HERE, elsewhere)] == [True, False, False]
    now = LIMITED_SECONDS + 1
    assert (await attacher.attach(content, HERE)).picture is not None
