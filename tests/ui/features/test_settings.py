"""The settings of a server: who may change them, their text, and their effect on open tables."""

from typing import Any

import discord
import pytest

from bot.rules.picture import Theme
from bot.rules.refusals import Refusal
from bot.tables.model import Place, Preferences
from bot.tables.refusals import HostReason
from bot.tables.registry import GameRegistry
from bot.tables.runtime.reminders import Reminders
from bot.ui.features.settings import PictureChoice, SettingsChanges
from tests.support.fake_store import FakeStore
from tests.support.fake_table_messages import FakeTableMessages, ShowAction
from tests.support.fakes import HERE, ROBIN, STRANGER, open_lobby, start_game
from tests.support.magpie_with_picture import PICTURE_REGISTRY
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import make_command

MANAGER = discord.Permissions(manage_guild=True)
NO_FILES = discord.Permissions(send_messages=True)
OFF = Preferences(theme=None)


@pytest.fixture
def games() -> GameRegistry:
    return PICTURE_REGISTRY


async def save_settings(
    adapter: Adapter, pictures: PictureChoice | None = None, *, reminders: bool | None = None, **more: Any
) -> Any:
    more = {"permissions": MANAGER, **more}
    command: Any = make_command(STRANGER, **more)
    await adapter.features.settings.update(command, SettingsChanges(pictures=pictures, reminders=reminders))
    return command


def answer_text(command: Any) -> dict[str, str]:
    embed = command.answers[-1].embed
    return {field.name: field.value for field in embed.fields}


async def test_without_a_choice_the_present_settings_are_shown(adapter: Adapter, store: FakeStore) -> None:
    command = await save_settings(adapter)
    assert [answer.ephemeral for answer in command.answers] == [True]
    assert answer_text(command)["Pictures"].startswith("**Standard**")
    assert answer_text(command)["Reminders"].startswith("**On**")
    assert "save_preferences" not in store.calls


@pytest.mark.parametrize(
    ("choice", "theme", "words"),
    [
        (PictureChoice.STANDARD, Theme.STANDARD, "**Standard**"),
        (PictureChoice.HIGH_CONTRAST, Theme.HIGH_CONTRAST, "**High contrast**"),
        (PictureChoice.OFF, None, "**Off, words only**"),
    ],
)
async def test_a_choice_is_stored_and_confirmed(
    adapter: Adapter, store: FakeStore, choice: PictureChoice, theme: Theme | None, words: str
) -> None:
    store.chosen[HERE.scope_id] = Preferences(theme=Theme.HIGH_CONTRAST, reminds=False)
    command = await save_settings(adapter, choice)
    assert store.chosen[HERE.scope_id] == Preferences(theme=theme, reminds=False)
    assert answer_text(command)["Pictures"].startswith(words)


@pytest.mark.parametrize("reminders", [True, False])
async def test_reminders_are_chosen_separately(adapter: Adapter, store: FakeStore, *, reminders: bool) -> None:
    store.chosen[HERE.scope_id] = Preferences(theme=None, reminds=not reminders)
    command = await save_settings(adapter, reminders=reminders)
    assert store.chosen[HERE.scope_id] == Preferences(theme=None, reminds=reminders)
    assert answer_text(command)["Reminders"].startswith("**On**" if reminders else "**Off**")


async def test_features_turned_off_by_the_host_cannot_be_turned_on(adapter: Adapter) -> None:
    adapter.host.reminders = Reminders(adapter.service, adapter.store, adapter.message_sender, is_enabled=False)
    command = await save_settings(adapter, reminders=True)
    assert "my host" in answer_text(command)["Reminders"]


@pytest.mark.parametrize("permissions", [discord.Permissions.none(), discord.Permissions(manage_messages=True)])
async def test_members_who_do_not_manage_the_server_change_nothing(
    adapter: Adapter, store: FakeStore, permissions: discord.Permissions
) -> None:
    with pytest.raises(Refusal) as refused:
        await save_settings(adapter, PictureChoice.OFF, permissions=permissions)
    assert refused.value.reason is HostReason.NOT_MANAGER
    assert store.chosen == {}


async def test_open_tables_of_the_server_are_shown_again_at_once(adapter: Adapter, shown: FakeTableMessages) -> None:
    here = await start_game(adapter.service)
    beside = await open_lobby(adapter.service, ROBIN, place=Place(HERE.guild_id, 71))
    await open_lobby(adapter.service, ROBIN, place=Place(4, 80))
    await adapter.wait_until_shown()
    before = len(shown.shown)
    command = await save_settings(adapter, PictureChoice.OFF)
    await adapter.wait_until_shown()
    assert [(each.action, each.table_id) for each in shown.shown[before:]] == [
        (ShowAction.EDIT, beside.id),
        (ShowAction.EDIT, here.id),
    ]
    assert "Updating 2 tables." in (command.answers[-1].content or "")


async def test_a_table_that_cannot_be_read_does_not_stop_the_others(
    adapter: Adapter, store: FakeStore, shown: FakeTableMessages, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", "bot.tables.runtime.publisher")
    first = await start_game(adapter.service)
    second = await open_lobby(adapter.service, ROBIN, place=Place(HERE.guild_id, 71))
    await adapter.wait_until_shown()
    before = len(shown.shown)
    adapter.service.cache.evict(second.id)
    store.broken = {"load"}
    await save_settings(adapter, PictureChoice.HIGH_CONTRAST)
    await adapter.wait_until_shown()
    assert [each.table_id for each in shown.shown[before:]] == [first.id]
    assert "can't be refreshed" in caplog.text


async def test_choosing_the_present_value_shows_nothing_again(adapter: Adapter, shown: FakeTableMessages) -> None:
    await start_game(adapter.service)
    await adapter.wait_until_shown()
    before = len(shown.shown)
    command = await save_settings(adapter, PictureChoice.STANDARD, reminders=False)
    await adapter.wait_until_shown()
    assert len(shown.shown) == before
    assert command.answers[-1].content == "Saved."


async def test_a_direct_message_has_its_own_settings(adapter: Adapter, store: FakeStore) -> None:
    direct: dict[str, Any] = {"guild_id": None, "channel_id": 90, "in_own_dm": True}
    command = await save_settings(adapter, PictureChoice.OFF, permissions=discord.Permissions.none(), **direct)
    assert store.chosen == {90: OFF}
    assert answer_text(command)["Reminders"].startswith("**Off** in direct messages")
    assert command.answers[-1].embed.title == "Settings of our direct messages"


async def test_missing_permissions_for_pictures_are_named(adapter: Adapter) -> None:
    assert "**Attach Files**" in answer_text(await save_settings(adapter, app_permissions=NO_FILES))["Pictures"]
    assert (
        "Attach"
        not in answer_text(await save_settings(adapter, PictureChoice.OFF, app_permissions=NO_FILES))["Pictures"]
    )


def test_every_choice_is_a_theme_or_none() -> None:
    assert {choice.theme for choice in PictureChoice} == {*Theme, None}
