"""Faults that happen while a computer player thinks."""

from collections.abc import Iterator

import pytest

from bot.tables.registry import AnyPackage, AnyStrategy, find_strategy
from tests.support.paused_computer_players import ComputerPlayerPause


@pytest.fixture
def thinking(monkeypatch: pytest.MonkeyPatch) -> Iterator[ComputerPlayerPause]:
    pause = ComputerPlayerPause()

    def wait_for_strategy(package: AnyPackage, level: str) -> AnyStrategy | None:
        pause.wait()
        return find_strategy(package, level)

    monkeypatch.setattr("bot.tables.thinker.find_strategy", wait_for_strategy)
    yield pause
    pause.resume()
