"""Sends, edits and deletes messages with the bot's own token, within Discord's limits."""

import asyncio
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

import aiohttp
import discord
from discord.http import Route

from bot.pictures.service import PictureFile
from bot.ui.delivery.http import (
    EDIT_SECONDS,
    TOO_MANY_EDITS,
    LazySession,
    is_retryable,
    make_exception,
    read_response,
    retry_after,
)
from bot.ui.delivery.payloads import build_message_json, encode_payload
from bot.ui.delivery.rate_limits import Permit, RateLimiter, Urgency
from bot.ui.render.message import Json, MessageContent

_TIMEOUT: Final = aiohttp.ClientTimeout(total=30)
_PAUSES: Final = (1.0, 2.0, 4.0, 4.0)
"""How long is waited before what Discord could not take is sent once more."""
_BLOCKED_SECONDS: Final = 60.0
"""How long nothing is sent where it is refused by what stands in front of Discord, without saying for how long."""


@dataclass(frozen=True, slots=True)
class Request:
    """Something to be done about the messages of a channel."""

    method: str
    channel_id: int
    message_id: int | None = None
    json: Json | None = None
    picture: PictureFile | None = None
    query: Mapping[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """Where it is sent to."""
        path = "/channels/{channel_id}/messages"
        if self.message_id is None:
            return Route(self.method, path, channel_id=self.channel_id).url
        return Route(self.method, path + "/{message_id}", channel_id=self.channel_id, message_id=self.message_id).url


def post_request(channel_id: int, frame: MessageContent) -> Request:
    """Make the request for a new message that shows a frame."""
    return Request("POST", channel_id, json=build_message_json(frame), picture=frame.picture)


def edit_request(channel_id: int, message_id: int, frame: MessageContent) -> Request:
    """Make the request with which a message shows a frame, whose picture takes the place of any earlier one."""
    return Request("PATCH", channel_id, message_id, build_message_json(frame), frame.picture)


def delete_request(channel_id: int, message_id: int) -> Request:
    """Make the request to delete a message."""
    return Request("DELETE", channel_id, message_id)


class MessageClient:
    """Sends requests about messages; each needs a permit of the limits that all of the bot's requests share."""

    def __init__(self, client: discord.Client, limits: RateLimiter) -> None:
        self._client = client
        self._limits = limits
        self._session = LazySession(_TIMEOUT)

    def permit(self, method: str, channel_id: int, urgency: Urgency) -> AbstractAsyncContextManager[Permit]:
        """Wait until a request about a channel's messages may be sent."""
        return self._limits.permit((method, channel_id), urgency)

    async def send(self, request: Request, permit: Permit) -> Any:
        """Send a request now and return the answer; raises as the library does, and waits for nothing."""
        headers: dict[str, str] = {"Authorization": f"Bot {self._client.http.token}"}
        body: bytes | None = None
        if request.json is not None:
            letter = encode_payload(request.json, request.picture)
            body, headers = letter.body, {**headers, **letter.headers}
        permit.is_used = True
        line = self._session.session(self._client)
        timeout = aiohttp.ClientTimeout(total=EDIT_SECONDS) if request.method == "PATCH" else _TIMEOUT
        async with line.request(
            request.method, request.url, data=body, headers=headers, params=request.query, timeout=timeout
        ) as response:
            told = await read_response(response)
        self._limits.note_status(response.status, response.headers)
        if response.status == HTTPStatus.TOO_MANY_REQUESTS:
            # What its headers tell may be of a limit that is not the address's, such as that of one message.
            _note_wait(permit, response, told)
        else:
            permit.headers = response.headers
        if fault := make_exception(response, told):
            raise fault
        return told

    async def send_with_retries(self, request: Request, urgency: Urgency) -> Any:
        """Send a request as soon as Discord takes it, some times if need be; raises as the library does."""
        for pause in _PAUSES:
            try:
                return await self._send_once(request, urgency)
            except discord.HTTPException as fault:
                if not is_retryable(fault):
                    raise
                if fault.status != HTTPStatus.TOO_MANY_REQUESTS:
                    await asyncio.sleep(pause)
            except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError):
                # It was not connected, or the connection was closed at the other end while nobody used it.
                await asyncio.sleep(pause)
        return await self._send_once(request, urgency)

    async def close(self) -> None:
        """Send nothing more."""
        await self._session.close()

    async def _send_once(self, request: Request, urgency: Urgency) -> Any:
        async with self.permit(request.method, request.channel_id, urgency) as permit:
            return await self.send(request, permit)


def _note_wait(permit: Permit, response: aiohttp.ClientResponse, told: Any) -> None:
    """Note for how long Discord wants to be left alone, and with what."""
    wait = retry_after(response.headers, _BLOCKED_SECONDS)
    if not isinstance(told, dict):
        # What stands in front of Discord refuses everything from this machine.
        permit.retry_after, permit.is_global = wait, True
    elif told.get("code") != TOO_MANY_EDITS:
        permit.retry_after, permit.is_global = float(told.get("retry_after", wait)), bool(told.get("global"))
