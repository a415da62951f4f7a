"""Preferences, on every database."""

import asyncio
from collections.abc import Callable
from dataclasses import fields, replace
from datetime import timedelta
from functools import partial
from itertools import product

import pytest

from bot.features.profiles.model import PersonalPreferences, PersonFacts
from bot.features.reminders import storage as reminder_storage
from bot.features.settings import people_storage, storage as setting_storage
from bot.features.settings.preferences import Preferences, SeasonLength, SettingsAuthor, SettingsChange
from bot.features.settings.reasons import SettingReason
from bot.features.settings.storage import CHANGES_KEPT
from bot.platform.database.database import Database
from bot.platform.places import Location
from bot.rules.picture import Theme
from bot.rules.refusals import Refusal
from bot.tables import storage as table_storage, sweep
from bot.tables.model import Departure, Status, TableUpdate, TurnClock
from tests.store.samples import COMPUTER, LARGEST_ID, NOON, ROBIN, WREN, Connect, make_header, revise
from tests.support.ended_tables import save_end
from tests.support.sample_results import make_result


async def test_a_scope_without_choices_has_the_defaults(db: Database) -> None:
    assert await db.read(setting_storage.find, 3) == Preferences()


def choosing(choice: Preferences) -> Callable[[Preferences], Preferences]:
    return lambda _: choice


async def test_the_last_choice_is_stored(connect: Connect) -> None:
    db, other = await connect(), await connect()
    for theme, reminds in product([*Theme, None], [True, False]):
        before = Preferences(theme=Theme.HIGH_CONTRAST, reminds=not reminds)
        chosen = Preferences(theme=theme, reminds=reminds, hints=reminds)
        for scope_id, choice in product((3, LARGEST_ID), (before, chosen)):
            await db.write(setting_storage.change, scope_id, choosing(choice))
        assert await other.read(setting_storage.find, 3) == await other.read(setting_storage.find, LARGEST_ID) == chosen
    assert await other.read(setting_storage.find, 4) == Preferences()


async def test_two_processes_may_choose_simultaneously(connect: Connect) -> None:
    stores = await connect(), await connect()
    chosen = Preferences(theme=None)
    for scope_id in range(15):
        await asyncio.gather(*(db.write(setting_storage.change, scope_id, lambda _: chosen) for db in stores))
        assert await stores[0].read(setting_storage.find, scope_id) == chosen


FULL = Preferences(
    theme=None,
    reminds=False,
    invites=False,
    tips=False,
    hints=False,
    season=SeasonLength.MONTH,
    clock=TurnClock.ONE_DAY,
    opens_threads=True,
    channels=frozenset({7, LARGEST_ID}),
    opener_roles=frozenset({5}),
    moderator_roles=frozenset({6, 66}),
    games_off=frozenset({"fortune", "change"}),
    options={"magpie": '{"target": 5000}'},
)


async def test_every_setting_is_stored_and_read_by_other_processes(connect: Connect) -> None:
    db, other = await connect(), await connect()
    assert all(getattr(FULL, each.name) != getattr(Preferences(), each.name) for each in fields(Preferences))
    assert (
        await db.write(setting_storage.change, 3, lambda _: FULL) == await other.read(setting_storage.find, 3) == FULL
    )
    assert await db.write(setting_storage.change, 3, lambda _: Preferences()) == await other.read(
        setting_storage.find, 3
    )
    assert await other.read(setting_storage.find, 3) == Preferences()


def with_channel(old: Preferences, channel: int) -> Preferences:
    return replace(old, channels=old.channels | {channel})


async def test_two_processes_add_to_the_same_list_without_loss(connect: Connect) -> None:
    stores = await connect(), await connect()
    for scope_id in (3, 4):
        await asyncio.gather(
            *(
                stores[channel % 2].write(setting_storage.change, scope_id, partial(with_channel, channel=channel))
                for channel in range(10)
            )
        )
        assert (await stores[0].read(setting_storage.find, scope_id)).channels == set(range(10))


async def test_each_change_of_a_server_is_recorded_with_who_and_when(connect: Connect) -> None:
    db, other = await connect(), await connect()
    later = NOON + timedelta(hours=1)
    await db.write(
        setting_storage.change, 3, lambda old: replace(old, hints=False, theme=None), SettingsAuthor(11, NOON)
    )
    await other.write(
        setting_storage.change,
        3,
        lambda old: replace(old, channels=frozenset({8, 7})),
        SettingsAuthor(LARGEST_ID, later),
    )
    await db.write(setting_storage.change, 3, lambda old: replace(old, hints=False), SettingsAuthor(12, later))
    await db.write(setting_storage.change, 4, lambda old: replace(old, hints=False), SettingsAuthor(12, later))
    await db.write(setting_storage.change, 3, lambda old: replace(old, tips=False))
    assert list(await other.read(setting_storage.find_changes, 3, 2)) == [
        SettingsChange(LARGEST_ID, later, "channels", "7 8"),
        SettingsChange(11, NOON, "hints", "off"),
    ]
    assert (await other.read(setting_storage.find_changes, 3, 9))[2:] == [SettingsChange(11, NOON, "theme", None)]
    assert await other.read(setting_storage.find_changes, 5, 9) == []


async def test_only_the_newest_changes_are_kept(db: Database) -> None:
    for number in range(CHANGES_KEPT + 30):
        await db.write(
            setting_storage.change, 3, lambda old: replace(old, tips=not old.tips), SettingsAuthor(number, NOON)
        )
    await db.write(setting_storage.change, 4, lambda old: replace(old, tips=False), SettingsAuthor(9, NOON))
    found = await db.read(setting_storage.find_changes, 3, 999)
    assert CHANGES_KEPT <= len(found) <= CHANGES_KEPT + 1
    assert [change.user_id for change in found[:2]] == [CHANGES_KEPT + 29, CHANGES_KEPT + 28]


async def test_a_choice_that_is_refused_changes_nothing(db: Database) -> None:
    def refuse(_: Preferences) -> Preferences:
        raise Refusal(SettingReason.TOO_MANY_CHOSEN)

    for _ in range(2):
        with pytest.raises(Refusal):
            await db.write(setting_storage.change, 3, refuse, SettingsAuthor(11, NOON))
    assert await db.read(setting_storage.find_changes, 3, 9) == []
    assert await db.write(setting_storage.change, 3, lambda old: replace(old, tips=False)) == Preferences(tips=False)


async def test_with_reminders_off_no_table_is_due(db: Database) -> None:
    for channel_id, guild_id in ((7, 3), (8, 3), (9, 4)):
        waiting = replace(make_header(channel_id, Status.PLAYING), to_move=0, step=3, salt="ab")
        mover = replace(ROBIN, user_id=100 + channel_id)
        await db.write(
            table_storage.open_table, replace(waiting, location=Location(guild_id, channel_id)), [mover, WREN, COMPUTER]
        )
    await db.write(setting_storage.change, 3, lambda _: Preferences(reminds=False))
    await db.write(setting_storage.change, 9, lambda _: Preferences(reminds=False))
    minute = timedelta(minutes=1)
    found = await db.read(reminder_storage.find_due, db.shards, {"magpie"}, NOON - minute, {2: NOON + minute}, 9)
    assert [reminder.location for reminder in found] == [Location(4, 9)]
    await db.write(setting_storage.change, 3, lambda _: Preferences(reminds=True))
    assert (
        len(await db.read(reminder_storage.find_due, db.shards, {"magpie"}, NOON - minute, {2: NOON + minute}, 9)) == 3
    )


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


async def test_people_have_preferences_of_their_own_and_the_games_they_played_to_the_end(connect: Connect) -> None:
    db, other = await connect(), await connect()
    assert await db.read(people_storage.find, LARGEST_ID) == PersonFacts()
    chosen = PersonalPreferences(tips=False, reads_aloud=True)
    for tips in (True, False):
        stored = await db.write(people_storage.change, LARGEST_ID, lambda old: replace(old, tips=not old.tips))
        assert stored == PersonFacts(PersonalPreferences(tips=not tips))
    await db.write(people_storage.change, LARGEST_ID, lambda _: chosen)
    assert await other.read(people_storage.find, LARGEST_ID) == PersonFacts(chosen)
    for channel_id, game, departure in ((7, "magpie", None), (8, "magpie", None), (9, "change", Departure.RESIGNED)):
        header = await db.write(table_storage.open_table, replace(make_header(channel_id), game=game), [ROBIN])
        result = replace(make_result(header.id, 0, 11), game=game, departure=departure)
        await save_end(db, TableUpdate(revise(header, Status.FINISHED)), [result])
    assert await db.read(people_storage.find, 11) == PersonFacts(finished_games=frozenset({"magpie"}))
    assert (await db.read(setting_storage.find, 3)).tips
    await db.write(setting_storage.change, 3, lambda _: Preferences(tips=False))
    assert not (await other.read(setting_storage.find, 3)).tips
