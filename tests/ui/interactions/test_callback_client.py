"""The callback client, over a real connection to a fake server."""

import asyncio
import re
import socket
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

import bot.platform.discord.interaction_responses
from bot.pictures.service import PictureFile
from bot.platform.discord.answers import has_response
from bot.platform.discord.content import MessageContent
from bot.platform.discord.http import MalformedAnswer
from bot.platform.discord.interaction_responses import CallbackClient, CallbackNotAccepted
from bot.platform.discord.rate_limits import RateLimiter
from bot.platform.observability.metrics import Metrics
from bot.platform.observability.trace import start_trace
from bot.tables.model import Status
from tests.support.each_case import each_case
from tests.support.fakes import NOON, ROBIN, make_table
from tests.support.rendering import render_game
from tests.support.waiting import wait_until
from tests.ui.fake_http_server import FakeServer, ServerAnswer, refusal_answer
from tests.ui.fake_interactions import FakeInteraction, make_click

DRAWN = PictureFile(b"a picture", "table.png", "A table.")
CONTENT = render_game(make_table(status=Status.PLAYING), frozenset()).with_picture(DRAWN)


@pytest.fixture(autouse=True)
def callbacks_are_accepted(server: FakeServer) -> None:
    server.usual = ServerAnswer(204, "")


@pytest.fixture
def watch() -> Metrics:
    return Metrics()


@pytest.fixture
def limits() -> RateLimiter:
    return RateLimiter()


@pytest.fixture
async def connector() -> AsyncIterator[aiohttp.TCPConnector]:
    found = aiohttp.TCPConnector()
    yield found
    await found.close()


@pytest.fixture
async def callback_client(watch: Metrics, limits: RateLimiter) -> AsyncIterator[CallbackClient]:
    found = CallbackClient(watch, limits)
    yield found
    await found.close()


@pytest.fixture
def click(connector: aiohttp.TCPConnector) -> FakeInteraction:
    found: FakeInteraction = make_client_click(connector)
    return found


def make_client_click(connector: aiohttp.TCPConnector) -> Any:
    """Make a click that comes through a client with connections."""
    http = SimpleNamespace(connector=connector, user_agent="DiscordBot (somewhere, 1)", proxy=None)
    return make_click(ROBIN, "c:1:0:roll", client=SimpleNamespace(http=http))


def answers_seen(watch: Metrics) -> float:
    (line,) = re.findall(rb"^parlour_answer_seconds_count (.+)$", watch.export_text(NOON, None), re.MULTILINE)
    return float(line)


async def update(callback_client: CallbackClient, click: Any, content: MessageContent = CONTENT, **more: Any) -> None:
    await callback_client.update(click, content, **more)


async def test_a_callback_shows_the_message_and_marks_the_response_as_done(
    server: FakeServer, callback_client: CallbackClient, click: FakeInteraction, watch: Metrics
) -> None:
    start_trace()
    await update(callback_client, click)
    assert server.paths == [f"/api/interactions/{click.id}/token/callback"]
    assert server.headers[0]["User-Agent"] == "DiscordBot (somewhere, 1)"
    assert server.files == [DRAWN.data]
    assert has_response(click)  # type: ignore[arg-type]
    assert click.answers == []
    assert answers_seen(watch) == 1


@pytest.mark.parametrize(
    "refusal",
    [
        (400, 40060, discord.HTTPException),
        (403, 50013, discord.Forbidden),
        (404, 10062, discord.NotFound),
        (413, 40005, discord.HTTPException),
    ],
)
async def test_errors_of_the_library_are_raised(
    server: FakeServer,
    callback_client: CallbackClient,
    click: FakeInteraction,
    watch: Metrics,
    refusal: tuple[int, int, type],
) -> None:
    start_trace()
    status, code, kind = refusal
    server.usual = refusal_answer(status, code)
    with pytest.raises(discord.HTTPException) as caught:
        await update(callback_client, click)
    assert type(caught.value) is kind
    assert (caught.value.status, caught.value.code, caught.value.text) == (status, code, "No.")
    assert len(server.paths) == 1
    assert not has_response(click)  # type: ignore[arg-type]
    assert answers_seen(watch) == 0


@pytest.mark.parametrize("status", [429, 500, 502, 503])
@pytest.mark.parametrize("buttons_alone", [False, True])
async def test_a_rate_limited_callback_is_not_waited_for(
    server: FakeServer, callback_client: CallbackClient, click: FakeInteraction, status: int, buttons_alone: bool
) -> None:
    server.usual = refusal_answer(status)
    with pytest.raises(CallbackNotAccepted):
        await update(callback_client, click, buttons_alone=buttons_alone)
    assert len(server.paths) == 1
    assert not has_response(click)  # type: ignore[arg-type]
    assert click.answers == []


async def test_a_message_with_too_many_edits_is_not_waited_for(
    server: FakeServer, callback_client: CallbackClient, click: FakeInteraction
) -> None:
    server.usual = refusal_answer(429, 30046)
    with pytest.raises(discord.HTTPException):
        await update(callback_client, click)


@pytest.mark.parametrize("status", [401, 403, 429])
async def test_invalid_requests_are_counted(
    server: FakeServer, callback_client: CallbackClient, click: FakeInteraction, limits: RateLimiter, status: int
) -> None:
    server.usual = refusal_answer(status)
    with pytest.raises((discord.HTTPException, CallbackNotAccepted)):
        await update(callback_client, click)
    assert limits.invalid_requests() == 1


@pytest.mark.parametrize("breaks_off", [False, True])
async def test_a_closed_connection_is_retried_once(
    server: FakeServer, callback_client: CallbackClient, click: FakeInteraction, breaks_off: bool
) -> None:
    server.hangs_up, server.breaks_off = 1, breaks_off
    await update(callback_client, click)
    assert has_response(click)  # type: ignore[arg-type]
    assert len(server.paths) == 2


async def test_a_message_is_changed_after_the_first_answer(
    server: FakeServer, callback_client: CallbackClient, click: FakeInteraction
) -> None:
    server.usual = ServerAnswer()
    await callback_client.edit_original(click, CONTENT)  # type: ignore[arg-type]
    assert server.paths == ["/api/webhooks/77/token/messages/@original"]
    assert server.files == [DRAWN.data]


async def test_a_command_is_answered_with_a_message_whose_id_is_returned(
    server: FakeServer, callback_client: CallbackClient, click: FakeInteraction
) -> None:
    server.usual = ServerAnswer(200, {"resource": {"message": {"id": "4711"}}})
    assert await callback_client.post(click, CONTENT) == 4711  # type: ignore[arg-type]
    assert server.paths == [f"/api/interactions/{click.id}/token/callback?with_response=true"]
    assert has_response(click)  # type: ignore[arg-type]
    assert server.files == [DRAWN.data]


GARBAGE = [
    b"",
    b"null",
    b"[]",
    b"{}",
    b'{"resource": nul',
    b'{"resource": {"message": {"id": "x"}}}',
    b"<h1>No</h1>",
]


@each_case("body", GARBAGE)
async def test_an_answer_that_cannot_be_read_matters_only_if_it_tells_the_id_of_a_message(
    server: FakeServer, callback_client: CallbackClient, connector: aiohttp.TCPConnector, body: bytes
) -> None:
    server.usual = ServerAnswer(200, body)
    shown = make_client_click(connector)
    await callback_client.update(shown, CONTENT)
    assert has_response(shown)
    await callback_client.edit_original(shown, CONTENT)
    with pytest.raises(MalformedAnswer):
        await callback_client.post(make_client_click(connector), CONTENT)


@each_case("body", [*GARBAGE, b'{"code": [], "errors": 7}'])
@each_case("status", [400, 404, 429, 500])
async def test_a_refusal_that_cannot_be_read_is_a_refusal(
    server: FakeServer,
    callback_client: CallbackClient,
    connector: aiohttp.TCPConnector,
    body: bytes,
    status: int,
) -> None:
    server.usual = ServerAnswer(status, body)
    with pytest.raises((discord.HTTPException, CallbackNotAccepted)):
        await callback_client.update(make_client_click(connector), CONTENT)


async def test_a_broken_connection_is_a_network_error(
    callback_client: CallbackClient,
    click: FakeInteraction,
    connector: aiohttp.TCPConnector,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connect, attempts = connector.connect, list[object]()

    async def count(request: Any, **more: Any) -> Any:
        attempts.append(request)
        return await connect(request, **more)

    monkeypatch.setattr(connector, "connect", count)
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        monkeypatch.setattr(discord.http.Route, "BASE", f"http://127.0.0.1:{deaf.getsockname()[1]}/api")
        with pytest.raises(aiohttp.ClientError):
            await update(callback_client, click)
    assert not has_response(click)  # type: ignore[arg-type]
    assert len(attempts) == 1


@pytest.mark.usefixtures("server")
async def test_connections_are_shared_with_the_library(
    callback_client: CallbackClient, click: FakeInteraction, connector: aiohttp.TCPConnector
) -> None:
    await update(callback_client, click)
    await callback_client.close()
    assert not connector.closed
    with pytest.raises(RuntimeError):
        await update(callback_client, click)


async def test_a_lost_answer_is_followed_by_an_edit(
    server: FakeServer, callback_client: CallbackClient, click: FakeInteraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.platform.discord.interaction_responses, "EDIT_SECONDS", 0.05)
    server.answering.clear()
    with pytest.raises(CallbackNotAccepted):
        await update(callback_client, click)
    assert not has_response(click)  # type: ignore[arg-type]


async def test_the_id_of_a_message_is_waited_for(
    server: FakeServer, callback_client: CallbackClient, click: FakeInteraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.platform.discord.interaction_responses, "EDIT_SECONDS", 0.05)
    server.answering.clear()
    posted = asyncio.create_task(callback_client.post(click, CONTENT))  # type: ignore[arg-type]
    await wait_until(lambda: server.asked)
    with pytest.raises(CallbackNotAccepted):
        await update(callback_client, make_click(ROBIN, "c:1:0:roll", client=click.client))
    assert not posted.done(), "the older request would have timed out first"
    posted.cancel()


async def test_a_message_whose_id_does_not_arrive_is_not_posted_again(
    server: FakeServer, callback_client: CallbackClient, click: FakeInteraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.platform.discord.interaction_responses, "_TIMEOUT", aiohttp.ClientTimeout(total=0.05))
    server.answering.clear()
    with pytest.raises(TimeoutError):
        await callback_client.post(click, CONTENT)  # type: ignore[arg-type]
