from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.app.store import SqlStore
from tests.store.queries.fillable_archives import FillableArchive, FillableFake, FillableStore
from tests.support.databases import make_databases


@pytest.fixture(params=["fake", "sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
async def filled(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[FillableArchive]:
    """The archive of the fake, which needs no database, and those of both kinds of database."""
    if request.param == "fake":
        yield FillableFake()
        return
    store = SqlStore(make_databases(request, tmp_path).migrated())
    yield FillableStore(store)
    await store.close()
