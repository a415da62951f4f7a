"""Slash commands about a lobby, and playing again."""

from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.features.invitations.handlers import InvitationCommands
from bot.features.invitations.model import InvitationReason
from bot.features.invitations.service import store_invitation
from bot.games.magpie.pieces import MagpieOptions
from bot.platform.discord.refusals import ClickReason
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables import storage as table_storage
from bot.tables.handlers.ids import PlayAgainId
from bot.tables.handlers.lobby import LobbyCommands
from bot.tables.model import PublishedRevision, Status
from bot.tables.refusals import DuplicateInteraction, HostReason
from bot.tables.seats import resign_seat
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import HERE, JAY, ROBIN, STRANGER, WREN, open_lobby, start_game
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import MISSING_PERMISSIONS, SERVER_ERROR, make_click, make_command
from tests.ui.table_clicks import offered_ids


class TestTwoProcesses:
    """Both get the same command; the slower process finds it done."""

    @pytest.fixture(params=["behind", "late"])
    async def other(
        self, request: pytest.FixtureRequest, adapter: Adapter, db: MemoryDatabase, shown: FakeTableMessages
    ) -> AsyncIterator[Adapter]:
        """Another process, which has seen the lobby before the command, or only sees it after."""
        table = await open_lobby(adapter.service, ROBIN, WREN)
        other = Adapter(db, shown)
        if request.param == "behind":
            await other.service.table(table.id)
        yield other
        await other.host.close()

    async def test_one_command_in_two_processes_removes_one_seat(
        self, adapter: Adapter, other: Adapter, db: MemoryDatabase
    ) -> None:
        commands: list[Any] = [make_command(ROBIN, id=7777) for _ in range(2)]
        await adapter.app.service(LobbyCommands).kick(commands[0], make_member(WREN))
        await store_invitation(adapter.service, adapter.db, 1, ROBIN, WREN.id, 8)
        await adapter.service.join(1, WREN, 9)
        with pytest.raises(DuplicateInteraction) as repeated:
            await other.app.service(LobbyCommands).kick(commands[1], make_member(WREN))
        await other.error_replies.send(commands[1], repeated.value)
        assert [bool(command.answers) for command in commands] == [True, False]
        assert [who.name for who in db.records[1].seats] == ["Robin", "Wren"], "who has come back stays"


def make_member(person: Person, *, bot: bool = False) -> Any:
    return SimpleNamespace(id=person.id, display_name=person.name, bot=bot, resolved_permissions=None)


class TestInviting:
    async def invite(self, adapter: Adapter, who: Person, guest: Person, **more: Any) -> Any:
        command: Any = make_command(who, **more)
        await adapter.app.service(InvitationCommands).invite(command, make_member(guest))
        return command

    async def test_an_invitation_mentions_only_the_guest(self, adapter: Adapter) -> None:
        options = MagpieOptions(target=250)
        await open_lobby(adapter.service, Person(21, "@everyone *Wren*"), ROBIN, options=options)
        asked = await self.invite(adapter, Person(21, "@everyone *Wren*"), JAY)
        (request,) = adapter.message_client.requests
        assert (request.method, request.channel_id) == ("POST", HERE.channel_id)
        sent = request.json
        assert sent is not None
        link = f"https://discord.com/channels/{HERE.guild_id}/{HERE.channel_id}"
        for part in (f"<@{JAY.id}>", "@\u200beveryone \\*Wren\\*", "250", link):
            assert part in sent["content"]
        assert sent["allowed_mentions"] == {"parse": [], "users": [str(JAY.id)]}
        (answer,) = asked.answers
        assert answer.ephemeral
        assert "Jay" in asked.text

    async def test_a_guest_is_not_invited_twice(self, adapter: Adapter) -> None:
        await open_lobby(adapter.service, ROBIN, WREN)
        await self.invite(adapter, ROBIN, JAY)
        with pytest.raises(Refusal) as refused:
            await self.invite(adapter, WREN, JAY, id=9002)
        assert refused.value.reason is InvitationReason.ALREADY_INVITED
        assert len(adapter.message_client.requests) == 1

    async def test_one_command_in_two_processes_invites_once(self, adapter: Adapter) -> None:
        await open_lobby(adapter.service, ROBIN)
        first = await self.invite(adapter, ROBIN, JAY, id=9002)
        second = await self.invite(adapter, ROBIN, JAY, id=9002)
        assert (len(first.answers), len(second.answers)) == (1, 0)
        assert len(adapter.message_client.requests) == 1

    async def test_an_invitation_links_to_the_message_of_another_process(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        table = await open_lobby(adapter.service, ROBIN)
        await adapter.wait_until_shown()
        await db.maintain(table_storage.mark_published, [PublishedRevision(table.id, table.header.revision, 7777)])
        await self.invite(adapter, ROBIN, JAY)
        (request,) = adapter.message_client.requests
        assert request.json is not None
        assert request.json["content"].endswith("/7777")

    @pytest.mark.parametrize("invited_before", [True, False])
    async def test_without_permission_to_post_nothing_is_stored(self, adapter: Adapter, invited_before: bool) -> None:
        await open_lobby(adapter.service, ROBIN)
        may = discord.Permissions(view_channel=True) if invited_before else discord.Permissions.all()
        adapter.message_client.fault = None if invited_before else MISSING_PERMISSIONS
        with pytest.raises(Refusal) as refused:
            await self.invite(adapter, ROBIN, JAY, app_permissions=may)
        assert refused.value.reason is ClickReason.MISSING_PERMISSIONS
        adapter.message_client.fault = None
        assert "Jay" in (await self.invite(adapter, ROBIN, JAY)).text

    async def test_an_invitation_that_may_have_arrived_is_not_sent_again(
        self, adapter: Adapter, caplog: pytest.LogCaptureFixture
    ) -> None:
        await open_lobby(adapter.service, ROBIN)
        adapter.message_client.fault = SERVER_ERROR
        asked = await self.invite(adapter, ROBIN, JAY)
        assert "Jay" in asked.text
        adapter.message_client.fault = None
        with pytest.raises(Refusal) as refused:
            await self.invite(adapter, ROBIN, JAY, id=9002)
        assert refused.value.reason is InvitationReason.ALREADY_INVITED
        assert "may not have arrived" in caplog.text

    async def test_apps_cannot_be_invited(self, adapter: Adapter) -> None:
        await open_lobby(adapter.service, ROBIN)
        command: Any = make_command(ROBIN)
        with pytest.raises(Refusal) as refused:
            await adapter.app.service(InvitationCommands).invite(command, make_member(JAY, bot=True))
        assert refused.value.reason is ClickReason.APPS_CANNOT_PLAY
        assert adapter.message_client.requests == []


class TestPlayAgain:
    async def test_a_click_of_a_player_opens_the_next_table(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await start_game(adapter.service, ROBIN, WREN)
        table = await adapter.service.apply_seat_action(table.id, WREN, resign_seat, 1)
        assert PlayAgainId(table.id) in offered_ids(adapter, table)
        refused = await adapter.click(make_click(STRANGER, PlayAgainId(table.id)))
        assert refused.refusal is HostReason.NOT_A_PLAYER
        mute = make_click(WREN, PlayAgainId(table.id), app_permissions=discord.Permissions.none())
        assert (await adapter.click(mute)).refusal is ClickReason.MISSING_PERMISSIONS
        await adapter.click(make_click(WREN, PlayAgainId(table.id)))
        await adapter.wait_until_shown()
        new = await adapter.service.open_table_in(table.header.location.channel_id)
        assert new is not None
        assert (new.header.status, new.header.opener_id) == (Status.LOBBY, WREN.id)
        assert new.id in {shown.table_id for shown in adapter.fake_table_messages.shown}
        second = await adapter.click(make_click(ROBIN, PlayAgainId(table.id), id=9002))
        assert second.text
