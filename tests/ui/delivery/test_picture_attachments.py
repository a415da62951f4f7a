"""Pictures of tables: shown at every post, edit and answer, and left out where they can't be drawn or shown."""

import asyncio
import logging
from dataclasses import replace
from typing import Any

import discord
import pytest

import bot.ui.delivery.picture_attachments
from bot.pictures.service import Drawn
from bot.rules.picture import Picture, Theme
from bot.tables.controls import Resign
from bot.tables.model import Preferences, Status
from bot.tables.registry import Registry
from bot.tables.runtime.publisher import MessageGone, OutOfReach
from bot.tables.table import Table, controlled
from bot.ui.custom_ids import ControlId
from bot.ui.delivery.messenger import Request
from bot.ui.delivery.rate_limits import Permit
from bot.ui.render.table_message import hand_frame
from tests.support.fakes import (
    HERE,
    ROBIN,
    WREN,
    FakeBoard,
    FakeStore,
    Gate,
    a_table,
    mover_of,
    under_way,
    until,
)
from tests.support.painted import PICTURED, WITH_PICTURES, pictured
from tests.ui.adapter import Adapter, edited, posted
from tests.ui.fake_interactions import (
    MISSING_PERMISSIONS,
    POSTED_ID,
    TOO_LARGE,
    UNKNOWN_MESSAGE,
    Answer,
    FakeInteraction,
    How,
    click_of,
    command_of,
)

NO_FILES = discord.Permissions(discord.Permissions.all().value & ~discord.Permissions(attach_files=True).value)
NO_MESSAGES = discord.Permissions(view_channel=True)


@pytest.fixture
def games() -> Registry:
    return WITH_PICTURES


async def shown_game(adapter: Adapter) -> Table:
    table = await under_way(adapter.service)
    await adapter.settled()
    return await adapter.service.table(table.id)


async def pressed(adapter: Adapter, table: Table, key: str, **more: Any) -> FakeInteraction:
    """Let whoever is to move press a button of the table."""
    pressed_id = ControlId(table.id, table.header.step, key, frozenset())
    return await adapter.click(click_of(mover_of(table), pressed_id, message_id=table.header.message_id, **more))


def described(table: Table) -> str:
    """What the picture of a table says for whoever can't see it."""
    return pictured(table.state, table.latest).description


def image_of(answer: Answer | dict[str, Any]) -> str | None:
    embed = answer["embed"] if isinstance(answer, dict) else answer.embed
    assert embed is not None
    url: str | None = embed.image.url
    return url


class TestClicks:
    async def test_a_move_is_answered_with_the_new_picture_in_place_of_the_old(self, adapter: Adapter) -> None:
        table = await shown_game(adapter)
        click = await pressed(adapter, table, "roll")
        (answer,) = click.answers
        assert answer.how is How.EDIT
        (file,) = answer.attachments
        assert image_of(answer) == f"attachment://{file.filename}"
        assert file.fp.read() == b"picture 1"
        assert file.description == described(await adapter.service.table(table.id))

    async def test_what_a_picture_shows_is_told_in_full_only_where_there_is_none(
        self, adapter: Adapter, caplog: pytest.LogCaptureFixture
    ) -> None:
        brief = await pressed(adapter, await shown_game(adapter), "roll")
        adapter.painter.fault = RuntimeError("the brush is broken")
        whole = await pressed(adapter, await adapter.service.table(1), "roll")
        caplog.clear()
        embeds = [click.answers[0].embed for click in (brief, whole)]
        assert [[field.name for field in embed.fields] for embed in embeds if embed] == [
            ["First to 100", "Each die you roll pays"]
        ] * 2
        assert ["▱" in str(embed.fields[0].value) for embed in embeds if embed] == [False, True]
        assert ["At least one" in str(embed.fields[1].value) for embed in embeds if embed] == [False, True]

    async def test_a_toggle_shows_the_buttons_alone_and_draws_nothing(self, adapter: Adapter) -> None:
        click = await pressed(adapter, await shown_game(adapter), "die2")
        assert [answer.sent for answer in click.answers] == [{"view"}]
        assert adapter.painter.drew == []

    async def test_a_picture_that_is_ready_is_not_waited_for(self, adapter: Adapter) -> None:
        adapter.painter.ready = Drawn(b"ready", "table.png", "as it was")
        (answer,) = (await pressed(adapter, await shown_game(adapter), "roll")).answers
        (file,) = answer.attachments
        assert (file.fp.read(), file.description) == (b"ready", "as it was")
        assert adapter.painter.drew == []

    async def test_a_failing_drawing_leaves_words_and_the_game_goes_on(
        self, adapter: Adapter, caplog: pytest.LogCaptureFixture
    ) -> None:
        table = await shown_game(adapter)
        adapter.painter.fault = RuntimeError("the brush is broken")
        for _ in range(3):
            click = await pressed(adapter, table, "roll")
            (answer,) = click.answers
            assert (answer.how, answer.attachments, image_of(answer)) == (How.EDIT, [], None)
            table = await adapter.service.table(table.id)
        assert table.header.step == 3
        failures = [record for record in caplog.records if record.levelno == logging.ERROR]
        assert len(failures) == 3
        assert "words" in failures[0].getMessage()
        assert b'parlour_pictures_total{outcome="failed"} 3.0' in adapter.watch.text(adapter.clock(), None)
        caplog.clear()

    async def test_a_game_that_can_not_say_what_it_looks_like_is_shown_in_words(
        self, store: FakeStore, shown: FakeBoard, caplog: pytest.LogCaptureFixture
    ) -> None:
        def broken(view: object, news: object) -> Picture:
            raise ValueError(f"no such piece in {view} after {news}")

        adapter = Adapter(store, shown, Registry([replace(PICTURED, picture=broken)]))
        table = await shown_game(adapter)
        click = await pressed(adapter, table, "roll")
        assert [answer.attachments for answer in click.answers] == [[]]
        assert "no such piece" in caplog.text
        caplog.clear()
        await adapter.host.close()

    async def test_who_waits_too_long_is_answered_and_the_table_follows(
        self, adapter: Adapter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bot.ui.delivery.picture_attachments, "_IN_TIME_SECONDS", 0.01)
        table = await shown_game(adapter)
        adapter.painter.gate = Gate()
        before = len(adapter.shown.shown)
        click = await pressed(adapter, table, "roll")
        assert [answer.how for answer in click.answers] == [How.DEFER]
        adapter.painter.gate.open()
        await adapter.settled()
        assert [shown.revision for shown in adapter.shown.shown[before:]] == [table.header.revision + 1]
        assert b'parlour_pictures_total{outcome="late"} 1.0' in adapter.watch.text(adapter.clock(), None)

    async def test_an_answer_that_was_put_off_meanwhile_is_left_to_the_publisher(
        self, adapter: Adapter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("bot.ui.interactions.responses._PATIENCE_SECONDS", 0.01)
        table = await shown_game(adapter)
        adapter.painter.gate = Gate()
        before = len(adapter.shown.shown)
        press = ControlId(table.id, table.header.step, "roll", frozenset())
        click = click_of(mover_of(table), press, message_id=table.header.message_id)
        clicking = asyncio.create_task(adapter.click(click))
        await until(lambda: click.answers)
        adapter.painter.gate.open()
        await clicking
        await adapter.settled()
        assert [answer.how for answer in click.answers] == [How.DEFER]
        assert len(adapter.shown.shown) == before + 1

    async def test_where_no_files_may_be_attached_the_table_is_told_in_words(self, adapter: Adapter) -> None:
        table = await shown_game(adapter)
        click = await pressed(adapter, table, "roll", app_permissions=NO_FILES)
        assert [answer.attachments for answer in click.answers] == [[]]
        assert adapter.painter.drew == []
        table = await adapter.service.table(table.id)
        click = await pressed(adapter, table, "roll")
        assert [len(answer.attachments) for answer in click.answers] == [1]

    async def test_a_picture_that_is_too_large_is_left_out_of_the_answer(self, adapter: Adapter) -> None:
        click = await pressed(adapter, await shown_game(adapter), "roll", fault=TOO_LARGE)
        assert [(answer.how, answer.attachments, image_of(answer)) for answer in click.answers] == [
            (How.EDIT, [], None)
        ]

    async def test_a_message_that_shows_the_table_no_longer_loses_its_picture(self, adapter: Adapter) -> None:
        table = await shown_game(adapter)
        await adapter.host.publisher.post_anew(table.id)
        click = await pressed(adapter, table, "roll")
        (answer,) = click.answers
        assert "moved" in (answer.content or "")
        assert {"attachments", "embed", "view"} <= answer.sent
        assert answer.attachments == []


class TestPreferences:
    @pytest.mark.parametrize("theme", Theme)
    async def test_the_theme_is_that_of_the_server(self, adapter: Adapter, store: FakeStore, theme: Theme) -> None:
        store.chosen[HERE.scope_id] = Preferences(theme=theme)
        await pressed(adapter, await shown_game(adapter), "roll")
        assert [drawn for _, drawn in adapter.painter.drew] == [theme]

    async def test_a_server_that_wants_none_gets_none(self, adapter: Adapter, store: FakeStore) -> None:
        store.chosen[HERE.scope_id] = Preferences(theme=None)
        click = await pressed(adapter, await shown_game(adapter), "roll")
        assert [answer.attachments for answer in click.answers] == [[]]
        assert adapter.painter.drew == []

    async def test_a_database_that_fails_after_the_move_costs_no_picture(
        self, adapter: Adapter, store: FakeStore
    ) -> None:
        table = await shown_game(adapter)
        store.broken = {"preferences"}
        click = await pressed(adapter, table, "roll")
        assert [len(answer.attachments) for answer in click.answers] == [1]

    async def test_everything_is_at_hand_before_the_first_picture(self, adapter: Adapter) -> None:
        await adapter.easel.prepare()
        assert adapter.painter.prepared == [Theme.STANDARD]

    async def test_a_start_without_art_is_a_start(self, adapter: Adapter, caplog: pytest.LogCaptureFixture) -> None:
        adapter.painter.fault = OSError("no such folder")
        await adapter.easel.prepare()
        assert "no such folder" in caplog.text
        caplog.clear()


class TestCommands:
    async def test_a_lobby_has_no_picture_and_no_note(self, adapter: Adapter) -> None:
        command = command_of(ROBIN)
        await adapter.desk.open(command, "magpie", {}, 0)  # type: ignore[arg-type]
        (answer,) = command.answers
        assert (answer.how, answer.file, image_of(answer)) == (How.SEND, None, None)

    async def test_whoever_opens_a_table_is_told_once_what_pictures_need(self, adapter: Adapter) -> None:
        command = command_of(ROBIN, app_permissions=NO_FILES)
        await adapter.desk.open(command, "magpie", {}, 0)  # type: ignore[arg-type]
        lobby, note = command.answers
        assert (lobby.ephemeral, note.ephemeral) == (False, True)
        assert "**Attach Files**" in (note.content or "")

    async def test_nobody_is_told_where_no_pictures_are_wanted(self, adapter: Adapter, store: FakeStore) -> None:
        store.chosen[HERE.scope_id] = Preferences(theme=None)
        command = command_of(ROBIN, app_permissions=NO_FILES)
        await adapter.desk.open(command, "magpie", {}, 0)  # type: ignore[arg-type]
        assert len(command.answers) == 1

    async def test_the_table_is_shown_anew_with_its_picture(self, adapter: Adapter) -> None:
        table = await shown_game(adapter)
        command = command_of(WREN)
        await adapter.desk.show(command)  # type: ignore[arg-type]
        (answer,) = command.answers
        assert answer.file is not None
        assert answer.file.description == described(table)
        assert image_of(answer) == f"attachment://{answer.file.filename}"


def image_in(request: Request) -> str | None:
    """Return the address of the picture that the embed of a message shows."""
    assert request.told is not None
    (embed,) = request.told["embeds"]
    address: str | None = embed.get("image", {}).get("url")
    return address


class TestBoard:
    async def test_a_post_carries_the_picture(self, adapter: Adapter) -> None:
        table = a_table(status=Status.PLAYING, package=PICTURED)
        assert await posted(adapter.board, table) == POSTED_ID
        (request,) = adapter.discord.done
        assert request.drawn is not None
        assert image_in(request) == f"attachment://{request.drawn.name}"
        assert request.drawn.description == described(table)

    async def test_an_edit_replaces_what_was_attached(self, adapter: Adapter) -> None:
        await edited(adapter.board, a_table(status=Status.PLAYING, package=PICTURED, message_id=9))
        (request,) = adapter.discord.done
        assert request.drawn is not None
        assert request.drawn.data == b"picture 1"
        assert request.told is not None
        assert [each["filename"] for each in request.told["attachments"]] == [request.drawn.name]

    async def test_a_table_that_is_closed_loses_its_picture(self, adapter: Adapter) -> None:
        await edited(adapter.board, a_table(status=Status.CANCELLED, package=PICTURED, message_id=9))
        (request,) = adapter.discord.done
        assert request.told is not None
        assert request.told["attachments"] == []

    async def test_a_channel_that_takes_no_files_gets_words_from_then_on(
        self, adapter: Adapter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        send = adapter.discord.send

        async def refuse_files(request: Request, permit: Permit) -> Any:
            if request.drawn is not None:
                raise MISSING_PERMISSIONS
            return await send(request, permit)

        monkeypatch.setattr(adapter.discord, "send", refuse_files)
        table = a_table(status=Status.PLAYING, package=PICTURED, message_id=9)
        for _ in range(2):
            await edited(adapter.board, table)
        assert [request.drawn for request in adapter.discord.done] == [None, None]
        assert [image_in(request) for request in adapter.discord.done] == [None, None]
        assert len(adapter.painter.drew) == 1

    async def test_a_picture_that_is_too_large_is_left_out_once(
        self, adapter: Adapter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        send, faults = adapter.discord.send, [TOO_LARGE]

        async def refuse_once(request: Request, permit: Permit) -> Any:
            if faults:
                raise faults.pop()
            return await send(request, permit)

        monkeypatch.setattr(adapter.discord, "send", refuse_once)
        table = a_table(status=Status.PLAYING, package=PICTURED, message_id=9)
        for _ in range(2):
            await edited(adapter.board, table)
        assert [request.drawn is None for request in adapter.discord.done] == [True, False]

    @pytest.mark.parametrize(
        ("fault", "meaning"),
        [(MISSING_PERMISSIONS, OutOfReach), (UNKNOWN_MESSAGE, MessageGone)],
        ids=["may not", "gone"],
    )
    async def test_what_words_do_not_mend_is_told_as_before(
        self, adapter: Adapter, fault: Exception, meaning: type[Exception]
    ) -> None:
        adapter.discord.fault = fault
        with pytest.raises(meaning):
            await edited(adapter.board, a_table(status=Status.PLAYING, package=PICTURED, message_id=9))

    async def test_an_edit_that_nobody_waits_for_comes_in_words_in_the_end(
        self, adapter: Adapter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bot.ui.delivery.picture_attachments, "_PATIENCE_SECONDS", 0.01)
        adapter.painter.gate = Gate()
        await edited(adapter.board, a_table(status=Status.PLAYING, package=PICTURED, message_id=9))
        (request,) = adapter.discord.done
        assert (request.drawn, image_in(request)) == (None, None)
        adapter.painter.gate.open()

    async def test_a_table_that_resignations_have_ended_is_edited_with_its_ranking(self, adapter: Adapter) -> None:
        table = a_table(status=Status.PLAYING, package=PICTURED, message_id=9)
        for seat in (1, 2):
            table = controlled(table, seat, Resign())
        await edited(adapter.board, table)
        (request,) = adapter.discord.done
        assert request.drawn is not None
        assert image_in(request) == f"attachment://{request.drawn.name}"
        assert request.drawn.description == (
            "The final ranking of Magpie: player 1 wins; player 2 has resigned and takes place 2; "
            "player 3 has resigned and takes place 2."
        )
        assert request.told is not None
        (embed,) = request.told["embeds"]
        assert embed["title"] == "Magpie · Robin wins!"
        scores, *_, ranking = (block["value"] for block in embed["fields"])
        assert ("▱" in scores, "🥇" in ranking) == (False, True)


def test_a_hand_has_a_picture_of_its_own() -> None:
    table = a_table(status=Status.PLAYING, package=replace(PICTURED, hand=PICTURED.screen, hand_picture=pictured))
    frame = hand_frame(table, 1, PICTURED.screen, frozenset())
    assert frame.sketch is not None
    assert frame.sketch().description == described(table)
