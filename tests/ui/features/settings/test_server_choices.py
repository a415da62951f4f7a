"""What only servers settle: channels, roles, games, and the default options of new tables."""

import re
from typing import Any

import pytest

from bot.features.settings.all_settings import CHANNELS, GAMES, OPTIONS
from bot.features.settings.kinds import (
    AnyOf,
    Chosen,
    Ids,
    Setting,
    SettingsSection,
)
from bot.features.settings.messages import (
    DefaultOptionId,
    DefaultsPageId,
    ResetDefaultsId,
    SettingId,
    SettingsSectionId,
)
from bot.features.settings.posts import DAILY_ROLE
from bot.features.settings.reasons import SettingReason
from bot.features.settings.rights import FIXED, MODERATORS, OPENERS, ORGANIZERS
from bot.tables.model import HostChoice
from bot.tables.refusals import HostReason
from bot.words import gettext
from tests.support.chosen_settings import chosen
from tests.support.each_case import each_case
from tests.support.fakes import HERE, ROBIN, STRANGER
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import items_of, make_click, make_menu_choice
from tests.ui.fake_servers import MENTIONS_ALL, make_member
from tests.ui.features.settings.panels import (
    DIRECT,
    MANAGER,
    SERVER,
    choose_several,
    menus_of,
    open_panel,
    text_about,
    turn_to,
)


async def test_channels_and_roles_are_chosen_in_menus_that_show_them(adapter: Adapter, db: MemoryDatabase) -> None:
    click = await choose_several(adapter, CHANNELS, "81", "70", "4711", "nonsense")
    assert re.findall(r"<#(\d+)>", text_about(click, CHANNELS)) == ["70", "81"]
    await choose_several(adapter, OPENERS, "501")
    page = await choose_several(adapter, MODERATORS, "502")
    assert "<@&502>" in text_about(page, MODERATORS)
    click = await turn_to(adapter, SettingsSection.TABLES, guild=SERVER)
    assert db.chosen[3] == chosen(
        {CHANNELS: frozenset({70, 81}), OPENERS: frozenset({501}), MODERATORS: frozenset({502})}
    )
    menus = {each.custom_id: each for each in items_of(click.answers[-1].view)}
    assert [each.id for each in menus["S:channels"].default_values] == ["70", "81"]
    assert [each.id for each in menus["S:openers"].default_values] == ["501"]
    await choose_several(adapter, CHANNELS)
    assert db.chosen[3].get(CHANNELS) == frozenset()


@each_case(
    "setting, reason",
    [
        (MODERATORS, SettingReason.EVERYONE_MODERATES),
        (ORGANIZERS, SettingReason.EVERYONE_ORGANIZES),
        (OPENERS, SettingReason.EVERYONE_OPENS),
    ],
)
async def test_the_role_of_everyone_is_no_choice(
    adapter: Adapter, db: MemoryDatabase, setting: Setting[Any], reason: SettingReason
) -> None:
    click = await choose_several(adapter, setting, "3")
    assert click.refusal is reason
    assert db.chosen == {}


@each_case("role, of_manager, is_chosen", [(501, (), True), (502, (), False), (502, (MENTIONS_ALL,), True)])
async def test_managers_choose_only_roles_to_mention_that_they_may_mention(
    adapter: Adapter, db: MemoryDatabase, role: int, of_manager: tuple[int, ...], is_chosen: bool
) -> None:
    manager = make_member(STRANGER, SERVER, *of_manager)
    click = await choose_several(adapter, DAILY_ROLE, str(role), member=manager)
    assert click.refusal is (None if is_chosen else SettingReason.ROLE_NOT_MENTIONABLE)
    assert (db.chosen.get(HERE.scope_id, Chosen()).get(DAILY_ROLE) == {role}) is is_chosen


async def test_managers_are_told_if_nothing_of_a_list_is_left(adapter: Adapter, db: MemoryDatabase) -> None:
    db.chosen[3] = chosen({CHANNELS: frozenset({4711}), OPENERS: frozenset({4712})})
    panel = await open_panel(adapter, guild=SERVER)
    for setting in (CHANNELS, OPENERS):
        assert isinstance(setting.values, Ids)
        assert text_about(panel, setting) == gettext(setting.values.gone)


async def test_games_are_switched_off_and_on(adapter: Adapter, db: MemoryDatabase) -> None:
    click = await choose_several(adapter, GAMES)
    assert db.chosen[3].get(GAMES) == {"magpie"}
    assert f"**{gettext('Magpie')}**" in text_about(click, GAMES)
    await choose_several(adapter, GAMES, "magpie")
    assert db.chosen[3].get(GAMES) == frozenset()


async def test_what_hosts_choose_is_fixed_and_left_to_them(adapter: Adapter, db: MemoryDatabase) -> None:
    click = await choose_several(adapter, FIXED, "levels", "hints")
    assert db.chosen[3].get(FIXED) == {HostChoice.LEVELS, HostChoice.HINTS}
    assert isinstance(FIXED.values, AnyOf)
    assert text_about(click, FIXED) != gettext(FIXED.values.none)
    forged = await choose_several(adapter, FIXED, "levels", "seed")
    assert forged.refusal is SettingReason.NO_SUCH_SETTING
    click = await choose_several(adapter, FIXED)
    assert text_about(click, FIXED) == gettext(FIXED.values.none)
    assert db.chosen == {}


async def test_default_options_have_pages_of_their_own(adapter: Adapter, db: MemoryDatabase) -> None:
    more: dict[str, Any] = {"permissions": MANAGER, "in_whisper": True}
    click = await adapter.click(make_menu_choice(STRANGER, SettingId(OPTIONS.key), "magpie", **more))
    assert menus_of(click)["So:magpie:target"] == "100"
    target = DefaultOptionId("magpie", "target")
    click = await adapter.click(make_menu_choice(STRANGER, target, "200", **more))
    assert db.chosen[3].get(OPTIONS) == {"magpie": '{"target":200}'}
    assert menus_of(click)["So:magpie:target"] == "200"
    games = await turn_to(adapter, SettingsSection.GAMES)
    assert re.search(rf"\*\*{gettext('Magpie')}\*\*.*200", text_about(games, OPTIONS))
    await adapter.click(make_click(STRANGER, ResetDefaultsId("magpie"), **more))
    assert db.chosen[3].get(OPTIONS) == {}
    for forged, value in ((target, "7"), (target, "[]"), (DefaultOptionId("magpie", "seed"), "1")):
        click = await adapter.click(make_menu_choice(STRANGER, forged, value, **more))
        assert click.refusal is HostReason.NO_SUCH_CHOICE
    unknown = await adapter.click(make_click(STRANGER, DefaultsPageId("chess", 1), **more))
    assert unknown.refusal is SettingReason.NO_SUCH_SETTING
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
        assert click.refusal in (SettingReason.NOT_MANAGER, SettingReason.NO_SUCH_SETTING)
    assert db.chosen == {}
