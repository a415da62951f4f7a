"""Tables that are shown, and clicks on them."""

from typing import Any

from bot.tables.model import Person
from bot.tables.table import Table
from bot.ui.custom_ids import ControlId, LobbyAction, LobbyId
from tests.support.fakes import (
    a_lobby,
    under_way,
)
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import FakeInteraction, click_of


async def shown_lobby(adapter: Adapter, *people: Person, computers: int = 0) -> Table:
    table = await a_lobby(adapter.service, *people, computers=computers)
    await adapter.settled()
    return await adapter.service.table(table.id)


async def shown_game(adapter: Adapter, *people: Person) -> Table:
    table = await under_way(adapter.service, *people)
    await adapter.settled()
    return await adapter.service.table(table.id)


def lobby_click(table: Table, person: Person, action: LobbyAction, **more: Any) -> FakeInteraction:
    more = {"message_id": table.header.message_id, **more}
    return click_of(person, LobbyId(table.id, table.header.revision, action), **more)


def control_click(
    table: Table, person: Person, key: str, draft: frozenset[int] = frozenset(), **more: Any
) -> FakeInteraction:
    more = {"message_id": table.header.message_id, **more}
    return click_of(person, ControlId(table.id, table.header.step, key, draft), **more)


def waiting(table: Table) -> Person:
    """A person who is not to move."""
    who = next(who for who in table.seats if who != table.mover)
    return Person(who.user_id or 0, who.name)
