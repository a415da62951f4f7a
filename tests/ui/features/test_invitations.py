"""What those who are invited press, and what servers and people say about invitations in `/settings`."""

from typing import Any

import discord
import pytest

from bot.rules.refusals import Refusal
from bot.tables.model import Person, Place, Preferences
from bot.tables.refusals import HostReason
from bot.tables.table import Table
from bot.ui.custom_id_parser import parse_id
from bot.ui.custom_ids import InviteAction, InviteId
from bot.ui.delivery.messenger import Request, deleting
from tests.support.fakes import HERE, JAY, ROBIN, STRANGER, WREN, FakeStore, a_lobby, under_way, until
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import POSTED_ID, How, click_of, command_of
from tests.ui.features.test_lobby_commands import a_member

MANAGER = discord.Permissions(manage_guild=True)


async def invited(adapter: Adapter, guest: Person = JAY) -> Table:
    table = await a_lobby(adapter.service, ROBIN, WREN)
    await adapter.invitations.invite(command_of(ROBIN), a_member(guest))  # type: ignore[arg-type]
    return table


async def press(adapter: Adapter, table: Table, who: Person, action: InviteAction, **more: Any) -> Any:
    more = {"message_id": POSTED_ID, **more}
    return await adapter.click(click_of(who, InviteId(table.id, JAY.id, action), **more))


def sent(adapter: Adapter) -> list[Request]:
    return [request for request in adapter.discord.done if request.method == "POST"]


def deleted(adapter: Adapter) -> list[Request]:
    return [request for request in adapter.discord.done if request.method == "DELETE"]


class TestTheInvitation:
    async def test_has_two_buttons_for_the_guest(self, adapter: Adapter) -> None:
        table = await invited(adapter)
        (request,) = sent(adapter)
        assert request.told is not None
        (row,) = request.told["components"]
        assert {button["label"]: parse_id(button["custom_id"]) for button in row["components"]} == {
            "Join": InviteId(table.id, JAY.id, InviteAction.JOIN),
            "No more invitations": InviteId(table.id, JAY.id, InviteAction.REFUSE),
        }

    async def test_seats_the_guest_and_goes(self, adapter: Adapter) -> None:
        table = await invited(adapter)
        click = await press(adapter, table, JAY, InviteAction.JOIN)
        assert [answer.how for answer in click.answers] == [How.DEFER]
        assert (await adapter.service.table(table.id)).seat_of(JAY.id) == 2
        await until(lambda: deleted(adapter))
        assert deleted(adapter) == [deleting(HERE.channel_id, POSTED_ID)]
        again = await press(adapter, table, JAY, InviteAction.JOIN)
        assert [answer.how for answer in again.answers] == [How.DEFER], "a double click is no mistake"

    @pytest.mark.parametrize("action", InviteAction)
    async def test_is_for_nobody_else(self, adapter: Adapter, store: FakeStore, action: InviteAction) -> None:
        table = await invited(adapter)
        click = await press(adapter, table, STRANGER, action)
        assert "This invitation is for somebody else." in click.text
        assert store.invitations.refusers == set()
        assert (await adapter.service.table(table.id)).seat_of(STRANGER.id) is None

    async def test_leads_nowhere_once_the_game_has_started(self, adapter: Adapter) -> None:
        table = await invited(adapter)
        await adapter.service.start(table.id, ROBIN, 9)
        assert "already started" in (await press(adapter, table, JAY, InviteAction.JOIN)).text

    async def test_of_another_channel_is_forged(self, adapter: Adapter) -> None:
        table = await invited(adapter)
        click = await press(adapter, table, JAY, InviteAction.JOIN, channel_id=HERE.channel_id + 1)
        assert "does not exist" in click.text


class TestNoMoreInvitations:
    async def test_holds_everywhere_and_takes_the_message_away(self, adapter: Adapter, store: FakeStore) -> None:
        table = await invited(adapter)
        click = await press(adapter, table, JAY, InviteAction.REFUSE)
        assert "`/settings invitations:True` in a direct message" in click.text
        await until(lambda: deleted(adapter))
        await a_lobby(adapter.service, WREN, place=Place(4, 80))
        asking: Any = command_of(WREN, guild_id=4, channel_id=80)
        with pytest.raises(Refusal) as refused:
            await adapter.invitations.invite(asking, a_member(JAY))
        assert refused.value.reason is HostReason.INVITATIONS_REFUSED
        assert len(sent(adapter)) == 1, "nobody was mentioned again"

    async def test_is_taken_back_in_a_direct_message(self, adapter: Adapter, store: FakeStore) -> None:
        await adapter.host.invitations.refuse(JAY.id, refuses=True)
        assert "**Off**" in await settings(adapter, JAY, guild_id=None, in_own_dm=True)
        assert "**On**" in await settings(adapter, JAY, guild_id=None, in_own_dm=True, invitations=True)
        assert store.invitations.refusers == set()
        assert store.chosen == {}
        assert "**Off**" in await settings(adapter, JAY, guild_id=None, in_own_dm=True, invitations=False)
        assert store.invitations.refusers == {JAY.id}


class TestServers:
    async def test_turn_invitations_off_and_on(self, adapter: Adapter, store: FakeStore) -> None:
        assert "**On**" in await settings(adapter, STRANGER, permissions=MANAGER)
        assert "**Off**" in await settings(adapter, STRANGER, permissions=MANAGER, invitations=False)
        assert store.chosen == {HERE.guild_id: Preferences(invites=False)}
        with pytest.raises(Refusal) as refused:
            await invited(adapter)
        assert refused.value.reason is HostReason.INVITATIONS_OFF
        assert sent(adapter) == []
        assert "**On**" in await settings(adapter, STRANGER, permissions=MANAGER, invitations=True)
        assert store.invitations.refusers == set(), "nobody's own choice has changed"

    async def test_only_who_manages_the_server_does(self, adapter: Adapter, store: FakeStore) -> None:
        with pytest.raises(Refusal) as refused:
            await settings(adapter, ROBIN, permissions=discord.Permissions.none(), invitations=False)
        assert refused.value.reason is HostReason.NOT_MANAGER
        assert store.chosen == {}


async def settings(adapter: Adapter, who: Person, *, invitations: bool | None = None, **more: Any) -> str:
    command: Any = command_of(who, **more)
    await adapter.preference_desk.settle(command, None, invitations=invitations)
    fields = {field.name: field.value for field in command.answers[-1].embed.fields}
    return str(fields["Invitations"])


async def test_a_game_that_is_played_has_no_invitations(adapter: Adapter) -> None:
    await under_way(adapter.service)
    with pytest.raises(Refusal) as refused:
        await adapter.invitations.invite(command_of(ROBIN), a_member(STRANGER))  # type: ignore[arg-type]
    assert refused.value.reason is HostReason.ALREADY_STARTED
