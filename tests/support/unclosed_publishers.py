"""Finds publishers that a test has not closed."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bot.tables.publisher import Publisher, TableMessages
from bot.tables.service import TableService


@contextmanager
def require_publishers_idle() -> Iterator[None]:
    """Demand that every publisher that is made in the block has nothing left to do at its end."""
    made: list[Publisher] = []
    begin = Publisher.__init__

    def noted(publisher: Publisher, service: TableService, table_messages: TableMessages) -> None:
        begin(publisher, service, table_messages)
        made.append(publisher)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Publisher, "__init__", noted)
        yield
    assert all(publisher.tasks.is_idle for publisher in made), "a host was not closed"
