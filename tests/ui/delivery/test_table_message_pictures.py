"""Pictures in the messages that show tables, and words where a picture cannot be drawn or sent."""

from dataclasses import replace
from typing import Any

import discord
import pytest

import bot.platform.discord.picture_attachments
from bot.platform.discord.errors import ChannelUnreachable, MessageGone
from bot.platform.discord.http import Request
from bot.platform.discord.rate_limits import Permit
from bot.tables.control_entries import Resign
from bot.tables.model import Status
from bot.tables.registry import GameRegistry
from bot.tables.shown.message import render_hand
from bot.tables.table import Table, apply_control_entry
from bot.words import game_over_title
from tests.support.fakes import HERE, make_table
from tests.support.magpie_with_picture import MAGPIE_WITH_PICTURE, PICTURE_REGISTRY, draw_picture, picture_description
from tests.support.waiting import Gate
from tests.ui.adapter import Adapter, edit_table, post_table
from tests.ui.fake_interactions import MISSING_PERMISSIONS, POSTED_ID, TOO_LARGE, UNKNOWN_MESSAGE, make_http_error
from tests.ui.fake_pictures import FakePictureDrawer, make_table_messages


@pytest.fixture
def games() -> GameRegistry:
    return PICTURE_REGISTRY


@pytest.fixture
def table() -> Table:
    """A table under way whose message shows a picture."""
    return make_table(status=Status.PLAYING, package=MAGPIE_WITH_PICTURE, message_id=9)


def image_in(request: Request) -> str | None:
    """Return the address of the picture that the embed of a message shows."""
    assert request.json is not None
    (embed,) = request.json["embeds"]
    address: str | None = embed.get("image", {}).get("url")
    return address


class TestTableMessages:
    async def test_a_post_carries_the_picture(self, adapter: Adapter) -> None:
        table = make_table(status=Status.PLAYING, package=MAGPIE_WITH_PICTURE)
        assert await post_table(adapter.table_messages, table) == POSTED_ID
        (request,) = adapter.message_client.requests
        assert request.picture is not None
        assert image_in(request) == f"attachment://{request.picture.name}"
        assert request.picture.description == picture_description(table)

    async def test_an_edit_replaces_what_was_attached(self, adapter: Adapter, table: Table) -> None:
        await edit_table(adapter.table_messages, table)
        (request,) = adapter.message_client.requests
        assert request.picture is not None
        assert request.picture.data == b"picture 1"
        assert request.json is not None
        assert [each["filename"] for each in request.json["attachments"]] == [request.picture.name]

    async def test_a_closed_table_loses_its_picture(self, adapter: Adapter) -> None:
        await edit_table(
            adapter.table_messages, make_table(status=Status.CANCELLED, package=MAGPIE_WITH_PICTURE, message_id=9)
        )
        (request,) = adapter.message_client.requests
        assert request.json is not None
        assert request.json["attachments"] == []

    async def test_a_channel_without_permission_to_attach_files_gets_words_from_then_on(
        self, adapter: Adapter, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        send = adapter.message_client.send

        async def refuse_files(request: Request, permit: Permit) -> Any:
            if request.picture is not None:
                raise MISSING_PERMISSIONS
            return await send(request, permit)

        monkeypatch.setattr(adapter.message_client, "send", refuse_files)
        for _ in range(2):
            await edit_table(adapter.table_messages, table)
        assert [request.picture for request in adapter.message_client.requests] == [None, None]
        assert [image_in(request) for request in adapter.message_client.requests] == [None, None]
        assert len(adapter.picture_drawer.drawn_pictures) == 1

    async def test_a_picture_that_is_too_large_is_left_out_once(
        self, adapter: Adapter, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        send, faults = adapter.message_client.send, [TOO_LARGE]

        async def refuse_once(request: Request, permit: Permit) -> Any:
            if faults:
                raise faults.pop()
            return await send(request, permit)

        monkeypatch.setattr(adapter.message_client, "send", refuse_once)
        for _ in range(2):
            await edit_table(adapter.table_messages, table)
        assert [request.picture is None for request in adapter.message_client.requests] == [True, False]

    @pytest.mark.parametrize(
        ("fault", "meaning"),
        [(MISSING_PERMISSIONS, ChannelUnreachable), (UNKNOWN_MESSAGE, MessageGone)],
        ids=["may not", "gone"],
    )
    async def test_other_failures_are_raised_unchanged(
        self, adapter: Adapter, table: Table, fault: Exception, meaning: type[Exception]
    ) -> None:
        adapter.message_client.fault = fault
        with pytest.raises(meaning):
            await edit_table(adapter.table_messages, table)

    async def test_an_unreachable_channel_is_not_tried_again_in_words(
        self, adapter: Adapter, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        sent: list[Request] = []

        async def refuse(request: Request, _: Permit) -> Any:
            sent.append(request)
            raise make_http_error(discord.Forbidden, 403, 50001)

        monkeypatch.setattr(adapter.message_client, "send", refuse)
        with pytest.raises(ChannelUnreachable):
            await edit_table(adapter.table_messages, table)
        assert len(sent) == 1

    async def test_words_that_are_not_permitted_are_sent_once_and_block_no_pictures(
        self, adapter: Adapter, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        send, refused = adapter.message_client.send, list[Request]()

        async def refuse(request: Request, _permit: Permit) -> Any:
            refused.append(request)
            raise MISSING_PERMISSIONS

        monkeypatch.setattr(adapter.message_client, "send", refuse)
        lobby = make_table(
            package=replace(MAGPIE_WITH_PICTURE, look=replace(MAGPIE_WITH_PICTURE.look, cover=None)), message_id=9
        )
        with pytest.raises(ChannelUnreachable):
            await edit_table(adapter.table_messages, lobby)
        assert [request.picture for request in refused] == [None]
        monkeypatch.setattr(adapter.message_client, "send", send)
        await edit_table(adapter.table_messages, table)
        (request,) = adapter.message_client.requests
        assert request.picture is not None

    async def test_a_late_picture_of_an_edit_is_replaced_by_words_until_it_is_drawn(
        self, adapter: Adapter, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bot.platform.discord.picture_attachments, "EDIT_PICTURE_SECONDS", 0.01)
        adapter.picture_drawer.gate = Gate()
        await edit_table(adapter.table_messages, table)
        (request,) = adapter.message_client.requests
        assert (request.picture, image_in(request)) == (None, None)
        late = adapter.table_messages.take_late_picture(table.id)
        assert late is not None
        assert adapter.table_messages.take_late_picture(table.id) is None
        adapter.picture_drawer.gate.open()
        assert (await late).data == b"picture 1"

    async def test_a_table_ended_by_resignations_is_edited_with_its_ranking(
        self, adapter: Adapter, table: Table
    ) -> None:
        for seat in (1, 2):
            table = apply_control_entry(table, seat, Resign())
        await edit_table(adapter.table_messages, table)
        (request,) = adapter.message_client.requests
        assert request.picture is not None
        assert image_in(request) == f"attachment://{request.picture.name}"
        assert [name in request.picture.description for name in ("Robin", "Wren", "Jay")] == [True] * 3
        assert request.json is not None
        (embed,) = request.json["embeds"]
        assert embed["title"] == game_over_title(["Robin"])
        assert embed["fields"] == []


def test_a_hand_has_its_own_picture() -> None:
    table = make_table(
        status=Status.PLAYING,
        package=replace(
            MAGPIE_WITH_PICTURE,
            words=replace(MAGPIE_WITH_PICTURE.words, build_hand_screen=MAGPIE_WITH_PICTURE.words.build_screen),
            look=replace(MAGPIE_WITH_PICTURE.look, build_hand_picture=draw_picture),
        ),
    )
    content = render_hand(table, 1, MAGPIE_WITH_PICTURE.words.build_screen, frozenset())
    assert content.make_picture is not None
    assert content.make_picture().description == picture_description(table)


async def test_without_a_drawer_no_pictures_are_shown() -> None:
    assert not await make_table_messages().picture_attacher.shows_pictures(HERE)
    assert await make_table_messages(pictures=FakePictureDrawer()).picture_attacher.shows_pictures(HERE)
