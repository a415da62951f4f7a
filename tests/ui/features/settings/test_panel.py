"""The panel of settings and its commands: who may change them, their menus, and their effect on open tables."""

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from discord import ChannelType, Permissions
from discord.utils import format_dt

from bot.features.boards.messages import period_name
from bot.features.results.model import month_of, quarter_of
from bot.features.settings import storage as setting_storage
from bot.features.settings.all_settings import (
    ALONE,
    CHANNELS,
    CLOCK,
    GAMES,
    INVITATIONS,
    OPTIONS,
    PICTURES,
    REMINDERS,
    SEASON,
    SETTINGS,
    TABLES,
    TIPS,
    settings_of,
    settings_on,
)
from bot.features.settings.choices import AloneChoice, PictureChoice, SeasonLength, TablesChoice
from bot.features.settings.commands import SettingsCommands
from bot.features.settings.kinds import Choice, Chosen, Setting, SettingsSection, Switch
from bot.features.settings.messages import SettingId, ShownSettings, render_section
from bot.features.settings.moderator_log import ModeratorLog
from bot.features.settings.posts import LOG
from bot.features.settings.reasons import SettingReason
from bot.features.settings.rights import FIXED
from bot.features.settings.storage import SettingsAuthor
from bot.platform.discord.refusals import ClickReason
from bot.platform.places import Location
from bot.platform.registration import ClientEvent
from bot.rules.picture import Theme
from bot.tables import storage as table_storage
from bot.tables.model import HostChoice, TurnClock
from tests.support.chosen_settings import chosen
from tests.support.each_case import each_case
from tests.support.fake_table_messages import FakeTableMessages, ShowAction
from tests.support.fakes import GAMES as GAMES_OF_BOT, HERE, NOON, ROBIN, STRANGER, open_lobby, start_game
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate, wait_until
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import MISSING_ACCESS, AnswerMethod, items_of, make_click, make_command
from tests.ui.features.settings.panels import (
    CHANNELS as CHANNELS_HERE,
    DIRECT,
    MANAGER,
    NO_FILES,
    SERVER,
    choose,
    menus_of,
    news_of,
    open_panel,
    text_about,
    turn_to,
)


async def test_every_setting_is_on_one_page_and_every_page_fits_a_message() -> None:
    pages = [settings_on(section) for section in SettingsSection]
    assert {setting for page in pages for setting in page} == set(SETTINGS)
    shown = ShownSettings(Chosen(), GAMES_OF_BOT)
    assert max(len(render_section(section, shown).components()) for section in SettingsSection) == 5
    assert len({setting.key for setting in SETTINGS}) == len(SETTINGS)


async def test_a_newer_panel_replaces_the_older(adapter: Adapter) -> None:
    first = await open_panel(adapter)
    await open_panel(adapter)
    await wait_until(lambda: first.deleted)


@pytest.mark.parametrize("value", ["standard", "dark", "high_contrast", "off"])
async def test_a_choice_is_stored_and_the_panel_shows_it(adapter: Adapter, db: MemoryDatabase, value: str) -> None:
    db.chosen[HERE.scope_id] = chosen({PICTURES: PictureChoice.HIGH_CONTRAST, REMINDERS: False})
    click = await choose(adapter, PICTURES, value)
    (answer,) = click.answers
    assert answer.how is AnswerMethod.EDIT
    assert db.chosen[HERE.scope_id] == chosen({PICTURES: PictureChoice(value), REMINDERS: False})
    assert menus_of(click)["S:pictures"] == value


@pytest.mark.parametrize(
    ("setting", "value", "after"),
    [
        (REMINDERS, "on", chosen({INVITATIONS: False})),
        (REMINDERS, "off", chosen({REMINDERS: False, INVITATIONS: False})),
        (INVITATIONS, "on", chosen({REMINDERS: False})),
        (INVITATIONS, "off", chosen({REMINDERS: False, INVITATIONS: False})),
        (TIPS, "off", chosen({REMINDERS: False, INVITATIONS: False, TIPS: False})),
    ],
)
async def test_switches_are_chosen_separately(
    adapter: Adapter, db: MemoryDatabase, setting: Setting[bool], value: str, after: Chosen
) -> None:
    db.chosen[HERE.scope_id] = chosen({REMINDERS: False, INVITATIONS: False})
    click = await choose(adapter, setting, value)
    assert db.chosen[HERE.scope_id] == after
    assert menus_of(click)[f"S:{setting.key}"] == value


async def test_another_length_of_seasons_is_chosen_once_its_consequences_were_read(
    adapter: Adapter, db: MemoryDatabase
) -> None:
    asked = await choose(adapter, SEASON, "month")
    assert db.chosen == {}
    assert all(f"**{period_name(of(NOON))}**" in news_of(asked) for of in (quarter_of, month_of))
    change, keep = (item.custom_id for item in items_of(asked.answers[-1].view))
    more: dict[str, Any] = {"permissions": MANAGER, "in_whisper": True}
    kept = await adapter.click(make_click(STRANGER, keep, **more))
    assert menus_of(kept)["S:season"] == "quarter"
    assert db.chosen == {}
    changed = await adapter.click(make_click(STRANGER, change, **more))
    assert menus_of(changed)["S:season"] == "month"
    assert db.chosen[HERE.scope_id] == chosen({SEASON: SeasonLength.MONTH})
    # The length that is chosen already needs no question.
    assert menus_of(await choose(adapter, SEASON, "month"))["S:season"] == "month"


async def test_the_log_tells_when_the_last_channel_for_games_is_deleted(adapter: Adapter, db: MemoryDatabase) -> None:
    adapter.app.find_server = lambda _: SERVER
    for places, lines in ((CHANNELS_HERE, 0), ({4711}, 1)):
        db.chosen[3] = chosen({CHANNELS: frozenset(places), LOG: frozenset({99})})
        adapter.settings.clear()
        await adapter.app.tell(ClientEvent.CHANNELS_LOST, 3)
        await adapter.app.service(ModeratorLog).tasks.finish()
        assert len(adapter.message_client.requests) == lines


async def test_features_turned_off_by_the_host_cannot_be_turned_on(adapter: Adapter, db: MemoryDatabase) -> None:
    adapter.service.settings = replace(adapter.service.settings, reminders=False)
    panel = await turn_to(adapter, SettingsSection.PLAY)
    assert "S:reminders" not in menus_of(panel)
    outdated = await choose(adapter, REMINDERS, "on")
    assert outdated.refusal is SettingReason.NO_SUCH_SETTING
    assert db.chosen == {}


@each_case("setting", [*settings_of(Switch, Choice), OPTIONS])
@each_case("value", ["", "0", "ON", "STANDARD", "true", "{seed}"])
async def test_unknown_choices_are_refused(
    adapter: Adapter, db: MemoryDatabase, setting: Setting[Any], value: str
) -> None:
    click = await choose(adapter, setting, value)
    assert click.refusal is SettingReason.NO_SUCH_SETTING
    assert db.chosen == {}


async def test_a_button_with_the_id_of_a_menu_is_refused(adapter: Adapter, db: MemoryDatabase) -> None:
    click = await adapter.click(make_click(STRANGER, SettingId(PICTURES.key), permissions=MANAGER))
    assert click.refusal is ClickReason.UNKNOWN_BUTTON
    assert db.chosen == {}


async def test_a_forged_choice_leaves_a_public_message_as_it_is(adapter: Adapter) -> None:
    click = await choose(adapter, REMINDERS, "off", in_whisper=False)
    assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(AnswerMethod.SEND, True)]


async def test_open_tables_of_the_server_are_shown_again_at_once(adapter: Adapter, shown: FakeTableMessages) -> None:
    here = await start_game(adapter.service)
    beside = await open_lobby(adapter.service, ROBIN, location=Location(HERE.guild_id, 71))
    await open_lobby(adapter.service, ROBIN, location=Location(4, 80))
    await adapter.wait_until_shown()
    before = len(shown.shown)
    click = await choose(adapter, PICTURES, "off")
    await adapter.wait_until_shown()
    assert [(each.action, each.table_id) for each in shown.shown[before:]] == [
        (ShowAction.EDIT, beside.id),
        (ShowAction.EDIT, here.id),
    ]
    assert "2" in news_of(click)


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
    await choose(adapter, PICTURES, "high_contrast")
    await adapter.wait_until_shown()
    assert [each.table_id for each in shown.shown[before:]] == [first.id]
    assert "can't be refreshed" in caplog.text


async def test_choosing_the_present_value_shows_nothing_again(adapter: Adapter, shown: FakeTableMessages) -> None:
    await start_game(adapter.service)
    await adapter.wait_until_shown()
    before = len(shown.shown)
    await choose(adapter, PICTURES, "standard")
    await adapter.wait_until_shown()
    assert len(shown.shown) == before


async def test_a_direct_message_has_its_own_settings(adapter: Adapter, db: MemoryDatabase) -> None:
    panel = await open_panel(adapter, **DIRECT)
    assert list(menus_of(panel)) == ["S:invitations", "S:hints", "Sm:play"]
    page = await turn_to(adapter, SettingsSection.LOOK, **DIRECT)
    assert list(menus_of(page)) == ["S:pictures", "S:motion", "S:tips", "S:language", "Sm:look"]
    await choose(adapter, PICTURES, "off", **DIRECT)
    assert db.chosen == {90: chosen({PICTURES: PictureChoice.OFF})}, "the user's own choice is kept"
    refused = await choose(adapter, REMINDERS, "on", **DIRECT)
    assert refused.refusal is SettingReason.NO_SUCH_SETTING


async def test_a_choice_made_outside_leaves_the_panel_of_direct_messages_as_it_is(
    adapter: Adapter, db: MemoryDatabase
) -> None:
    await choose(adapter, PICTURES, "off", guild_id=None, channel_id=4444, is_outside=True)
    await choose(adapter, TIPS, "off", guild_id=None, channel_id=4444, is_outside=True)
    assert db.chosen == {STRANGER.id: chosen({PICTURES: PictureChoice.OFF, TIPS: False})}
    page = menus_of(await turn_to(adapter, SettingsSection.LOOK, **DIRECT))
    assert (page["S:pictures"], page["S:tips"]) == ("standard", "off")


async def test_in_a_direct_message_invitations_are_refused_everywhere(adapter: Adapter, db: MemoryDatabase) -> None:
    for value, after in (("off", {STRANGER.id: chosen({INVITATIONS: False})}), ("on", {})):
        click = await choose(adapter, INVITATIONS, value, **DIRECT)
        assert db.chosen == after
        assert menus_of(click)["S:invitations"] == value


async def test_missing_permissions_for_pictures_are_named(adapter: Adapter) -> None:
    panels = [await turn_to(adapter, SettingsSection.LOOK, **more) for more in ({}, {"app_permissions": NO_FILES})]
    usual, warned = (text_about(panel, PICTURES) for panel in panels)
    assert warned.startswith(usual)
    assert "**" in warned.removeprefix(usual)
    direct = await turn_to(adapter, SettingsSection.LOOK, **DIRECT, app_permissions=NO_FILES)
    assert text_about(direct, PICTURES) == usual, "a direct message has no permissions"
    without = [await choose(adapter, PICTURES, "off", **more) for more in ({}, {"app_permissions": NO_FILES})]
    assert len({text_about(panel, PICTURES) for panel in without}) == 1


@each_case(
    "tables, alone, kind, lacks, is_warned",
    [
        (TablesChoice.THREAD, AloneChoice.FREE, ChannelType.text, "create_public_threads", True),
        (TablesChoice.THREAD, AloneChoice.FREE, ChannelType.text, "create_private_threads", True),
        (TablesChoice.THREAD, AloneChoice.TAKE, ChannelType.text, "create_private_threads", False),
        # Announcement channels have no private threads, and threads no threads at all.
        (TablesChoice.THREAD, AloneChoice.FREE, ChannelType.news, "create_private_threads", False),
        (TablesChoice.THREAD, AloneChoice.FREE, ChannelType.public_thread, "create_public_threads", False),
        (TablesChoice.STAY, AloneChoice.FREE, ChannelType.text, "create_public_threads", False),
    ],
)
async def test_missing_permissions_for_threads_are_named_if_they_are_wanted_here(
    adapter: Adapter,
    tables: TablesChoice,
    alone: AloneChoice,
    kind: ChannelType,
    lacks: str,
    *,
    is_warned: bool,
) -> None:
    await adapter.settings.change(HERE.scope_id, TABLES, lambda _: tables)
    await adapter.settings.change(HERE.scope_id, ALONE, lambda _: alone)
    permissions = Permissions.all()
    permissions.update(**{lacks: False})
    given = {"channel": SimpleNamespace(type=kind), "app_permissions": permissions}
    assert ("⚠️" in text_about(await turn_to(adapter, SettingsSection.TABLES, **given), TABLES)) is is_warned


async def test_a_long_list_of_changes_fits_the_message(adapter: Adapter, db: MemoryDatabase) -> None:
    for first in range(10):
        ids = frozenset(10**18 + first + number for number in range(25))
        author = SettingsAuthor(10**18, NOON)
        await db.write(setting_storage.change, HERE.scope_id, CHANNELS, lambda _, ids=ids: ids, author)
    click = await turn_to(adapter, SettingsSection.CHANGES)
    text = click.answers[-1].embed.description
    assert len(text) <= 4096
    assert text.endswith("\n…")
    assert text.startswith(format_dt(NOON, "R"))


def test_every_choice_is_a_theme_or_none() -> None:
    assert {choice.theme for choice in PictureChoice} == {*Theme, None}
    assert isinstance(PICTURES.values, Choice)
    assert set(PICTURES.values.labels) == set(PictureChoice)


async def test_a_choice_that_is_saved_is_shown_even_if_nothing_can_be_read_any_more(
    adapter: Adapter, db: MemoryDatabase
) -> None:
    await open_panel(adapter)
    db.after[setting_storage.change] = gate = Gate()
    choosing = asyncio.create_task(choose(adapter, CLOCK, "one_day"))
    await gate.reached.wait()
    db.broken = {setting_storage.find}
    gate.open()
    assert news_of(await choosing)


async def test_each_change_is_a_line_of_the_log_and_the_change_of_the_log_stands_in_both(
    adapter: Adapter, db: MemoryDatabase
) -> None:
    db.chosen[3] = chosen({LOG: frozenset({70})})
    await choose(adapter, CLOCK, "one_day")
    await choose(adapter, CLOCK, "one_day")
    log = adapter.app.service(ModeratorLog)
    await log.tasks.finish()
    moved = await choose(adapter, LOG, "81", guild=SERVER)
    requests = [(request.channel_id, request.json) for request in adapter.message_client.requests]
    assert [channel_id for channel_id, _ in requests] == [70, 70, 81]
    assert all(f"<@{STRANGER.id}>" in body["content"] for _, body in requests if body is not None)
    assert all(body["allowed_mentions"] == {"parse": [], "users": []} for _, body in requests if body is not None)
    adapter.message_client.fault = MISSING_ACCESS
    refused = await choose(adapter, LOG, "70", guild=SERVER)
    assert news_of(refused) != news_of(moved)
    assert db.chosen[3].get(LOG) == {70}


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

    async def test_the_log_is_chosen_and_choices_of_hosts_are_fixed(self, adapter: Adapter, db: MemoryDatabase) -> None:
        settings = adapter.app.service(SettingsCommands)
        command: Any = make_command(STRANGER, permissions=MANAGER, guild=SERVER)
        entity: Any = SimpleNamespace(id=81)
        await settings.choose_log(command, entity)
        for choice, is_fixed in ((HostChoice.CLOCK, True), (HostChoice.PACE, True), (HostChoice.CLOCK, False)):
            command = make_command(STRANGER, permissions=MANAGER, guild=SERVER)
            await settings.fix(command, choice, is_fixed=is_fixed)
        assert db.chosen[3] == chosen({LOG: frozenset({81}), FIXED: frozenset({HostChoice.PACE})})
        command = make_command(STRANGER, permissions=MANAGER, guild=SERVER)
        await settings.choose_log(command, None)
        assert db.chosen[3].get(LOG) == frozenset()

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
