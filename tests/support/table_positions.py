"""Puts a table that is under way into a position, with dice as a test wants them."""

from dataclasses import replace
from typing import Any

import pytest

from bot.rules.chance import Chance, ScriptedChance
from bot.tables import table as tables
from bot.tables.model import Header, TableId
from bot.tables.runtime.service import TableService
from bot.tables.table import Table, derive_status


class TablePositioner:
    """Sets the scene at one table; what is set is in memory only, so the table must not be read from disk again."""

    def __init__(self, service: TableService, table_id: TableId, patch: pytest.MonkeyPatch) -> None:
        self._service = service
        self.table_id = table_id
        self._dice: list[int] = []
        self._fair_chance = tables.chance_of
        patch.setattr(tables, "chance_of", self._chance_of)

    async def set_position(self, state: Any, dice: str = "") -> Table:
        """Put the table into a position; the next moves roll these dice."""
        table = await self._service.table(self.table_id)
        scene = derive_status(replace(table, state=state, news=(), take_back_state=None), table.header.step)
        self._service._cache.put(scene)
        self._dice[:] = [int(face) - 1 for face in dice if not face.isspace()]
        return scene

    def _chance_of(self, header: Header, step: int) -> Chance:
        """Give other tables their own chance."""
        return _SharedDice(self._dice) if header.id == self.table_id else self._fair_chance(header, step)


class _SharedDice:
    """Hands out dice from a list that several moves share."""

    def __init__(self, dice: list[int]) -> None:
        self._dice = dice

    def randbelow(self, n: int, /) -> int:
        """Return the next number."""
        return ScriptedChance([self._dice.pop(0)]).randbelow(n)
