"""Under load, too, the newest saved revision is shown."""

import asyncio
import random

import pytest

import bot.tables.publisher
from bot.platform.places import Person
from bot.tables.model import Status
from bot.tables.table import Table
from tests.support.fake_table_messages import FakeTableMessages, ShowAction
from tests.support.fakes import JAY, LINNET, ROBIN, WREN, start_game
from tests.support.memory_database import MemoryDatabase
from tests.support.responses import show_in_response
from tests.tables.runtime.publishing import Publishing


class RecordingTableMessages(FakeTableMessages):
    """Records the revisions in the order in which they became visible, those of responses included."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[int] = []

    async def _show(self, action: ShowAction, table: Table, message_id: int) -> None:
        await super()._show(action, table, message_id)
        self.seen.append(table.header.revision)


class StressScenario:
    """People who join and leave over a slow network."""

    def __init__(self, publishing: Publishing, table_messages: RecordingTableMessages, seed: int) -> None:
        self.service, self.publisher, self.table_messages = publishing.service, publishing.publisher, table_messages
        self.random = random.Random(seed)

    async def run(self, table: Table) -> None:
        await asyncio.gather(*(self.click(table.id, person) for person in (WREN, JAY, LINNET)))
        await self.publisher.close()

    async def click(self, table_id: int, person: Person) -> None:
        for click in range(30):
            self.table_messages.turns = self.random.randrange(6)
            await self.wait_randomly()
            if click % 2:
                await self.service.leave(table_id, person)
            else:
                await self.service.join(table_id, person, click)
            if self.random.random() < 0.5:
                await show_in_response(self.publisher, table_id, self.table_messages.shown[0].message_id, self.send)

    async def send(self, table: Table) -> int:
        await self.wait_randomly()
        self.table_messages.seen.append(table.header.revision)
        return table.header.message_id or 0

    async def wait_randomly(self) -> None:
        for _ in range(self.random.randrange(8)):
            await asyncio.sleep(0)


@pytest.mark.parametrize("seed", range(4))
async def test_under_load_the_newest_revision_is_shown_last_and_none_out_of_order(
    db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(bot.tables.publisher, "GATHER_SECONDS", 0)
    table_messages = RecordingTableMessages()
    publishing = Publishing(db, table_messages)
    table = await publishing.open()
    await StressScenario(publishing, table_messages, seed).run(table)
    now = await publishing.service.table(table.id)
    assert (now.header.revision, now.header.published) == (91, 91)
    assert table_messages.seen == sorted(table_messages.seen)
    assert table_messages.seen[-1] == 91
    assert len({shown.message_id for shown in table_messages.shown}) == 1


async def test_a_finished_table_is_shown_to_its_end(publishing: Publishing) -> None:
    table = await start_game(publishing.service)
    await publishing.service.cancel(table.id, ROBIN, is_moderator=False)
    await publishing.finish()
    assert publishing.messages.shown[-1].status is Status.CANCELLED
