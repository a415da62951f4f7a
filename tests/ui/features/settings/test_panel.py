"""The panel of settings: who may change them, its text and menus, and their effect on open tables."""

import asyncio

import pytest

from bot.features.invitations import storage as invitation_storage
from bot.features.invitations.service import Invitations
from bot.features.profiles.model import PersonalPreferences
from bot.features.reminders.service import Reminders
from bot.features.settings import storage as setting_storage
from bot.features.settings.ids import Setting, SettingId, SettingsSection
from bot.features.settings.preferences import Preferences
from bot.features.settings.values import SECTIONS, VALUE_LABELS, PictureChoice
from bot.platform.places import Location
from bot.rules.picture import Theme
from bot.tables import storage as table_storage
from tests.support.each_case import each_case
from tests.support.fake_table_messages import FakeTableMessages, ShowAction
from tests.support.fakes import HERE, ROBIN, STRANGER, open_lobby, start_game
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate, wait_until
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import AnswerMethod, make_click
from tests.ui.features.settings.panels import (
    DIRECT,
    MANAGER,
    NO_FILES,
    answer_text,
    choose,
    menus_of,
    news_of,
    open_panel,
    turn_to,
)


async def test_every_setting_is_on_one_page_and_every_page_fits_a_message() -> None:
    assert sorted(setting for settings in SECTIONS.values() for setting in settings) == sorted(Setting)
    assert all(len(settings) <= 4 for settings in SECTIONS.values())


async def test_a_newer_panel_replaces_the_older(adapter: Adapter) -> None:
    first = await open_panel(adapter)
    await open_panel(adapter)
    await wait_until(lambda: first.deleted)


@pytest.mark.parametrize(
    ("value", "theme", "words"),
    [
        ("standard", Theme.STANDARD, "Standard"),
        ("dark", Theme.DARK, "Dark"),
        ("high_contrast", Theme.HIGH_CONTRAST, "High contrast"),
        ("off", None, "Off, words only"),
    ],
)
async def test_a_choice_is_stored_and_the_panel_shows_it(
    adapter: Adapter, db: MemoryDatabase, value: str, theme: Theme | None, words: str
) -> None:
    db.chosen[HERE.scope_id] = Preferences(theme=Theme.HIGH_CONTRAST, reminds=False)
    click = await choose(adapter, Setting.PICTURES, value)
    (answer,) = click.answers
    assert answer.how is AnswerMethod.EDIT
    assert db.chosen[HERE.scope_id] == Preferences(theme=theme, reminds=False)
    assert answer_text(click)["Pictures"].startswith(f"How tables look: **{words}**")
    assert menus_of(click)["S:pictures"] == f"Pictures: {words}"


@pytest.mark.parametrize(
    ("setting", "value", "after"),
    [
        (Setting.REMINDERS, "on", Preferences(None, reminds=True, invites=False)),
        (Setting.REMINDERS, "off", Preferences(None, reminds=False, invites=False)),
        (Setting.INVITATIONS, "on", Preferences(None, reminds=False, invites=True)),
        (Setting.INVITATIONS, "off", Preferences(None, reminds=False, invites=False)),
        (Setting.TIPS, "off", Preferences(None, reminds=False, invites=False, tips=False)),
    ],
)
async def test_switches_are_chosen_separately(
    adapter: Adapter, db: MemoryDatabase, setting: Setting, value: str, after: Preferences
) -> None:
    db.chosen[HERE.scope_id] = Preferences(None, reminds=False, invites=False)
    click = await choose(adapter, setting, value)
    assert db.chosen[HERE.scope_id] == after
    assert answer_text(click)[setting.value.title()].startswith("**On**" if value == "on" else "**Off**")


async def test_features_turned_off_by_the_host_cannot_be_turned_on(adapter: Adapter, db: MemoryDatabase) -> None:
    adapter.app.service(Reminders).is_enabled = False
    panel = await turn_to(adapter, SettingsSection.PLAY)
    assert "for the whole bot" in answer_text(panel)["Reminders"]
    assert "S:reminders" not in menus_of(panel)
    outdated = await choose(adapter, Setting.REMINDERS, "on")
    assert outdated.text == "You can't change that here. `/settings show` shows what you can."
    assert db.chosen == {}


@each_case("setting", [*VALUE_LABELS, Setting.OPTIONS])
@each_case("value", ["", "0", "ON", "STANDARD", "true", "{seed}"])
async def test_unknown_choices_are_refused(adapter: Adapter, db: MemoryDatabase, setting: Setting, value: str) -> None:
    click = await choose(adapter, setting, value)
    assert click.text == "You can't change that here. `/settings show` shows what you can."
    assert db.chosen == {}


async def test_a_button_with_the_id_of_a_menu_is_refused(adapter: Adapter, db: MemoryDatabase) -> None:
    click = await adapter.click(make_click(STRANGER, SettingId(Setting.PICTURES), permissions=MANAGER))
    assert "another version" in click.text
    assert db.chosen == {}


async def test_a_forged_choice_leaves_a_public_message_as_it_is(adapter: Adapter) -> None:
    click = await choose(adapter, Setting.REMINDERS, "off", in_whisper=False)
    assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(AnswerMethod.SEND, True)]


async def test_open_tables_of_the_server_are_shown_again_at_once(adapter: Adapter, shown: FakeTableMessages) -> None:
    here = await start_game(adapter.service)
    beside = await open_lobby(adapter.service, ROBIN, location=Location(HERE.guild_id, 71))
    await open_lobby(adapter.service, ROBIN, location=Location(4, 80))
    await adapter.wait_until_shown()
    before = len(shown.shown)
    click = await choose(adapter, Setting.PICTURES, "off")
    await adapter.wait_until_shown()
    assert [(each.action, each.table_id) for each in shown.shown[before:]] == [
        (ShowAction.EDIT, beside.id),
        (ShowAction.EDIT, here.id),
    ]
    assert news_of(click) == "Saved. Updating 2 tables."


async def test_a_table_that_cannot_be_read_does_not_stop_the_others(
    adapter: Adapter, db: MemoryDatabase, shown: FakeTableMessages, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", "bot.tables.publisher")
    first = await start_game(adapter.service)
    second = await open_lobby(adapter.service, ROBIN, location=Location(HERE.guild_id, 71))
    await adapter.wait_until_shown()
    before = len(shown.shown)
    adapter.service.cache.evict(second.id)
    db.broken = {table_storage.load}
    await choose(adapter, Setting.PICTURES, "high_contrast")
    await adapter.wait_until_shown()
    assert [each.table_id for each in shown.shown[before:]] == [first.id]
    assert "can't be refreshed" in caplog.text


async def test_choosing_the_present_value_shows_nothing_again(adapter: Adapter, shown: FakeTableMessages) -> None:
    await start_game(adapter.service)
    await adapter.wait_until_shown()
    before = len(shown.shown)
    click = await choose(adapter, Setting.PICTURES, "standard")
    await adapter.wait_until_shown()
    assert len(shown.shown) == before
    assert news_of(click) == "Saved."


async def test_a_direct_message_has_its_own_settings(adapter: Adapter, db: MemoryDatabase) -> None:
    panel = await open_panel(adapter, **DIRECT)
    assert panel.answers[-1].embed.title == "Settings of our direct messages"
    assert list(menus_of(panel)) == ["S:pictures", "S:invitations", "S:hints", "S:tips"]
    assert answer_text(panel)["Reminders"].startswith("**Off** in direct messages")
    await choose(adapter, Setting.PICTURES, "off", **DIRECT)
    assert db.chosen == {90: Preferences(theme=None)}
    assert not await db.read(invitation_storage.refuses_invitations, STRANGER.id), "the user's own choice is kept"
    refused = await choose(adapter, Setting.REMINDERS, "on", **DIRECT)
    assert refused.text == "You can't change that here. `/settings show` shows what you can."


async def test_in_a_direct_message_invitations_are_refused_everywhere(adapter: Adapter, db: MemoryDatabase) -> None:
    for value, refuses in (("off", True), ("on", False)):
        click = await choose(adapter, Setting.INVITATIONS, value, **DIRECT)
        assert await adapter.app.service(Invitations).refuses(STRANGER.id) is refuses
        assert menus_of(click)["S:invitations"] == f"Invitations: {value.title()}"
    assert db.chosen == {}


async def test_in_a_direct_message_tips_are_turned_off_everywhere(adapter: Adapter, db: MemoryDatabase) -> None:
    for value, is_on in (("off", False), ("on", True)):
        click = await choose(adapter, Setting.TIPS, value, **DIRECT)
        assert db.people[STRANGER.id] == PersonalPreferences(tips=is_on)
        assert menus_of(click)["S:tips"] == f"Tips: {value.title()}"
    assert db.chosen == {}


async def test_missing_permissions_for_pictures_are_named(adapter: Adapter) -> None:
    panel = await turn_to(adapter, SettingsSection.LOOK, app_permissions=NO_FILES)
    assert "**Attach Files**" in answer_text(panel)["Pictures"]
    direct = await open_panel(adapter, **DIRECT, app_permissions=NO_FILES)
    assert "Attach" not in answer_text(direct)["Pictures"], "a direct message has no permissions"
    without = await choose(adapter, Setting.PICTURES, "off", app_permissions=NO_FILES)
    assert "Attach" not in answer_text(without)["Pictures"]


def test_every_choice_is_a_theme_or_none() -> None:
    assert {choice.theme for choice in PictureChoice} == {*Theme, None}
    assert set(VALUE_LABELS[Setting.PICTURES]) == set(PictureChoice)


async def test_a_choice_that_is_saved_is_shown_even_if_nothing_can_be_read_any_more(
    adapter: Adapter, db: MemoryDatabase
) -> None:
    await open_panel(adapter)
    db.after[setting_storage.change] = gate = Gate()
    choosing = asyncio.create_task(choose(adapter, Setting.CLOCK, "one_day"))
    await gate.reached.wait()
    db.broken = {setting_storage.find}
    gate.open()
    assert news_of(await choosing) == "Saved."
