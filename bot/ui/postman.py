"""Carries tables to Discord as answers to clicks, in the way that costs least: every player waits for it.

The library makes an object of each button, sends a picture in nine pieces, and reads the message that came of it. Here
an answer is one request in one piece; where Discord asks for patience, the library takes over.
"""

from http import HTTPStatus
from typing import Any, Final, Protocol

import aiohttp
import discord
from discord.http import Route

from bot.ui.frame import Frame
from bot.ui.letters import Letter, letter_of
from bot.ui.replies import note_answered
from bot.watch.watch import Watch

Click = discord.Interaction[Any]

_CALLBACK: Final = "/interactions/{webhook_id}/{webhook_token}/callback"
"""An interaction is answered as a webhook is used: with its number and its token."""

_TIMEOUT: Final = aiohttp.ClientTimeout(total=10)
"""Discord takes no first answer after three seconds; its own answer may be slow all the same."""


class Postman(Protocol):
    """Gives first answers to clicks."""

    async def update(self, click: Click, frame: Frame, *, buttons_alone: bool = False) -> None:
        """Show a frame, or its menus and buttons alone, in the message that was clicked; raises as the library does."""
        ...


class SwiftPostman:
    """Gives first answers over the connections of the library."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._session: aiohttp.ClientSession | None = None

    async def update(self, click: Click, frame: Frame, *, buttons_alone: bool = False) -> None:
        """Show a frame, or its menus and buttons alone, in the message that was clicked; raises as the library does."""
        if not await self._brings(click, letter_of(frame, buttons_alone=buttons_alone)):
            await click.response.edit_message(**frame.edited(buttons_alone=buttons_alone))

    async def _brings(self, click: Click, letter: Letter) -> bool:
        """Bring a letter, and tell whether it was taken; where it may be in a while, the library knows how to wait."""
        route = Route("POST", _CALLBACK, webhook_id=click.id, webhook_token=click.token)
        try:
            async with self._line(click).post(route.url, data=letter.body, headers=letter.headers) as response:
                fault = await _fault_of(response)
        except aiohttp.ClientConnectorError:
            raise
        except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError):
            # The connection was closed at the other end while nobody used it, which is told in one way or the other.
            return False
        if fault is None:
            note_answered(click)
            self._watch.answered()
        elif not _asks_for_patience(fault):
            raise fault
        return fault is None

    async def close(self) -> None:
        """Stop; the connections stay with the library."""
        if self._session is not None:
            await self._session.close()

    def _line(self, click: Click) -> aiohttp.ClientSession:
        if self._session is None:
            http = click.client.http
            self._session = aiohttp.ClientSession(
                connector=http.connector,
                connector_owner=False,
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"User-Agent": http.user_agent},
                timeout=_TIMEOUT,
            )
        return self._session


def _asks_for_patience(fault: discord.HTTPException) -> bool:
    return fault.status == HTTPStatus.TOO_MANY_REQUESTS or fault.status >= HTTPStatus.INTERNAL_SERVER_ERROR


async def _fault_of(response: aiohttp.ClientResponse) -> discord.HTTPException | None:
    if response.status < HTTPStatus.MULTIPLE_CHOICES:
        return None
    told = await discord.http.json_or_text(response)
    match response.status:
        case HTTPStatus.FORBIDDEN:
            return discord.Forbidden(response, told)
        case HTTPStatus.NOT_FOUND:
            return discord.NotFound(response, told)
        case _:
            return discord.HTTPException(response, told)
