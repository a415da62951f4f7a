"""Posting and editing table messages, and the meaning of Discord's errors."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeAlias

import aiohttp
import discord
import pytest

from bot.features.settings.service import SettingsCache
from bot.features.tips import TipLines
from bot.platform.discord.content import Json
from bot.platform.discord.errors import (
    ChannelDeleted,
    ChannelUnreachable,
    DiscordUnavailable,
    MessageGone,
    RetryLater,
    ThreadArchived,
    TooManyEdits,
)
from bot.platform.discord.http import delete_request, post_text
from bot.platform.discord.rate_limits import Urgency
from bot.platform.places import Location
from bot.rules.screen import Toggle
from bot.rules.study import Tip
from bot.tables.model import ClosedBy, Status
from bot.tables.shown.table_messages import DiscordTableMessages
from bot.tables.table import Table
from tests.support.apps import make_unconnected_app
from tests.support.each_case import each_case
from tests.support.fakes import GAMES, make_table, mover_of
from tests.support.magpie_with_picture import MAGPIE_WITH_PICTURE
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate, wait_until
from tests.ui.adapter import edit_table, post_table
from tests.ui.fake_interactions import (
    ARCHIVED,
    BAD_REQUEST,
    MISSING_ACCESS,
    MISSING_PERMISSIONS,
    SERVER_ERROR,
    UNKNOWN_CHANNEL,
    UNKNOWN_MESSAGE,
    FakeMessageClient,
    make_http_error,
)
from tests.ui.fake_pictures import FakePictureDrawer, make_table_messages

Show: TypeAlias = Callable[[DiscordTableMessages, Table], Awaitable[int]]


@pytest.fixture
def message_client() -> FakeMessageClient:
    return FakeMessageClient()


@pytest.fixture
def table_messages(message_client: FakeMessageClient) -> DiscordTableMessages:
    return make_table_messages(message_client)


def sent_payload(message_client: FakeMessageClient) -> Json:
    """Return what the one message says."""
    (request,) = message_client.requests
    assert request.json is not None
    return request.json


@pytest.mark.parametrize("location", [Location(3, 70), Location(None, 71)])
async def test_a_table_is_posted_in_its_channel(
    table_messages: DiscordTableMessages, message_client: FakeMessageClient, location: Location
) -> None:
    assert await post_table(table_messages, make_table(location=location)) == 4711
    (request,) = message_client.requests
    assert (request.method, request.channel_id, request.message_id) == ("POST", location.channel_id, None)
    assert sent_payload(message_client)["components"]


async def test_an_edit_removes_the_buttons_of_a_finished_table(
    table_messages: DiscordTableMessages, message_client: FakeMessageClient
) -> None:
    assert await edit_table(table_messages, make_table(status=Status.CANCELLED, message_id=9)) == 9
    (request,) = message_client.requests
    assert (request.method, request.message_id) == ("PATCH", 9)
    assert sent_payload(message_client)["components"] == []


async def test_changes_are_more_urgent_than_refreshes(
    table_messages: DiscordTableMessages, message_client: FakeMessageClient
) -> None:
    table = make_table(message_id=9)
    await table_messages.remove(table, 8)
    for is_new in (False, True):
        async with table_messages.reserve_edit(table, is_new=is_new) as edit:
            await edit(table)
    await post_table(table_messages, table)
    assert sorted(message_client.urgencies) == [Urgency.EDIT, Urgency.POST, Urgency.REFRESH, Urgency.DELETION]
    assert message_client.urgencies == [Urgency.DELETION, Urgency.REFRESH, Urgency.EDIT, Urgency.POST]


ERROR_OUTCOMES: list[tuple[Exception, type[Exception]]] = [
    (UNKNOWN_MESSAGE, MessageGone),
    (UNKNOWN_CHANNEL, ChannelDeleted),
    (make_http_error(discord.NotFound, 404, 10004), ChannelUnreachable),
    (make_http_error(discord.NotFound, 404, 0), ChannelUnreachable),
    (MISSING_ACCESS, ChannelUnreachable),
    (MISSING_PERMISSIONS, ChannelUnreachable),
    (make_http_error(discord.Forbidden, 403, 50007), ChannelUnreachable),  # no direct messages from the bot
    (ARCHIVED, ThreadArchived),
    (make_http_error(discord.HTTPException, 400, 160005), ThreadArchived),
    (SERVER_ERROR, DiscordUnavailable),
    (make_http_error(discord.DiscordServerError, 500, 50001), DiscordUnavailable),
    (BAD_REQUEST, ChannelUnreachable),
    (make_http_error(discord.HTTPException, 429, 0), RetryLater),
    (make_http_error(discord.HTTPException, 429, 30046), TooManyEdits),
    (aiohttp.ClientConnectionError("reset"), DiscordUnavailable),
    (aiohttp.ServerDisconnectedError(), DiscordUnavailable),
    (ConnectionResetError(104, "reset"), DiscordUnavailable),
    (TimeoutError(), DiscordUnavailable),
]


async def test_a_reminder_notifies_one_user(message_client: FakeMessageClient) -> None:
    await post_text(message_client, 70, (12,), "<@12> <@13> @everyone")  # type: ignore[arg-type]
    (request,) = message_client.requests
    assert (request.method, request.channel_id) == ("POST", 70)
    assert sent_payload(message_client)["allowed_mentions"] == {"parse": [], "users": ["12"]}


async def remove_former(table_messages: DiscordTableMessages, table: Table) -> int:
    await table_messages.remove(table, 8)
    return 8


async def remind(table_messages: DiscordTableMessages, table: Table) -> int:
    return await post_text(table_messages.message_client, table.header.location.channel_id, (12,), "<@12>")


@each_case("fault, verdict", ERROR_OUTCOMES)
@each_case("show", [post_table, edit_table, remove_former, remind])
async def test_failures_are_classified(
    table_messages: DiscordTableMessages,
    message_client: FakeMessageClient,
    show: Show,
    fault: Exception,
    verdict: type[Exception],
) -> None:
    message_client.fault = fault
    with pytest.raises(verdict) as raised:
        await show(table_messages, make_table(message_id=9))
    assert raised.value.__cause__ is fault


@pytest.mark.parametrize("fault", [ValueError("a fault of ours"), discord.DiscordException("of another kind")])
async def test_other_errors_are_raised_unchanged(
    table_messages: DiscordTableMessages, message_client: FakeMessageClient, fault: Exception
) -> None:
    message_client.fault = fault
    with pytest.raises(type(fault)):
        await edit_table(table_messages, make_table(message_id=9))


async def test_a_replaced_message_is_deleted(
    table_messages: DiscordTableMessages, message_client: FakeMessageClient
) -> None:
    await table_messages.remove(make_table(message_id=10), 9)
    assert message_client.requests == [delete_request(70, 9)]


@pytest.mark.parametrize("talk", [False, True])
async def test_the_message_of_a_cancelled_table_becomes_one_line_where_people_have_written_below_it(
    table_messages: DiscordTableMessages, message_client: FakeMessageClient, *, talk: bool
) -> None:
    table_messages.has_talk_below = lambda channel_id, message_id: talk and (channel_id, message_id) == (70, 9)
    table = make_table(status=Status.CANCELLED, message_id=9)
    await table_messages.remove(replace(table, header=replace(table.header, closed_by=ClosedBy.MODERATOR)), 9)
    (request,) = message_client.requests
    assert (request.method, request.message_id) == ("PATCH" if talk else "DELETE", 9)
    if talk:
        sent = sent_payload(message_client)
        assert (sent["embeds"], sent["components"], sent["content"].startswith("-# ")) == ([], [], True)


async def test_the_message_shows_the_draft_of_the_seat_to_move() -> None:
    table_messages, table = make_table_messages(), make_table(status=Status.PLAYING)
    before = table_messages.build_content(table)
    table_messages.drafts.toggle(table, Toggle(2), frozenset())
    assert table_messages.build_content(table).rows[0][1] != before.rows[0][1]


async def test_a_piece_is_explained_in_one_message_of_a_turn() -> None:
    tip = Tip("pair", "A pair.", is_explanation=True)
    package = replace(
        MAGPIE_WITH_PICTURE, study=replace(MAGPIE_WITH_PICTURE.study, find_tips=lambda _view, _news: [tip])
    )
    app, table = make_unconnected_app(MemoryDatabase(), GAMES), make_table(status=Status.PLAYING, package=package)
    table_messages = app.table_messages
    await app.service(TipLines).load_person(mover_of(table).id)
    await app.service(SettingsCache).get(table.header.location.scope_id)
    assert "A pair." in str(table_messages.build_content(table).picture_embed_json)
    later = replace(table, header=replace(table.header, step=1, revision=table.header.revision + 1))
    assert "A pair." not in str(table_messages.build_content(later).picture_embed_json)


async def test_a_late_picture_that_fails_is_logged_at_debug_only(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", "bot.platform.discord.picture_attachments")
    monkeypatch.setattr("bot.platform.discord.picture_attachments.EDIT_PICTURE_SECONDS", 0)
    drawer, table = FakePictureDrawer(), make_table(status=Status.PLAYING)
    drawer.gate = Gate()
    await make_table_messages(pictures=drawer).build_with_picture(table)
    caplog.clear()
    drawer.fault = RuntimeError("no brush")
    drawer.gate.open()
    await wait_until(lambda: caplog.messages)
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        ("DEBUG", "a drawing failed: RuntimeError('no brush')")
    ]
