"""Faults that happen while a computer player thinks."""

from collections.abc import Iterator, Mapping

import pytest

from bot.tables.levels import levels_of
from bot.tables.registry import AnyPackage, AnyStrategy
from tests.support.paused_computer_players import ComputerPlayerPause


@pytest.fixture
def thinking(monkeypatch: pytest.MonkeyPatch) -> Iterator[ComputerPlayerPause]:
    pause = ComputerPlayerPause()

    def wait_for_levels(package: AnyPackage) -> Mapping[str, AnyStrategy]:
        pause.wait()
        return levels_of(package)

    monkeypatch.setattr("bot.tables.runtime.computer_players.levels_of", wait_for_levels)
    yield pause
    pause.resume()
