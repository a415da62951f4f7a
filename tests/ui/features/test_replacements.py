"""Another member takes the place of a player: only after a click, and with the results so far."""

from typing import Any

import discord
import pytest

from bot.features.blocks import storage as block_storage
from bot.features.blocks.storage import Block
from bot.features.moderation.model import Ban
from bot.features.moderation.service import Bans
from bot.features.settings.all_settings import INVITATIONS
from bot.features.tournaments.director import Director
from bot.features.tournaments.messages import TakePlaceId
from bot.features.tournaments.model import ADVANCE_KIND, Tournament, TournamentReason
from bot.features.tournaments.replacing import Replacements
from bot.features.tournaments.service import TournamentService
from bot.platform.jobs.storage import Job
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables.model import Status
from bot.tables.table import Table
from tests.support.chosen_settings import chosen
from tests.support.fakes import HERE, NOON, ROBIN, STRANGER, WREN
from tests.support.finished_games import roll_all
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import make_click, make_command, make_guest
from tests.ui.fake_servers import make_member, make_server

GUEST = Person(77, "Guest")
SERVER = make_server(HERE.channel_id)


async def begin(adapter: Adapter) -> Tournament:
    """Begin a tournament of Robin and Wren, whose table is open."""
    service = adapter.app.service(TournamentService)
    opened = await service.open(Tournament(0, "Cup", "magpie", "{}", HERE, ROBIN, adapter.service.clock(), 24))
    for person in (ROBIN, WREN):
        await service.join(opened.id, person, person.id)
    await service.start(opened.id)
    await advance(adapter)
    return await service.load(opened.id)


async def advance(adapter: Adapter) -> None:
    await adapter.app.service(Director).run_advance_job(Job(ADVANCE_KIND, "1", adapter.service.clock()))


async def table_of(adapter: Adapter) -> Table:
    (found,) = (await adapter.app.service(TournamentService).tables(1)).values()
    return await adapter.service.reload(found.table_id)


async def offer(adapter: Adapter, guest: Any = None) -> None:
    """Let Robin offer the place of Wren."""
    by = make_guest(discord.Member, id=GUEST.id) if guest is None else guest
    command: Any = make_command(ROBIN, guild=SERVER, member=make_member(ROBIN, SERVER))
    await adapter.app.service(Replacements).offer(command, make_guest(discord.Member, id=WREN.id), by, 1)


async def take(adapter: Adapter, person: Person) -> Any:
    return await adapter.click(
        make_click(person, TakePlaceId(1, WREN.id), guild=SERVER, member=make_member(person, SERVER))
    )


async def test_only_the_member_who_was_asked_takes_the_place_and_nobody_is_seated_before(adapter: Adapter) -> None:
    before = await begin(adapter)
    assert (await take(adapter, GUEST)).refusal is TournamentReason.NOT_OFFERED
    await offer(adapter)
    with pytest.raises(Refusal, match=TournamentReason.OFFERED_ALREADY):
        await offer(adapter)
    (asked,) = [each.json for each in adapter.message_client.requests if f"<@{GUEST.id}>" in str(each.json)]
    assert (asked or {})["allowed_mentions"] == {"parse": [], "users": [str(GUEST.id)]}
    assert await adapter.app.service(TournamentService).load(1) == before
    assert (await take(adapter, STRANGER)).refusal is TournamentReason.NOT_OFFERED
    assert (await take(adapter, GUEST)).refusal is None
    after = await adapter.app.service(TournamentService).load(1)
    assert {player.user_id for player in after.players} == {ROBIN.id, GUEST.id}
    assert {player.number for player in after.players} == {1, 2}
    assert set(after.in_play[0].people) == {ROBIN.id, GUEST.id}
    told = [each.json["allowed_mentions"] for each in adapter.message_client.requests if each.json is not None]
    assert {"parse": [], "users": [str(WREN.id), str(GUEST.id)]} in told
    assert (await take(adapter, GUEST)).refusal is TournamentReason.NOT_OFFERED


@pytest.mark.parametrize("is_played", [False, True])
async def test_a_game_in_which_someone_has_moved_goes_on_and_any_other_begins_again(
    adapter: Adapter, *, is_played: bool
) -> None:
    await begin(adapter)
    table = await table_of(adapter)
    starter = next(person for person in (ROBIN, WREN) if person.id == table.seats[0].user_id)
    if is_played:
        table = await roll_all(adapter.service, await adapter.service.start(table.id, starter, 50))
    await offer(adapter)
    await take(adapter, GUEST)
    await advance(adapter)
    left = await adapter.service.reload(table.id)
    if is_played:
        assert left.header.status is Status.PLAYING
        assert list(left.seat_status.left) == [left.seat_of(WREN.id)]
        await advance(adapter)
        assert await adapter.service.reload(table.id) == left, "nothing is left to do"
    else:
        assert left.header.status is Status.CANCELLED
        await advance(adapter)
        assert {who.user_id for who in (await table_of(adapter)).seats} == {ROBIN.id, GUEST.id}


async def test_people_who_are_blocked_banned_or_want_no_invitations_are_not_asked(
    adapter: Adapter, db: MemoryDatabase
) -> None:
    await begin(adapter)
    before = len(adapter.message_client.requests)
    blocked, banned, reserved, player = (make_guest(discord.Member, id=number) for number in (81, 82, 83, ROBIN.id))
    await db.write(block_storage.add, Block(81, ROBIN.id), NOON, 9)
    ban = Ban(HERE.scope_id, 82, ROBIN.id, "", tells_reason=False, banned_at=NOON, ends_at=None)
    await adapter.app.service(Bans).ban(ban)
    db.chosen[83] = chosen({INVITATIONS: False})
    for guest in (blocked, banned, reserved):
        with pytest.raises(Refusal, match=TournamentReason.PLACE_REFUSED):
            await offer(adapter, guest)
    with pytest.raises(Refusal, match=TournamentReason.PLAYS_ALREADY):
        await offer(adapter, player)
    assert len(adapter.message_client.requests) == before
