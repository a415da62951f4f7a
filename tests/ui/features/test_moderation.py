"""What moderators do, and what the log of a server tells them."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import discord
import pytest

from bot.features.settings.all_settings import LOG
from bot.features.settings.moderator_log import ModeratorLog
from bot.tables.closing import propose_close
from bot.tables.handlers.commands import TableCommands
from bot.tables.handlers.ids import CancelTableId, RemovePlayerId, SeatButton, SeatId
from bot.tables.handlers.lobby import LobbyCommands
from tests.support.chosen_settings import chosen
from tests.support.fakes import HERE, JAY, LINNET, ROBIN, WREN, open_lobby, start_game
from tests.support.memory_database import MemoryDatabase
from tests.tables.actions.test_seats import play_round
from tests.ui.adapter import Adapter, command
from tests.ui.fake_interactions import make_click, make_guest, make_menu_choice

LOG_CHANNEL = 99
MODERATOR = discord.Permissions(manage_messages=True)


@pytest.fixture(autouse=True)
def _log(db: MemoryDatabase) -> None:
    db.chosen[HERE.scope_id] = chosen({LOG: frozenset({LOG_CHANNEL})})


async def logged(adapter: Adapter) -> list[str]:
    """Return the lines of the log, and forget them."""
    await adapter.app.service(ModeratorLog).tasks.finish()
    posted = [each for each in adapter.message_client.requests if each.channel_id == LOG_CHANNEL]
    adapter.message_client.requests.clear()
    assert all((each.json or {})["allowed_mentions"]["parse"] == [] for each in posted)
    return [(each.json or {})["content"] for each in posted]


Deed: TypeAlias = Callable[[Adapter], Awaitable[object]]


async def _host_closes_a_lobby(adapter: Adapter) -> None:
    await open_lobby(adapter.service, ROBIN, WREN)
    await adapter.app.service(TableCommands).cancel(command(ROBIN))


async def _moderator_closes_a_game(adapter: Adapter) -> None:
    table = await start_game(adapter.service, ROBIN, WREN)
    await adapter.click(make_click(LINNET, CancelTableId(table.id), permissions=MODERATOR))
    # A second click closes nothing.
    await adapter.click(make_click(LINNET, CancelTableId(table.id), permissions=MODERATOR))


async def _players_agree(adapter: Adapter) -> None:
    table = await play_round(adapter.service, ROBIN, WREN)
    table = await adapter.service.apply_seat_action(table.id, ROBIN, propose_close, 800)
    await adapter.click(make_click(WREN, SeatId(table.id, table.header.step, SeatButton.CLOSE)))


async def _moderator_removes_by_command(adapter: Adapter) -> None:
    await open_lobby(adapter.service, ROBIN, WREN)
    removal: Any = command(LINNET, permissions=MODERATOR)
    await adapter.app.service(LobbyCommands).kick(removal, make_guest(discord.Member, id=WREN.id))


async def _host_removes_by_menu(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN, WREN, JAY)
    await adapter.click(make_menu_choice(ROBIN, RemovePlayerId(table.id, table.header.revision), "1", in_whisper=True))


@pytest.mark.parametrize(
    ("deed", "people"),
    [
        (_host_closes_a_lobby, (ROBIN,)),
        (_moderator_closes_a_game, (LINNET,)),
        (_players_agree, ()),
        (_moderator_removes_by_command, (LINNET, WREN)),
        (_host_removes_by_menu, (ROBIN, WREN)),
    ],
)
async def test_what_people_do_to_tables_is_one_line_with_who_and_where(
    adapter: Adapter, deed: Deed, people: tuple[Any, ...]
) -> None:
    await deed(adapter)
    (line,) = await logged(adapter)
    assert f"<#{HERE.channel_id}>" in line
    assert [f"<@{who.id}>" for who in people if f"<@{who.id}>" in line] == [f"<@{who.id}>" for who in people]
    assert line.count("<@") == len(people)
