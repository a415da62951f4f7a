"""A turn in which nothing can be done says so, and ends by itself."""

import asyncio
from typing import Any

import pytest

from bot.games.change.pieces import Stage
from bot.games.houdinis_baggage.cards import EMPTY_PILE
from bot.games.houdinis_baggage.pieces import Phase
from bot.tables.handlers.ids import ReadAloudId, SeatButton, Switch
from bot.tables.handlers.readings import Readings
from bot.tables.opening import open_game
from bot.tables.registry import GameRegistry
from bot.tables.shown.buttons import seat_buttons
from bot.tables.shown.screen import screen_of
from bot.tables.shown.story import describe_since_own_turn, describe_what_happened
from bot.tables.table import Table
from tests.games.change import positions as change
from tests.games.fortune import positions as fortune
from tests.games.houdinis_baggage import positions as baggage
from tests.games.houdinis_baggage.positions import player
from tests.support.each_case import each_case
from tests.support.fakes import HERE, ROBIN, WREN, mover_of
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.support.table_positions import TablePositioner
from tests.support.waiting import wait_until
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import make_click, make_command

AT_ONCE = "⏩"
"""The sign of a turn that ends or ended by itself."""

STUCK = {
    "no rolls left": ("fortune", fortune.at("storm", "GGGDDMPK", rolls=2), "stop"),
    "nothing fits": ("houdinis_baggage", baggage.at(player("2"), opened="red-circle"), "done"),
    "no cards": ("change", change.at("120@3", "120@0", stage=Stage.FREE, travel=False), "done"),
    "a card of no use": (
        "change",
        change.at("120@3", "120@0", hands=["add-1"], stage=Stage.FREE, travel=False),
        "done",
    ),
}


@pytest.fixture
def games() -> GameRegistry:
    return GameRegistry(load_games_once().values())


@pytest.fixture(params=STUCK)
async def stuck(request: pytest.FixtureRequest, adapter: Adapter, monkeypatch: pytest.MonkeyPatch) -> tuple[Table, str]:
    """A table at which the player to move can do nothing, and the move that ends the turn."""
    key, state, move = STUCK[request.param]
    package = load_games_once()[key]
    table = await open_game(adapter.service, key, package.game.info.options(), ROBIN, HERE, click_id=1)
    table = await adapter.service.join(table.id, WREN, 2)
    table = await adapter.service.start(table.id, ROBIN, 50)
    await adapter.wait_until_shown()
    return await TablePositioner(adapter.host, table.id, monkeypatch).set_position(state, "1" * 9), move


async def test_the_turn_ends_by_itself_and_says_so(
    adapter: Adapter, stuck: tuple[Table, str], db: MemoryDatabase
) -> None:
    table, move = stuck
    screen = screen_of(table)
    assert AT_ONCE in screen.text
    assert all(each.is_disabled for each in screen.iter_controls()), "the turn does not end under a finger"
    adapter.service.notify_listeners(table)
    await adapter.host.computer_players.tasks.finish()
    assert db.texts(table.id)[-1:] == [move]
    after = await adapter.service.table(table.id)
    assert not any(f":{SeatButton.TAKE_BACK}" in each.custom_id for each in seat_buttons(after)), "it leads nowhere"
    if after.news[-1].ends_turn:
        name = mover_of(table).name
        screen = screen_of(after)
        for told in (
            screen.text,
            describe_what_happened(after, None),
            describe_since_own_turn(after, table.header.to_move or 0),
        ):
            assert [line for line in told.splitlines() if AT_ONCE in line and f"**{name}**" in line]


async def test_a_reading_after_the_move_waits_for_the_turn_to_end(
    adapter: Adapter, stuck: tuple[Table, str], db: MemoryDatabase
) -> None:
    table, move = stuck
    listener = mover_of(table)
    await adapter.click(make_click(listener, ReadAloudId(table.id, Switch.ON), in_whisper=True))
    command = make_command(listener)
    adapter.app.service(Readings).after_action(command, table)  # type: ignore[arg-type]
    for _ in range(20):
        await asyncio.sleep(0)
    assert not command.answers
    adapter.service.notify_listeners(table)
    await wait_until(lambda: bool(command.answers))
    assert db.texts(table.id)[-1:] == [move]


def forced_end_of(key: str, state: Any) -> object:
    package = load_games_once()[key]
    assert package.mind.find_forced_end is not None
    return package.mind.find_forced_end(package.game.view(state, None))


@each_case(
    "key, state",
    [
        ("fortune", fortune.at("storm", "GGGDDMPK")),
        ("fortune", fortune.at("storm")),
        ("fortune", fortune.at("sorceress", "KKKGGGGD")),
        ("houdinis_baggage", baggage.at(player("2"), opened="red-circle", phase=Phase.SEARCH)),
        ("houdinis_baggage", baggage.at(player("2"))._replace(baggage=EMPTY_PILE)),
        ("houdinis_baggage", baggage.at(player("2", bank="red-star"), opened="red-circle")),
        ("houdinis_baggage", baggage.at(player("1; 2"), opened="green-star")),
        ("houdinis_baggage", baggage.at(player("2"), opened="red-circle red-circle", phase=Phase.TWIN)),
        ("change", change.at("120@3", "120@0", stage=Stage.FREE)),
        ("change", change.at("120@5", "120@0", stage=Stage.FREE, challenge=True)),
        ("change", change.at("120@5", "120@0", hands=["fear"], stage=Stage.FREE, missing=2)),
        ("change", change.at("120@3", "120@0", hands=["fear envy"], stage=Stage.FREE, travel=False)),
    ],
)
def test_a_turn_with_something_to_do_goes_on(key: str, state: Any) -> None:
    """What the hand of Change holds makes no difference: its size alone is public."""
    assert forced_end_of(key, state) is None
