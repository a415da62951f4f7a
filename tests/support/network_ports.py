"""Reserved ports of this machine."""

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def reserve_port() -> Iterator[int]:
    """Reserve a port without listening: the caller may bind it, and the system assigns it to no other program."""
    with socket.socket() as held:
        # Servers set the same option to restart at once: without a listener, two sockets may share a port.
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        port: int = held.getsockname()[1]
        if sys.platform != "linux":
            # Elsewhere two may never share, so the port is only free until the system assigns it.
            held.close()
        yield port
