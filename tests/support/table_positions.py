"""Sets the position and the next dice of a running table."""

from dataclasses import replace
from typing import Any

import pytest

from bot.rules.chance import Chance, ScriptedChance
from bot.tables import table as tables
from bot.tables.host import Host
from bot.tables.model import Header, TableId
from bot.tables.table import Table, derive_status
from tests.support.waiting import wait_until


class TablePositioner:
    """Sets the position of one table, in memory only, so the table is not read from disk again."""

    def __init__(self, host: Host, table_id: TableId, patch: pytest.MonkeyPatch) -> None:
        self._host = host
        self.table_id = table_id
        self._dice: list[int] = []
        self._fair_chance = tables.chance_of
        self._reload = host.service.reload
        patch.setattr(tables, "chance_of", self._chance_of)
        patch.setattr(host.service, "reload", self._reload_others)

    async def set_position(self, state: Any, dice: str = "") -> Table:
        """Put the table into a position; the next moves roll these dice."""
        await self._wait_until_shown()
        service = self._host.service
        table = await service.table(self.table_id)
        scene = derive_status(replace(table, state=state, news=(), take_back_state=None), table.header.step)
        service.cache.put(scene)
        self._dice[:] = [int(face) - 1 for face in dice if not face.isspace()]
        return scene

    async def _wait_until_shown(self) -> None:
        """Wait for the publisher, which may be reading the table from disk, and for the answer that shows it."""
        await self._host.publisher.close()
        await self._host.service.table(self.table_id)
        await wait_until(lambda: _is_shown(self._host.service.cache.get(self.table_id)))

    async def _reload_others(self, table_id: TableId) -> Table:
        """Read other tables from disk."""
        return await (self._host.service.table if table_id == self.table_id else self._reload)(table_id)

    def _chance_of(self, header: Header, step: int) -> Chance:
        """Give other tables their own chance."""
        return _SharedDice(self._dice) if header.id == self.table_id else self._fair_chance(header, step)


def _is_shown(table: Table | None) -> bool:
    return table is not None and table.header.message_id is not None and table.header.published == table.header.revision


class _SharedDice:
    """Hands out dice from a list that several moves share."""

    def __init__(self, dice: list[int]) -> None:
        self._dice = dice

    def randbelow(self, n: int, /) -> int:
        """Return the next number."""
        return ScriptedChance([self._dice.pop(0)]).randbelow(n)
