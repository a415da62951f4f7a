"""Members who may not play in a server."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import discord
import pytest
from sqlalchemy import select

from bot.app.bootstrap import build_client
from bot.features.invitations.handlers import InvitationCommands
from bot.features.invitations.model import InvitationReason
from bot.features.moderation import storage as ban_storage
from bot.features.moderation.bans import BanCommands
from bot.features.moderation.messages import BansId, LiftBanId, render_bans
from bot.features.moderation.model import Ban, BanTime, ModerationReason
from bot.features.moderation.service import Bans
from bot.features.moderation.storage import BAN_KIND
from bot.features.settings.kinds import SettingsSection
from bot.features.settings.moderator_log import ModeratorLog
from bot.features.settings.posts import LOG
from bot.features.tournaments import storage as tournament_storage
from bot.features.tournaments.model import ADVANCE_KIND, Player, Tournament
from bot.features.tournaments.service import TournamentService
from bot.platform.database.errors import StoreUnavailable
from bot.platform.discord.ids import kinds_of_ids, parse_id
from bot.platform.discord.limits import MAX_DESCRIPTION
from bot.platform.jobs.storage import Job
from bot.platform.places import Location, Person
from bot.tables import storage as table_storage
from bot.tables.aside import put_aside, resume
from bot.tables.handlers.ids import PlayAgainId
from bot.tables.model import ClosedBy, Status
from bot.tables.opening import continue_series
from bot.tables.seats import resign_seat
from tests.support.chosen_settings import chosen
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import GAMES, HERE, JAY, LINNET, NOON, ROBIN, WREN, open_lobby, start_game
from tests.support.magpie_series import SERIES_REGISTRY, play_new_game
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter, command, refusal_reason
from tests.ui.fake_interactions import make_click, make_command, make_guest, make_menu_choice
from tests.ui.features.settings.panels import MANAGER, menus_of, turn_to
from tests.ui.test_custom_ids import ids_of

MODERATOR = discord.Permissions(manage_messages=True)
DAY = timedelta(days=1)


def make_ban(user: Person = WREN, *, ends_at: datetime | None = None) -> Ban:
    return Ban(HERE.scope_id, user.id, LINNET.id, "spam", tells_reason=False, banned_at=NOON, ends_at=ends_at)


async def ban(adapter: Adapter, person: Person = WREN, time: BanTime | None = None) -> Any:
    asked = command(LINNET, permissions=MODERATOR)
    guest = make_guest(discord.User, id=person.id)
    await adapter.app.service(BanCommands).ban(asked, guest, "spam", time, tells_reason=False)
    return asked


async def run_job(adapter: Adapter, db: MemoryDatabase, person: Person = WREN) -> None:
    """Do the job that takes a banned member out of tables."""
    await adapter.app.jobs[BAN_KIND].run(db.jobs[BAN_KIND, f"{HERE.guild_id}:{person.id}"])


async def test_a_banned_member_leaves_all_tables_of_the_server_alone(adapter: Adapter, db: MemoryDatabase) -> None:
    def at(channel_id: int, guild_id: int | None = HERE.guild_id, solo_id: int = 0) -> Location:
        return Location(guild_id, channel_id, solo_id)

    lobby = await open_lobby(adapter.service, WREN, JAY)
    game = await start_game(adapter.service, WREN, ROBIN, location=at(71))
    alone = await start_game(adapter.service, WREN, computers=1, location=at(72))
    elsewhere = await start_game(adapter.service, WREN, computers=1, location=at(80, guild_id=4))
    await ban(adapter)
    assert [who.name for who in db.records[lobby.id].seats] == ["Jay"]
    assert db.header(lobby.id).opener_id == JAY.id
    assert db.texts(game.id) == ["!remove"]
    assert (db.header(alone.id).status, db.header(alone.id).closed_by) == (Status.CANCELLED, ClosedBy.MODERATOR)
    assert db.header(elsewhere.id).status is Status.PLAYING


async def test_a_banned_member_gets_no_seat_even_where_the_ban_is_not_known_yet(
    adapter: Adapter, db: MemoryDatabase
) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    # As if another process had stored it.
    db.run(ban_storage.add, make_ban(), 9)
    assert await refusal_reason(adapter.service.join(table.id, WREN, 5)) is ModerationReason.BANNED
    opened = open_lobby(adapter.service, WREN, location=Location(HERE.guild_id, 71))
    assert await refusal_reason(opened) is ModerationReason.BANNED
    await open_lobby(adapter.service, WREN, location=Location(4, 80))


async def test_a_rematch_keeps_no_seat_for_banned_members(adapter: Adapter, db: MemoryDatabase) -> None:
    table = await start_game(adapter.service, ROBIN, WREN, JAY)
    for person in (WREN, JAY):
        table = await adapter.service.apply_seat_action(table.id, person, resign_seat, 70 + person.id)
    await ban(adapter)
    await adapter.click(make_click(ROBIN, PlayAgainId(table.id)))
    assert db.header(table.id + 1).kept == {JAY.id}


async def test_a_banned_member_is_not_invited_and_no_one_learns_why(adapter: Adapter) -> None:
    await open_lobby(adapter.service, ROBIN)
    await ban(adapter)
    inviting = adapter.app.service(InvitationCommands).invite(command(ROBIN), make_guest(discord.Member, id=WREN.id))
    assert await refusal_reason(inviting) is InvitationReason.INVITATIONS_REFUSED


async def test_a_resumed_game_goes_on_without_the_banned_member(adapter: Adapter, db: MemoryDatabase) -> None:
    table = await start_game(adapter.service, WREN, ROBIN)
    adapter.clock.tick(DAY.total_seconds())
    await put_aside(adapter.service, table.id, HERE.channel_id)
    await ban(adapter)
    assert db.header(table.id).status is Status.ASIDE
    await resume(adapter.service, table.id, ROBIN, is_moderator=False)
    await run_job(adapter, db)
    assert db.texts(table.id) == ["!remove"]


async def test_tables_that_the_database_did_not_let_a_member_leave_are_left_later_and_the_log_has_its_line(
    adapter: Adapter, db: MemoryDatabase
) -> None:
    db.chosen[HERE.scope_id] = chosen({LOG: frozenset({99})})
    lobby = await open_lobby(adapter.service, ROBIN, WREN)
    db.broken.add(table_storage.save)
    with pytest.raises(StoreUnavailable):
        await ban(adapter)
    await adapter.app.service(ModeratorLog).tasks.finish()
    (line,) = adapter.message_client.requests
    assert f"<@{WREN.id}>" in (line.json or {})["content"]
    db.broken.clear()
    await run_job(adapter, db)
    assert [who.name for who in db.records[lobby.id].seats] == ["Robin"]


async def test_the_job_of_a_lifted_ban_takes_no_one_out(adapter: Adapter, db: MemoryDatabase) -> None:
    await ban(adapter)
    await adapter.app.service(Bans).lift(HERE.scope_id, WREN.id)
    lobby = await open_lobby(adapter.service, ROBIN, WREN)
    await run_job(adapter, db)
    assert len(db.records[lobby.id].seats) == 2


async def test_the_next_game_of_a_series_starts_before_a_computer_player_takes_the_banned_members_seat(
    db: MemoryDatabase,
) -> None:
    adapter = Adapter(db, FakeTableMessages(), SERIES_REGISTRY)
    first = await play_new_game(adapter.service, ROBIN, WREN, games=2)
    await ban(adapter)
    following = await continue_series(adapter.service, first.id, ROBIN, 77)
    await run_job(adapter, db)
    assert db.header(following.id).status is Status.LOBBY
    await adapter.service.start(following.id, ROBIN, 78)
    await run_job(adapter, db)
    assert db.texts(following.id) == ["!remove"]
    assert db.header(following.id).status is Status.PLAYING
    await adapter.host.close()


async def test_the_client_passes_nothing_on_that_a_banned_member_does_and_asks_no_database_for_others(
    db: MemoryDatabase,
) -> None:
    client = build_client(db, GAMES)
    await client.__aenter__()
    try:
        db.run(ban_storage.add, make_ban(), 9)
        await client.app.service(Bans).load()
        # Languages are read once, and are in memory from then on.
        first: Any = make_menu_choice(ROBIN, PlayAgainId(7), "1")
        await client.app.languages.of_interaction(first)
        seen = list[str]()

        async def note(click: Any) -> None:
            seen.append(click.data["custom_id"])

        client.app.dispatcher.on_interaction = note  # type: ignore[method-assign]
        for kind in kinds_of_ids():
            pressed = ids_of(kind)[0]
            for who in (WREN, ROBIN):
                click: Any = make_menu_choice(who, pressed, "1")
                db.calls.clear()
                # A task's end frees its place among the person's clicks.
                await asyncio.create_task(client.on_interaction(click))
                assert seen == ([str(pressed)] if who is ROBIN else []), kind
                assert bool(click.answers) is (who is WREN)
                assert not (who is ROBIN and db.calls)
            seen.clear()
        for typed in (discord.InteractionType.application_command, discord.InteractionType.autocomplete):
            asked: Any = make_command(WREN, client=client)
            asked.type = typed
            assert not await asyncio.create_task(client.tree.interaction_check(asked))
            assert len(asked.answers) == 1
        direct: Any = make_command(WREN, guild_id=None, channel_id=90, client=client)
        assert await asyncio.create_task(client.admit(direct))
    finally:
        await client.close()


async def test_a_ban_ends_by_time_by_command_and_by_menu(adapter: Adapter, db: MemoryDatabase) -> None:
    bans = adapter.app.service(Bans)
    asked: Any = command(WREN)
    await ban(adapter, time=BanTime.DAY)
    assert bans.is_banned(HERE.guild_id, WREN.id)
    adapter.clock.tick(DAY.total_seconds())
    assert await bans.find_refusal(asked) is None
    assert await bans.list_in(HERE.scope_id) == []
    await ban(adapter)
    unbanning: Any = command(LINNET, permissions=MODERATOR)
    await adapter.app.service(BanCommands).unban(unbanning, make_guest(discord.User, id=WREN.id))
    assert await bans.find_refusal(asked) is None
    await ban(adapter)
    await ban(adapter, JAY)
    click: Any = make_menu_choice(LINNET, LiftBanId(1), str(WREN.id), permissions=MODERATOR, in_whisper=True)
    await adapter.click(click)
    assert [each.user_id for each in await bans.list_in(HERE.scope_id)] == [JAY.id]
    assert f"<@{WREN.id}>" not in click.answers[-1].embed.description
    adapter.clock.tick(2 * 3600)
    await bans.prune()
    kept = db.run(lambda connection: connection.execute(select(ban_storage.bans.c.user_id)).scalars().all())
    assert kept == [JAY.id], "nothing is kept of bans that are over"


async def test_another_process_follows_changes_and_reads_everything_at_its_start(
    adapter: Adapter, db: MemoryDatabase
) -> None:
    early, bans = Bans(db, adapter.service, adapter.clock), adapter.app.service(Bans)
    await early.load()
    await bans.ban(make_ban())
    await bans.ban(make_ban(JAY, ends_at=NOON + DAY))
    await early.load()
    late = Bans(db, adapter.service, adapter.clock)
    await late.load()
    for process in (early, late):
        assert process.is_banned(HERE.guild_id, WREN.id)
        assert process.is_banned(HERE.guild_id, JAY.id)
        assert not process.is_banned(4, WREN.id)
    await bans.lift(HERE.scope_id, WREN.id)
    await early.load()
    assert not early.is_banned(HERE.guild_id, WREN.id)
    look = early.look()
    assert not db.run(lambda connection: connection.execute(select(look.due), look.values(NOON)).scalar_one())
    late.read_again()
    assert late.is_banned(HERE.guild_id, WREN.id), "known bans hold until they are read again"
    await late.load()
    assert not late.is_banned(HERE.guild_id, WREN.id)


async def test_managers_see_the_bans_among_the_settings_and_moderators_alone(adapter: Adapter) -> None:
    await ban(adapter, time=BanTime.DAY)
    page = await turn_to(adapter, SettingsSection.BANS)
    shown: Any = await adapter.click(make_click(LINNET, BansId(1), permissions=MODERATOR))
    for answered in (page, shown):
        text = answered.answers[-1].embed.description
        assert f"<@{WREN.id}>" in text
        assert f"<@{LINNET.id}>" in text
        assert "spam" in text
    assert MANAGER.manage_guild
    assert any(menu.startswith("Sm:") for menu in menus_of(page))
    assert [parse_id(button) for button in shown.buttons()] == []


async def test_every_ban_on_a_page_is_shown_and_can_be_lifted() -> None:
    bans = [
        replace(make_ban(ends_at=NOON + DAY), user_id=10**18 + each, reason="_" * 200, tells_reason=True)
        for each in range(10)
    ]
    page = render_bans(bans, 1, "News.", in_settings=False)
    text = page.text_embed.description or ""
    assert len(text) <= MAX_DESCRIPTION
    assert [option.value for option in page.menus[0].options] == [str(each.user_id) for each in bans]
    assert [each for each in bans if f"<@{each.user_id}>" not in text] == []


async def test_a_later_ban_replaces_the_earlier_one(adapter: Adapter) -> None:
    bans = adapter.app.service(Bans)
    await bans.ban(make_ban(ends_at=NOON + DAY))
    later = replace(make_ban(), reason="again")
    await bans.ban(later)
    assert await bans.list_in(HERE.scope_id) == [later]


async def test_a_banned_member_leaves_the_tournaments_of_the_server_alone(adapter: Adapter, db: MemoryDatabase) -> None:
    numbers = list[int]()
    for guild_id in (HERE.scope_id, 4):
        cup = Tournament(0, "Cup", "magpie", "{}", Location(guild_id, 70), ROBIN, NOON, 24)
        added = db.run(tournament_storage.add, cup, 9, [Job(ADVANCE_KIND, "", NOON)])
        players = tuple(Player(who.id, who.name, who.id) for who in (ROBIN, WREN))
        db.run(tournament_storage.save, added, replace(added, players=players, revision=added.revision + 1), [])
        numbers.append(added.id)
    await ban(adapter)
    here, there = [await adapter.app.service(TournamentService).load(number) for number in numbers]
    assert [player.user_id for player in here.players] == [ROBIN.id]
    assert [player.user_id for player in there.players] == [ROBIN.id, WREN.id]
    assert (ADVANCE_KIND, str(here.id)) in db.jobs, "the tournament is shown again"
