"""Sends tables to Discord as responses to interactions, in one request each, because a player waits for each request.

discord.py would build an object for every button, send a picture in nine pieces, and parse the returned message
(decision 7). No request waits for a rate limit, because the caller holds the table meanwhile. If Discord does not
accept a response, discord.py acknowledges the click and the publisher edits the message.
"""

from typing import Any, Final

import aiohttp
from discord.http import Route

from bot.platform.discord.answers import Interaction, mark_responded
from bot.platform.discord.content import MessageContent
from bot.platform.discord.http import (
    EDIT_SECONDS,
    NEW_MESSAGE,
    UPDATE_MESSAGE,
    LazySession,
    MalformedAnswer,
    Payload,
    build_payload,
    build_text_json,
    build_words_json,
    encode_payload,
    is_retryable,
    make_exception,
    read_response,
    reading,
)
from bot.platform.discord.rate_limits import RateLimiter
from bot.platform.observability.metrics import Metrics

_CALLBACK: Final = "/interactions/{webhook_id}/{webhook_token}/callback"
"""The path of an initial response, with the interaction's id and token in place of a webhook's."""

_ORIGINAL: Final = "/webhooks/{webhook_id}/{webhook_token}/messages/@original"

_TIMEOUT: Final = aiohttp.ClientTimeout(total=10)
"""Longer than the three seconds in which Discord accepts an initial response, because its reply may be slow."""


class CallbackNotAccepted(Exception):
    """Discord did not accept a response, or did not reply; it may accept a later response."""


class CallbackClient:
    """Responds to interactions with tables, over discord.py's connections."""

    def __init__(self, metrics: Metrics, limits: RateLimiter) -> None:
        self._metrics = metrics
        self._limits = limits
        self._session = LazySession(_TIMEOUT)

    async def update(self, click: Interaction, content: MessageContent, *, buttons_alone: bool = False) -> None:
        """Show content, or only its menus and buttons, in the clicked message as the initial response.

        Raises:
            CallbackNotAccepted: Discord may accept a later response.
            discord.HTTPException: Discord refuses the response.
            aiohttp.ClientError: The connection fails, or the response can't be read.
        """
        await self._send_callback(click, build_payload(content, UPDATE_MESSAGE, buttons_alone=buttons_alone))

    async def update_words(self, click: Interaction, content: MessageContent) -> None:
        """Show only the embed of content as the initial response; file and buttons stay. Raise like `update`."""
        data = {"type": UPDATE_MESSAGE, "data": build_words_json(content)}
        await self._send_callback(click, encode_payload(data))

    async def edit_original(self, click: Interaction, content: MessageContent, *, buttons_alone: bool = False) -> None:
        """Edit the clicked message after the initial response; raise like `update`."""
        route = Route("PATCH", _ORIGINAL, webhook_id=click.application_id, webhook_token=click.token)
        await self._send_with_retry(click, route, build_payload(content, buttons_alone=buttons_alone))

    async def replace_with_text(self, click: Interaction, text: str) -> None:
        """Replace the clicked message with a text; raise like `update`."""
        await self._send_callback(click, encode_payload({"type": UPDATE_MESSAGE, "data": build_text_json(text)}))

    async def post(self, command: Interaction, content: MessageContent) -> int:
        """Post content as the initial response, and return the message's id; raise like `update`."""
        reply = await self._send_callback(command, build_payload(content, NEW_MESSAGE), with_response="true")
        with reading():
            return int(reply["resource"]["message"]["id"])

    async def close(self) -> None:
        """Close the session; discord.py's connections stay open."""
        await self._session.close()

    async def _send_callback(self, click: Interaction, payload: Payload, **query: str) -> Any:
        """Send the initial response, and return Discord's reply."""
        route = Route("POST", _CALLBACK, webhook_id=click.id, webhook_token=click.token)
        reply = await self._send_with_retry(click, route, payload, **query)
        mark_responded(click)
        self._metrics.observe_answer()
        return reply

    async def _send_with_retry(self, click: Interaction, route: Route, payload: Payload, **query: str) -> Any:
        try:
            return await self._send(click, route, payload, query)
        except aiohttp.ClientConnectorError:
            raise
        except TimeoutError as fault:
            if query:
                raise
            raise CallbackNotAccepted("no answer") from fault
        except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError):
            # The server closed the idle connection, which aiohttp reports with either error.
            return await self._send(click, route, payload, query)

    async def _send(self, click: Interaction, route: Route, payload: Payload, query: dict[str, str]) -> Any:
        session = self._session.session(click.client)
        # Only the reply to a post is needed, for the message's id. Edits make up for other lost replies.
        timeout = _TIMEOUT if query else aiohttp.ClientTimeout(total=EDIT_SECONDS)
        async with session.request(
            route.method, route.url, data=payload.body, headers=payload.headers, params=query, timeout=timeout
        ) as response:
            try:
                reply = await read_response(response)
            except MalformedAnswer:
                if query:
                    raise
                reply = None
        self._limits.note_response(route.method, response.url.path, response.status, response.headers)
        fault = make_exception(response, reply)
        if fault is not None and is_retryable(fault):
            raise CallbackNotAccepted(str(fault)) from fault
        if fault is not None:
            raise fault
        return reply
