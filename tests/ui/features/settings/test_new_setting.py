"""A new setting is one declaration in the table: all the rest follows."""

import importlib.util
import json
from typing import Any, Final

import pytest
from sqlalchemy import select

from bot.features.privacy import storage as privacy_storage
from bot.features.privacy.model import Erasure
from bot.features.privacy.service import PersonalDataService
from bot.features.settings import all_settings, commands
from bot.features.settings.commands import SettingsCommands
from bot.features.settings.kinds import Setting, SettingsSection, Switch
from bot.features.settings.storage import settings_changes
from bot.platform.jobs.storage import Job
from tests.support.chosen_settings import chosen
from tests.support.fakes import HERE, STRANGER
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import make_command
from tests.ui.features.settings.panels import DIRECT, MANAGER, choose, menus_of, turn_to

APPLAUSE: Final = Setting(
    "applause",
    SettingsSection.THREADS,
    "Applause",
    default=True,
    values=Switch("**On**: the winner is applauded.", "**Off**: silence."),
    direct=Switch("**On**: you are applauded.", "**Off**: you are not applauded, in any server."),
    is_personal=True,
)
OFF: Final = chosen({APPLAUSE: False})


@pytest.fixture(autouse=True)
def _declare(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(all_settings, "SETTINGS", (*all_settings.SETTINGS, APPLAUSE))


async def test_it_is_switched_in_the_panel_and_its_change_is_told(adapter: Adapter, db: MemoryDatabase) -> None:
    page = await turn_to(adapter, SettingsSection.THREADS)
    assert menus_of(page)["S:applause"] == "on"
    page = await choose(adapter, APPLAUSE, "off")
    assert db.chosen == {HERE.guild_id: OFF}
    assert menus_of(page)["S:applause"] == "off"
    told = (await turn_to(adapter, SettingsSection.CHANGES)).answers[-1].embed.description
    assert f"<@{STRANGER.id}>" in told
    await choose(adapter, APPLAUSE, "on")
    assert db.chosen == {}


async def test_it_is_switched_by_command(adapter: Adapter, db: MemoryDatabase) -> None:
    spec = importlib.util.spec_from_file_location("fresh_commands", commands.__file__)
    assert spec is not None
    assert spec.loader is not None
    fresh = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fresh)
    (parameter,) = (each for each in fresh.SettingsCog.set_value.parameters if each.name == "setting")
    assert "applause" in [choice.value for choice in parameter.choices]
    handlers = adapter.app.service(SettingsCommands)
    assert [choice.value for choice in handlers.suggest_values("applause", "")] == ["on", "off"]
    command: Any = make_command(STRANGER, permissions=MANAGER)
    await handlers.set_value(command, "applause", "off")
    assert db.chosen == {HERE.guild_id: OFF}


async def test_a_person_chooses_it_for_themselves_exports_it_and_has_it_erased(
    adapter: Adapter, db: MemoryDatabase
) -> None:
    panel = await choose(adapter, APPLAUSE, "off", **DIRECT)
    assert menus_of(panel)["S:applause"] == "off"
    assert db.chosen == {STRANGER.id: OFF}
    people = adapter.app.service(PersonalDataService)
    exported = json.loads((await people.export(STRANGER.id)).data)["data"]["settings"]
    assert [(row["key"], row["value"]) for row in exported] == [("applause", "off")]
    job = Job("erasure", "-4711", adapter.clock())
    db.run(privacy_storage.ask, Erasure(STRANGER.id, -4711, adapter.clock()), job)
    assert await people.erase(job) is None
    assert db.chosen == {}


async def test_it_is_erased_with_its_server(adapter: Adapter, db: MemoryDatabase) -> None:
    await choose(adapter, APPLAUSE, "off")
    assert HERE.guild_id is not None
    assert await db.read(privacy_storage.find_servers, db.shards) == [HERE.guild_id]
    while db.run(privacy_storage.erase_server_rows, HERE.guild_id, 10):
        pass
    assert db.chosen == {}
    assert db.run(lambda connection: connection.execute(select(settings_changes)).all()) == []
