from collections.abc import AsyncIterator, Iterator

import pytest

from bot.tables.registry import GameRegistry
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import GAMES
from tests.support.memory_database import MemoryDatabase
from tests.support.unclosed_publishers import require_publishers_idle
from tests.ui.adapter import Adapter
from tests.ui.fake_http_server import FakeServer, run_fake_server


@pytest.fixture(autouse=True)
def every_host_is_closed() -> Iterator[None]:
    with require_publishers_idle():
        yield


@pytest.fixture(autouse=True)
def changes_wait_for_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the publisher show changes only when a test finishes its work, however slow the machine is."""
    monkeypatch.setattr("bot.tables.publisher.GATHER_SECONDS", 3600.0)


@pytest.fixture
def changes_do_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the publisher show changes at once."""
    monkeypatch.setattr("bot.tables.publisher.GATHER_SECONDS", 0)


@pytest.fixture(scope="session", autouse=True)
def magpie_is_prepared() -> None:
    """Prepare Magpie as a host does in the background: on a busy machine its first screen would be answered late."""
    if (prepare := GAMES["magpie"].mind.prepare) is not None:
        prepare()


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FakeServer]:
    """A server in the place of Discord's."""
    async with run_fake_server(monkeypatch) as fake:
        yield fake


@pytest.fixture
def db() -> MemoryDatabase:
    return MemoryDatabase()


@pytest.fixture
def shown() -> FakeTableMessages:
    return FakeTableMessages()


@pytest.fixture
def games() -> GameRegistry:
    """The hosted games, which a test module may override."""
    return GAMES


@pytest.fixture
async def adapter(db: MemoryDatabase, shown: FakeTableMessages, games: GameRegistry) -> AsyncIterator[Adapter]:
    made = Adapter(db, shown, games)
    yield made
    db.broken = set()
    await made.host.close()
