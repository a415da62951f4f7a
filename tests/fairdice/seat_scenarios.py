"""Games of the toy in which players leave, return and resign, and moves are taken back."""

from bot.platform.places import Person
from bot.tables.closing import propose_close
from bot.tables.model import Status, StoredTable
from bot.tables.opening import open_game
from bot.tables.registry import GameRegistry
from bot.tables.removal import take_out
from bot.tables.seats import (
    ABSENT_AFTER,
    SeatAction,
    SeatControlEntry,
    come_back,
    resign_seat,
    substitute_absent,
    take_back,
)
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.rules.heap_game import PACKAGE, HeapOptions
from tests.support.fakes import HERE, JAY, NEW_CLICKS, ROBIN, WREN, FakeClock, make_service, mover_of
from tests.support.memory_database import MemoryDatabase

HEAP_GAMES = GameRegistry([PACKAGE])
TOSS = "toss"


class HeapGame:
    """A game of three players whose opener was absent and has come back."""

    def __init__(self, service: TableService, clock: FakeClock, table: Table) -> None:
        self.service = service
        self.clock = clock
        self.table = table

    async def move(self, text: str) -> None:
        """Make a move as the player to move, human or computer."""
        table = self.table
        if table.header.awaits_computer:
            self.table = await self.service.play_computer(table.id, table.header.step, text)
        else:
            self.table = await self.service.play(table.id, mover_of(table), table.header.step, text, next(NEW_CLICKS))

    async def apply_action(self, person: Person, action: SeatAction) -> None:
        """Make a control entry."""
        self.table = await self.service.apply_seat_action(self.table.id, person, action, next(NEW_CLICKS))

    async def move_until(self, person: Person) -> None:
        """Toss until it is this person's turn."""
        while self.table.mover is None or self.table.mover.user_id != person.id:
            await self.move(TOSS)

    def wait_until_idle(self, table: Table, person: Person) -> SeatControlEntry:
        return substitute_absent(table, person, self.clock.ago(ABSENT_AFTER))

    async def leave_and_come_back(self) -> None:
        """Let two others ask for a computer player in the opener's place, which moves until the opener is back."""
        await self.move_until(ROBIN)
        self.clock.tick(120)
        await self.apply_action(WREN, self.wait_until_idle)
        await self.apply_action(JAY, self.wait_until_idle)
        await self.move("take 1")
        await self.apply_action(ROBIN, come_back)

    async def take_back(self) -> None:
        """Move and take it back."""
        mover = mover_of(self.table)
        await self.move("take 2")
        await self.apply_action(mover, take_back)

    async def finish(self) -> None:
        """Toss to the end."""
        while self.table.header.status is Status.PLAYING:
            await self.move(TOSS)


async def start_game(db: MemoryDatabase, games: GameRegistry = HEAP_GAMES) -> HeapGame:
    clock = FakeClock()
    service = make_service(db, games, clock)
    table = await open_game(service, "heap", HeapOptions(stones=12), ROBIN, HERE, click_id=500)
    for at, person in enumerate((WREN, JAY), 501):
        table = await service.join(table.id, person, at)
    return HeapGame(service, clock, await service.start(table.id, ROBIN, 503))


async def play_with_every_entry(db: MemoryDatabase) -> StoredTable:
    """A game with every kind of entry, played to the end of its rules."""
    play = await start_game(db)
    await play.leave_and_come_back()
    await play.take_back()
    await play.apply_action(JAY, resign_seat)
    await play.finish()
    return db.records[play.table.id]


async def play_until_last_person(db: MemoryDatabase) -> StoredTable:
    """A game that ends because one person alone is left."""
    play = await start_game(db)
    await play.take_back()
    await play.leave_and_come_back()
    await play.apply_action(WREN, resign_seat)
    await play.move(TOSS)
    await play.apply_action(ROBIN, resign_seat)
    return db.records[play.table.id]


async def play_without_absent(db: MemoryDatabase) -> StoredTable:
    """A game whose opener alone lets a computer player replace an absent player."""
    play = await start_game(db)
    await play.move_until(WREN)
    play.clock.tick(120)
    await play.apply_action(ROBIN, play.wait_until_idle)
    await play.finish()
    return db.records[play.table.id]


async def play_with_removal(db: MemoryDatabase) -> StoredTable:
    """A game from which a moderator removes one of three people, and another one resigns."""
    play = await start_game(db)
    await play.move(TOSS)
    play.table = await take_out(play.service, play.table.id, WREN.id)
    await play.move(TOSS)
    await play.apply_action(JAY, resign_seat)
    await play.finish()
    return db.records[play.table.id]


async def play_until_closed(db: MemoryDatabase) -> StoredTable:
    """A game that two people agree to close once a third has resigned."""
    play = await start_game(db)
    for _ in range(3):
        await play.move(TOSS)
    await play.apply_action(WREN, propose_close)
    await play.move(TOSS)
    await play.apply_action(JAY, propose_close)
    await play.apply_action(ROBIN, propose_close)
    await play.apply_action(WREN, resign_seat)
    return db.records[play.table.id]
