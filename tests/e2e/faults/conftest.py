"""Faults that happen while a computer player thinks."""

from collections.abc import Iterator

import pytest

from bot.tables.runtime.computer_players import ComputerPlayers
from bot.tables.table import Table
from tests.support.paused_computer_players import ComputerPlayerPause


@pytest.fixture
def thinking(monkeypatch: pytest.MonkeyPatch) -> Iterator[ComputerPlayerPause]:
    held, choose = ComputerPlayerPause(), ComputerPlayers._choose

    def think(driver: ComputerPlayers, table: Table) -> str:
        held.wait()
        return choose(driver, table)

    monkeypatch.setattr(ComputerPlayers, "_choose", think)
    yield held
    held.resume()
