import pytest

from bot.store.store import SqlStore
from tests.store.queries.fillable_archives import FillableArchive, FillableFake, FillableStore


@pytest.fixture(params=["fake", "store"])
def filled(request: pytest.FixtureRequest, store: SqlStore) -> FillableArchive:
    return FillableFake() if request.param == "fake" else FillableStore(store)
