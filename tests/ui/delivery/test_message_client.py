"""Requests with the bot's token, over a real connection to a fake server."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

import bot.platform.discord.http
from bot.pictures.service import PictureFile
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed, DiscordTimeout
from bot.platform.discord.http import (
    MessageClient,
    Request,
    classify_error,
    delete_request,
    edit_request,
    post_request,
    post_text,
)
from bot.platform.discord.rate_limits import (
    MAX_WAIT_SECONDS,
    Bucket,
    LibraryRequestLimiter,
    Permit,
    RateLimiter,
    Urgency,
)
from bot.tables.model import Status
from tests.support.each_case import each_case
from tests.support.fakes import make_table
from tests.support.rendering import render_game
from tests.support.waiting import DEADLINE_SECONDS, wait_until
from tests.ui.fake_http_server import FakeServer, ServerAnswer, refusal_answer

DRAWN = PictureFile(b"a picture", "table.png", "A table.")
CONTENT = render_game(make_table(status=Status.PLAYING), frozenset())
VIA = {"Via": "1.1 google"}


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot.platform.discord.http, "PAUSES", (0.001,) * 4)


@pytest.fixture
def limits() -> RateLimiter:
    return RateLimiter()


@pytest.fixture
async def message_client(limits: RateLimiter) -> AsyncIterator[MessageClient]:
    connector = aiohttp.TCPConnector()
    http = SimpleNamespace(connector=connector, user_agent="DiscordBot (somewhere, 1)", token="secret", proxy=None)
    client: Any = SimpleNamespace(http=http)
    found = MessageClient(limits)
    found.open(client)
    yield found
    await found.close()
    assert not connector.closed, "connections stay with the library"
    await connector.close()


async def send(message_client: MessageClient, request: Request) -> Any:
    async with message_client.permit(request.method, request.channel_id, Urgency.EDIT) as permit:
        return await message_client.send(request, permit)


async def test_before_the_login_requests_fail_temporarily(limits: RateLimiter) -> None:
    client = MessageClient(limits)
    assert client.bot_id is None
    with pytest.raises(DeliveryFailed):
        await send(client, delete_request(7, 9))
    not_logged_in: Any = SimpleNamespace(user=None)
    client.open(not_logged_in)
    assert client.bot_id is None


async def test_a_closed_client_sends_nothing(server: FakeServer, message_client: MessageClient) -> None:
    await send(message_client, delete_request(7, 9))
    await message_client.close()
    with pytest.raises(RuntimeError):
        await send(message_client, delete_request(7, 9))
    assert len(server.asked) == 1


async def test_a_message_is_posted_with_its_picture(server: FakeServer, message_client: MessageClient) -> None:
    assert (await send(message_client, post_request(7, CONTENT.with_picture(DRAWN))))["id"] == "4711"
    assert server.asked == [("POST", "/api/channels/7/messages")]
    assert server.headers[0]["Authorization"] == "Bot secret"
    assert server.headers[0]["User-Agent"] == "DiscordBot (somewhere, 1)"
    assert server.files == [DRAWN.data]
    assert server.bodies[0]["attachments"] == [{"id": 0, "filename": "table.png", "description": "A table."}]


async def test_a_message_is_edited_and_loses_its_picture(server: FakeServer, message_client: MessageClient) -> None:
    await send(message_client, edit_request(7, 9, CONTENT))
    assert server.asked == [("PATCH", "/api/channels/7/messages/9")]
    assert server.bodies == [{**server.bodies[0], "attachments": [], "components": CONTENT.components()}]


async def test_messages_are_deleted_and_fetched(server: FakeServer, message_client: MessageClient) -> None:
    server.answers = [ServerAnswer(), ServerAnswer(body=[{"id": "1"}])]
    await message_client.send_with_retries(delete_request(7, 9), Urgency.DELETION)
    assert await message_client.send_with_retries(Request("GET", 7, query={"limit": "3"}), Urgency.REMINDER) == [
        {"id": "1"}
    ]
    assert server.asked == [("DELETE", "/api/channels/7/messages/9"), ("GET", "/api/channels/7/messages?limit=3")]


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, discord.HTTPException),
        (403, discord.Forbidden),
        (404, discord.NotFound),
        (500, discord.DiscordServerError),
        (429, discord.HTTPException),
    ],
)
async def test_a_single_request_raises_what_the_library_raises_without_waiting(
    server: FakeServer, message_client: MessageClient, status: int, kind: type[discord.HTTPException]
) -> None:
    server.answers = [refusal_answer(status, 50001, retry_after=600.0)]
    with pytest.raises(kind) as caught:
        await send(message_client, edit_request(7, 9, CONTENT))
    assert (type(caught.value), caught.value.code) == (kind, 50001)
    assert len(server.asked) == 1


async def test_a_bucket_limit_delays_only_its_own_requests(
    server: FakeServer, message_client: MessageClient, limits: RateLimiter
) -> None:
    server.answers = [refusal_answer(429, retry_after=600.0)]
    with pytest.raises(discord.HTTPException):
        await send(message_client, edit_request(7, 9, CONTENT))
    waiting = asyncio.create_task(message_client.send_with_retries(edit_request(7, 9, CONTENT), Urgency.EDIT))
    await send(message_client, edit_request(8, 9, CONTENT))
    await send(message_client, post_request(7, CONTENT))
    assert limits.waiting_requests() == 1
    assert [path for method, path in server.asked if method == "PATCH"].count("/api/channels/7/messages/9") == 1
    waiting.cancel()


async def test_a_message_with_too_many_edits_delays_no_others(
    server: FakeServer, message_client: MessageClient
) -> None:
    answer = refusal_answer(429, 30046, retry_after=600.0)
    answer.headers = {**VIA, "X-RateLimit-Limit": "5", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "600"}
    server.answers = [answer]
    with pytest.raises(discord.HTTPException) as caught:
        await message_client.send_with_retries(edit_request(7, 9, CONTENT), Urgency.EDIT)
    assert caught.value.code == 30046
    async with asyncio.timeout(DEADLINE_SECONDS):
        await send(message_client, edit_request(7, 10, CONTENT))
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    "answer",
    [
        refusal_answer(429, retry_after=600.0, **{"global": True}),
        ServerAnswer(429, "<h1>banned</h1>", {"Retry-After": "600"}),
        ServerAnswer(429, "<h1>banned</h1>"),
        ServerAnswer(429, "<h1>banned</h1>", {"Retry-After": "Fri, 31 Dec 1999 23:59:59 GMT"}),
    ],
    ids=["limit of the bot", "ban of the address", "ban without an end", "ban until a date"],
)
async def test_a_global_limit_delays_all_requests(
    server: FakeServer, message_client: MessageClient, limits: RateLimiter, answer: ServerAnswer
) -> None:
    server.answers = [answer]
    with pytest.raises(discord.HTTPException):
        await send(message_client, edit_request(7, 9, CONTENT))
    waiting = asyncio.create_task(send(message_client, post_request(8, CONTENT)))
    await wait_until(limits.waiting_requests)
    assert len(server.asked) == 1
    waiting.cancel()


async def test_an_edit_without_an_answer_times_out(
    server: FakeServer, message_client: MessageClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An edit may be sent twice; a post may not, so its answer is waited for longer."""
    monkeypatch.setattr(bot.platform.discord.http, "EDIT_SECONDS", 0.05)
    server.answering.clear()
    posted = asyncio.create_task(send(message_client, post_request(7, CONTENT)))
    await wait_until(lambda: server.asked)
    with pytest.raises(TimeoutError) as caught:
        async with asyncio.timeout(DEADLINE_SECONDS):
            await send(message_client, edit_request(7, 9, CONTENT))
    assert isinstance(classify_error(caught.value), DiscordTimeout)
    assert not posted.done(), "the older request would have timed out first"
    server.answering.set()
    assert await posted == {"id": "4711"}


@pytest.mark.parametrize(
    "answers", [[refusal_answer(429, retry_after=0.01)] * 3, [refusal_answer(500), refusal_answer(502)]]
)
async def test_a_request_is_retried_after_temporary_failures(
    server: FakeServer, message_client: MessageClient, answers: list[ServerAnswer]
) -> None:
    server.answers = list(answers)
    await message_client.send_with_retries(delete_request(7, 9), Urgency.DELETION)
    assert len(server.asked) == len(answers) + 1


async def test_a_rate_limit_is_waited_out_without_a_further_pause(
    server: FakeServer, message_client: MessageClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.platform.discord.http, "PAUSES", (600.0,) * 4)
    server.answers = [refusal_answer(429, retry_after=0.01)]
    async with asyncio.timeout(DEADLINE_SECONDS):
        await message_client.send_with_retries(delete_request(7, 9), Urgency.DELETION)


async def test_a_request_is_retried_after_a_closed_connection(
    server: FakeServer, message_client: MessageClient
) -> None:
    server.hangs_up = 1
    assert await message_client.send_with_retries(post_request(7, CONTENT), Urgency.REMINDER) == {"id": "4711"}
    assert len(server.asked) == 2


async def test_retries_wait_longer_and_longer(
    server: FakeServer, message_client: MessageClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    sleep = asyncio.sleep

    async def skip(seconds: float) -> None:
        slept.append(seconds)
        await sleep(0)

    monkeypatch.setattr(asyncio, "sleep", skip)
    monkeypatch.setattr(bot.platform.discord.http, "PAUSES", (1.5, 2.5))
    server.hangs_up = 1
    server.answers = [ServerAnswer(), refusal_answer(503)]
    await message_client.send_with_retries(post_request(7, CONTENT), Urgency.REMINDER)
    assert slept == [1.5, 2.5]


async def test_retries_end_after_five_attempts(server: FakeServer, message_client: MessageClient) -> None:
    server.answers = [refusal_answer(503)] * 100
    with pytest.raises(discord.DiscordServerError):
        await message_client.send_with_retries(delete_request(7, 9), Urgency.DELETION)
    assert len(server.asked) == 5


@pytest.mark.parametrize(("status", "counts"), [(200, 0), (400, 0), (404, 0), (401, 1), (403, 1), (429, 1)])
async def test_invalid_requests_are_counted(
    server: FakeServer, message_client: MessageClient, limits: RateLimiter, status: int, counts: int
) -> None:
    server.answers = [refusal_answer(status, retry_after=0.0)]
    with suppress(discord.HTTPException):
        await send(message_client, delete_request(7, 9))
    assert limits.invalid_requests() == counts


async def test_without_a_connection_a_request_is_sent_again(
    server: FakeServer, message_client: MessageClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = discord.http.Route.BASE

    def pauses() -> Iterator[float]:
        monkeypatch.setattr(discord.http.Route, "BASE", "http://127.0.0.1:1/closed")
        yield 0.0
        monkeypatch.setattr(discord.http.Route, "BASE", base)
        yield 0.0

    monkeypatch.setattr("bot.platform.discord.http.PAUSES", pauses())
    await message_client.send_with_retries(delete_request(7, 9), Urgency.DELETION)
    assert len(server.asked) == 1


MALFORMED = [
    ServerAnswer(200, b'{"id": "47'),
    ServerAnswer(200, b""),
    ServerAnswer(200, b"\xff\xfe"),
    ServerAnswer(200, b"null"),
    ServerAnswer(200, b"[]"),
    ServerAnswer(200, b"{}"),
    ServerAnswer(200, {"id": None}),
    ServerAnswer(200, {"id": [1]}),
    ServerAnswer(200, "<h1>Welcome to our network</h1>"),
    ServerAnswer(204, ""),
    *(ServerAnswer(status, body) for status in (400, 502) for body in ("<h1>No</h1>", b"", b"null", b"[]", b'{"code"')),
    *(
        ServerAnswer(400, {"code": code, "message": message, "errors": errors})
        for code, message, errors in (("7", None, "none"), ([7], 7, [1]), (None, {}, {"a": {"_errors": 1}}))
    ),
]


@each_case("answer", MALFORMED)
async def test_an_answer_that_cannot_be_read_is_a_failed_delivery(
    server: FakeServer, message_client: MessageClient, answer: ServerAnswer
) -> None:
    server.answers = [answer] * 5
    with pytest.raises((DeliveryFailed, ChannelUnreachable)):
        await post_text(message_client, 70, (), "Hello")
    server.answers.clear()


NONSENSE: list[Any] = ["soon", None, -5, 1e12, float("nan"), float("inf"), [], {"seconds": 1}, True]


@each_case("wait", NONSENSE)
async def test_nonsense_about_a_rate_limit_holds_no_request_up_for_long(
    server: FakeServer, message_client: MessageClient, wait: Any
) -> None:
    numbers = {"Retry-After": str(wait), "X-RateLimit-Remaining": str(wait), "X-RateLimit-Reset-After": str(wait)}
    limited = ServerAnswer(429, {"retry_after": wait, "global": False}, {**VIA, **numbers})
    for answer in (limited, ServerAnswer(429, b"null", numbers), ServerAnswer(200, {"id": "1"}, numbers)):
        server.answers = [answer]
        permit = Permit()
        with suppress(discord.HTTPException):
            await message_client.send(post_request(70, CONTENT), permit)
        waits = permit.retry_after or 0.0
        assert 0 <= waits <= MAX_WAIT_SECONDS
        bucket = Bucket()
        bucket.update(0.0, permit.headers)
        assert (bucket.resets_at or 0.0) <= MAX_WAIT_SECONDS


class TestLibraryRequests:
    @pytest.fixture
    async def session(self, server: FakeServer, limits: RateLimiter) -> AsyncIterator[aiohttp.ClientSession]:
        assert server.asked == []
        listener = aiohttp.TraceConfig()
        LibraryRequestLimiter(limits).register_callbacks(listener)
        async with aiohttp.ClientSession(trace_configs=[listener]) as found:
            yield found

    async def get(self, session: aiohttp.ClientSession, **headers: str) -> int:
        async with session.get(discord.http.Route.BASE, headers=headers) as response:
            return response.status

    async def test_requests_of_the_library_with_the_bots_token_share_the_budget(
        self, session: aiohttp.ClientSession, server: FakeServer, message_client: MessageClient, limits: RateLimiter
    ) -> None:
        server.answers = [refusal_answer(429, retry_after=600.0, **{"global": True})]
        with pytest.raises(discord.HTTPException):
            await send(message_client, delete_request(7, 9))
        waiting = asyncio.create_task(self.get(session, Authorization="Bot secret"))
        await wait_until(limits.waiting_requests)
        assert await self.get(session) == 200, "what comes with an interaction's token is free"
        assert not waiting.done()
        waiting.cancel()

    async def test_a_global_limit_met_by_the_library_is_respected(
        self, session: aiohttp.ClientSession, server: FakeServer, message_client: MessageClient, limits: RateLimiter
    ) -> None:
        answer = refusal_answer(429, retry_after=600.0, **{"global": True})
        server.answers = [ServerAnswer(429, answer.body, {"X-RateLimit-Global": "true", "Retry-After": "600"})]
        assert await self.get(session, Authorization="Bot secret") == 429
        assert limits.invalid_requests() == 1
        waiting = asyncio.create_task(send(message_client, delete_request(7, 9)))
        await wait_until(limits.waiting_requests)
        waiting.cancel()

    async def test_a_failed_request_returns_its_permit(
        self, session: aiohttp.ClientSession, limits: RateLimiter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(discord.http.Route, "BASE", "http://127.0.0.1:1/closed")
        with pytest.raises(aiohttp.ClientError):
            await self.get(session, Authorization="Bot secret")
        await wait_until(lambda: limits.in_use == 0, seconds=5)
