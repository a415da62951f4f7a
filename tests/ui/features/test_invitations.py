"""The buttons of invitations, and the settings of servers and people about them."""

from typing import Any

import discord
import pytest

from bot.features.invitations.handlers import InvitationCommands
from bot.features.invitations.messages import InvitationButton, InvitationId
from bot.features.invitations.model import InvitationReason
from bot.features.settings.all_settings import INVITATIONS
from bot.features.settings.handlers import SettingsPanels
from bot.features.settings.kinds import SettingsSection
from bot.features.settings.messages import SettingId
from bot.features.settings.reasons import SettingReason
from bot.platform.discord.http import Request, delete_request
from bot.platform.places import Location, Person
from bot.rules.refusals import Refusal
from bot.tables.refusals import HostReason
from bot.tables.table import Table
from tests.support.chosen_settings import chosen
from tests.support.fakes import HERE, JAY, ROBIN, STRANGER, WREN, open_lobby, start_game
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import wait_until
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import POSTED_ID, AnswerMethod, make_click, make_command, make_menu_choice
from tests.ui.features.settings.panels import menus_of
from tests.ui.features.test_lobbies import make_member

MANAGER = discord.Permissions(manage_guild=True)


async def invite_guest(adapter: Adapter, guest: Person = JAY) -> Table:
    table = await open_lobby(adapter.service, ROBIN, WREN)
    await adapter.app.service(InvitationCommands).invite(make_command(ROBIN), make_member(guest))  # type: ignore[arg-type]
    return table


async def press(adapter: Adapter, table: Table, who: Person, action: InvitationButton, **more: Any) -> Any:
    more = {"message_id": POSTED_ID, **more}
    return await adapter.click(make_click(who, InvitationId(table.id, JAY.id, action), **more))


def sent_requests(adapter: Adapter) -> list[Request]:
    return [request for request in adapter.message_client.requests if request.method == "POST"]


def deleted_requests(adapter: Adapter) -> list[Request]:
    return [request for request in adapter.message_client.requests if request.method == "DELETE"]


class TestTheInvitation:
    async def test_accepting_seats_the_guest_and_deletes_the_message(self, adapter: Adapter) -> None:
        table = await invite_guest(adapter)
        click = await press(adapter, table, JAY, InvitationButton.JOIN)
        assert [answer.how for answer in click.answers] == [AnswerMethod.DEFER]
        assert (await adapter.service.table(table.id)).seat_of(JAY.id) == 2
        await wait_until(lambda: deleted_requests(adapter))
        assert deleted_requests(adapter) == [delete_request(HERE.channel_id, POSTED_ID)]
        again = await press(adapter, table, JAY, InvitationButton.JOIN)
        assert [answer.how for answer in again.answers] == [AnswerMethod.DEFER], "a double click is no mistake"

    @pytest.mark.parametrize("action", InvitationButton)
    async def test_an_invitation_is_for_its_guest_only(
        self, adapter: Adapter, db: MemoryDatabase, action: InvitationButton
    ) -> None:
        table = await invite_guest(adapter)
        click = await press(adapter, table, STRANGER, action)
        assert click.refusal is InvitationReason.NOT_YOUR_INVITATION
        assert db.chosen == {}
        assert (await adapter.service.table(table.id)).seat_of(STRANGER.id) is None

    async def test_an_invitation_lapses_once_the_game_has_started(self, adapter: Adapter) -> None:
        table = await invite_guest(adapter)
        await adapter.service.start(table.id, ROBIN, 9)
        assert (await press(adapter, table, JAY, InvitationButton.JOIN)).refusal is HostReason.ALREADY_STARTED

    async def test_an_invitation_from_another_channel_is_forged(self, adapter: Adapter) -> None:
        table = await invite_guest(adapter)
        click = await press(adapter, table, JAY, InvitationButton.JOIN, channel_id=HERE.channel_id + 1)
        assert click.refusal is HostReason.UNKNOWN_TABLE


class TestNoMoreInvitations:
    async def test_refusing_invitations_holds_everywhere_and_deletes_the_message(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        table = await invite_guest(adapter)
        click = await press(adapter, table, JAY, InvitationButton.REFUSE)
        assert [bool(answer.content) for answer in click.answers] == [True]
        assert len(db.records[table.id].seats) == 2, "the guest has not joined"
        await wait_until(lambda: deleted_requests(adapter))
        await open_lobby(adapter.service, WREN, location=Location(4, 80))
        asking: Any = make_command(WREN, guild_id=4, channel_id=80)
        with pytest.raises(Refusal) as refused:
            await adapter.app.service(InvitationCommands).invite(asking, make_member(JAY))
        assert refused.value.reason is InvitationReason.INVITATIONS_REFUSED
        assert len(sent_requests(adapter)) == 1, "no further mention is sent"

    async def test_the_refusal_is_taken_back_in_a_direct_message(self, adapter: Adapter, db: MemoryDatabase) -> None:
        db.chosen[JAY.id] = chosen({INVITATIONS: False})
        assert await settings(adapter, JAY, guild_id=None) == "off"
        assert await settings(adapter, JAY, guild_id=None, invitations=True) == "on"
        assert db.chosen == {}
        assert await settings(adapter, JAY, guild_id=None, invitations=False) == "off"
        assert db.chosen == {JAY.id: chosen({INVITATIONS: False})}


class TestServers:
    async def test_a_server_turns_invitations_off_and_on(self, adapter: Adapter, db: MemoryDatabase) -> None:
        assert await settings(adapter, STRANGER, permissions=MANAGER) == "on"
        assert await settings(adapter, STRANGER, permissions=MANAGER, invitations=False) == "off"
        assert db.chosen == {HERE.guild_id: chosen({INVITATIONS: False})}, "the players' own settings are unchanged"
        with pytest.raises(Refusal) as refused:
            await invite_guest(adapter)
        assert refused.value.reason is InvitationReason.INVITATIONS_OFF
        assert sent_requests(adapter) == []
        assert await settings(adapter, STRANGER, permissions=MANAGER, invitations=True) == "on"
        assert db.chosen == {}

    async def test_only_managers_of_the_server_change_invitations(self, adapter: Adapter, db: MemoryDatabase) -> None:
        with pytest.raises(Refusal) as refused:
            await settings(adapter, ROBIN, permissions=discord.Permissions.none(), invitations=False)
        assert refused.value.reason is SettingReason.NOT_MANAGER
        assert db.chosen == {}


async def settings(adapter: Adapter, who: Person, *, invitations: bool | None = None, **more: Any) -> str | None:
    """Open the panel of settings, or turn invitations on or off there; return what is chosen."""
    if invitations is None:
        asked: Any = make_command(who, **more)
        await adapter.app.service(SettingsPanels).open(asked, SettingsSection.PLAY)
    else:
        pressed = SettingId(INVITATIONS.key)
        asked = make_menu_choice(who, pressed, "on" if invitations else "off", **more)
        await adapter.app.service(SettingsPanels).press(asked, pressed)
    return menus_of(asked)[str(SettingId(INVITATIONS.key))]


async def test_a_running_game_has_no_invitations(adapter: Adapter) -> None:
    await start_game(adapter.service)
    with pytest.raises(Refusal) as refused:
        await adapter.app.service(InvitationCommands).invite(make_command(ROBIN), make_member(STRANGER))  # type: ignore[arg-type]
    assert refused.value.reason is HostReason.ALREADY_STARTED
