"""The line to Discord: requests over the library's connections, and what its refusals mean."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

import aiohttp
import discord

TOO_MANY_EDITS: Final = 30046
"""A message that is older than an hour was edited too often."""


EDIT_SECONDS: Final = 4.5
"""How long the answer to an edit is waited for: it may be sent twice, and is to be within 5 s once Discord answers."""


class LazySession:
    """Opens one session over the connections of the library, and closes it; the connections stay with the library."""

    def __init__(self, timeout: aiohttp.ClientTimeout) -> None:
        self._timeout = timeout
        self._session: aiohttp.ClientSession | None = None

    def session(self, client: discord.Client) -> aiohttp.ClientSession:
        """Return the session, which is opened at the first request."""
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=client.http.connector,
                connector_owner=False,
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"User-Agent": client.http.user_agent},
                timeout=self._timeout,
            )
        return self._session

    async def close(self) -> None:
        """Send nothing more."""
        if self._session is not None:
            await self._session.close()


def retry_after(headers: Mapping[str, str], otherwise: float) -> float:
    """Return the seconds after which Discord wants to be asked again; it may also be a date, which tells none."""
    try:
        return float(headers["Retry-After"])
    except (KeyError, ValueError):
        return otherwise


async def read_response(response: aiohttp.ClientResponse) -> Any:
    """Return what Discord says."""
    return await discord.http.json_or_text(response)


def make_exception(response: aiohttp.ClientResponse, told: Any) -> discord.HTTPException | None:
    """Return the error that the library would raise for an answer, if it would raise any."""
    if response.status < HTTPStatus.MULTIPLE_CHOICES:
        return None
    match response.status:
        case HTTPStatus.FORBIDDEN:
            return discord.Forbidden(response, told)
        case HTTPStatus.NOT_FOUND:
            return discord.NotFound(response, told)
        case status if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return discord.DiscordServerError(response, told)
        case _:
            return discord.HTTPException(response, told)


def is_retryable(fault: discord.HTTPException) -> bool:
    """Tell whether the same request may be taken later."""
    is_limited = fault.status == HTTPStatus.TOO_MANY_REQUESTS and fault.code != TOO_MANY_EDITS
    return is_limited or fault.status >= HTTPStatus.INTERNAL_SERVER_ERROR


NETWORK_ERRORS = (discord.HTTPException, aiohttp.ClientError, OSError)
"""What a request to Discord may fail with."""
