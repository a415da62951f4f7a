"""A service whose computer players move, and simple players for it."""

from collections.abc import Sequence
from dataclasses import replace

from bot.games.magpie import PACKAGE as MAGPIE
from bot.games.magpie.pieces import Roll, State
from bot.rules.chance import Chance
from bot.tables.computer_players import ComputerPlayers
from bot.tables.model import Status
from bot.tables.registry import AnyStrategy, GameRegistry
from bot.tables.table import Table
from bot.tables.thinker import Thinker
from tests.support.fakes import make_service
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import wait_until


def games_with(**players: AnyStrategy) -> GameRegistry:
    return GameRegistry([replace(MAGPIE, mind=replace(MAGPIE.mind, strategies=players))])


class MoveAtIndex:
    """Chooses the move at a place in the list."""

    def __init__(self, place: int) -> None:
        self.place = place

    def __call__(self, view: State, moves: Sequence[Roll], chance: Chance) -> Roll:
        return moves[self.place]


first_move, last_move = MoveAtIndex(0), MoveAtIndex(-1)


class ZeroChance:
    """Chance whose every number is 0."""

    def randbelow(self, n: int, /) -> int:
        return 0


class ComputerPlayersHarness:
    """A service whose computer players are driven."""

    def __init__(self, db: MemoryDatabase, games: GameRegistry, *, pause: float = 0) -> None:
        self.service = make_service(db, games)
        self.computer_players = ComputerPlayers(
            self.service, Thinker(games), ZeroChance(), lambda _: None, lambda _: 0.0, pause=pause
        )
        self.service.add_listener(self.computer_players.wake)

    async def peoples_turn(self, table: Table) -> Table:
        """Wait until no computer player is to move."""
        now = table

        def settled() -> bool:
            nonlocal now
            cached = self.service.cache.get(table.id)
            if cached is None:
                return False
            now = cached
            return now.header.status is not Status.PLAYING or (now.mover is not None and not now.mover.is_computer)

        await wait_until(settled)
        return now
