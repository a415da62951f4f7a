"""A table of Change for every test that asks for one."""

import pytest

from tests.e2e.change.change_table import ChangeTable, open_started_game
from tests.support.parlour import Parlour


@pytest.fixture
async def game(parlour: Parlour, monkeypatch: pytest.MonkeyPatch) -> ChangeTable:
    message = await open_started_game(parlour, parlour.robin, parlour.wren)
    return ChangeTable(parlour, message, await parlour.table(), monkeypatch)
