"""Carries tables to Discord as answers to interactions, in the way that costs least: every player waits for it.

The library makes an object of each button, sends a picture in nine pieces, and reads the message that came of it. Here
an answer is one request in one piece. Where Discord asks for patience nothing waits here, because whoever shows a table
has it to themselves meanwhile.
"""

from typing import Any, Final, Protocol

import aiohttp
import discord
from discord.http import Route

from bot.observability.metrics import Metrics
from bot.ui.delivery.http import EDIT_SECONDS, LazySession, is_retryable, make_exception, read_response
from bot.ui.delivery.payloads import (
    UPDATE_MESSAGE,
    Payload,
    build_message_json,
    build_post_payload,
    build_text_json,
    build_update_payload,
    encode_payload,
)
from bot.ui.delivery.rate_limits import RateLimiter
from bot.ui.interactions.responses import mark_responded
from bot.ui.render.message import MessageContent

Interaction = discord.Interaction[Any]

_CALLBACK: Final = "/interactions/{webhook_id}/{webhook_token}/callback"
"""An interaction is answered as a webhook is used: with its number and its token."""

_ORIGINAL: Final = "/webhooks/{webhook_id}/{webhook_token}/messages/@original"

_TIMEOUT: Final = aiohttp.ClientTimeout(total=10)
"""Discord takes no first answer after three seconds; its own answer may be slow all the same."""


class CallbackNotAccepted(Exception):
    """Discord does not take an answer now, or does not say that it did; it may in a while."""


class CallbackClient(Protocol):
    """Answers interactions with tables."""

    async def update(self, click: Interaction, frame: MessageContent, *, buttons_alone: bool = False) -> None:
        """Show a frame, or its menus and buttons alone, in the message that was clicked, as the first answer.

        Raises CallbackNotAccepted, and what the library raises.
        """
        ...

    async def edit_original(self, click: Interaction, frame: MessageContent, *, buttons_alone: bool = False) -> None:
        """Do the same after the first answer."""
        ...

    async def replace_with_text(self, click: Interaction, text: str) -> None:
        """Show a text in place of all that the message shows that was clicked; raises as `update` does."""
        ...

    async def post(self, command: Interaction, frame: MessageContent) -> int:
        """Show a frame in a message that is the first answer, and return its id; raises as `update` does."""
        ...


class HttpCallbackClient:
    """Answers over the connections of the library."""

    def __init__(self, metrics: Metrics, limits: RateLimiter) -> None:
        self._metrics = metrics
        self._limits = limits
        self._session = LazySession(_TIMEOUT)

    async def update(self, click: Interaction, frame: MessageContent, *, buttons_alone: bool = False) -> None:
        """Show a frame, or its menus and buttons alone, in the message that was clicked, as the first answer.

        Raises CallbackNotAccepted, and what the library raises.
        """
        await self._send_callback(click, build_update_payload(frame, buttons_alone=buttons_alone))

    async def edit_original(self, click: Interaction, frame: MessageContent, *, buttons_alone: bool = False) -> None:
        """Do the same after the first answer."""
        drawn = None if buttons_alone else frame.picture
        route = Route("PATCH", _ORIGINAL, webhook_id=click.application_id, webhook_token=click.token)
        await self._send_with_retry(
            click, route, encode_payload(build_message_json(frame, buttons_alone=buttons_alone), drawn)
        )

    async def replace_with_text(self, click: Interaction, text: str) -> None:
        """Show a text in place of all that the message shows that was clicked; raises as `update` does."""
        await self._send_callback(click, encode_payload({"type": UPDATE_MESSAGE, "data": build_text_json(text)}))

    async def post(self, command: Interaction, frame: MessageContent) -> int:
        """Show a frame in a message that is the first answer, and return its id; raises as `update` does."""
        told = await self._send_callback(command, build_post_payload(frame), with_response="true")
        return int(told["resource"]["message"]["id"])

    async def close(self) -> None:
        """Stop; the connections stay with the library."""
        await self._session.close()

    async def _send_callback(self, click: Interaction, letter: Payload, **query: str) -> Any:
        """Give the first answer."""
        route = Route("POST", _CALLBACK, webhook_id=click.id, webhook_token=click.token)
        told = await self._send_with_retry(click, route, letter, **query)
        mark_responded(click)
        self._metrics.observe_answer()
        return told

    async def _send_with_retry(self, click: Interaction, route: Route, letter: Payload, **query: str) -> Any:
        try:
            return await self._send(click, route, letter, query)
        except aiohttp.ClientConnectorError:
            raise
        except TimeoutError as fault:
            if query:
                raise
            raise CallbackNotAccepted("no answer") from fault
        except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError):
            # The connection was closed at the other end while nobody used it, which is told in one way or the other.
            return await self._send(click, route, letter, query)

    async def _send(self, click: Interaction, route: Route, letter: Payload, query: dict[str, str]) -> Any:
        line = self._session.session(click.client)
        # Where a table is posted its message is known by the answer alone. Any other may be lost: an edit follows.
        timeout = _TIMEOUT if query else aiohttp.ClientTimeout(total=EDIT_SECONDS)
        async with line.request(
            route.method, route.url, data=letter.body, headers=letter.headers, params=query, timeout=timeout
        ) as response:
            told = await read_response(response)
        self._limits.note_status(response.status, response.headers)
        fault = make_exception(response, told)
        if fault is not None and is_retryable(fault):
            raise CallbackNotAccepted(str(fault)) from fault
        if fault is not None:
            raise fault
        return told
