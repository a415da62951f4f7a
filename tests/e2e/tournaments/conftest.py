"""A bot that does jobs only when a test says so, and whose games are short."""

from collections.abc import Iterator

import pytest

from tests.support.parlour import Parlour
from tests.support.tournaments import hold_jobs


@pytest.fixture(autouse=True)
def _held_jobs() -> Iterator[None]:
    with hold_jobs():
        yield


@pytest.fixture(autouse=True)
async def _short_games(parlour: Parlour) -> None:
    """Let games of Magpie be short in this server."""
    await parlour.robin.slash(parlour.here, "settings options", game="magpie", option="target", value="50")
