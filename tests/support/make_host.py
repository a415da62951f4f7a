"""Several processes of the bot in one test."""

from typing import Protocol

from tests.support.hosts import Host


class MakeHost(Protocol):
    """Starts one more process of the bot."""

    def __call__(self, *, reminds: bool = True) -> Host: ...
