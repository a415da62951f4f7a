"""Faults that happen while a computer player thinks."""

from collections.abc import Iterator

import pytest

from bot.tables.runtime.computer_players import Driver
from bot.tables.table import Table
from tests.support.thinking import Thinking


@pytest.fixture
def thinking(monkeypatch: pytest.MonkeyPatch) -> Iterator[Thinking]:
    held, choose = Thinking(), Driver._choose

    def think(driver: Driver, table: Table) -> str:
        held.wait()
        return choose(driver, table)

    monkeypatch.setattr(Driver, "_choose", think)
    yield held
    held.end()
