"""The commands for settings."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.features.settings.all_settings import CHANNELS, CLOCK, GAMES, OPTIONS
from bot.features.settings.handlers import SettingsCommands
from bot.tables.model import TurnClock
from tests.support.chosen_settings import chosen
from tests.support.fakes import STRANGER
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import make_command
from tests.ui.features.settings.panels import MANAGER, SERVER


class TestCommands:
    """The commands do what the panel does."""

    @pytest.mark.parametrize(("name", "value"), [("clock", "three_days"), ("clock", " Three_Days ")])
    async def test_a_value_is_set(self, adapter: Adapter, db: MemoryDatabase, name: str, value: str) -> None:
        command: Any = make_command(STRANGER, permissions=MANAGER)
        await adapter.app.service(SettingsCommands).set_value(command, name, value)
        assert db.chosen[3] == chosen({CLOCK: TurnClock.THREE_DAYS})

    async def test_channels_are_added_and_removed(self, adapter: Adapter, db: MemoryDatabase) -> None:
        db.chosen[3] = chosen({CHANNELS: frozenset({81, 4711})})
        for add, remove, after in ((70, None, {70, 81}), (None, 81, {70}), (None, None, {70}), (None, 70, set())):
            command: Any = make_command(STRANGER, permissions=MANAGER, guild=SERVER)
            entities: list[Any] = [each and SimpleNamespace(id=each) for each in (add, remove)]
            await adapter.app.service(SettingsCommands).change_ids(command, "channels", *entities)
            assert db.chosen[3].get(CHANNELS) == after

    async def test_a_game_is_switched(self, adapter: Adapter, db: MemoryDatabase) -> None:
        for is_on, games_off in ((False, {"magpie"}), (True, set())):
            command: Any = make_command(STRANGER, permissions=MANAGER)
            await adapter.app.service(SettingsCommands).switch_game(command, "Magpie", is_on=is_on)
            assert db.chosen[3].get(GAMES) == games_off

    @pytest.mark.parametrize(("option", "value"), [("target", "200"), ("reroll_fours", "true")])
    async def test_an_option_is_set_by_the_words_for_its_value(
        self, adapter: Adapter, db: MemoryDatabase, option: str, value: str
    ) -> None:
        command: Any = make_command(STRANGER, permissions=MANAGER)
        settings = adapter.app.service(SettingsCommands)
        names = {each.value: each.name for each in settings.suggest_option_values("magpie", option, "")}
        await settings.set_option(command, "magpie", option, names[value].upper())
        assert db.chosen[3].get(OPTIONS) == {"magpie": f'{{"{option}":{value}}}'}

    async def test_values_are_suggested(self, adapter: Adapter) -> None:
        suggest = adapter.app.service(SettingsCommands)
        clocks = suggest.suggest_values("clock", "")
        assert [each.value for each in clocks] == [each.value for each in TurnClock]
        for clock in clocks:
            assert clock in suggest.suggest_values("clock", clock.name.upper())
        (target,) = (each for each in suggest.suggest_options("magpie", "") if each.value == "target")
        assert target in suggest.suggest_options("magpie", target.name[:4].upper())
        assert [each.value for each in suggest.suggest_option_values("magpie", "reroll_fours", "")] == ["false", "true"]
        for nothing in (suggest.suggest_values("None", ""), suggest.suggest_options("None", "")):
            assert nothing == []
        assert suggest.suggest_option_values("magpie", "None", "") == []
