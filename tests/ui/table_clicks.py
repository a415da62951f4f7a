"""Tables that are shown, and clicks on them."""

from typing import Any

from bot.platform.discord.ids import CustomId, parse_id
from bot.platform.places import Person
from bot.tables.handlers.ids import ControlId, LobbyButton, LobbyId, OpponentsId
from bot.tables.seats import resign_seat
from bot.tables.table import Table
from tests.support.fakes import ROBIN, WREN, open_lobby, start_game
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import FakeInteraction, make_click, make_menu_choice


async def open_shown_lobby(adapter: Adapter, *people: Person, computers: int = 0) -> Table:
    table = await open_lobby(adapter.service, *people, computers=computers)
    await adapter.wait_until_shown()
    return await adapter.service.table(table.id)


async def start_shown_game(adapter: Adapter, *people: Person) -> Table:
    table = await start_game(adapter.service, *people)
    await adapter.wait_until_shown()
    return await adapter.service.table(table.id)


async def finish_shown_game(adapter: Adapter) -> Table:
    """Let Wren give up in a game with Robin."""
    table = await start_shown_game(adapter, ROBIN, WREN)
    return await adapter.service.apply_seat_action(table.id, WREN, resign_seat, 801)


def make_lobby_click(table: Table, person: Person, action: LobbyButton, **more: Any) -> FakeInteraction:
    more = {"message_id": table.header.message_id, **more}
    return make_click(person, LobbyId(table.id, table.header.revision, action), **more)


def make_opponent_choice(table: Table, person: Person, level: str, **more: Any) -> FakeInteraction:
    more = {"message_id": table.header.message_id, **more}
    return make_menu_choice(person, OpponentsId(table.id, table.header.revision), level, **more)


def make_control_click(
    table: Table, person: Person, key: str, draft: frozenset[int] = frozenset(), **more: Any
) -> FakeInteraction:
    more = {"message_id": table.header.message_id, **more}
    return make_click(person, ControlId(table.id, table.header.step, key, draft), **more)


def offered_ids(adapter: Adapter, table: Table) -> list[CustomId]:
    """Return what the buttons of a table's message send."""
    return [parse_id(button.custom_id) for row in adapter.table_messages.build_content(table).rows for button in row]


def waiting_person(table: Table) -> Person:
    """A person who is not to move."""
    who = next(who for who in table.seats if who != table.mover)
    return Person(who.user_id or 0, who.name)
