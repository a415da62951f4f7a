"""`/play` and the help: a game is open in two clicks."""

from dataclasses import replace
from typing import Any

import pytest

from bot.features.help.handlers import GameList
from bot.features.help.messages import GameMenuId
from bot.games.magpie.pieces import MagpieOptions
from bot.platform.discord.ids import parse_id
from bot.platform.discord.refusals import ClickReason
from bot.platform.places import Person
from bot.tables import storage as table_storage
from bot.tables.handlers.ids import GuideId, OpenTableId, open_table_id
from bot.tables.model import Status
from bot.tables.refusals import HostReason
from bot.tables.registry import GameRegistry
from tests.support.each_case import each_case
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import HERE, JAY, ROBIN, WREN, open_lobby, start_game
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import AnswerMethod, FakeInteraction, make_click, make_command, make_menu_choice

OPEN = open_table_id("magpie", MagpieOptions(), computers=0)


async def list_games(adapter: Adapter, **changes: Any) -> FakeInteraction:
    command = make_command(ROBIN, **changes)
    await adapter.app.service(GameList).show(command)  # type: ignore[arg-type]
    return command


def description_of(click: FakeInteraction) -> str:
    embed = click.answers[-1].embed
    assert embed is not None
    return str(embed.description)


async def test_a_click_opens_the_lobby_with_the_default_options(adapter: Adapter) -> None:
    click = await adapter.click(make_click(ROBIN, OPEN, in_whisper=True))
    table = await adapter.service.open_table_in(HERE.channel_id)
    assert table is not None
    assert (table.header.game, table.header.status, table.header.opener_id) == ("magpie", Status.LOBBY, ROBIN.id)
    assert table.options == table.package.game.info.options()
    assert [answer.how for answer in click.answers] == [AnswerMethod.EDIT]


async def test_a_table_that_is_open_here_is_named_at_once(adapter: Adapter) -> None:
    await open_lobby(adapter.service, WREN)
    assert "https://discord.com/channels/3/70" in description_of(await list_games(adapter))
    click = await adapter.click(make_click(ROBIN, OPEN, in_whisper=True))
    assert click.refusal is HostReason.CHANNEL_TAKEN


@pytest.mark.parametrize(
    ("blocking", "solo_id", "offered"),
    [
        (None, 0, {"magic_bag", "magpie"}),
        (WREN, 0, {"magic_bag"}),
        (ROBIN, 0, {"magic_bag"}),
        (ROBIN, ROBIN.id, {"magpie"}),
        (WREN, WREN.id, {"magic_bag", "magpie"}),
    ],
)
async def test_only_games_that_can_be_opened_are_offered(
    db: MemoryDatabase, shown: FakeTableMessages, blocking: Person | None, solo_id: int, offered: set[str]
) -> None:
    """An own solo game leaves room for a shared table, and the other way round."""
    every = load_games_once()
    adapter = Adapter(db, shown, GameRegistry([every["magpie"], every["magic_bag"]]))
    if blocking is not None:
        await start_game(adapter.service, blocking, JAY, location=replace(HERE, solo_id=solo_id))
    listed = await list_games(adapter)
    ids = [parse_id(custom_id) for custom_id in listed.buttons()]
    assert {each.game for each in ids if isinstance(each, OpenTableId)} == offered
    await adapter.host.close()


async def test_a_game_that_can_be_put_aside_does_not_hide_the_others(adapter: Adapter) -> None:
    await start_game(adapter.service, ROBIN, WREN)
    adapter.clock.tick(86_400)
    listed = await list_games(adapter)
    assert str(OPEN) in listed.buttons()


async def test_the_list_is_shown_while_the_database_fails(adapter: Adapter, db: MemoryDatabase) -> None:
    db.broken = {table_storage.find_open, table_storage.load}
    assert str(OPEN) in (await list_games(adapter)).buttons()


@each_case("chosen", ["f:start", "c:1", "nonsense", "1:1", ""])
async def test_a_menu_of_games_opens_nothing_else(adapter: Adapter, chosen: str) -> None:
    click = await adapter.click(make_menu_choice(ROBIN, GameMenuId(1), chosen))
    assert click.refusal is ClickReason.UNKNOWN_BUTTON


async def test_a_menu_of_games_opens_tables_and_guides(adapter: Adapter) -> None:
    guide = await adapter.click(make_menu_choice(ROBIN, GameMenuId(1), str(GuideId("magpie"))))
    assert guide.answers[-1].embed is not None
    await adapter.click(make_menu_choice(ROBIN, GameMenuId(1), str(OPEN)))
    assert await adapter.service.open_table_in(HERE.channel_id) is not None
