"""Ports of this machine that no one else is given."""

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def reserve_port() -> Iterator[int]:
    """Hold a port at which no one listens: whoever names it may do so, and the system gives it to no one else."""
    with socket.socket() as held:
        # Servers say the same, so that they may be started again at once: where no one listens yet, two may share.
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        port: int = held.getsockname()[1]
        if sys.platform != "linux":
            # Elsewhere two may never share, so that the port is free only as long as no one happens to be given it.
            held.close()
        yield port
