"""Tables and buttons of the version before names were changed keep working.

`earlier_version` holds what that version stored and showed: a database with a lobby and a running game of each kind and
a finished game, the ids of the components on their messages, with the values of the menus, and ids of every other kind.
"""

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

import pytest

from bot.app.custom_id_parser import parse_id
from bot.app.store import SqlStore
from bot.features.daily_bag.ids import DailyBagId
from bot.features.fairness.verification import make_record, verify_record
from bot.features.privacy.ids import PrivacyId
from bot.features.puzzles.ids import DailyPuzzleId, NextPuzzleId, PuzzleChoiceId
from bot.features.reminders.ids import ClockMenuId, MyTablesId, PingMenuId, PingPanelId, TimeUpId
from bot.features.results.ids import BoardId, BoardMenuId, ReviewId, SeasonId, ShareId
from bot.features.settings.ids import (
    DefaultOptionId,
    DefaultsPageId,
    ResetDefaultsId,
    SettingId,
    SettingsSectionId,
    UnblockId,
)
from bot.features.tournaments.ids import DecisionId, TournamentButtonId
from bot.tables.handlers.ids import ComponentId, HintId, HintMenuId, RemovePlayerId, ShowHintId, WhatHappenedId
from bot.tables.model import Person, Status
from bot.tables.table import Table
from tests.support.databases import upgrade
from tests.support.each_case import each_case
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import ROBIN
from tests.support.games import load_games_once
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import FakeInteraction, make_click, make_menu_choice

EARLIER = Path(__file__).parent / "earlier_version"
RECORDED = json.loads((EARLIER / "buttons.json").read_text(encoding="utf-8"))
MESSAGES = [(game, shown) for game, messages in RECORDED["shown"].items() for shown in messages]
LATER_FORMATS = ("e:magpie:2:100,false,false,false", "e:magic_bag:1:", "f:about", "1:1", "L:magpie", "T:1", "R:1:on")
"""Ids of kinds that have come since, which stay as well."""

NEWER_KINDS = {
    BoardId,
    BoardMenuId,
    DailyBagId,
    ClockMenuId,
    DailyPuzzleId,
    DecisionId,
    DefaultOptionId,
    DefaultsPageId,
    HintId,
    HintMenuId,
    MyTablesId,
    NextPuzzleId,
    PingMenuId,
    PingPanelId,
    PrivacyId,
    PuzzleChoiceId,
    RemovePlayerId,
    ResetDefaultsId,
    ReviewId,
    SeasonId,
    SettingId,
    SettingsSectionId,
    ShareId,
    ShowHintId,
    TimeUpId,
    TournamentButtonId,
    UnblockId,
    WhatHappenedId,
}
"""The kinds of ids that the earlier version did not have."""

APOLOGIES = ("another version", "Something went wrong")


@cache
def upgraded_file() -> bytes:
    """Return the database of the earlier version as the migrations leave it."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "parlour.sqlite3")
        with closing(sqlite3.connect(file)) as connection:
            connection.executescript((EARLIER / "tables.sql").read_text(encoding="utf-8"))
        upgrade(f"sqlite:///{file}")
        return file.read_bytes()


@pytest.fixture
async def adapter(tmp_path: Path) -> AsyncIterator[Adapter]:
    file = tmp_path / "parlour.sqlite3"
    file.write_bytes(upgraded_file())
    store: Any = SqlStore(f"sqlite:///{file}")
    made = Adapter(store, FakeTableMessages(), load_games_once())
    yield made
    await made.host.close()
    await store.close()


async def press(adapter: Adapter, table: Table, custom_id: str, values: list[str]) -> FakeInteraction:
    """Press a component as the player to move, or in a lobby as the opener."""
    mover = table.mover
    person = ROBIN if mover is None else Person(mover.user_id or 0, mover.name)
    place: dict[str, Any] = {"channel_id": table.header.location.channel_id, "message_id": table.header.message_id}
    if values:
        return await adapter.click(make_menu_choice(person, custom_id, values[0], **place))
    return await adapter.click(make_click(person, custom_id, **place))


@pytest.mark.parametrize(("game", "shown"), MESSAGES)
async def test_every_component_is_answered(adapter: Adapter, game: str, shown: str) -> None:
    recorded = RECORDED["shown"][game][shown]
    table = await adapter.service.table(recorded["table"])
    for custom_id, values in recorded["buttons"].items():
        click = await press(adapter, table, custom_id, values)
        assert click.answers, custom_id
        assert not any(each in click.text for each in APOLOGIES), custom_id


@pytest.mark.parametrize("game", RECORDED["shown"])
async def test_a_running_game_is_played_on(adapter: Adapter, game: str) -> None:
    recorded = RECORDED["shown"][game]["playing"]
    table = await adapter.service.table(recorded["table"])
    assert table.header.status is Status.PLAYING, "its moves lead to the same position"
    controls = [custom_id for custom_id in recorded["buttons"] if custom_id.startswith("t:")]
    for custom_id in controls:
        await press(adapter, table, custom_id, [])
    assert (await adapter.service.table(table.id)).header.step > table.header.step


async def test_a_finished_game_still_proves_its_dice(adapter: Adapter) -> None:
    stored = await adapter.service.load_stored(RECORDED["shown"]["magpie"]["finished"]["table"])
    assert stored.header.status is Status.FINISHED
    games = adapter.service.games
    verify_record(make_record(stored, games["magpie"]), games)


@each_case("custom_id", (*RECORDED["formats"], *LATER_FORMATS))
def test_an_id_of_every_kind_is_parsed_as_it_was_written(custom_id: str) -> None:
    assert str(parse_id(custom_id)) == custom_id


def test_no_kind_of_id_is_left_out() -> None:
    shown = [custom_id for message in MESSAGES for custom_id in RECORDED["shown"][message[0]][message[1]]["buttons"]]
    recorded = {type(parse_id(custom_id)) for custom_id in (*shown, *RECORDED["formats"], *LATER_FORMATS)}
    assert recorded == set(get_args(ComponentId)) - NEWER_KINDS
