"""The first minute in a server: one greeting where the bot may write, the set-up, and the check of permissions."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from sqlalchemy import func, select

from bot.features.help.messages import HelpId, HelpTopic
from bot.features.privacy.service import SERVER_ERASURE
from bot.features.set_up.handlers import Greeter
from bot.features.set_up.messages import STEPS, SetUpId, SetUpMenuId, SetUpStep
from bot.features.set_up.permissions import check_permissions, find_places_to_greet
from bot.features.set_up.storage import greetings
from bot.features.settings.all_settings import ALONE, CHANNELS, LANGUAGE, TABLES
from bot.features.settings.choices import AloneChoice, TablesChoice
from bot.features.settings.kinds import Setting
from bot.features.settings.messages import SettingsSectionId
from bot.features.settings.posts import LOG
from bot.features.settings.reasons import SettingReason
from bot.features.settings.rights import MODERATORS
from bot.platform.jobs.storage import Job
from bot.platform.registration import ClientEvent
from tests.support.chosen_settings import chosen
from tests.support.each_case import each_case
from tests.support.fakes import HERE, NOON, STRANGER
from tests.support.languages import add_languages
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import MISSING_ACCESS, SERVER_ERROR, items_of, make_click, make_menu_choice
from tests.ui.fake_servers import make_server
from tests.ui.features.settings.panels import MANAGER, SERVER

ALL = discord.Permissions.all()
POST = discord.Permissions(view_channel=True, send_messages=True, embed_links=True)
SERVER_ID = 3


def make_channel(id_: int, position: int, given: discord.Permissions, kind: str = "text", category: int = 0) -> Any:
    return SimpleNamespace(
        id=id_,
        type=discord.ChannelType[kind],
        position=position,
        category_id=category or None,
        permissions_for=lambda _: given,
    )


def permissions_in(channel: Any) -> discord.Permissions:
    """Return the permissions of the bot in a channel that was made here."""
    given: discord.Permissions = channel.permissions_for(None)
    return given


CATEGORY = make_channel(90, 1, ALL, "category")
FIRST, SECOND = make_channel(71, 2, ALL), make_channel(72, 3, ALL)
IN_CATEGORY = make_channel(73, 0, POST, category=90)
HIDDEN, SILENT = (
    make_channel(74, 0, discord.Permissions.none()),
    make_channel(75, 1, discord.Permissions(view_channel=True, send_messages=True)),
)
VOICE, FORUM = make_channel(76, 0, ALL, "voice"), make_channel(77, 0, POST, "forum")


async def enter(adapter: Adapter, *channels: Any, days: int = 0) -> list[int]:
    """Join a server, and return the channels to which a message was sent so far."""
    server = make_server()
    server.fetch_channels.return_value = channels
    adapter.app.find_server = lambda _: server
    await adapter.app.tell(ClientEvent.SERVER_ENTERED, SERVER_ID, NOON + timedelta(days=days, microseconds=7), 72)
    return [request.channel_id for request in adapter.message_client.requests]


@each_case(
    "channels, system, greeted",
    [
        ((SECOND, FIRST), None, [71, 72]),
        ((SECOND, FIRST), 72, [72, 71]),
        # People see the channels without a category on top, and no category counts as a place.
        ((CATEGORY, IN_CATEGORY, SECOND), None, [72, 73]),
        ((CATEGORY, IN_CATEGORY), None, [73]),
        ((HIDDEN, SILENT, VOICE, FORUM, SECOND), 74, [72]),
        ((HIDDEN, VOICE), None, []),
    ],
)
def test_a_server_is_greeted_in_the_first_channel_where_the_bot_may_write(
    channels: Sequence[Any], system: int | None, greeted: list[int]
) -> None:
    assert find_places_to_greet(channels, permissions_in, system) == greeted


async def test_a_greeting_is_posted_once_for_each_membership(adapter: Adapter, db: MemoryDatabase) -> None:
    assert await enter(adapter, FIRST) == [71]
    after_restart = Adapter(db, adapter.fake_table_messages)
    assert await enter(after_restart, FIRST) == []
    assert await enter(after_restart, FIRST, days=9) == [71]
    await after_restart.host.close()
    (greeting,) = adapter.message_client.requests
    assert greeting.json is not None
    ids = [button["custom_id"] for row in greeting.json["components"] for button in row["components"]]
    assert ids == [str(HelpId(HelpTopic.PLAY)), str(SetUpId(SetUpStep.PLACES))]
    assert greeting.json["allowed_mentions"]["parse"] == []


async def test_deleting_a_servers_data_brings_no_second_greeting_whose_note_goes_a_day_later(
    adapter: Adapter, db: MemoryDatabase
) -> None:
    def count_notes() -> int:
        return db.run(lambda connection: connection.execute(select(func.count()).select_from(greetings)).scalar_one())

    await enter(adapter, FIRST)
    await adapter.app.jobs[SERVER_ERASURE].run(Job(SERVER_ERASURE, str(SERVER_ID), NOON))
    after_restart = Adapter(db, adapter.fake_table_messages)
    assert await enter(after_restart, FIRST) == []
    await after_restart.app.service(Greeter).prune()
    assert count_notes() == 1
    after_restart.clock.tick(25 * 3600 + 1)
    await after_restart.app.service(Greeter).prune()
    assert count_notes() == 0
    await after_restart.host.close()


async def test_a_channel_that_refuses_the_greeting_is_not_the_last_one(adapter: Adapter) -> None:
    adapter.message_client.fault = MISSING_ACCESS
    await enter(adapter, FIRST, SECOND)
    assert len(adapter.message_client.urgencies) == 2


async def test_without_an_answer_of_discord_the_next_start_greets(adapter: Adapter) -> None:
    server = make_server()
    server.fetch_channels.side_effect = SERVER_ERROR
    adapter.app.find_server = lambda _: server
    await adapter.app.tell(ClientEvent.SERVER_ENTERED, SERVER_ID, NOON, None)
    assert await enter(adapter, FIRST) == [71]


@each_case(
    "values, missing, complete, hidden",
    [
        ({}, {73: 1, 75: 2, 77: 2}, 2, 1),
        ({CHANNELS: frozenset({71, 74})}, {74: 4}, 1, 0),
        ({CHANNELS: frozenset({4711})}, {}, 0, 0),
        ({CHANNELS: frozenset({73}), TABLES: TablesChoice.THREAD}, {73: 4}, 0, 0),
        ({CHANNELS: frozenset({73}), TABLES: TablesChoice.THREAD, ALONE: AloneChoice.TAKE}, {73: 3}, 0, 0),
        # The log needs no pictures.
        ({CHANNELS: frozenset({71}), LOG: frozenset({73})}, {}, 2, 0),
        ({CHANNELS: frozenset({71}), LOG: frozenset({74})}, {74: 3}, 1, 0),
    ],
)
def test_the_check_names_what_is_missing_in_each_channel(
    values: Mapping[Setting[Any], Any], missing: dict[int, int], complete: int, hidden: int
) -> None:
    channels = (CATEGORY, FIRST, IN_CATEGORY, HIDDEN, SILENT, VOICE, FORUM)
    found = check_permissions(channels, permissions_in, chosen(values))
    assert {id_: len(names) for id_, names in found.missing.items()} == missing
    assert (found.complete, found.hidden) == (complete, hidden)


def embed_of(interaction: Any) -> str:
    return interaction.answers[-1].embed.description or ""


def ids_of(interaction: Any) -> list[str]:
    return [item.custom_id for item in items_of(interaction.answers[-1].view)]


async def test_the_set_up_asks_each_question_and_ends_with_the_check(
    adapter: Adapter, db: MemoryDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_languages(monkeypatch, tmp_path, {"Join": {"de": "Mitspielen"}})
    more: dict[str, Any] = {"permissions": MANAGER, "in_whisper": True, "guild": SERVER}
    answers = {
        SetUpStep.PLACES: "81",
        SetUpStep.THREADS: "thread",
        SetUpStep.LANGUAGE: "de",
        SetUpStep.MODERATORS: "502",
    }
    assert answers.keys() == STEPS.keys()
    page = await adapter.click(make_click(STRANGER, SetUpId(next(iter(STEPS))), **more))
    for step, answer in answers.items():
        assert str(SetUpMenuId(step)) in ids_of(page)
        page = await adapter.click(make_menu_choice(STRANGER, SetUpMenuId(step), answer, **more))
        page = await adapter.click(make_click(STRANGER, ids_of(page)[-1], **more))
    assert db.chosen[HERE.scope_id] == chosen(
        {CHANNELS: frozenset({81}), TABLES: TablesChoice.THREAD, LANGUAGE: "de", MODERATORS: frozenset({502})}
    )
    assert "<#81>" in embed_of(page)
    kinds = (HelpId, SetUpId, SetUpId, SettingsSectionId)
    assert [id_.split(":")[0] for id_ in ids_of(page)] == [kind.prefix for kind in kinds]


async def test_the_check_asks_nothing(adapter: Adapter, db: MemoryDatabase) -> None:
    forged = SetUpMenuId(SetUpStep.CHECK)
    click = await adapter.click(make_menu_choice(STRANGER, forged, "81", permissions=MANAGER, guild=SERVER))
    assert click.refusal is SettingReason.NO_SUCH_SETTING
    assert db.chosen == {}
