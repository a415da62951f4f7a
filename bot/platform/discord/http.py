"""Sends the bot's messages over discord.py's connections, and classifies error responses."""

import asyncio
import secrets
from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

import aiohttp
import discord
from discord.http import Route
from pydantic_core import from_json, to_json

from bot.pictures.service import PictureFile
from bot.platform.discord.content import Button, Json, MessageContent
from bot.platform.discord.direction import turn_text
from bot.platform.discord.errors import (
    ChannelDeleted,
    ChannelUnreachable,
    DeliveryFailed,
    DiscordTimeout,
    DiscordUnavailable,
    MessageGone,
    RetryLater,
    ThreadArchived,
    TooManyEdits,
)
from bot.platform.discord.rate_limits import Permit, RateLimiter, Urgency, retry_after, seconds_of

UNKNOWN_CHANNEL: Final = 10003
"""Discord's error code for a channel or thread that was deleted."""

TOO_MANY_EDITS: Final = 30046
"""Discord's error code for too many edits of a message that is older than an hour."""

UPLOADS_LIMITED: Final = 400001
"""Discord's error code for a server in which nobody may upload files for now."""

EDIT_SECONDS: Final = 4.5
"""Timeout of an edit, which may be sent twice and must be visible within 5 s once Discord responds."""


_UNREADABLE: Final = (LookupError, TypeError, ValueError, AttributeError)
"""The errors of reading an answer that breaks Discord's promises."""

_TIMEOUT: Final = aiohttp.ClientTimeout(total=30)
PAUSES: Final = (1.0, 2.0, 4.0, 4.0)
"""Seconds before each retry."""
_REFUSED_SECONDS: Final = 60.0
"""How long to wait after Discord's edge (Cloudflare) refuses requests without a Retry-After header."""

NETWORK_ERRORS = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError)
"""The exceptions of a failed request to Discord, including TimeoutError and MalformedAnswer."""

_ERRORS_BY_CODE: Final[Mapping[int, type[MessageGone | ChannelUnreachable]]] = {
    UNKNOWN_CHANNEL: ChannelDeleted,
    10008: MessageGone,
    TOO_MANY_EDITS: TooManyEdits,
    50083: ThreadArchived,
    160005: ThreadArchived,  # archived and locked
}
"""The meaning of Discord's error codes for a table."""

UPDATE_MESSAGE: Final = discord.InteractionResponseType.message_update.value
NEW_MESSAGE: Final = discord.InteractionResponseType.channel_message.value
_NO_MENTIONS: Final = discord.AllowedMentions.none().to_dict()

# The boundary must not occur in any part (RFC 7578, RFC 2046). Nobody can put a random one into a name on purpose.
_BOUNDARY: Final = secrets.token_hex(16)
_JSON_PART: Final = (
    f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="payload_json"\r\nContent-Type: application/json\r\n\r\n'
).encode()
_FILE_PART: Final = (
    f"\r\n--{_BOUNDARY}\r\n"
    'Content-Disposition: form-data; name="files[0]"; filename="{name}"\r\nContent-Type: {kind}\r\n\r\n'
)
_END: Final = f"\r\n--{_BOUNDARY}--\r\n".encode()

_JSON_HEADERS: Final = {"Content-Type": "application/json"}
_FORM_HEADERS: Final = {"Content-Type": f"multipart/form-data; boundary={_BOUNDARY}"}


class LazySession:
    """A session over discord.py's connections, opened by the first request; closing it keeps the connections open."""

    def __init__(self, timeout: aiohttp.ClientTimeout) -> None:
        self._timeout = timeout
        self._session: aiohttp.ClientSession | None = None

    def session(self, client: discord.Client) -> aiohttp.ClientSession:
        """Return the session, opening it if needed."""
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=client.http.connector,
                connector_owner=False,
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"User-Agent": client.http.user_agent},
                timeout=self._timeout,
                proxy=client.http.proxy,
            )
        return self._session

    async def close(self) -> None:
        """Close the session."""
        if self._session is not None:
            await self._session.close()


class MalformedAnswer(aiohttp.ClientError):
    """Discord's answer is unreadable, which the bot treats like no answer."""


@contextmanager
def reading() -> Iterator[None]:
    """Raise MalformedAnswer if the body requests or inspects an answer that can't be read."""
    try:
        yield
    except _UNREADABLE as fault:
        raise MalformedAnswer(f"Discord's answer can't be read ({type(fault).__name__})") from fault


async def read_response(response: aiohttp.ClientResponse) -> Any:
    """Return the body of a response: parsed JSON, or the text of a refusal without JSON.

    Raises:
        MalformedAnswer: Discord accepted the request, but the body is not the announced JSON.
    """
    body = await response.read()
    if response.content_type == "application/json":
        try:
            return from_json(body)
        except ValueError as fault:
            if response.status < HTTPStatus.MULTIPLE_CHOICES:
                raise MalformedAnswer("Discord's answer is no JSON") from fault
    return body.decode(errors="replace")


def make_exception(response: aiohttp.ClientResponse, body: Any) -> discord.HTTPException | None:
    """Return the exception that discord.py would raise for a response, if any."""
    if response.status < HTTPStatus.MULTIPLE_CHOICES:
        return None
    try:
        return _make_exception(response, _plain(body))
    except _UNREADABLE:
        # The errors about single fields have an unexpected form, so leave them out.
        return _make_exception(response, _plain(body) | {"errors": None})


def _plain(body: Any) -> dict[str, Any]:
    """Return the body of a refusal in the form that discord.py expects."""
    if not isinstance(body, dict):
        return {"code": 0, "message": body if isinstance(body, str) else ""}
    code, message = body.get("code"), body.get("message")
    is_code = isinstance(code, int) and not isinstance(code, bool)
    return {"code": code if is_code else 0, "message": str(message or ""), "errors": body.get("errors")}


def _make_exception(response: aiohttp.ClientResponse, body: dict[str, Any]) -> discord.HTTPException:
    match response.status:
        case HTTPStatus.FORBIDDEN:
            return discord.Forbidden(response, body)
        case HTTPStatus.NOT_FOUND:
            return discord.NotFound(response, body)
        case status if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return discord.DiscordServerError(response, body)
        case _:
            return discord.HTTPException(response, body)


def is_retryable(fault: discord.HTTPException) -> bool:
    """Return whether the same request may succeed soon."""
    if fault.code == UPLOADS_LIMITED:
        return False
    is_limited = fault.status == HTTPStatus.TOO_MANY_REQUESTS and fault.code != TOO_MANY_EDITS
    return is_limited or fault.status >= HTTPStatus.INTERNAL_SERVER_ERROR


def classify_error(fault: Exception) -> MessageGone | ChannelUnreachable | DeliveryFailed:
    """Return the meaning of a failed request for the table."""
    if isinstance(fault, TimeoutError):
        return DiscordTimeout(str(fault))
    if not isinstance(fault, discord.HTTPException) or fault.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return DiscordUnavailable(str(fault))
    if (meaning := _ERRORS_BY_CODE.get(fault.code)) is not None:
        return meaning(str(fault))
    match fault:
        case discord.HTTPException(status=HTTPStatus.TOO_MANY_REQUESTS):
            return RetryLater(str(fault))
        case _:
            # The refusal is final: the same request would fail again.
            return ChannelUnreachable(str(fault))


@dataclass(frozen=True, slots=True)
class Payload:
    """The body of a request, and its headers."""

    body: bytes
    headers: Mapping[str, str]


def build_payload(content: MessageContent, callback: int | None = None, *, buttons_alone: bool = False) -> Payload:
    """Encode a message, whose picture replaces any earlier one.

    Args:
        content: The message.
        callback: The kind of the interaction callback that carries the message, if any.
        buttons_alone: Whether to change only menus and buttons.
    """
    message = build_message_json(content, buttons_alone=buttons_alone)
    picture = None if buttons_alone else content.picture
    return encode_payload(message if callback is None else {"type": callback, "data": message}, picture)


def build_message_json(content: MessageContent, *, buttons_alone: bool = False) -> Json:
    """Return a message, or only its menus and buttons, as JSON for Discord's API."""
    message: Json = {"components": content.components(), "allowed_mentions": _NO_MENTIONS}
    if not buttons_alone:
        message["embeds"] = [content.embed_json()]
        message["attachments"] = build_attachments_json(content.picture)
    return message


def build_attachments_json(picture: PictureFile | None) -> list[Json]:
    """Return the attachments of a message with a picture, or with none, as JSON for Discord's API."""
    return [] if picture is None else [{"id": 0, "filename": picture.name, "description": picture.description}]


def build_words_json(content: MessageContent) -> Json:
    """Return only the embed of a message, whose picture stays as it is, as JSON for Discord's API."""
    return {"embeds": [content.embed_json()], "allowed_mentions": _NO_MENTIONS}


def build_text_json(text: str) -> Json:
    """Return a message that shows only a text, in place of any earlier content, as JSON for Discord's API."""
    return {
        "content": turn_text(text),
        "embeds": [],
        "components": [],
        "attachments": [],
        "allowed_mentions": _NO_MENTIONS,
    }


def encode_payload(payload_json: Json, picture: PictureFile | None = None) -> Payload:
    """Encode JSON, with a picture if there is one, as the body of a request."""
    body = to_json(payload_json)
    if picture is None:
        return Payload(body, _JSON_HEADERS)
    head = _FILE_PART.format(name=picture.name, kind=picture.media_type).encode()
    return Payload(b"".join((_JSON_PART, body, head, picture.data, _END)), _FORM_HEADERS)


@dataclass(frozen=True, slots=True)
class Request:
    """A request about the messages of a channel."""

    method: str
    channel_id: int
    message_id: int | None = None
    json: Json | None = None
    picture: PictureFile | None = None
    query: Mapping[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """The URL of the request."""
        path = "/channels/{channel_id}/messages"
        if self.message_id is None:
            return Route(self.method, path, channel_id=self.channel_id).url
        return Route(self.method, path + "/{message_id}", channel_id=self.channel_id, message_id=self.message_id).url


def post_request(channel_id: int, content: MessageContent, role_id: int | None = None) -> Request:
    """Return the request for a new message, which mentions no one but the holders of a role, if there is one."""
    json = build_message_json(content)
    if role_id is not None:
        json |= {"content": f"<@&{role_id}>", "allowed_mentions": {"parse": [], "roles": [str(role_id)]}}
    return Request("POST", channel_id, json=json, picture=content.picture)


def edit_request(channel_id: int, message_id: int, content: MessageContent) -> Request:
    """Return the request to edit a message; the picture replaces any earlier one."""
    return Request("PATCH", channel_id, message_id, build_message_json(content), content.picture)


def words_request(channel_id: int, message_id: int, content: MessageContent, *, has_new_buttons: bool) -> Request:
    """Return the request to edit only the embed of a message, and perhaps its buttons; its picture stays as it is."""
    buttons = {"components": content.components()} if has_new_buttons else {}
    return Request("PATCH", channel_id, message_id, build_words_json(content) | buttons)


def edit_text_request(channel_id: int, message_id: int, text: str) -> Request:
    """Return the request to edit a message so that it shows only a text."""
    return Request("PATCH", channel_id, message_id, build_text_json(text))


def delete_request(channel_id: int, message_id: int) -> Request:
    """Return the request to delete a message."""
    return Request("DELETE", channel_id, message_id)


class MessageClient:
    """Sends requests about messages, each with a permit from the shared rate limiter."""

    def __init__(self, limits: RateLimiter) -> None:
        self._limits = limits
        self.client: discord.Client | None = None
        """The client whose token and connections are used, once it has logged in."""
        self._session = LazySession(_TIMEOUT)

    def open(self, client: discord.Client) -> None:
        """Use the token and connections of a client that has logged in."""
        self.client = client

    @property
    def bot_id(self) -> int | None:
        """The user id of the bot, once it has logged in."""
        return self.client.user.id if self.client is not None and self.client.user is not None else None

    def permit(self, method: str, channel_id: int, urgency: Urgency) -> AbstractAsyncContextManager[Permit]:
        """Wait for the permit to send a request about a channel's messages."""
        return self._limits.permit((method, channel_id), urgency)

    async def send(self, request: Request, permit: Permit) -> Any:
        """Send a request now, without retries, and return the response body.

        Raises:
            discord.HTTPException: Discord refuses the request.
            aiohttp.ClientError: The connection fails, or the response can't be read.
            DeliveryFailed: The bot has not logged in yet.
        """
        if self.client is None:
            raise DeliveryFailed("not logged in yet")
        headers: dict[str, str] = {"Authorization": f"Bot {self.client.http.token}"}
        body: bytes | None = None
        if request.json is not None:
            payload = encode_payload(request.json, request.picture)
            body, headers = payload.body, {**headers, **payload.headers}
        permit.is_used = True
        session = self._session.session(self.client)
        timeout = aiohttp.ClientTimeout(total=EDIT_SECONDS) if request.method == "PATCH" else _TIMEOUT
        async with session.request(
            request.method, request.url, data=body, headers=headers, params=request.query, timeout=timeout
        ) as response:
            response_body = await read_response(response)
        self._limits.note_response(request.method, response.url.path, response.status, response.headers)
        if response.status == HTTPStatus.TOO_MANY_REQUESTS:
            # The headers may describe another limit than the route's, such as that of one message.
            _note_wait(permit, response, response_body)
        else:
            permit.headers = response.headers
        if fault := make_exception(response, response_body):
            raise fault
        return response_body

    async def send_with_retries(self, request: Request, urgency: Urgency) -> Any:
        """Send a request, with retries if Discord may accept it later; raise like `send`."""
        for pause in PAUSES:
            try:
                return await self._send_once(request, urgency)
            except discord.HTTPException as fault:
                if not is_retryable(fault):
                    raise
                if fault.status != HTTPStatus.TOO_MANY_REQUESTS:
                    await asyncio.sleep(pause)
            except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError):
                # There was no connection, or Discord closed an idle one.
                await asyncio.sleep(pause)
        return await self._send_once(request, urgency)

    async def open_direct_channel(self, user_id: int) -> int:
        """Return the channel of a person's direct messages; raise like `send`."""
        if self.client is None:
            raise DeliveryFailed("not logged in yet")
        # discord.py's requests respect the limits as well.
        with reading():
            return int((await self.client.http.start_private_message(user_id))["id"])

    async def close(self) -> None:
        """Close the session."""
        await self._session.close()

    async def _send_once(self, request: Request, urgency: Urgency) -> Any:
        async with self.permit(request.method, request.channel_id, urgency) as permit:
            return await self.send(request, permit)


def _note_wait(permit: Permit, response: aiohttp.ClientResponse, body: Any) -> None:
    """Note on the permit how long to wait after a 429, and whether all requests must wait."""
    wait = retry_after(response.headers, _REFUSED_SECONDS)
    if not isinstance(body, dict):
        # Discord's edge (Cloudflare) refuses all requests from this machine.
        permit.retry_after, permit.is_global = wait, True
    elif body.get("code") != TOO_MANY_EDITS:
        permit.retry_after, permit.is_global = seconds_of(body.get("retry_after"), wait), bool(body.get("global"))


async def post_text(
    message_client: MessageClient,
    channel_id: int,
    person_ids: Collection[int],
    text: str,
    *,
    buttons: tuple[Button, ...] = (),
    urgency: Urgency = Urgency.POST,
    nonce: str | None = None,
) -> int:
    """Post a text that notifies only the given people, and return the message's id.

    If a message with the same nonce was posted in the last minutes, Discord returns that message and posts no other.

    Raises:
        ChannelUnreachable: The bot can't post there.
        DeliveryFailed: Posting failed for now.
    """
    mentions: Json = {"parse": [], "users": list(map(str, person_ids))}
    body: Json = {"content": turn_text(text), "allowed_mentions": mentions}
    if buttons:
        body["components"] = MessageContent({}, (buttons,)).components()
    if nonce is not None:
        body |= {"nonce": nonce, "enforce_nonce": True}
    return await _post(message_client, Request("POST", channel_id, json=body), urgency)


async def post_in_channel(message_client: MessageClient, channel_id: int, content: MessageContent) -> int:
    """Post content that mentions no one; return and raise like `post_text`."""
    return await _post(message_client, post_request(channel_id, content), Urgency.POST)


async def _post(message_client: MessageClient, request: Request, urgency: Urgency) -> int:
    try:
        message = await message_client.send_with_retries(request, urgency)
    except NETWORK_ERRORS as fault:
        raise classify_error(fault) from fault
    return id_of(message)


def id_of(message: Json) -> int:
    """Return the id of a posted message.

    Raises:
        DeliveryFailed: Discord's answer lacks the id.
    """
    try:
        with reading():
            return int(message["id"])
    except MalformedAnswer as fault:
        raise classify_error(fault) from fault
