"""Resolves host names without blocking the end of the process."""

import asyncio
import socket
from contextlib import suppress
from threading import Thread
from typing import Any, Final

from aiohttp import TCPConnector
from aiohttp.abc import AbstractResolver, ResolveResult

_NUMERIC: Final = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV


def make_connector() -> TCPConnector:
    """Return a connector like discord.py's own, with our resolver."""
    return TCPConnector(limit=0, resolver=Resolver())


class Resolver(AbstractResolver):
    """Resolves host names in daemon threads.

    A process waits for the threads of asyncio's executor when it ends. If no name server answers, the system call takes
    many seconds to give up.
    """

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses of a host.

        Raises:
            OSError: The host can't be resolved.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[list[Any]] = loop.create_future()

        def look_up() -> None:
            try:
                found = socket.getaddrinfo(host, port, family, socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
            except OSError as fault:
                report(answer.set_exception, fault)
            else:
                report(answer.set_result, found)

        def report(set_answer: Any, outcome: object) -> None:
            # The event loop may be closed by now; the result is not needed then.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(lambda: None if answer.done() else set_answer(outcome))

        Thread(target=look_up, name=f"look up {host}", daemon=True).start()
        return [
            ResolveResult(
                hostname=host, host=address[0], port=address[1], family=address_family, proto=proto, flags=_NUMERIC
            )
            for address_family, _, proto, _, address in await answer
        ]

    async def close(self) -> None:
        """Do nothing: running lookups end by themselves."""
