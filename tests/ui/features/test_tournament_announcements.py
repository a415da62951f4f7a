"""Announcements of tournaments, which are made once and in spite of failures, and tournaments without a channel."""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock

import discord
import pytest

from bot.features.settings.all_settings import LANGUAGE
from bot.features.settings.kinds import DISCORDS_LANGUAGE
from bot.features.settings.moderator_log import ModeratorLog
from bot.features.settings.posts import LOG, TOURNAMENT_CHANNEL, TOURNAMENT_ROLE
from bot.features.settings.reasons import SettingReason
from bot.features.tournaments import storage
from bot.features.tournaments.commands import Tournaments
from bot.features.tournaments.director import Director
from bot.features.tournaments.model import (
    ADVANCE_KIND,
    Announced,
    CancelledBy,
    Format,
    Stage,
    Tournament,
    TournamentReason,
)
from bot.features.tournaments.organizing import Organizers
from bot.features.tournaments.service import TournamentService
from bot.platform.discord.channels import all_may_read
from bot.platform.discord.refusals import ClickReason
from bot.platform.jobs.storage import Job
from bot.platform.places import Person
from bot.platform.registration import ClientEvent
from bot.rules.refusals import Refusal
from bot.tools.gallery_tournaments import play_games, start_tournament
from tests.support.chosen_settings import chosen
from tests.support.fakes import HERE, ROBIN
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import ARCHIVED, MISSING_ACCESS, SERVER_ERROR, UNKNOWN_CHANNEL, make_command
from tests.ui.fake_servers import make_member, make_server

ROLE, NEWS, LOGGED = 501, 81, 82
READS = discord.Permissions(read_messages=True).value
SERVER = make_server(HERE.channel_id, NEWS, LOGGED, roles=(ROLE,))


async def open_tournament(
    adapter: Adapter,
    db: MemoryDatabase,
    channel_id: int,
    role_id: int,
    *,
    organizes: bool = True,
    readable: Collection[int] = (HERE.channel_id, NEWS),
    language: str = DISCORDS_LANGUAGE,
) -> None:
    """Open a tournament in a server that wants announcements."""
    wanted = {TOURNAMENT_CHANNEL: frozenset({channel_id}), TOURNAMENT_ROLE: frozenset({role_id})}
    db.chosen[HERE.scope_id] = chosen({**wanted, LOG: frozenset({LOGGED}), LANGUAGE: language})
    adapter.app.find_server = lambda _: SERVER
    let_read(adapter, *readable)
    permissions = discord.Permissions(manage_messages=organizes)
    command: Any = make_command(ROBIN, guild=SERVER, member=make_member(ROBIN, SERVER), permissions=permissions)
    with suppress(discord.HTTPException):
        await adapter.app.service(Tournaments).open(command, "magpie", None, None, 24, starts="60m")
    await look(adapter)


def let_read(adapter: Adapter, *channels: int) -> None:
    """Let everyone read some channels, and only members of a role the others."""
    guild: Any = SimpleNamespace(id=HERE.scope_id, owner_id=1, me=discord.Object(1), get_member=lambda _: None)
    roles = [{"id": role, "name": "", "permissions": READS * (role == ROLE)} for role in (HERE.scope_id, ROLE)]
    guild.roles = [discord.Role(guild=guild, state=cast("Any", None), data=cast("Any", data)) for data in roles]
    guild.default_role, guild.get_role = guild.roles[0], {role.id: role for role in guild.roles}.get

    async def fetch(channel_id: int) -> discord.TextChannel:
        allowed = {"id": HERE.scope_id, "type": 0, "deny": 0, "allow": READS * (channel_id in channels)}
        data = {"id": channel_id, "type": 0, "name": "", "position": 0, "permission_overwrites": [allowed]}
        return discord.TextChannel(state=cast("Any", None), guild=guild, data=cast("Any", data))

    adapter.message_client.client = SimpleNamespace(fetch_channel=fetch)


async def look(adapter: Adapter) -> None:
    """Let the job of the tournament run, and the log be written."""
    await adapter.app.service(Director).run_advance_job(Job(ADVANCE_KIND, "1", adapter.service.clock()))
    await adapter.app.service(ModeratorLog).tasks.finish()


def refuse_posts(
    adapter: Adapter, monkeypatch: pytest.MonkeyPatch, channel_id: int, fault: discord.HTTPException
) -> None:
    """Let messages in a channel fail until the patch is undone."""
    send = adapter.message_client.send_with_retries

    async def refuse(request: Any, *given: Any) -> Any:
        if request.channel_id == channel_id and request.method == "POST":
            raise fault
        return await send(request, *given)

    monkeypatch.setattr(adapter.message_client, "send_with_retries", refuse)


def sent_to(adapter: Adapter, channel_id: int) -> list[Any]:
    return [request.json for request in adapter.message_client.requests if request.channel_id == channel_id]


@pytest.mark.parametrize(
    ("role_id", "organizes", "mentioned"), [(ROLE, True, [str(ROLE)]), (4711, True, []), (ROLE, False, [])]
)
async def test_a_new_tournament_of_an_organizer_is_announced_once_for_a_role_that_exists(
    adapter: Adapter, db: MemoryDatabase, role_id: int, mentioned: list[str], *, organizes: bool
) -> None:
    await open_tournament(adapter, db, NEWS, role_id, organizes=organizes)
    await look(adapter)
    (announced,) = sent_to(adapter, NEWS)
    assert announced["allowed_mentions"] == {"parse": [], "roles": mentioned}
    assert f"/{HERE.channel_id}/" in announced["content"]
    (tournament,) = await adapter.app.service(TournamentService).list_in(HERE.scope_id, {HERE.channel_id})
    assert tournament.starts_at is not None
    assert f"<t:{tournament.starts_at.timestamp():.0f}" in announced["content"]
    assert [role for role in (ROLE, 4711) if f"<@&{role}>" in announced["content"]] == [int(role) for role in mentioned]


@pytest.mark.parametrize("readable", [(), (HERE.channel_id,), (NEWS,)])
async def test_a_tournament_is_announced_only_to_people_who_can_see_its_channel(
    adapter: Adapter, db: MemoryDatabase, readable: tuple[int, ...]
) -> None:
    await open_tournament(adapter, db, NEWS, ROLE, readable=readable)
    await look(adapter)
    may_tell = NEWS not in readable
    assert len(sent_to(adapter, NEWS)) == may_tell
    lines = [line["content"] for line in sent_to(adapter, LOGGED)]
    assert [f"<#{NEWS}>" in line for line in lines] == [False] if may_tell else [False, True]
    await adapter.app.service(TournamentService).cancel(1, CancelledBy.ORGANIZER)
    for _ in range(2):
        await look(adapter)
    assert len(sent_to(adapter, NEWS)) == 2 * may_tell, "its end is told where its opening was"


async def test_the_end_of_a_tournament_whose_channel_was_hidden_later_is_a_line_of_the_log(
    adapter: Adapter, db: MemoryDatabase
) -> None:
    await open_tournament(adapter, db, NEWS, ROLE)
    let_read(adapter, NEWS)
    await adapter.app.service(TournamentService).cancel(1, CancelledBy.ORGANIZER)
    await look(adapter)
    assert len(sent_to(adapter, NEWS)) == 1
    assert f"<#{NEWS}>" in sent_to(adapter, LOGGED)[-1]["content"]


async def test_a_tournament_without_a_title_is_announced_and_logged_in_the_language_of_its_server(
    adapter: Adapter, db: MemoryDatabase
) -> None:
    await open_tournament(adapter, db, NEWS, ROLE, language="he")
    let_read(adapter, NEWS)
    await adapter.app.service(TournamentService).cancel(1, CancelledBy.ORGANIZER)
    await look(adapter)
    announced, logged = ([each["content"] for each in sent_to(adapter, channel)] for channel in (NEWS, LOGGED))
    assert ["טורניר עקעק" in text for text in (*announced, *logged)] == [True] * 3, "opened, and not told of the end"


VERIFIED, STAFF, A, B, OTHER_BOT, PARLOUR, MODERATORS = 11, 12, 13, 14, 15, 16, 17


@pytest.mark.parametrize(
    ("is_gated", "own", "news", "may_tell"),
    [
        (True, {VERIFIED: 1}, {VERIFIED: 1, OTHER_BOT: 1, PARLOUR: 1}, True),
        (True, {VERIFIED: 1}, {VERIFIED: 1, 77: 1}, True),
        (True, {VERIFIED: 1}, {VERIFIED: 1, MODERATORS: 1}, True),
        (True, {VERIFIED: 1}, {VERIFIED: 1, 901: 1}, False),
        (True, {STAFF: 1}, {VERIFIED: 1, STAFF: 1}, False),
        (False, {901: -1}, {}, False),
        (False, {901: -1}, {901: -1}, True),
        (False, {B: -1}, {HERE.scope_id: -1, A: 1}, False),
        (False, {}, {HERE.scope_id: -1, 901: 1}, True),
    ],
)
def test_bots_and_moderators_do_not_hide_a_channel_but_people_who_are_kept_out_do(
    *, is_gated: bool, own: dict[int, int], news: dict[int, int], may_tell: bool
) -> None:
    guild: Any = SimpleNamespace(id=HERE.scope_id, owner_id=1, me=discord.Object(500), get_member=lambda _: None)
    given = {HERE.scope_id: 0 if is_gated else READS, MODERATORS: discord.Permissions(manage_messages=True).value}
    bots = {OTHER_BOT: {"bot_id": "77"}, PARLOUR: {"bot_id": "500"}}
    guild.roles = [
        discord.Role(
            guild=guild,
            state=cast("Any", None),
            data=cast("Any", {"id": role, "name": "", "permissions": given.get(role, 0)})
            | ({"tags": bots[role], "managed": True} if role in bots else {}),
        )
        for role in (HERE.scope_id, VERIFIED, STAFF, A, B, OTHER_BOT, PARLOUR, MODERATORS)
    ]
    guild.default_role, guild.get_role = guild.roles[0], {role.id: role for role in guild.roles}.get

    def make_channel(channel_id: int, allowed: dict[int, int]) -> discord.TextChannel:
        overwrites = [
            {
                "id": who,
                "type": int(guild.get_role(who) is None),
                "allow": READS * (sign > 0),
                "deny": READS * (sign < 0),
            }
            for who, sign in allowed.items()
        ]
        data = {"id": channel_id, "type": 0, "name": "", "position": 0, "permission_overwrites": overwrites}
        return discord.TextChannel(state=cast("Any", None), guild=guild, data=cast("Any", data))

    assert all_may_read(make_channel(1, own), make_channel(2, news)) is may_tell


async def test_a_tournament_is_announced_once_its_server_is_known(adapter: Adapter, db: MemoryDatabase) -> None:
    await store(adapter, db, JOINING)
    fetch = cast("Any", adapter.message_client.client).fetch_channel
    server = (await fetch(NEWS)).guild
    known, server.me = server.me, None
    job = Job(ADVANCE_KIND, "1", adapter.service.clock())
    again_at = await adapter.app.service(Director).run_advance_job(job)
    assert again_at is not None
    assert again_at > adapter.service.clock()
    assert sent_to(adapter, NEWS) == []
    server.me = known
    await look(adapter)
    assert len(sent_to(adapter, NEWS)) == 1


async def test_the_start_that_is_moved_is_of_a_tournament_that_has_not_started(
    adapter: Adapter, db: MemoryDatabase
) -> None:
    service = adapter.app.service(TournamentService)
    await open_tournament(adapter, db, NEWS, ROLE)
    adapter.clock.tick(60)
    await open_tournament(adapter, db, NEWS, ROLE)
    for number in range(2):
        await service.join(2, Person(900 + number, "P"), 50 + number)
    await service.start(2)
    before = (await service.load(1)).starts_at
    command: Any = make_command(ROBIN, guild=SERVER, member=make_member(ROBIN, SERVER))
    await adapter.app.service(Organizers).reschedule(command, "120m", None)
    assert (await service.load(1)).starts_at != before


async def test_a_start_is_moved_once_at_a_time_where_it_was_announced(adapter: Adapter, db: MemoryDatabase) -> None:
    await open_tournament(adapter, db, NEWS, ROLE)

    async def reschedule(starts: str | None) -> None:
        command: Any = make_command(ROBIN, guild=SERVER, member=make_member(ROBIN, SERVER))
        await adapter.app.service(Organizers).reschedule(command, starts, 1)

    moved = int((adapter.service.clock() + timedelta(minutes=120)).timestamp())
    await reschedule("120m")
    for channel_id in (NEWS, HERE.channel_id):
        assert f"<t:{moved}>" in sent_to(adapter, channel_id)[-1]["content"]
    with pytest.raises(Refusal, match=ClickReason.TOO_QUICK):
        await reschedule(None)
    assert len(sent_to(adapter, NEWS)) == 2
    assert (await adapter.app.service(TournamentService).load(1)).starts_at is not None


async def test_a_member_opens_one_tournament_after_another_and_waits_in_between(
    adapter: Adapter, db: MemoryDatabase
) -> None:
    service = adapter.app.service(TournamentService)
    await open_tournament(adapter, db, NEWS, ROLE, organizes=False)
    for reason in (SettingReason.OPENED_JUST_NOW, TournamentReason.OPENED_ONE_ALREADY):
        with pytest.raises(Refusal, match=reason):
            await open_tournament(adapter, db, NEWS, ROLE, organizes=False)
        adapter.clock.tick(60)
    await service.cancel(1, CancelledBy.OPENER)
    await open_tournament(adapter, db, NEWS, ROLE, organizes=False)
    assert len(await service.list_in(HERE.scope_id, {HERE.channel_id})) == 2


async def test_the_channel_of_the_tournament_needs_no_other_message_without_a_role(
    adapter: Adapter, db: MemoryDatabase
) -> None:
    await open_tournament(adapter, db, HERE.channel_id, 4711)
    assert len(sent_to(adapter, HERE.channel_id)) == 1


@pytest.mark.parametrize("fault", [MISSING_ACCESS, UNKNOWN_CHANNEL])
async def test_an_announcement_that_fails_is_one_line_of_the_log(
    adapter: Adapter, db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch, fault: discord.HTTPException
) -> None:
    refuse_posts(adapter, monkeypatch, NEWS, fault)
    await open_tournament(adapter, db, NEWS, ROLE)
    opened, failed = (line["content"] for line in sent_to(adapter, LOGGED))
    assert f"<#{NEWS}>" in failed
    assert f"<#{NEWS}>" not in opened


async def test_a_tournament_is_announced_though_the_answer_to_its_opener_fails(
    adapter: Adapter, db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: Any) -> None:
        raise SERVER_ERROR

    monkeypatch.setattr("bot.features.tournaments.commands.send_ephemeral", fail)
    await open_tournament(adapter, db, NEWS, ROLE)
    assert len(sent_to(adapter, NEWS)) == 1


def ended() -> Tournament:
    tournament = start_tournament(Format.KNOCKOUT, 2)
    while tournament.stage is Stage.RUNNING:
        tournament = play_games(tournament)
    return tournament


ENDED = replace(ended(), announced_in=NEWS)
JOINING = replace(ENDED, stage=Stage.JOINING, round=0, pairings=(), announced_in=None)
CANCELLED = replace(ENDED, stage=Stage.CANCELLED, announced=Announced.OPENING)
CHECKING_IN = replace(JOINING, is_checking_in=True, check_in_minutes=30)


async def store(adapter: Adapter, db: MemoryDatabase, tournament: Tournament) -> None:
    """Store a tournament that has a message, in a server that wants announcements."""
    db.chosen[HERE.scope_id] = chosen({TOURNAMENT_CHANNEL: frozenset({NEWS}), LOG: frozenset({LOGGED})})
    adapter.app.find_server = lambda _: SERVER
    let_read(adapter, HERE.channel_id, NEWS)
    tournament = replace(tournament, id=0, location=HERE, message_id=4, revision=1)
    added = await db.write(storage.add, tournament, 9, [])
    assert added is not None
    await db.write(storage.save, replace(added, players=(), pairings=()), replace(added, revision=2), [])


@pytest.mark.parametrize(
    ("tournament", "channel_id"),
    [(JOINING, NEWS), (CHECKING_IN, HERE.channel_id), (ENDED, NEWS), (ENDED, HERE.channel_id), (CANCELLED, NEWS)],
    ids=["opening", "check-in", "end where the server wants it", "end in its channel", "cancelled"],
)
async def test_a_message_that_discord_does_not_take_is_posted_once_when_it_does(
    adapter: Adapter, db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch, tournament: Tournament, channel_id: int
) -> None:
    await store(adapter, db, tournament)
    with monkeypatch.context() as failing:
        refuse_posts(adapter, failing, channel_id, SERVER_ERROR)
        await look(adapter)
    for _ in range(2):
        await look(adapter)
    is_there = tournament.stage is Stage.FINISHED or tournament.is_checking_in
    posted = [request.channel_id for request in adapter.message_client.requests if request.method == "POST"]
    assert [posted.count(each) for each in (NEWS, HERE.channel_id)] == [1, int(is_there)]
    assert posted.count(LOGGED) == int(tournament.stage is Stage.FINISHED)


async def test_players_are_called_to_the_check_in_though_the_thread_of_the_tournament_is_archived(
    adapter: Adapter, db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = adapter.message_client.send_with_retries

    async def refuse_edits(request: Any, *given: Any) -> Any:
        if request.method == "PATCH":
            raise ARCHIVED
        return await send(request, *given)

    monkeypatch.setattr(adapter.message_client, "send_with_retries", refuse_edits)
    await store(adapter, db, CHECKING_IN)
    await look(adapter)
    assert len(sent_to(adapter, HERE.channel_id)) == 1


async def test_the_end_is_announced_though_the_channel_of_the_tournament_is_closed_to_the_bot(
    adapter: Adapter, db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = adapter.message_client.send_with_retries

    async def refuse(request: Any, *given: Any) -> Any:
        if request.channel_id == HERE.channel_id:
            raise MISSING_ACCESS
        return await send(request, *given)

    monkeypatch.setattr(adapter.message_client, "send_with_retries", refuse)
    await store(adapter, db, ENDED)
    for _ in range(2):
        await look(adapter)
    assert [len(sent_to(adapter, channel_id)) for channel_id in (NEWS, LOGGED)] == [1, 1]


@pytest.mark.parametrize("is_reported", [True, False])
async def test_a_tournament_that_has_not_started_ends_with_its_channel(
    adapter: Adapter, db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch, is_reported: bool
) -> None:
    await store(adapter, db, JOINING)
    await look(adapter)
    if is_reported:
        await adapter.app.tell(ClientEvent.CHANNEL_DELETED, HERE.channel_id)
    else:
        client = SimpleNamespace(fetch_channel=AsyncMock(side_effect=UNKNOWN_CHANNEL))
        monkeypatch.setattr(adapter.message_client, "client", client)
        await look(adapter)
    assert (await adapter.app.service(TournamentService).load(1)).stage is Stage.CANCELLED
