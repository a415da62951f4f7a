"""The buttons of invitations: they seat the guest, or refuse all others for good."""

from typing import Any

import pytest

from bot.features.invitations.handlers import InvitationCommands
from bot.features.invitations.messages import InvitationButton, InvitationId
from bot.features.invitations.model import InvitationReason
from bot.platform.discord.http import Request, delete_request
from bot.platform.places import Location, Person
from bot.rules.refusals import Refusal
from bot.tables.refusals import HostReason
from bot.tables.table import Table
from tests.support.fakes import HERE, JAY, ROBIN, STRANGER, WREN, open_lobby, start_game
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import wait_until
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import POSTED_ID, AnswerMethod, make_click, make_command
from tests.ui.features.test_lobbies import make_member


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

    async def test_an_invitation_lapses_once_the_game_has_started(self, adapter: Adapter) -> None:
        table = await invite_guest(adapter)
        await adapter.service.start(table.id, ROBIN, 9)
        assert (await press(adapter, table, JAY, InvitationButton.JOIN)).refusal is HostReason.ALREADY_STARTED


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


async def test_a_running_game_has_no_invitations(adapter: Adapter) -> None:
    await start_game(adapter.service)
    with pytest.raises(Refusal) as refused:
        await adapter.app.service(InvitationCommands).invite(make_command(ROBIN), make_member(STRANGER))  # type: ignore[arg-type]
    assert refused.value.reason is HostReason.ALREADY_STARTED
