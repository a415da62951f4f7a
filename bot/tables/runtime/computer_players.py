"""Makes the moves of computer players."""

import asyncio
import logging
from typing import Any

from bot.observability.trace import continue_trace
from bot.rules.chance import Chance
from bot.rules.playout import random_move
from bot.tables.levels import levels_of, strongest_level
from bot.tables.model import TableId
from bot.tables.ports import StoreUnavailable
from bot.tables.refusals import Stale
from bot.tables.runtime.service import TableService
from bot.tables.table import Table
from bot.tables.tasks import TaskSet

log = logging.getLogger(__name__)

OUTAGE_SECONDS = 2.0


class ComputerPlayers:
    """Plays for computer seats: in a thread, from the seat's view alone, with its own random numbers."""

    def __init__(self, service: TableService, chance: Chance, *, pause: float) -> None:
        self._service = service
        self.chance = chance
        self._pause = pause
        self.tasks = TaskSet("computer player")

    def wake(self, table: Table) -> None:
        """Start playing at a table if a computer player is to move."""
        if table.header.awaits_computer:
            self.tasks.start(table.id, self._play_moves(table.id))

    async def close(self) -> None:
        """Cancel all moves under way; the sweep at the next start makes them."""
        await self.tasks.cancel_all()

    async def _play_moves(self, table_id: TableId) -> None:
        while True:
            try:
                table = await self._service.table(table_id)
                continue_trace(table_id, table.header.game)
                if not table.header.awaits_computer:
                    return
                await asyncio.sleep(self._pause)
                text = await asyncio.to_thread(self._choose, table)
                await self._service.play_computer(table_id, table.header.step, text)
            except Stale:
                continue
            except StoreUnavailable as fault:
                log.debug("a computer player's move at table %s waits for the database: %s", table_id, fault)
                await asyncio.sleep(OUTAGE_SECONDS)

    def _choose(self, table: Table) -> str:
        game, seat, mover = table.package.game, table.header.to_move, table.mover
        moves = game.legal_moves(table.state)
        strategies = levels_of(table.package)
        level = mover.level if mover and mover.level else ""
        strategy = strategies.get(level) or strategies[strongest_level(table.package)]
        move: Any
        try:
            move = strategy(game.view(table.state, seat), moves, self.chance)
        except Exception:
            # A faulty strategy must not block the table.
            log.exception("the %s player of %s failed at table %s", level, table.header.game, table.id)
            move = None
        if move not in moves:
            log.error("the %s player of %s chose no legal move at table %s", level, table.header.game, table.id)
            move = random_move(moves, self.chance)
        return str(move)
