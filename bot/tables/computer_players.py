"""Makes the moves of computer players, and the forced ends of turns."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from bot.platform.database.errors import StoreUnavailable
from bot.platform.observability.trace import continue_trace
from bot.platform.tasks import TaskSet
from bot.rules.chance import Chance
from bot.rules.playout import random_move
from bot.tables.highlights import heavy_highlight, is_passing, needs_a_look
from bot.tables.model import Pace, TableId
from bot.tables.refusals import Stale
from bot.tables.registry import played_level, usual_level
from bot.tables.service import TableService
from bot.tables.table import Table, apply_move
from bot.tables.thinker import SEEDS, Question, Thinker
from bot.tables.turns import find_forced_end

log = logging.getLogger(__name__)

OUTAGE_SECONDS = 2.0

RESULT_SECONDS: Final = 1.8
"""How long people see what a person's turn brought before a computer player moves."""

MOMENT_SECONDS: Final = 3.2
"""How long they see a moment, such as a bust."""

NEXT_COMPUTER_SECONDS: Final = 1.4
"""How long they see a computer player's turn before the next one moves."""

NEXT_OF_MANY_SECONDS: Final = 1.0
"""The same with many computer players, so that people do not wait longer than with a few."""

FORCED_END_SECONDS: Final = 2.5
"""How long a person sees why their turn ends by itself, and can take a move back."""

LOOK_SECONDS: Final = 2.5
"""How long they see at least what a card from a hand did."""

LEAST_SECONDS: Final = 1.0
"""The shortest of these times at a quick table, where they are halved."""


class ComputerPlayers:
    """Plays computer seats from the seat's view alone, with random numbers of its own.

    A pause before each turn lets people see the position that it replaces. The turn itself is played without pauses and
    shown at its end (`is_passing`), except for the positions that the game chooses (`Look.shows_step`).
    """

    def __init__(
        self,
        service: TableService,
        thinker: Thinker,
        chance: Chance,
        show_step: Callable[[Table], None],
        rolling_seconds: Callable[[Table], float],
        *,
        pause: float,
    ) -> None:
        """Set up computer players.

        Args:
            service: The tables.
            thinker: Chooses their moves.
            chance: Their random numbers.
            show_step: Shows a step within a turn.
            rolling_seconds: Returns how long dice moved in the picture that shows a position.
            pause: A factor for all pauses.
        """
        self._service = service
        self._show_step = show_step
        self._rolling_seconds = rolling_seconds
        self._thinker = thinker
        self.chance = chance
        self._pause = pause
        self.tasks = TaskSet("computer player")

    def wake(self, table: Table) -> None:
        """Start playing at a table if a computer player is to move or the turn has a forced end."""
        if table.header.awaits_computer or find_forced_end(table) is not None:
            self.tasks.start(table.id, self._play_moves(table.id))

    async def close(self) -> None:
        """Cancel all pending moves; the sweep at the next start makes them."""
        await self.tasks.cancel_all()

    async def _play_moves(self, table_id: TableId) -> None:
        while True:
            try:
                table = await self._service.table(table_id)
                continue_trace(table_id, table.header.game)
                forced_end = find_forced_end(table)
                if forced_end is None and not table.header.awaits_computer:
                    return
                if is_passing(table):
                    # Whether people see the position depends on the move that follows.
                    text = await self._choose(table)
                    if self._is_seen(table, text):
                        self._show_step(table)
                        await self._pause_at(table, is_forced=False)
                else:
                    await self._pause_at(table, is_forced=forced_end is not None)
                    text = forced_end or await self._choose(table)
                await self._service.play_computer(table_id, table.header.step, text)
            except Stale:
                continue
            except StoreUnavailable as fault:
                log.debug("a computer player's move at table %s waits for the database: %s", table_id, fault)
                await asyncio.sleep(OUTAGE_SECONDS)

    def _is_seen(self, table: Table, text: str) -> bool:
        """Return whether people see a position within a turn before a move replaces it."""
        if not self._pause or table.package.look.shows_step is None or table.header.to_move is None:
            return False
        return apply_move(table, table.header.to_move, table.package.game.parse_move(text)).news[-1].from_seen

    async def _pause_at(self, table: Table, *, is_forced: bool) -> None:
        """Let people see a position."""
        seconds = FORCED_END_SECONDS if is_forced else _remarkable_seconds(table) or _usual_seconds(table)
        if table.header.pace is Pace.QUICK:
            seconds = max(seconds / 2, LEAST_SECONDS)
        await asyncio.sleep(self._pause * seconds)
        # The pause counts from when dice rest. By now the table is shown, so it is known whether they moved.
        await asyncio.sleep(self._pause * self._rolling_seconds(table))

    async def _choose(self, table: Table) -> str:
        game, seat, mover = table.package.game, table.header.to_move, table.mover
        moves = game.legal_moves(table.state)
        question = Question(table.header.game, game.view(table.state, seat), moves)
        seated = mover.level if mover and mover.level else usual_level(table.package)
        level = played_level(table.package, seated)
        place = await self._thinker.choose(question, level, self.chance.randbelow(SEEDS))
        if place is None:
            log.error("the %s player of %s chose no legal move", level, table.header.game)
        return str(random_move(moves, self.chance) if place is None else moves[place])


def _remarkable_seconds(table: Table) -> float:
    """Return how long people see a moment, a badge, or what a card from a hand did; 0 for anything else."""
    try:
        has_badge = any(award.earned_at == table.header.updated_at for award in table.awards)
        if has_badge or heavy_highlight(table, table.package.game.view(table.state, None)) is not None:
            return MOMENT_SECONDS
        return LOOK_SECONDS if needs_a_look(table) else 0.0
    except Exception:
        # A faulty narration must not hold up the table.
        log.exception("the narration of %s failed at table %s", table.header.game, table.id)
        return 0.0


def _usual_seconds(table: Table) -> float:
    """Return how long people see an ordinary turn."""
    if not table.news or not table.is_automatic(table.news[-1].seat):
        return RESULT_SECONDS
    return NEXT_OF_MANY_SECONDS if table.has_many_computers else NEXT_COMPUTER_SECONDS
