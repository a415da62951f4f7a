"""What only servers settle: channels, roles, games, and the default options of new tables."""

from typing import Any

import pytest

from bot.features.settings.all_settings import CHANNELS, GAMES, MODERATORS, OPENERS, OPTIONS, Setting, SettingsSection
from bot.features.settings.messages import (
    DefaultOptionId,
    DefaultsPageId,
    ResetDefaultsId,
    SettingId,
    SettingsSectionId,
)
from tests.support.chosen_settings import chosen
from tests.support.each_case import each_case
from tests.support.fakes import ROBIN, STRANGER
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import items_of, make_click, make_menu_choice
from tests.ui.features.settings.panels import (
    DIRECT,
    MANAGER,
    SERVER,
    answer_text,
    choose_several,
    menus_of,
    open_panel,
    title_of,
    turn_to,
)


async def test_channels_and_roles_are_chosen_in_menus_that_show_them(adapter: Adapter, db: MemoryDatabase) -> None:
    click = await choose_several(adapter, CHANNELS, "81", "70", "4711", "nonsense")
    assert answer_text(click)["Channels"].startswith("Games are played in <#70> and <#81>")
    await choose_several(adapter, OPENERS, "501")
    click = await choose_several(adapter, MODERATORS, "502")
    assert db.chosen[3] == chosen(
        {CHANNELS: frozenset({70, 81}), OPENERS: frozenset({501}), MODERATORS: frozenset({502})}
    )
    menus = {each.custom_id: each for each in items_of(click.answers[-1].view)}
    assert [each.id for each in menus["S:channels"].default_values] == ["70", "81"]
    assert [each.id for each in menus["S:openers"].default_values] == ["501"]
    await choose_several(adapter, CHANNELS)
    assert db.chosen[3].get(CHANNELS) == frozenset()


@each_case(
    "setting, told",
    [(MODERATORS, "everyone could close the tables"), (OPENERS, "Leave the list empty")],
)
async def test_the_role_of_everyone_is_no_choice_and_the_reason_is_true(
    adapter: Adapter, db: MemoryDatabase, setting: Setting[Any], told: str
) -> None:
    click = await choose_several(adapter, setting, "3")
    assert click.text.startswith("Everyone has that role")
    assert told in click.text
    assert db.chosen == {}


async def test_managers_are_told_if_nothing_of_a_list_is_left(adapter: Adapter, db: MemoryDatabase) -> None:
    db.chosen[3] = chosen({CHANNELS: frozenset({4711}), OPENERS: frozenset({4712})})
    panel = answer_text(await open_panel(adapter, guild=SERVER))
    assert "None of the chosen channels exists any more" in panel["Channels"]
    assert "None of the chosen roles exists any more" in panel["Who opens tables"]


async def test_games_are_switched_off_and_on(adapter: Adapter, db: MemoryDatabase) -> None:
    click = await choose_several(adapter, GAMES)
    assert db.chosen[3].get(GAMES) == {"magpie"}
    assert answer_text(click)["Games"].startswith("Off: **Magpie**")
    await choose_several(adapter, GAMES, "magpie")
    assert db.chosen[3].get(GAMES) == frozenset()


async def test_default_options_have_pages_of_their_own(adapter: Adapter, db: MemoryDatabase) -> None:
    more: dict[str, Any] = {"permissions": MANAGER, "in_whisper": True}
    click = await adapter.click(make_menu_choice(STRANGER, SettingId(OPTIONS.key), "magpie", **more))
    assert title_of(click) == "Magpie · default options"
    assert menus_of(click)["So:magpie:target"] == "Target: 100"
    target = DefaultOptionId("magpie", "target")
    click = await adapter.click(make_menu_choice(STRANGER, target, "200", **more))
    assert db.chosen[3].get(OPTIONS) == {"magpie": '{"target":200}'}
    assert menus_of(click)["So:magpie:target"] == "Target: 200"
    games = await turn_to(adapter, SettingsSection.GAMES)
    assert answer_text(games)["Default options"] == "**Magpie** · Target: 200"
    await adapter.click(make_click(STRANGER, ResetDefaultsId("magpie"), **more))
    assert db.chosen[3].get(OPTIONS) == {}
    for forged, value in ((target, "7"), (target, "[]"), (DefaultOptionId("magpie", "seed"), "1")):
        click = await adapter.click(make_menu_choice(STRANGER, forged, value, **more))
        assert click.text.startswith("Magpie doesn't have that option")
    assert "can't change" in (await adapter.click(make_click(STRANGER, DefaultsPageId("chess", 1), **more))).text
    assert db.chosen[3].get(OPTIONS) == {}


@pytest.mark.parametrize(
    "forged",
    [
        SettingsSectionId(SettingsSection.CHANGES),
        DefaultsPageId("magpie", 1),
        ResetDefaultsId("magpie"),
        SettingId(CHANNELS.key),
        DefaultOptionId("magpie", "target"),
    ],
    ids=str,
)
async def test_nobody_else_sees_or_changes_anything(adapter: Adapter, db: MemoryDatabase, forged: object) -> None:
    for person, more in ((ROBIN, {}), (STRANGER, DIRECT)):
        click = await adapter.click(make_menu_choice(person, forged, "200", in_whisper=True, **more))
        assert click.text.startswith(("Only server managers", "You can't change that here"))
    assert db.chosen == {}
