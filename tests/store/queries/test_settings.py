"""Settings, on every database."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.features.settings import storage as setting_storage
from bot.features.settings.all_settings import (
    ALONE,
    ARCHIVE,
    CHANNELS,
    CLOCK,
    GAMES,
    HINTS,
    INVITATIONS,
    LANGUAGE,
    MOTION,
    OPTIONS,
    PICTURES,
    QUIET,
    READING_ALOUD,
    REMINDERS,
    SEASON,
    SETTINGS,
    TABLES,
    TIPS,
)
from bot.features.settings.choices import (
    AloneChoice,
    ArchiveChoice,
    CoolDown,
    Most,
    MotionChoice,
    PictureChoice,
    SeasonLength,
    TablesChoice,
)
from bot.features.settings.kinds import Chosen, Setting
from bot.features.settings.posts import (
    DAILY_CHANNEL,
    DAILY_HOUR,
    DAILY_ROLE,
    DAILY_ZONE,
    LOG,
    TOURNAMENT_CHANNEL,
    TOURNAMENT_ROLE,
)
from bot.features.settings.reasons import SettingReason
from bot.features.settings.rights import COOL_DOWN, FIXED, MEMBER_TABLES, MODERATORS, OPENERS, ORGANIZERS, SERVER_TABLES
from bot.features.settings.storage import CHANGES_KEPT, SettingsAuthor, SettingsChange
from bot.features.tips import count_finished_games
from bot.platform.database.database import Database
from bot.platform.places import Location
from bot.rules.refusals import Refusal
from bot.tables import storage as table_storage, sweep
from bot.tables.model import (
    Departure,
    HostChoice,
    Status,
    TableUpdate,
    TurnClock,
)
from tests.store.samples import LARGEST_ID, NOON, ROBIN, Connect, make_header, revise
from tests.support.chosen_settings import chosen
from tests.support.ended_tables import save_end
from tests.support.sample_results import make_result


async def test_two_processes_may_choose_simultaneously(connect: Connect) -> None:
    stores = await connect(), await connect()
    for scope_id in range(5):
        await asyncio.gather(*(db.write(setting_storage.change, scope_id, TIPS, lambda _: False) for db in stores))
        assert await stores[0].read(setting_storage.find, scope_id) == chosen({TIPS: False})


FULL: Mapping[Setting[Any], object] = {
    PICTURES: PictureChoice.OFF,
    QUIET: True,
    LANGUAGE: "de",
    MOTION: MotionChoice.MOMENTS,
    REMINDERS: False,
    INVITATIONS: False,
    TIPS: False,
    HINTS: False,
    SEASON: SeasonLength.MONTH,
    CLOCK: TurnClock.ONE_DAY,
    TABLES: TablesChoice.THREAD,
    CHANNELS: frozenset({7, LARGEST_ID}),
    MEMBER_TABLES: Most.ANY,
    COOL_DOWN: CoolDown.FIVE_MINUTES,
    SERVER_TABLES: Most.HUNDRED,
    FIXED: frozenset({HostChoice.OPTIONS, HostChoice.PACE}),
    LOG: frozenset({LARGEST_ID}),
    ALONE: AloneChoice.TAKE,
    ARCHIVE: ArchiveChoice.NEVER,
    DAILY_CHANNEL: frozenset({7}),
    DAILY_HOUR: 23,
    DAILY_ROLE: frozenset({5}),
    DAILY_ZONE: "Asia/Kolkata",
    OPENERS: frozenset({5}),
    MODERATORS: frozenset({6, 66}),
    ORGANIZERS: frozenset({7}),
    TOURNAMENT_CHANNEL: frozenset({8}),
    TOURNAMENT_ROLE: frozenset({5}),
    GAMES: frozenset({"fortune", "change"}),
    OPTIONS: {"magpie": '{"target": 5000}'},
}


async def test_every_setting_is_stored_and_read_by_other_processes(connect: Connect) -> None:
    db, other = await connect(), await connect()
    assert FULL.keys() == set(SETTINGS)
    for setting, value in FULL.items():
        assert value != setting.default
        stored = await db.write(setting_storage.change, 3, setting, lambda _, value=value: value)
        assert stored.get(setting) == value
    assert await other.read(setting_storage.find, 3) == chosen(FULL)
    for setting in SETTINGS:
        await other.write(setting_storage.change, 3, setting, lambda _, setting=setting: setting.default)
    assert await db.read(setting_storage.find, 3) == Chosen()


async def test_two_processes_add_to_the_same_list_without_loss(connect: Connect) -> None:
    stores = await connect(), await connect()
    await asyncio.gather(
        *(
            stores[channel % 2].write(setting_storage.change, 3, CHANNELS, lambda old, channel=channel: old | {channel})
            for channel in range(10)
        )
    )
    assert (await stores[0].read(setting_storage.find, 3)).get(CHANNELS) == set(range(10))


async def test_each_change_of_a_server_is_recorded_with_who_and_when(connect: Connect) -> None:
    db, other = await connect(), await connect()
    later = NOON + timedelta(hours=1)
    late = SettingsAuthor(12, later)
    await db.write(setting_storage.change, 3, HINTS, lambda _: False, SettingsAuthor(11, NOON))
    await other.write(
        setting_storage.change, 3, CHANNELS, lambda _: frozenset({8, 7}), SettingsAuthor(LARGEST_ID, later)
    )
    await db.write(setting_storage.change, 3, HINTS, lambda _: False, late)
    await db.write(setting_storage.change, 4, HINTS, lambda _: False, late)
    await db.write(setting_storage.change, 3, TIPS, lambda _: False)
    assert list(await other.read(setting_storage.find_changes, 3, 9)) == [
        SettingsChange(LARGEST_ID, later, "channels", "7 8"),
        SettingsChange(11, NOON, "hints", "off"),
    ]
    assert len(await other.read(setting_storage.find_changes, 3, 1)) == 1
    assert await other.read(setting_storage.find_changes, 5, 9) == []


async def test_only_the_newest_changes_are_kept(db: Database) -> None:
    for number in range(CHANGES_KEPT + 3):
        await db.write(setting_storage.change, 3, TIPS, lambda is_on: not is_on, SettingsAuthor(number, NOON))
    await db.write(setting_storage.change, 4, TIPS, lambda _: False, SettingsAuthor(9, NOON))
    found = await db.read(setting_storage.find_changes, 3, 999)
    assert CHANGES_KEPT <= len(found) <= CHANGES_KEPT + 1
    assert [change.user_id for change in found[:2]] == [CHANGES_KEPT + 2, CHANGES_KEPT + 1]


async def test_a_choice_that_is_refused_changes_nothing(db: Database) -> None:
    def refuse(_: bool) -> bool:
        raise Refusal(SettingReason.TOO_MANY_CHOSEN)

    for _ in range(2):
        with pytest.raises(Refusal):
            await db.write(setting_storage.change, 3, TIPS, refuse, SettingsAuthor(11, NOON))
    assert await db.read(setting_storage.find_changes, 3, 9) == []
    assert await db.write(setting_storage.change, 3, TIPS, lambda _: False) == chosen({TIPS: False})


async def test_the_open_tables_of_a_server_or_a_direct_message_are_found(db: Database) -> None:
    locations = [
        Location(3, 7),
        Location(3, 8),
        Location(3, 8, solo_id=11),
        Location(4, 9),
        Location(None, 10),
        Location(None, 3),
    ]
    opened = {}
    for location in locations:
        header = replace(make_header(location.channel_id, Status.PLAYING), location=location)
        opened[location] = (await db.write(table_storage.open_table, header, [ROBIN])).id
    over = replace(make_header(12, Status.FINISHED), location=Location(3, 12))
    await db.write(table_storage.open_table, over, [ROBIN])
    in_server = [opened[location] for location in locations[:3]]
    assert list(await db.read(sweep.find_open_in_scope, 4, 9)) == [opened[Location(4, 9)]]
    assert list(await db.read(sweep.find_open_in_scope, 10, 9)) == [opened[Location(None, 10)]]
    assert list(await db.read(sweep.find_open_in_scope, 3, 9)) == [opened[Location(None, 3)], *reversed(in_server)]
    assert list(await db.read(sweep.find_open_in_scope, 3, 2)) == [opened[Location(None, 3)], in_server[-1]]
    assert list(await db.read(sweep.find_open_in_scope, 7, 9)) == []


async def test_people_choose_for_themselves_besides_servers(connect: Connect) -> None:
    db, other = await connect(), await connect()
    for setting in (TIPS, READING_ALOUD):
        await db.write(setting_storage.change, LARGEST_ID, setting, lambda is_on: not is_on, owner_id=LARGEST_ID)
    assert await other.read(setting_storage.find, LARGEST_ID) == chosen({TIPS: False, READING_ALOUD: True})
    assert await other.read(setting_storage.find, 3) == Chosen()


async def test_the_games_that_people_played_to_the_end_are_counted(db: Database) -> None:
    for channel_id, game, departure in ((7, "magpie", None), (8, "magpie", None), (9, "change", Departure.RESIGNED)):
        header = await db.write(table_storage.open_table, replace(make_header(channel_id), game=game), [ROBIN])
        result = replace(make_result(header.id, 0, 11), game=game, departure=departure)
        await save_end(db, TableUpdate(revise(header, Status.FINISHED)), [result])
    assert await db.read(count_finished_games, 11) == {"magpie": 2}
    assert await db.read(count_finished_games, LARGEST_ID) == {}
