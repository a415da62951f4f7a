"""The panel of settings: who may change them, its text and menus, and their effect on open tables."""

import asyncio
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord.utils import format_dt

from bot.community.model import PersonalPreferences
from bot.rules.picture import Theme
from bot.rules.refusals import Refusal
from bot.tables.model import Location
from bot.tables.preferences import Preferences, SettingsChange, TurnClock
from bot.tables.refusals import HostReason
from bot.tables.registry import GameRegistry
from bot.tables.runtime.reminders import Reminders
from bot.ui.render.setting_changes import describe_change
from bot.ui.render.setting_values import SECTIONS, VALUE_LABELS, PictureChoice
from bot.ui.settings_ids import (
    DefaultOptionId,
    DefaultsPageId,
    ResetDefaultsId,
    Setting,
    SettingId,
    SettingsSection,
    SettingsSectionId,
)
from tests.support.fake_store import FakeStore
from tests.support.fake_table_messages import FakeTableMessages, ShowAction
from tests.support.fakes import HERE, NOON, ROBIN, STRANGER, open_lobby, start_game
from tests.support.magpie_with_picture import PICTURE_REGISTRY
from tests.support.waiting import Gate, wait_until
from tests.ui.adapter import Adapter, refusal_reason
from tests.ui.fake_interactions import BUTTON, AnswerMethod, items_of, make_click, make_command, make_menu_choice
from tests.ui.fake_servers import make_server

MANAGER = discord.Permissions(manage_guild=True)
NO_FILES = discord.Permissions(send_messages=True)


@pytest.fixture
def games() -> GameRegistry:
    return PICTURE_REGISTRY


async def open_panel(adapter: Adapter, **more: Any) -> Any:
    command: Any = make_command(STRANGER, **{"permissions": MANAGER, **more})
    await adapter.features.settings.open(command)
    return command


async def choose(adapter: Adapter, setting: Setting, value: str, **more: Any) -> Any:
    """Choose a value in a menu of the panel."""
    more = {"permissions": MANAGER, "in_whisper": True, **more}
    return await adapter.click(make_menu_choice(STRANGER, SettingId(setting), value, **more))


def answer_text(interaction: Any) -> dict[str, str]:
    embed = interaction.answers[-1].embed
    return {field.name: field.value for field in embed.fields}


def title_of(interaction: Any) -> str:
    title: str = interaction.answers[-1].embed.title
    return title


def news_of(interaction: Any) -> str:
    """Return what the panel says about the choice just made."""
    return interaction.answers[-1].embed.description or ""


def menus_of(interaction: Any) -> dict[str, str | None]:
    """Return the menus of the panel by id, each with the label of its first choice, if it has one."""
    parts = [row["components"][0] for row in interaction.answers[-1].view.to_components()]
    return {
        menu["custom_id"]: next((option["label"] for option in menu.get("options", ()) if option["default"]), None)
        for menu in parts
        if menu["type"] != BUTTON
    }


async def turn_to(adapter: Adapter, section: SettingsSection, **more: Any) -> Any:
    """Press the button of a page."""
    more = {"permissions": MANAGER, "in_whisper": True, **more}
    return await adapter.click(make_click(STRANGER, SettingsSectionId(section), **more))


async def test_the_panel_shows_the_present_settings_in_pages(adapter: Adapter, store: FakeStore) -> None:
    command = await open_panel(adapter)
    assert [answer.ephemeral for answer in command.answers] == [True]
    assert command.answers[0].embed.title == "Server settings · Tables"
    assert not any(field.inline for field in command.answers[0].embed.fields)
    assert menus_of(command) == {
        "S:channels": None,
        "S:threads": "Thread per table: Off",
        "S:openers": None,
        "S:moderators": None,
    }
    games = await turn_to(adapter, SettingsSection.GAMES)
    assert menus_of(games) == {"S:games": "Magpie", "S:options": None}
    play = await turn_to(adapter, SettingsSection.PLAY)
    assert answer_text(play)["Reminders"].startswith("**On**")
    assert menus_of(play) == {
        "S:reminders": "Reminders: On",
        "S:invitations": "Invitations: On",
        "S:hints": "Hints: On",
        "S:tips": "Tips: On",
    }
    look = await turn_to(adapter, SettingsSection.LOOK)
    assert answer_text(look)["Pictures"].startswith("How tables look: **Standard**")
    assert menus_of(look) == {
        "S:pictures": "Pictures: Standard",
        "S:season": "Season: A quarter",
        "S:clock": "Turn clock: None",
    }
    assert "change_preferences" not in store.calls


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
    adapter: Adapter, store: FakeStore, value: str, theme: Theme | None, words: str
) -> None:
    store.chosen[HERE.scope_id] = Preferences(theme=Theme.HIGH_CONTRAST, reminds=False)
    click = await choose(adapter, Setting.PICTURES, value)
    (answer,) = click.answers
    assert answer.how is AnswerMethod.EDIT
    assert store.chosen[HERE.scope_id] == Preferences(theme=theme, reminds=False)
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
    adapter: Adapter, store: FakeStore, setting: Setting, value: str, after: Preferences
) -> None:
    store.chosen[HERE.scope_id] = Preferences(None, reminds=False, invites=False)
    click = await choose(adapter, setting, value)
    assert store.chosen[HERE.scope_id] == after
    assert answer_text(click)[setting.value.title()].startswith("**On**" if value == "on" else "**Off**")


async def test_features_turned_off_by_the_host_cannot_be_turned_on(adapter: Adapter, store: FakeStore) -> None:
    adapter.host.reminders = Reminders(adapter.service, adapter.store, adapter.message_sender, is_enabled=False)
    panel = await turn_to(adapter, SettingsSection.PLAY)
    assert "for the whole bot" in answer_text(panel)["Reminders"]
    assert "S:reminders" not in menus_of(panel)
    outdated = await choose(adapter, Setting.REMINDERS, "on")
    assert outdated.text == "You can't change that here. `/settings show` shows what you can."
    assert store.chosen == {}


@pytest.mark.parametrize("setting", [*VALUE_LABELS, Setting.OPTIONS])
@pytest.mark.parametrize("value", ["", "0", "ON", "STANDARD", "true", "{seed}"])
async def test_unknown_choices_are_refused(adapter: Adapter, store: FakeStore, setting: Setting, value: str) -> None:
    click = await choose(adapter, setting, value)
    assert click.text == "You can't change that here. `/settings show` shows what you can."
    assert store.chosen == {}


async def test_a_button_with_the_id_of_a_menu_is_refused(adapter: Adapter, store: FakeStore) -> None:
    click = await adapter.click(make_click(STRANGER, SettingId(Setting.PICTURES), permissions=MANAGER))
    assert "another version" in click.text
    assert store.chosen == {}


async def test_a_forged_choice_leaves_a_public_message_as_it_is(adapter: Adapter) -> None:
    click = await choose(adapter, Setting.REMINDERS, "off", in_whisper=False)
    assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(AnswerMethod.SEND, True)]


@pytest.mark.parametrize("permissions", [discord.Permissions.none(), discord.Permissions(manage_messages=True)])
async def test_members_who_do_not_manage_the_server_change_nothing(
    adapter: Adapter, store: FakeStore, permissions: discord.Permissions
) -> None:
    """Permissions count at each click: they may have been taken away since the panel was opened."""
    with pytest.raises(Refusal) as refused:
        await open_panel(adapter, permissions=permissions)
    assert refused.value.reason is HostReason.NOT_MANAGER
    click = await choose(adapter, Setting.PICTURES, "off", permissions=permissions)
    assert click.text.startswith("Only server managers")
    assert store.chosen == {}


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
    adapter: Adapter, store: FakeStore, shown: FakeTableMessages, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", "bot.tables.runtime.publisher")
    first = await start_game(adapter.service)
    second = await open_lobby(adapter.service, ROBIN, location=Location(HERE.guild_id, 71))
    await adapter.wait_until_shown()
    before = len(shown.shown)
    adapter.service.cache.evict(second.id)
    store.broken = {"load"}
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


DIRECT: dict[str, Any] = {
    "guild_id": None,
    "channel_id": 90,
    "in_own_dm": True,
    "permissions": discord.Permissions.none(),
}


async def test_a_direct_message_has_its_own_settings(adapter: Adapter, store: FakeStore) -> None:
    panel = await open_panel(adapter, **DIRECT)
    assert panel.answers[-1].embed.title == "Settings of our direct messages"
    assert list(menus_of(panel)) == ["S:pictures", "S:invitations", "S:hints", "S:tips"]
    assert answer_text(panel)["Reminders"].startswith("**Off** in direct messages")
    await choose(adapter, Setting.PICTURES, "off", **DIRECT)
    assert store.chosen == {90: Preferences(theme=None)}
    assert store.invitations.refusers == set(), "the user's own choice is kept"
    refused = await choose(adapter, Setting.REMINDERS, "on", **DIRECT)
    assert refused.text == "You can't change that here. `/settings show` shows what you can."


async def test_in_a_direct_message_invitations_are_refused_everywhere(adapter: Adapter, store: FakeStore) -> None:
    for value, refuses in (("off", True), ("on", False)):
        click = await choose(adapter, Setting.INVITATIONS, value, **DIRECT)
        assert await adapter.host.invitations.refuses(STRANGER.id) is refuses
        assert menus_of(click)["S:invitations"] == f"Invitations: {value.title()}"
    assert store.chosen == {}


async def test_in_a_direct_message_tips_are_turned_off_everywhere(adapter: Adapter, store: FakeStore) -> None:
    for value, is_on in (("off", False), ("on", True)):
        click = await choose(adapter, Setting.TIPS, value, **DIRECT)
        assert store.people[STRANGER.id] == PersonalPreferences(tips=is_on)
        assert menus_of(click)["S:tips"] == f"Tips: {value.title()}"
    assert store.chosen == {}


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


CHANNELS, ROLES = (HERE.channel_id, 81), (501, 502)
SERVER = make_server(*CHANNELS, roles=(*ROLES, HERE.guild_id or 0))


async def choose_several(adapter: Adapter, setting: Setting, *values: str) -> Any:
    """Choose values in a menu of which any number can be chosen."""
    more: dict[str, Any] = {"permissions": MANAGER, "in_whisper": True, "guild": SERVER}
    return await adapter.click(make_menu_choice(STRANGER, SettingId(setting), *values, **more))


async def test_channels_and_roles_are_chosen_in_menus_that_show_them(adapter: Adapter, store: FakeStore) -> None:
    click = await choose_several(adapter, Setting.CHANNELS, "81", "70", "4711", "nonsense")
    assert answer_text(click)["Channels"].startswith("Games are played in <#70> and <#81>")
    await choose_several(adapter, Setting.OPENERS, "501")
    click = await choose_several(adapter, Setting.MODERATORS, "502")
    assert store.chosen[3] == Preferences(
        channels=frozenset({70, 81}), opener_roles=frozenset({501}), moderator_roles=frozenset({502})
    )
    menus = {each.custom_id: each for each in items_of(click.answers[-1].view)}
    assert [each.id for each in menus["S:channels"].default_values] == ["70", "81"]
    assert [each.id for each in menus["S:openers"].default_values] == ["501"]
    await choose_several(adapter, Setting.CHANNELS)
    assert store.chosen[3].channels == frozenset()


async def test_the_role_of_everyone_is_no_choice(adapter: Adapter, store: FakeStore) -> None:
    click = await choose_several(adapter, Setting.MODERATORS, "3")
    assert click.text.startswith("Everyone has that role")
    assert store.chosen == {}


async def test_managers_are_told_if_nothing_of_a_list_is_left(adapter: Adapter, store: FakeStore) -> None:
    store.chosen[3] = Preferences(channels=frozenset({4711}), opener_roles=frozenset({4712}))
    panel = answer_text(await open_panel(adapter, guild=SERVER))
    assert "None of the chosen channels exists any more" in panel["Channels"]
    assert "None of the chosen roles exists any more" in panel["Who opens tables"]


async def test_games_are_switched_off_and_on(adapter: Adapter, store: FakeStore) -> None:
    click = await choose_several(adapter, Setting.GAMES)
    assert store.chosen[3].games_off == {"magpie"}
    assert answer_text(click)["Games"].startswith("Off: **Magpie**")
    await choose_several(adapter, Setting.GAMES, "magpie")
    assert store.chosen[3].games_off == frozenset()


async def test_default_options_have_pages_of_their_own(adapter: Adapter, store: FakeStore) -> None:
    more: dict[str, Any] = {"permissions": MANAGER, "in_whisper": True}
    click = await adapter.click(make_menu_choice(STRANGER, SettingId(Setting.OPTIONS), "magpie", **more))
    assert title_of(click) == "Magpie · default options"
    assert menus_of(click)["So:magpie:target"] == "Target: 100"
    target = DefaultOptionId("magpie", "target")
    click = await adapter.click(make_menu_choice(STRANGER, target, "200", **more))
    assert store.chosen[3].options == {"magpie": '{"target":200}'}
    assert menus_of(click)["So:magpie:target"] == "Target: 200"
    games = await turn_to(adapter, SettingsSection.GAMES)
    assert answer_text(games)["Default options"] == "**Magpie** · Target: 200"
    await adapter.click(make_click(STRANGER, ResetDefaultsId("magpie"), **more))
    assert store.chosen[3].options == {}
    for forged, value in ((target, "7"), (target, "[]"), (DefaultOptionId("magpie", "seed"), "1")):
        click = await adapter.click(make_menu_choice(STRANGER, forged, value, **more))
        assert click.text.startswith("Magpie doesn't have that option")
    assert "can't change" in (await adapter.click(make_click(STRANGER, DefaultsPageId("chess", 1), **more))).text
    assert store.chosen[3].options == {}


@pytest.mark.parametrize(
    "forged",
    [
        SettingsSectionId(SettingsSection.CHANGES),
        DefaultsPageId("magpie", 1),
        ResetDefaultsId("magpie"),
        SettingId(Setting.CHANNELS),
        DefaultOptionId("magpie", "target"),
    ],
    ids=str,
)
async def test_nobody_else_sees_or_changes_anything(adapter: Adapter, store: FakeStore, forged: object) -> None:
    for person, more in ((ROBIN, {}), (STRANGER, DIRECT)):
        click = await adapter.click(make_menu_choice(person, forged, "200", in_whisper=True, **more))
        assert click.text.startswith(("Only server managers", "You can't change that here"))
    assert store.chosen == {}


async def test_changes_are_recorded_with_who_made_them(adapter: Adapter, store: FakeStore) -> None:
    await choose(adapter, Setting.CLOCK, "one_day")
    click = await turn_to(adapter, SettingsSection.CHANGES)
    (text,) = [click.answers[-1].embed.description]
    assert text == f"{format_dt(adapter.clock(), 'R')} · <@{STRANGER.id}> set **Turn clock** to 1 day"
    await choose(adapter, Setting.PICTURES, "dark", **DIRECT)
    assert [list(changes) for changes in store.settings_changes.values()] == [
        [SettingsChange(STRANGER.id, adapter.clock(), "clock", "one_day")]
    ]


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("theme", None, "**Pictures** to Off, words only"),
        ("hints", "off", "**Hints** to Off"),
        ("channels", "70 81", "**Channels** to <#70> and <#81>"),
        ("opener_roles", "", "**Who opens tables** to no choice"),
        ("games_off", "fortune magpie", "**Games** to all but Fortune and Magpie"),
        ("options", '{"magpie": {}}', "**Default options** to others for Magpie"),
        ("gone_since", "*x*", "**gone\\_since** to \\*x\\*"),
    ],
)
def test_each_change_is_told_in_words(field: str, value: str | None, words: str) -> None:
    change = SettingsChange(None, NOON, field, value)
    assert describe_change(change, PICTURE_REGISTRY) == f"someone set {words}"


async def test_long_lists_fit_the_message(adapter: Adapter, store: FakeStore) -> None:
    ids = " ".join(str(10**18 + number) for number in range(25))
    store.settings_changes[3] = [SettingsChange(10**18, NOON, "channels", ids)] * 10
    click = await turn_to(adapter, SettingsSection.CHANGES)
    text = click.answers[-1].embed.description
    assert len(text) <= 4096
    assert text.endswith("\n…")
    assert text.startswith(format_dt(NOON, "R"))


async def test_a_choice_that_is_saved_is_shown_even_if_nothing_can_be_read_any_more(
    adapter: Adapter, store: FakeStore
) -> None:
    await open_panel(adapter)
    store.after["change_preferences"] = gate = Gate()
    choosing = asyncio.create_task(choose(adapter, Setting.CLOCK, "one_day"))
    await gate.reached.wait()
    store.broken = {"load_preferences"}
    gate.open()
    assert news_of(await choosing) == "Saved."


class TestCommands:
    """The commands do what the panel does."""

    @pytest.mark.parametrize(("name", "value"), [("clock", "three_days"), ("clock", " Three_Days ")])
    async def test_a_value_is_set(self, adapter: Adapter, store: FakeStore, name: str, value: str) -> None:
        command: Any = make_command(STRANGER, permissions=MANAGER)
        await adapter.features.settings_commands.set_value(command, name, value)
        assert store.chosen[3] == Preferences(clock=TurnClock.THREE_DAYS)
        assert command.answers[-1].embed.title == "Server settings · Look and time"

    async def test_channels_are_added_and_removed(self, adapter: Adapter, store: FakeStore) -> None:
        store.chosen[3] = Preferences(channels=frozenset({81, 4711}))
        for add, remove, after in ((70, None, {70, 81}), (None, 81, {70}), (None, None, {70}), (None, 70, set())):
            command: Any = make_command(STRANGER, permissions=MANAGER, guild=SERVER)
            entities: list[Any] = [each and SimpleNamespace(id=each) for each in (add, remove)]
            await adapter.features.settings_commands.change_ids(command, "channels", *entities)
            assert store.chosen[3].channels == after

    async def test_a_game_is_switched(self, adapter: Adapter, store: FakeStore) -> None:
        for is_on, games_off in ((False, {"magpie"}), (True, set())):
            command: Any = make_command(STRANGER, permissions=MANAGER)
            await adapter.features.settings_commands.switch_game(command, "Magpie", is_on=is_on)
            assert store.chosen[3].games_off == games_off

    @pytest.mark.parametrize(("option", "value", "stored"), [("target", "200", "200"), ("reroll_fours", "On", "true")])
    async def test_an_option_is_set_by_the_words_for_its_value(
        self, adapter: Adapter, store: FakeStore, option: str, value: str, stored: str
    ) -> None:
        command: Any = make_command(STRANGER, permissions=MANAGER)
        await adapter.features.settings_commands.set_option(command, "magpie", option, value)
        assert store.chosen[3].options == {"magpie": f'{{"{option}":{stored}}}'}

    async def test_values_are_suggested(self, adapter: Adapter) -> None:
        suggest = adapter.features.settings_commands
        assert [each.value for each in suggest.suggest_values("clock", "day")] == ["one_day", "three_days"]
        assert [each.value for each in suggest.suggest_options("magpie", "targ")] == ["target"]
        assert [each.value for each in suggest.suggest_option_values("magpie", "reroll_fours", "")] == ["false", "true"]
        for nothing in (suggest.suggest_values("None", ""), suggest.suggest_options("None", "")):
            assert nothing == []
        assert suggest.suggest_option_values("magpie", "None", "") == []

    async def test_they_are_for_managers_in_servers(self, adapter: Adapter, store: FakeStore) -> None:
        commands: Any = adapter.features.settings_commands
        for permissions, more, reason in (
            (discord.Permissions.none(), {}, HostReason.NOT_MANAGER),
            (MANAGER, DIRECT, HostReason.NO_SUCH_SETTING),
        ):
            command = make_command(STRANGER, **{"permissions": permissions, **more})
            for work in (
                commands.set_value(command, "clock", "one_day"),
                commands.change_ids(command, "openers", None, None),
                commands.switch_game(command, "magpie", is_on=False),
                commands.set_option(command, "magpie", "target", "200"),
            ):
                assert await refusal_reason(work) is reason
        assert store.chosen == {}
