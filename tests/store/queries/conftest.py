import pytest

from bot.platform.database.database import Database
from tests.store.queries.fillable_archives import FillableArchive


@pytest.fixture
def filled(db: Database) -> FillableArchive:
    """A store that results can be put into."""
    return FillableArchive(db)
