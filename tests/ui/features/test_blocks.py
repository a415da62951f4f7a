"""Blocks: no new table seats the two together, and only the blocker ever learns why."""

from typing import Any

import discord
import pytest

from bot.features.blocks import storage as block_storage
from bot.features.blocks.commands import BlockCommands, UnblockId
from bot.features.blocks.storage import Block, BlockReason
from bot.features.invitations.handlers import InvitationCommands
from bot.features.invitations.model import InvitationReason
from bot.features.invitations.service import Invitations
from bot.features.settings.all_settings import INVITATIONS
from bot.platform.discord.refusals import ClickReason
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables.handlers.ids import LobbyButton, LobbyId, PlayAgainId
from bot.tables.refusals import HostReason
from bot.tables.seats import resign_seat
from bot.tables.table import Table
from tests.support.apps import shared_app
from tests.support.chosen_settings import chosen
from tests.support.fakes import JAY, ROBIN, STRANGER, WREN, open_lobby, start_game
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter, command, refusal_reason
from tests.ui.fake_interactions import FakeInteraction, make_click, make_guest, make_menu_choice

MOST = 9


async def block(adapter: Adapter, blocker: Person, blocked: Person) -> Any:
    asked = command(blocker)
    await adapter.app.service(BlockCommands).block(asked, make_guest(discord.Member, id=blocked.id))
    return asked


async def join(adapter: Adapter, table: Table, person: Person) -> FakeInteraction:
    revision = (await adapter.service.table(table.id)).header.revision
    return await adapter.click(make_click(person, LobbyId(table.id, revision, LobbyButton.JOIN)))


async def names(adapter: Adapter, table_id: int) -> list[str]:
    return [who.name for who in (await adapter.service.table(table_id)).seats]


async def test_who_is_blocked_gets_no_seat_and_is_not_told_why(adapter: Adapter) -> None:
    await block(adapter, ROBIN, WREN)
    table = await open_lobby(adapter.service, ROBIN, JAY)
    told = (await join(adapter, table, WREN)).text
    assert told == shared_app().error_replies.explain(Refusal(HostReason.TABLE_FULL))
    assert await names(adapter, table.id) == ["Robin", "Jay"]
    assert (await join(adapter, table, STRANGER)).text == ""


async def test_the_blocker_is_told_in_private_whom_they_would_sit_with(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, WREN)
    await block(adapter, ROBIN, WREN)
    assert (await join(adapter, table, ROBIN)).refusal is BlockReason.YOU_BLOCK_SOMEONE
    assert await names(adapter, table.id) == ["Wren"]


async def test_people_who_sat_down_before_a_block_keep_their_seats_and_others_join(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN, WREN)
    await block(adapter, ROBIN, WREN)
    assert (await join(adapter, table, JAY)).text == ""
    table = await adapter.service.start(table.id, ROBIN, 1)
    assert await names(adapter, table.id) == ["Robin", "Wren", "Jay"]


@pytest.mark.parametrize("presser", [ROBIN, WREN])
async def test_another_game_keeps_no_seat_for_whom_the_presser_may_not_sit_with(
    adapter: Adapter, presser: Person
) -> None:
    table = await start_game(adapter.service, ROBIN, WREN, JAY)
    for person in (WREN, JAY):
        table = await adapter.service.apply_seat_action(table.id, person, resign_seat, 70 + person.id)
    await block(adapter, ROBIN, WREN)
    await adapter.click(make_click(presser, PlayAgainId(table.id)))
    assert (await adapter.service.table(table.id + 1)).header.kept == {JAY.id}


async def test_another_game_of_others_keeps_no_seat_for_the_blocker(adapter: Adapter) -> None:
    table = await start_game(adapter.service, ROBIN, WREN, JAY)
    for person in (WREN, JAY):
        table = await adapter.service.apply_seat_action(table.id, person, resign_seat, 70 + person.id)
    await block(adapter, ROBIN, WREN)
    await adapter.click(make_click(JAY, PlayAgainId(table.id)))
    assert (await adapter.service.table(table.id + 1)).header.kept == {WREN.id}


class TestInvitations:
    """Neither can invite the other."""

    async def invite(self, adapter: Adapter, inviter: Person, guest: Person) -> str:
        asked = command(inviter)
        await adapter.app.service(InvitationCommands).invite(asked, make_guest(discord.Member, id=guest.id))
        return str(asked.text)

    async def test_who_is_blocked_is_told_the_same_as_if_all_invitations_were_refused(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        await open_lobby(adapter.service, WREN)
        await db.write(block_storage.add, Block(ROBIN.id, WREN.id), adapter.clock(), MOST)
        db.chosen[JAY.id] = chosen({INVITATIONS: False})
        sentences = set[str]()
        for guest in (ROBIN, JAY):
            with pytest.raises(Refusal) as refused:
                await self.invite(adapter, WREN, guest)
            sentences.add(shared_app().error_replies.explain(refused.value))
        assert len(sentences) == 1
        assert adapter.message_client.requests == []

    async def test_a_guest_whom_someone_at_the_table_blocks_is_not_invited(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        await open_lobby(adapter.service, WREN, JAY)
        await db.write(block_storage.add, Block(JAY.id, ROBIN.id), adapter.clock(), MOST)
        assert await refusal_reason(self.invite(adapter, WREN, ROBIN)) is InvitationReason.INVITATIONS_REFUSED

    async def test_an_invitation_by_someone_blocked_since_is_deleted(self, adapter: Adapter) -> None:
        await open_lobby(adapter.service, WREN)
        await self.invite(adapter, WREN, ROBIN)
        await block(adapter, ROBIN, WREN)
        await adapter.app.service(Invitations).check()
        await adapter.app.service(Invitations).close()
        assert [request.method for request in adapter.message_client.requests] == ["POST", "DELETE"]


class TestList:
    """The list of those whom someone blocks, with a menu."""

    async def test_the_list_shows_only_the_own_blocks_and_unblocks(self, adapter: Adapter, db: MemoryDatabase) -> None:
        for blocker, blocked in ((ROBIN, WREN), (ROBIN, JAY), (JAY, ROBIN)):
            await block(adapter, blocker, blocked)
        asked = command(ROBIN)
        await adapter.app.service(BlockCommands).unblock(asked, None)
        assert asked.answers[-1].ephemeral
        assert asked.answers[-1].embed.description == f"1. <@{WREN.id}>\n2. <@{JAY.id}>"
        click: Any = make_menu_choice(ROBIN, UnblockId(1), str(WREN.id), in_whisper=True)
        await adapter.click(click)
        assert click.answers[-1].embed.description == f"1. <@{JAY.id}>"
        click = make_menu_choice(ROBIN, UnblockId(1), str(JAY.id), in_whisper=True)
        await adapter.click(click)
        assert "<@" not in click.answers[-1].embed.description
        assert await db.read(block_storage.find_blocked, ROBIN.id) == []
        assert await db.read(block_storage.find_blocked, JAY.id) == [ROBIN.id]

    @pytest.mark.parametrize("value", ["", "x", "-1", "9" * 21, "١"])
    async def test_a_forged_choice_changes_nothing(self, adapter: Adapter, db: MemoryDatabase, value: str) -> None:
        await block(adapter, ROBIN, WREN)
        click = await adapter.click(make_menu_choice(ROBIN, UnblockId(1), value, in_whisper=True))
        assert click.refusal is ClickReason.UNKNOWN_BUTTON
        assert await db.read(block_storage.find_blocked, ROBIN.id) == [WREN.id]

    async def test_a_person_is_unblocked_by_name(self, adapter: Adapter, db: MemoryDatabase) -> None:
        await block(adapter, ROBIN, WREN)
        asked = command(ROBIN)
        await adapter.app.service(BlockCommands).unblock(asked, make_guest(discord.Member, id=WREN.id))
        assert await db.read(block_storage.find_blocked, ROBIN.id) == []
