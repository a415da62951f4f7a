"""Players see what organizers do where they play, in the language spoken there, and only if it was done."""

import json
from collections.abc import Awaitable, Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import discord
import pytest

from bot.features.new_tables.archiving import ARCHIVE_KIND
from bot.features.settings.moderator_log import ModeratorLog
from bot.features.settings.posts import LOG
from bot.features.tournaments.commands import Tournaments
from bot.features.tournaments.director import Director
from bot.features.tournaments.messages import TakePlaceId, TournamentButton, TournamentButtonId
from bot.features.tournaments.model import ADVANCE_KIND, Stage, Tournament, Verdict, deadline_of
from bot.features.tournaments.organizer_messages import DecisionId, DecisionStep, MoreTimeId, OrganizerId
from bot.features.tournaments.replacing import Replacements
from bot.features.tournaments.service import TournamentService
from bot.languages import ENGLISH, EnglishTexts, Language, speaking
from bot.platform.discord.answers import note_languages
from bot.platform.jobs.storage import Job
from bot.platform.places import Person
from bot.tables.model import Status
from tests.support.chosen_settings import chosen
from tests.support.fakes import HERE, ROBIN, STRANGER, WREN
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import make_click, make_command, make_guest, make_menu_choice
from tests.ui.fake_servers import make_member, make_server

LOGGED, THREAD, GUEST, MARK = 82, 700, Person(77, "Guest"), "\N{INVISIBLE PLUS}"
SERVER = make_server(HERE.channel_id)
Act = Callable[[Adapter], Awaitable[None]]


class _MarkedTexts(EnglishTexts):
    def gettext(self, message: str) -> str:
        return MARK + super().gettext(message)


ORGANIZERS_LANGUAGE = Language("xp", ENGLISH.locale, _MarkedTexts())


def spoken(interaction: Any) -> Any:
    """Let an interaction be that of a person with a language of their own."""
    note_languages(interaction, ORGANIZERS_LANGUAGE, ENGLISH)
    return interaction


def rights(person: Person = ROBIN) -> dict[str, Any]:
    return {"guild": SERVER, "member": make_member(person, SERVER)}


async def begin(adapter: Adapter) -> None:
    """Begin a tournament of Robin and Wren, whose game has a thread."""
    service = adapter.app.service(TournamentService)
    now = adapter.service.clock()
    await service.open(Tournament(0, "", "magpie", "{}", HERE, ROBIN, now, 24))
    for person in (ROBIN, WREN):
        await service.join(1, person, person.id)
    _, begun = await service.start(1)
    await service.set_thread(1, begun.in_play[0], THREAD)
    adapter.message_client.requests.clear()


async def check_in(adapter: Adapter) -> None:
    """Open a tournament's check-in, which one of three players misses."""
    service = adapter.app.service(TournamentService)
    now = adapter.service.clock()
    starts_at = now + timedelta(minutes=30)
    await service.open(
        Tournament(0, "", "magpie", "{}", HERE, ROBIN, now, 24, starts_at=starts_at, check_in_minutes=30)
    )
    for person in (ROBIN, WREN, STRANGER):
        await service.join(1, person, person.id)
    await service.open_check_in(1)
    for person in (ROBIN, WREN):
        await service.check_in(1, person.id)
    adapter.message_client.requests.clear()


async def press(adapter: Adapter, button: TournamentButton) -> Any:
    return await adapter.click(spoken(make_click(ROBIN, TournamentButtonId(1, button), **rights())))


async def organize(adapter: Adapter, pressed: OrganizerId, value: str = "") -> None:
    await adapter.click(spoken(make_menu_choice(ROBIN, pressed, value, **rights())))


async def decide(adapter: Adapter) -> None:
    await organize(adapter, DecisionId(1, 1, 1, Verdict.FIRST, DecisionStep.DECIDE))


async def extend(adapter: Adapter) -> None:
    tournament = await adapter.app.service(TournamentService).load(1)
    await organize(adapter, MoreTimeId(1, 1, deadline_of(tournament)), "24")


async def cancel(adapter: Adapter) -> None:
    await press(adapter, TournamentButton.CANCEL)


async def start(adapter: Adapter) -> None:
    await press(adapter, TournamentButton.START)
    await press(adapter, TournamentButton.START_WITHOUT)


async def replace_wren(adapter: Adapter) -> None:
    command: Any = spoken(make_command(ROBIN, **rights()))
    guest = make_guest(discord.Member, id=GUEST.id)
    player = make_guest(discord.Member, id=WREN.id)
    await adapter.app.service(Replacements).offer(command, player, guest, 1)
    await adapter.click(spoken(make_click(GUEST, TakePlaceId(1, WREN.id), **rights(GUEST))))


def lines_in(adapter: Adapter, channel_id: int) -> list[str]:
    """Return the texts posted in a channel."""
    posted = [each.json or {} for each in adapter.message_client.requests if each.channel_id == channel_id]
    return [each["content"] for each in posted if "content" in each]


@pytest.mark.parametrize("is_faster", [True, False])
@pytest.mark.parametrize(
    ("act", "places"), [(decide, [THREAD]), (extend, [THREAD]), (cancel, [HERE.channel_id, THREAD])]
)
async def test_what_an_organizer_has_done_is_one_line_where_it_is_played_and_in_the_log(
    adapter: Adapter,
    db: MemoryDatabase,
    monkeypatch: pytest.MonkeyPatch,
    act: Act,
    places: list[int],
    *,
    is_faster: bool,
) -> None:
    db.chosen[HERE.scope_id] = chosen({LOG: frozenset({LOGGED})})
    await begin(adapter)
    service = adapter.app.service(TournamentService)
    change = getattr(service, act.__name__)

    async def change_after_another(*given: Any) -> Any:
        await change(*given)
        return await change(*given)

    if not is_faster:
        monkeypatch.setattr(service, act.__name__, change_after_another)
    with speaking(ENGLISH):
        await act(adapter)
    await adapter.app.service(ModeratorLog).tasks.finish()
    posted = [lines_in(adapter, place) for place in (LOGGED, *places)]
    if not is_faster:
        assert not any(posted), "another organizer has done it"
        return
    (logged,) = posted[0]
    assert f"<@{ROBIN.id}>" in logged
    assert posted == [[logged]] * len(posted)
    told = [each.json or {} for each in adapter.message_client.requests if each.channel_id in places]
    assert not any(each["allowed_mentions"].get("users") for each in told), "no one is notified"


async def test_the_thread_of_a_decided_game_is_archived_later(adapter: Adapter, db: MemoryDatabase) -> None:
    await begin(adapter)
    job = Job(ADVANCE_KIND, "1", adapter.service.clock())
    await adapter.app.service(Director).run_advance_job(job)
    assert db.header(1).location.channel_id == THREAD
    await decide(adapter)
    await adapter.app.service(Director).run_advance_job(job)
    assert db.header(1).status is Status.CANCELLED
    assert (ARCHIVE_KIND, str(THREAD)) in db.jobs


@pytest.mark.parametrize(
    ("prepare", "act"),
    [(begin, decide), (begin, extend), (begin, cancel), (begin, replace_wren), (check_in, start)],
)
async def test_everyone_reads_the_language_of_the_place_whichever_the_organizer_speaks(
    adapter: Adapter, db: MemoryDatabase, prepare: Act, act: Act
) -> None:
    db.chosen[HERE.scope_id] = chosen({LOG: frozenset({LOGGED})})
    await prepare(adapter)
    with speaking(ENGLISH):
        await act(adapter)
    await adapter.app.service(ModeratorLog).tasks.finish()
    assert adapter.message_client.requests
    assert MARK not in json.dumps([each.json for each in adapter.message_client.requests], ensure_ascii=False)


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("The \n\u200b Big\u2028Cup\u3000", "The Big Cup"),
        ("\u200b\u3164 \u2800\u202e", ""),
        (None, ""),
    ],
)
async def test_a_title_is_one_visible_line_or_none(adapter: Adapter, given: str | None, stored: str) -> None:
    command = make_command(ROBIN, permissions=discord.Permissions(manage_guild=True), **rights())
    with speaking(ENGLISH):
        await adapter.app.service(Tournaments).open(spoken(command), "magpie", given, None, 24)
    (opened,) = await adapter.app.service(TournamentService).list_in(HERE.scope_id, {HERE.channel_id})
    assert opened.title == stored


async def test_a_start_that_leaves_players_out_is_asked_about_first(adapter: Adapter) -> None:
    await check_in(adapter)
    service = adapter.app.service(TournamentService)
    with speaking(ENGLISH):
        asked = await press(adapter, TournamentButton.START)
        assert (await service.load(1)).stage is Stage.JOINING
        (question,) = asked.answers
        assert "1" in str(question.embed.description)
        await press(adapter, TournamentButton.START_WITHOUT)
    assert {player.user_id for player in (await service.load(1)).players} == {ROBIN.id, WREN.id}


async def test_who_takes_a_place_is_added_to_the_thread_which_names_both_players(adapter: Adapter) -> None:
    await begin(adapter)
    thread = AsyncMock(spec=discord.Thread)
    adapter.message_client.client = SimpleNamespace(fetch_channel=AsyncMock(return_value=thread))
    with speaking(ENGLISH):
        await replace_wren(adapter)
    (added,) = [call.args[0].id for call in thread.add_user.await_args_list]
    assert added == GUEST.id
    name = thread.edit.await_args.kwargs["name"]
    assert [person.name in name for person in (ROBIN, GUEST, WREN)] == [True, True, False]
