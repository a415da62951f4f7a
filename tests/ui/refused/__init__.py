"""Every refusal of the host and of Magpie as it is raised."""

from collections.abc import AsyncIterator

import pytest

from bot.rules.refusals import Refusal
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import GAMES
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.refused import by_servers, in_features  # noqa: F401 - they register
from tests.ui.refused.at_tables import AT_ONCE
from tests.ui.refused.listing import BY_HOST


async def raise_all() -> AsyncIterator[Refusal]:
    """Yield every refusal as it is raised, each for the reason under which it is listed."""
    for reason, attempt in AT_ONCE:
        with pytest.raises(Refusal) as refused:
            attempt()
        assert refused.value.reason is reason
        yield refused.value
    for reason, raising in BY_HOST.items():
        adapter = Adapter(MemoryDatabase(), FakeTableMessages(), GAMES)
        with pytest.raises(Refusal) as refused:
            await raising(adapter)
        await adapter.host.close()
        assert refused.value.reason is reason
        yield refused.value
