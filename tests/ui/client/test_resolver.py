"""Host names are resolved, and a failure of any kind reaches the caller."""

import socket
from typing import Any

import pytest

from bot.platform.discord.connection_state import Resolver


async def test_a_name_is_resolved() -> None:
    found = await Resolver().resolve("localhost", 80)
    assert {(address["host"], address["port"], address["hostname"]) for address in found} == {
        ("127.0.0.1", 80, "localhost")
    }


@pytest.mark.parametrize("fault", [socket.gaierror("unknown"), OSError("out of files"), TimeoutError("slow")])
async def test_a_failed_lookup_raises(monkeypatch: pytest.MonkeyPatch, fault: OSError) -> None:
    def look_up(*_: Any, **__: Any) -> Any:
        raise fault

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with pytest.raises(OSError, match=str(fault)):
        await Resolver().resolve("localhost", 80)
