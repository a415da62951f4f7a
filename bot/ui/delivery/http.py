"""HTTP requests over discord.py's connections, and the meaning of error responses."""

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

import aiohttp
import discord
import yarl

UNKNOWN_CHANNEL: Final = 10003
"""Discord's error code for a channel or thread that was deleted."""

TOO_MANY_EDITS: Final = 30046
"""Discord's error code for too many edits of a message that is older than an hour."""


EDIT_SECONDS: Final = 4.5
"""Timeout of an edit: an edit may be sent twice, and must be visible within 5 s once Discord responds."""


_IDS: Final = re.compile(r"(?<=/)\d+")
_TOKENS: Final = re.compile(r"^(/(?:interactions|webhooks)/\{id\})/[^/]+")
_SHORTENED: Final = r"\1/{token}"


def route_of(method: str, path: str) -> str:
    """Return a request's route with placeholders for ids and tokens, so that there are few."""
    path = _IDS.sub("{id}", path.removeprefix(yarl.URL(discord.http.Route.BASE).path))
    return f"{method} {_TOKENS.sub(_SHORTENED, path)}"


class LazySession:
    """A session over discord.py's connections, opened by the first request. Closing it keeps the connections open."""

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
            )
        return self._session

    async def close(self) -> None:
        """Close the session."""
        if self._session is not None:
            await self._session.close()


def retry_after(headers: Mapping[str, str], default: float) -> float:
    """Return the seconds of the Retry-After header, or the default if it is missing or a date."""
    try:
        return float(headers["Retry-After"])
    except (KeyError, ValueError):
        return default


async def read_response(response: aiohttp.ClientResponse) -> Any:
    """Return the body of a response, parsed if it is JSON."""
    return await discord.http.json_or_text(response)


def make_exception(response: aiohttp.ClientResponse, body: Any) -> discord.HTTPException | None:
    """Return the exception that discord.py would raise for a response, if any."""
    if response.status < HTTPStatus.MULTIPLE_CHOICES:
        return None
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
    """Return whether the same request may succeed later."""
    is_limited = fault.status == HTTPStatus.TOO_MANY_REQUESTS and fault.code != TOO_MANY_EDITS
    return is_limited or fault.status >= HTTPStatus.INTERNAL_SERVER_ERROR


NETWORK_ERRORS = (discord.HTTPException, aiohttp.ClientError, OSError)
"""The exceptions of a failed request to Discord."""
