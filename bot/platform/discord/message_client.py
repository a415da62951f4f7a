"""Sends, edits and deletes messages with the bot's token, within the shared rate limits."""

import asyncio
from collections.abc import Collection, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

import aiohttp
import discord
from discord.http import Route

from bot.pictures.service import PictureFile
from bot.platform.discord.content import Button, Json, MessageContent
from bot.platform.discord.errors import DeliveryFailed
from bot.platform.discord.http import (
    EDIT_SECONDS,
    NETWORK_ERRORS,
    TOO_MANY_EDITS,
    LazySession,
    MalformedAnswer,
    build_message_json,
    classify_error,
    encode_payload,
    is_retryable,
    make_exception,
    read_response,
    reading,
    retry_after,
    seconds_of,
)
from bot.platform.discord.limits import Permit, RateLimiter, Urgency

_TIMEOUT: Final = aiohttp.ClientTimeout(total=30)
PAUSES: Final = (1.0, 2.0, 4.0, 4.0)
"""Seconds before each retry."""
_REFUSED_SECONDS: Final = 60.0
"""How long to wait if Discord's edge (Cloudflare) refuses requests without a Retry-After header."""


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


def post_request(channel_id: int, content: MessageContent) -> Request:
    """Return the request for a new message."""
    return Request("POST", channel_id, json=build_message_json(content), picture=content.picture)


def edit_request(channel_id: int, message_id: int, content: MessageContent) -> Request:
    """Return the request to edit a message; the picture replaces any earlier one."""
    return Request("PATCH", channel_id, message_id, build_message_json(content), content.picture)


def delete_request(channel_id: int, message_id: int) -> Request:
    """Return the request to delete a message."""
    return Request("DELETE", channel_id, message_id)


class MessageClient:
    """Sends requests about messages; each needs a permit of the shared rate limiter."""

    def __init__(self, limits: RateLimiter) -> None:
        self._limits = limits
        self._client: discord.Client | None = None
        self._session = LazySession(_TIMEOUT)

    def open(self, client: discord.Client) -> None:
        """Send with the token and over the connections of a client that has logged in."""
        self._client = client

    @property
    def client(self) -> discord.Client | None:
        """The client, once it has logged in."""
        return self._client

    @property
    def bot_id(self) -> int | None:
        """The user id of the bot, once it has logged in."""
        return self._client.user.id if self._client is not None and self._client.user is not None else None

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
        if self._client is None:
            raise DeliveryFailed("not logged in yet")
        headers: dict[str, str] = {"Authorization": f"Bot {self._client.http.token}"}
        body: bytes | None = None
        if request.json is not None:
            payload = encode_payload(request.json, request.picture)
            body, headers = payload.body, {**headers, **payload.headers}
        permit.is_used = True
        session = self._session.session(self._client)
        timeout = aiohttp.ClientTimeout(total=EDIT_SECONDS) if request.method == "PATCH" else _TIMEOUT
        async with session.request(
            request.method, request.url, data=body, headers=headers, params=request.query, timeout=timeout
        ) as response:
            response_body = await read_response(response)
        self._limits.note_response(request.method, response.url.path, response.status, response.headers)
        if response.status == HTTPStatus.TOO_MANY_REQUESTS:
            # The headers may be about another limit than the route's, such as that of one message.
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
                # There was no connection, or Discord closed it while it was idle.
                await asyncio.sleep(pause)
        return await self._send_once(request, urgency)

    async def open_direct_channel(self, user_id: int) -> int:
        """Return the channel of a person's direct messages; raise like `send`."""
        if self._client is None:
            raise DeliveryFailed("not logged in yet")
        # discord.py's requests keep to the limits as well.
        with reading():
            return int((await self._client.http.start_private_message(user_id))["id"])

    async def close(self) -> None:
        """Close the session."""
        await self._session.close()

    async def _send_once(self, request: Request, urgency: Urgency) -> Any:
        async with self.permit(request.method, request.channel_id, urgency) as permit:
            return await self.send(request, permit)


def _note_wait(permit: Permit, response: aiohttp.ClientResponse, body: Any) -> None:
    """Note on the permit how long to wait, and whether all requests must."""
    wait = retry_after(response.headers, _REFUSED_SECONDS)
    if not isinstance(body, dict):
        # Discord's edge (Cloudflare) refuses everything from this machine.
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
    """Post a text that notifies only some people, and return the message's id.

    If a message with the same nonce was posted in the last minutes, Discord returns that one, and posts none.

    Raises:
        ChannelUnreachable: The bot can't post there.
        DeliveryFailed: Posting failed for now.
    """
    mentions: Json = {"parse": [], "users": list(map(str, person_ids))}
    body: Json = {"content": text, "allowed_mentions": mentions}
    if buttons:
        body["components"] = MessageContent({}, (buttons,)).components()
    if nonce is not None:
        body |= {"nonce": nonce, "enforce_nonce": True}
    try:
        message = await message_client.send_with_retries(Request("POST", channel_id, json=body), urgency)
    except NETWORK_ERRORS as fault:
        raise classify_error(fault) from fault
    return id_of(message)


def id_of(message: Json) -> int:
    """Return the id of a message that was posted.

    Raises:
        DeliveryFailed: Discord's answer does not tell it.
    """
    try:
        with reading():
            return int(message["id"])
    except MalformedAnswer as fault:
        raise classify_error(fault) from fault
