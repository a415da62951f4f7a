"""Announcements of tournaments: one in the chosen channel, for the chosen role, and a line of the log if that fails."""

from typing import Any

import discord
import pytest

from bot.features.settings.moderator_log import ModeratorLog
from bot.features.settings.posts import LOG, TOURNAMENT_CHANNEL, TOURNAMENT_ROLE
from bot.features.tournaments.commands import Tournaments
from bot.features.tournaments.service import TournamentService
from tests.support.chosen_settings import chosen
from tests.support.fakes import HERE, ROBIN
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import MISSING_ACCESS, SERVER_ERROR, UNKNOWN_CHANNEL, make_command
from tests.ui.fake_servers import make_member, make_server

ROLE, NEWS, LOGGED = 501, 81, 82
SERVER = make_server(HERE.channel_id, NEWS, LOGGED, roles=(ROLE,))


async def open_tournament(adapter: Adapter, db: MemoryDatabase, channel_id: int, role_id: int) -> None:
    """Open a tournament in a server that wants announcements."""
    wanted = {TOURNAMENT_CHANNEL: frozenset({channel_id}), TOURNAMENT_ROLE: frozenset({role_id})}
    db.chosen[HERE.scope_id] = chosen({**wanted, LOG: frozenset({LOGGED})})
    adapter.app.find_server = lambda _: SERVER
    command: Any = make_command(ROBIN, guild=SERVER, member=make_member(ROBIN, SERVER))
    await adapter.app.service(Tournaments).open(command, "magpie", None, None, 24, starts_in=60)
    await adapter.app.service(ModeratorLog).tasks.finish()


def sent_to(adapter: Adapter, channel_id: int) -> list[Any]:
    return [request.json for request in adapter.message_client.requests if request.channel_id == channel_id]


@pytest.mark.parametrize(("role_id", "mentioned"), [(ROLE, [str(ROLE)]), (4711, [])])
async def test_a_new_tournament_is_announced_once_for_a_role_that_exists(
    adapter: Adapter, db: MemoryDatabase, role_id: int, mentioned: list[str]
) -> None:
    await open_tournament(adapter, db, NEWS, role_id)
    (announced,) = sent_to(adapter, NEWS)
    assert announced["allowed_mentions"] == {"parse": [], "roles": mentioned}
    assert f"/{HERE.channel_id}/" in announced["content"]
    (tournament,) = await adapter.app.service(TournamentService).list_in(HERE.scope_id)
    assert tournament.starts_at is not None
    assert f"<t:{tournament.starts_at.timestamp():.0f}" in announced["content"]
    assert [role for role in (ROLE, 4711) if f"<@&{role}>" in announced["content"]] == [int(role) for role in mentioned]


async def test_the_channel_of_the_tournament_needs_no_other_message_without_a_role(
    adapter: Adapter, db: MemoryDatabase
) -> None:
    await open_tournament(adapter, db, HERE.channel_id, 4711)
    assert len(sent_to(adapter, HERE.channel_id)) == 1


@pytest.mark.parametrize("fault", [MISSING_ACCESS, UNKNOWN_CHANNEL, SERVER_ERROR])
async def test_an_announcement_that_fails_is_one_line_of_the_log(
    adapter: Adapter, db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch, fault: discord.HTTPException
) -> None:
    send = adapter.message_client.send_with_retries

    async def refuse(request: Any, *given: Any) -> Any:
        if request.channel_id == NEWS:
            raise fault
        return await send(request, *given)

    monkeypatch.setattr(adapter.message_client, "send_with_retries", refuse)
    await open_tournament(adapter, db, NEWS, ROLE)
    opened, failed = (line["content"] for line in sent_to(adapter, LOGGED))
    assert f"<#{NEWS}>" in failed
    assert f"<#{NEWS}>" not in opened
