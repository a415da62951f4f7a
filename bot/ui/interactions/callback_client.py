"""Carries tables to Discord as answers to interactions, in the way that costs least: every player waits for it.

The library makes an object of each button, sends a picture in nine pieces, and reads the message that came of it. Here
an answer is one request in one piece. Where Discord asks for patience nothing waits here, because whoever shows a table
has it to themselves meanwhile.
"""

from typing import Any, Final, Protocol

import aiohttp
import discord
from discord.http import Route

from bot.observability.metrics import Watch
from bot.ui.delivery.http import EDIT_SECONDS, Line, answer_of, asks_for_patience, fault_of
from bot.ui.delivery.payloads import UPDATE, Letter, letter_of, posting_of, text_alone, told_of, written
from bot.ui.delivery.rate_limits import RequestLimits
from bot.ui.interactions.responses import note_answered
from bot.ui.render.message import Frame

Click = discord.Interaction[Any]

_CALLBACK: Final = "/interactions/{webhook_id}/{webhook_token}/callback"
"""An interaction is answered as a webhook is used: with its number and its token."""

_ORIGINAL: Final = "/webhooks/{webhook_id}/{webhook_token}/messages/@original"

_TIMEOUT: Final = aiohttp.ClientTimeout(total=10)
"""Discord takes no first answer after three seconds; its own answer may be slow all the same."""


class NotTaken(Exception):
    """Discord does not take an answer now, or does not say that it did; it may in a while."""


class Postman(Protocol):
    """Answers interactions with tables."""

    async def update(self, click: Click, frame: Frame, *, buttons_alone: bool = False) -> None:
        """Show a frame, or its menus and buttons alone, in the message that was clicked, as the first answer.

        Raises NotTaken, and what the library raises.
        """
        ...

    async def update_later(self, click: Click, frame: Frame, *, buttons_alone: bool = False) -> None:
        """Do the same after the first answer."""
        ...

    async def replace(self, click: Click, text: str) -> None:
        """Show a text in place of all that the message shows that was clicked; raises as `update` does."""
        ...

    async def post(self, command: Click, frame: Frame) -> int:
        """Show a frame in a message that is the first answer, and return its id; raises as `update` does."""
        ...


class SwiftPostman:
    """Answers over the connections of the library."""

    def __init__(self, watch: Watch, limits: RequestLimits) -> None:
        self._watch = watch
        self._limits = limits
        self._line = Line(_TIMEOUT)

    async def update(self, click: Click, frame: Frame, *, buttons_alone: bool = False) -> None:
        """Show a frame, or its menus and buttons alone, in the message that was clicked, as the first answer.

        Raises NotTaken, and what the library raises.
        """
        await self._answer(click, letter_of(frame, buttons_alone=buttons_alone))

    async def update_later(self, click: Click, frame: Frame, *, buttons_alone: bool = False) -> None:
        """Do the same after the first answer."""
        drawn = None if buttons_alone else frame.drawn
        route = Route("PATCH", _ORIGINAL, webhook_id=click.application_id, webhook_token=click.token)
        await self._bring(click, route, written(told_of(frame, buttons_alone=buttons_alone), drawn))

    async def replace(self, click: Click, text: str) -> None:
        """Show a text in place of all that the message shows that was clicked; raises as `update` does."""
        await self._answer(click, written({"type": UPDATE, "data": text_alone(text)}))

    async def post(self, command: Click, frame: Frame) -> int:
        """Show a frame in a message that is the first answer, and return its id; raises as `update` does."""
        told = await self._answer(command, posting_of(frame), with_response="true")
        return int(told["resource"]["message"]["id"])

    async def close(self) -> None:
        """Stop; the connections stay with the library."""
        await self._line.close()

    async def _answer(self, click: Click, letter: Letter, **query: str) -> Any:
        """Give the first answer."""
        route = Route("POST", _CALLBACK, webhook_id=click.id, webhook_token=click.token)
        told = await self._bring(click, route, letter, **query)
        note_answered(click)
        self._watch.answered()
        return told

    async def _bring(self, click: Click, route: Route, letter: Letter, **query: str) -> Any:
        try:
            return await self._sent(click, route, letter, query)
        except aiohttp.ClientConnectorError:
            raise
        except TimeoutError as fault:
            if query:
                raise
            raise NotTaken("no answer") from fault
        except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError):
            # The connection was closed at the other end while nobody used it, which is told in one way or the other.
            return await self._sent(click, route, letter, query)

    async def _sent(self, click: Click, route: Route, letter: Letter, query: dict[str, str]) -> Any:
        line = self._line.session(click.client)
        # Where a table is posted its message is known by the answer alone. Any other may be lost: an edit follows.
        timeout = _TIMEOUT if query else aiohttp.ClientTimeout(total=EDIT_SECONDS)
        async with line.request(
            route.method, route.url, data=letter.body, headers=letter.headers, params=query, timeout=timeout
        ) as response:
            told = await answer_of(response)
        self._limits.note_status(response.status, response.headers)
        fault = fault_of(response, told)
        if fault is not None and asks_for_patience(fault):
            raise NotTaken(str(fault)) from fault
        if fault is not None:
            raise fault
        return told
