"""A table of Change for every test that asks for one."""

import pytest

from tests.e2e.change.game import Game, opened
from tests.support.parlour import Parlour


@pytest.fixture
async def game(parlour: Parlour, monkeypatch: pytest.MonkeyPatch) -> Game:
    message = await opened(parlour, parlour.robin, parlour.wren)
    return Game(parlour, message, await parlour.table(), monkeypatch)
