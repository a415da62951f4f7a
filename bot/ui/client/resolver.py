"""Looks up the addresses of hosts without keeping the process from ending."""

import asyncio
import socket
from contextlib import suppress
from threading import Thread
from typing import Any, Final

from aiohttp import TCPConnector
from aiohttp.abc import AbstractResolver, ResolveResult

_NUMERIC: Final = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV


def make_connector() -> TCPConnector:
    """Make what the library connects with; it is like the library's own but for where addresses are looked up."""
    return TCPConnector(limit=0, resolver=Resolver())


class Resolver(AbstractResolver):
    """Asks the system in a daemon's thread.

    A process waits for the threads of asyncio's own executor when it ends, and where the name servers do not answer the
    system gives up only after a long while.
    """

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses of a host; raises OSError."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[list[Any]] = loop.create_future()

        def ask() -> None:
            try:
                found = socket.getaddrinfo(host, port, family, socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
            except OSError as fault:
                tell(answer.set_exception, fault)
            else:
                tell(answer.set_result, found)

        def tell(settle: Any, outcome: object) -> None:
            # Where the event loop is gone nobody wants to know any more.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(lambda: None if answer.done() else settle(outcome))

        Thread(target=ask, name=f"look up {host}", daemon=True).start()
        return [
            ResolveResult(hostname=host, host=where[0], port=where[1], family=kind, proto=proto, flags=_NUMERIC)
            for kind, _, proto, _, where in await answer
        ]

    async def close(self) -> None:
        """Do nothing: what is being looked up ends by itself."""
