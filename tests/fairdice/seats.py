"""Games of the toy in which seats are left, taken back and given up, and moves are taken back."""

from bot.tables.actions.seats import (
    ABSENT_AFTER,
    Controlled,
    SeatWish,
    closing,
    coming_back,
    resigning,
    substituting,
    taking_back,
)
from bot.tables.model import Person, Record, Status
from bot.tables.registry import Registry
from bot.tables.runtime.service import TableService
from bot.tables.table import Table
from tests.rules.toy import PACKAGE, HeapOptions
from tests.support.fakes import HERE, JAY, NEW_CLICKS, ROBIN, WREN, Clock, FakeStore, a_service, mover_of

HEAPS = Registry([PACKAGE])
TOSS = "toss"


class Play:
    """A game of three people, whose opener has been silent and is back."""

    def __init__(self, service: TableService, clock: Clock, table: Table) -> None:
        self.service = service
        self.clock = clock
        self.table = table

    async def move(self, text: str) -> None:
        """Make a move for whoever is to move, be it a person or a computer player."""
        table = self.table
        if table.header.awaits_computer:
            self.table = await self.service.play_computer(table.id, table.header.step, text)
        else:
            self.table = await self.service.play(table.id, mover_of(table), table.header.step, text, next(NEW_CLICKS))

    async def wish(self, person: Person, wish: SeatWish) -> None:
        """Make a control entry."""
        self.table = await self.service.control(self.table.id, person, wish, next(NEW_CLICKS))

    async def move_until(self, person: Person) -> None:
        """Toss until it is somebody's turn."""
        while self.table.mover is None or self.table.mover.user_id != person.id:
            await self.move(TOSS)

    def silent(self, table: Table, person: Person) -> Controlled:
        return substituting(table, person, self.clock.ago(ABSENT_AFTER))

    async def leave_and_come_back(self) -> None:
        """Let two others ask for a computer player in the opener's place, which moves until the opener is back."""
        await self.move_until(ROBIN)
        self.clock.tick(120)
        await self.wish(WREN, self.silent)
        await self.wish(JAY, self.silent)
        await self.move("take 1")
        await self.wish(ROBIN, coming_back)

    async def take_back(self) -> None:
        """Move and take it back."""
        mover = mover_of(self.table)
        await self.move("take 2")
        await self.wish(mover, taking_back)

    async def finish(self) -> None:
        """Toss to the end."""
        while self.table.header.status is Status.PLAYING:
            await self.move(TOSS)


async def a_play(store: FakeStore) -> Play:
    clock = Clock()
    service = a_service(store, HEAPS, clock)
    table = await service.open("heap", HeapOptions(stones=12), ROBIN, HERE, click_id=500)
    for at, person in enumerate((WREN, JAY), 501):
        table = await service.join(table.id, person, at)
    return Play(service, clock, await service.start(table.id, ROBIN, 503))


async def all_at_once(store: FakeStore) -> Record:
    """A game with every kind of entry, played to the end of its rules."""
    play = await a_play(store)
    await play.leave_and_come_back()
    await play.take_back()
    await play.wish(JAY, resigning)
    await play.finish()
    return store.records[play.table.id]


async def given_up(store: FakeStore) -> Record:
    """A game that ends because one person alone is left."""
    play = await a_play(store)
    await play.take_back()
    await play.leave_and_come_back()
    await play.wish(WREN, resigning)
    await play.move(TOSS)
    await play.wish(ROBIN, resigning)
    return store.records[play.table.id]


async def closed(store: FakeStore) -> Record:
    """A game that two people agree to close once a third has resigned."""
    play = await a_play(store)
    for _ in range(3):
        await play.move(TOSS)
    await play.wish(WREN, closing)
    await play.move(TOSS)
    await play.wish(JAY, closing)
    await play.wish(ROBIN, closing)
    await play.wish(WREN, resigning)
    return store.records[play.table.id]
