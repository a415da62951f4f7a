"""What moderators do, and what the log of a server tells them."""

from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, ClassVar, TypeAlias

import discord
import pytest

from bot.features.moderation.bans import BanCommands
from bot.features.moderation.messages import CloseAll, CloseAllId, CloseTableId, PickTableId
from bot.features.moderation.model import ModerationReason
from bot.features.moderation.open_tables import OpenTables
from bot.features.moderation.service import Bans
from bot.features.privacy.messages import PrivacyButton, PrivacyId
from bot.features.settings.all_settings import ALONE
from bot.features.settings.choices import AloneChoice
from bot.features.settings.moderator_log import ModeratorLog
from bot.features.settings.posts import LOG
from bot.features.tournaments.commands import Tournaments
from bot.features.tournaments.messages import TournamentButton, TournamentButtonId
from bot.features.tournaments.model import FORGOTTEN_KIND, START_KIND, Tournament
from bot.features.tournaments.service import TournamentService
from bot.platform.discord.ids import parse_id
from bot.platform.jobs.storage import Job
from bot.platform.places import (
    Location,
    Person,
)
from bot.rules.refusals import Refusal
from bot.tables import storage as table_storage
from bot.tables.closing import propose_close
from bot.tables.handlers.closing import ARRANGED
from bot.tables.handlers.commands import TableCommands
from bot.tables.handlers.ids import CancelTableId, RemovePlayerId, SeatButton, SeatId
from bot.tables.handlers.lobby import LobbyCommands
from bot.tables.lobby import make_occupant
from bot.tables.model import ClosedBy, SeriesLink, SeriesLinkKind, Status
from bot.tables.opening import open_pairing
from bot.tables.refusals import HostReason
from bot.tables.shown.story import describe_what_happened
from bot.tables.table import Table
from bot.words import gettext
from tests.support.chosen_settings import chosen
from tests.support.each_case import each_case
from tests.support.fakes import (
    HERE,
    JAY,
    LINNET,
    NEW_CLICKS,
    ROBIN,
    WREN,
    open_lobby,
    start_game,
)
from tests.support.memory_database import MemoryDatabase
from tests.tables.actions.test_seats import play_round
from tests.ui.adapter import Adapter, command
from tests.ui.fake_interactions import make_click, make_guest, make_menu_choice
from tests.ui.fake_servers import KEEPS_ORDER, make_member, make_server
from tests.ui.table_clicks import offered_ids

LOG_CHANNEL = 99
MODERATOR = discord.Permissions(manage_messages=True)


@pytest.fixture(autouse=True)
def _log(db: MemoryDatabase) -> None:
    db.chosen[HERE.scope_id] = chosen({LOG: frozenset({LOG_CHANNEL})})


async def logged(adapter: Adapter) -> list[str]:
    """Return the lines of the log, and forget them."""
    await adapter.app.service(ModeratorLog).tasks.finish()
    posted = [each for each in adapter.message_client.requests if each.channel_id == LOG_CHANNEL]
    adapter.message_client.requests.clear()
    assert all((each.json or {})["allowed_mentions"]["parse"] == [] for each in posted)
    return [(each.json or {})["content"] for each in posted]


async def kick(adapter: Adapter, remover: Person, person: Person, reason: str = "", **more: Any) -> Any:
    """Let a person remove another by command."""
    removal: Any = command(remover, **more)
    await adapter.app.service(LobbyCommands).kick(removal, make_guest(discord.Member, id=person.id), reason)
    return removal


Deed: TypeAlias = Callable[[Adapter], Awaitable[object]]


async def _host_closes_a_lobby(adapter: Adapter) -> None:
    await open_lobby(adapter.service, ROBIN, WREN)
    await adapter.app.service(TableCommands).cancel(command(ROBIN))


async def _moderator_closes_a_game(adapter: Adapter) -> None:
    table = await start_game(adapter.service, ROBIN, WREN)
    await adapter.click(make_click(LINNET, CancelTableId(table.id), permissions=MODERATOR))
    # A second click closes nothing.
    await adapter.click(make_click(LINNET, CancelTableId(table.id), permissions=MODERATOR))


async def _moderator_closes_a_game_with_a_reason(adapter: Adapter) -> None:
    await start_game(adapter.service, LINNET, computers=1, location=replace(HERE, solo_id=LINNET.id))
    await start_game(adapter.service, ROBIN, WREN)
    await adapter.app.service(TableCommands).cancel(command(LINNET, permissions=MODERATOR), reason="spam @everyone")


async def _moderator_closes_one_of_two_own_games_with_a_reason(adapter: Adapter) -> None:
    await start_game(adapter.service, LINNET, computers=1, location=replace(HERE, solo_id=LINNET.id))
    await start_game(adapter.service, LINNET, WREN)
    asked: Any = command(LINNET, permissions=MODERATOR)
    await adapter.app.service(TableCommands).cancel(asked, reason="spam")
    assert all("spam" in str(answer.content) for answer in asked.answers)
    await adapter.click(make_click(LINNET, asked.buttons()[0], permissions=MODERATOR))


async def _players_agree(adapter: Adapter) -> None:
    table = await play_round(adapter.service, ROBIN, WREN)
    table = await adapter.service.apply_seat_action(table.id, ROBIN, propose_close, 800)
    await adapter.click(make_click(WREN, SeatId(table.id, table.header.step, SeatButton.CLOSE)))


async def _moderator_removes_by_command(adapter: Adapter) -> None:
    await open_lobby(adapter.service, ROBIN, WREN)
    await kick(adapter, LINNET, WREN, "spam @everyone", permissions=MODERATOR)


async def _host_removes_by_menu(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN, WREN, JAY)
    await adapter.click(make_menu_choice(ROBIN, RemovePlayerId(table.id, table.header.revision), "1", in_whisper=True))


async def _moderator_takes_a_seat(adapter: Adapter) -> None:
    await start_game(adapter.service, ROBIN, WREN)
    await kick(adapter, LINNET, WREN, permissions=MODERATOR)


@pytest.mark.parametrize(
    ("deed", "people", "reason"),
    [
        (_host_closes_a_lobby, (ROBIN,), ""),
        (_moderator_closes_a_game, (LINNET,), ""),
        (_moderator_closes_a_game_with_a_reason, (LINNET,), "spam"),
        (_moderator_closes_one_of_two_own_games_with_a_reason, (LINNET,), "spam"),
        (_players_agree, (), ""),
        (_moderator_removes_by_command, (LINNET, WREN), "spam"),
        (_host_removes_by_menu, (ROBIN, WREN), ""),
        (_moderator_takes_a_seat, (LINNET, WREN), ""),
    ],
)
async def test_what_people_do_to_tables_is_one_line_with_who_and_where(
    adapter: Adapter, deed: Deed, people: tuple[Any, ...], reason: str
) -> None:
    await deed(adapter)
    (line,) = await logged(adapter)
    assert reason in line
    assert f"<#{HERE.channel_id}>" in line
    assert [f"<@{who.id}>" for who in people if f"<@{who.id}>" in line] == [f"<@{who.id}>" for who in people]
    assert line.count("<@") == len(people)


class TestRemovalFromAGame:
    """After the start a moderator gives a seat to a computer player for good."""

    async def test_the_person_cannot_come_back_and_the_others_play_on(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        table = await play_round(adapter.service, ROBIN, WREN, JAY)
        removal = await kick(adapter, LINNET, WREN, permissions=MODERATOR)
        assert removal.text
        assert db.texts(table.id)[-1] == "!remove"
        for button in (SeatButton.COME_BACK, SeatButton.RESIGN):
            click = await adapter.click(make_click(WREN, SeatId(table.id, table.header.step + 1, button)))
            assert click.refusal is HostReason.REMOVED
        now = await adapter.service.table(table.id)
        assert now.is_automatic(1)
        assert now.remaining_players == {0, 2}
        story = describe_what_happened(now, None)
        assert story.count("🚪") == 1
        assert SeatId(table.id, now.header.step, SeatButton.COME_BACK) not in offered_ids(adapter, now)
        with pytest.raises(Refusal, match=HostReason.THEY_HAVE_NO_SEAT):
            await kick(adapter, LINNET, WREN, permissions=MODERATOR)
        for person in (ROBIN, JAY):
            now = await adapter.service.apply_seat_action(table.id, person, propose_close, next(NEW_CLICKS))
        assert now.header.status is Status.CANCELLED, "the removed person has no say"

    async def test_a_game_that_no_other_person_plays_is_closed_and_says_by_whom(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        db.chosen[HERE.scope_id] = chosen({ALONE: AloneChoice.TAKE})
        table = await start_game(adapter.service, WREN, computers=1)
        await kick(adapter, LINNET, WREN, permissions=MODERATOR)
        header = db.header(table.id)
        assert (header.status, header.closed_by) == (Status.CANCELLED, ClosedBy.MODERATOR)

    async def test_moderators_who_play_can_only_resign(self, adapter: Adapter) -> None:
        table = await play_round(adapter.service, ROBIN, WREN, JAY)
        removal = await kick(adapter, WREN, WREN, permissions=MODERATOR)
        assert removal.buttons(), "it asks whether to resign"
        assert (await adapter.service.table(table.id)).header.step == table.header.step


@pytest.mark.parametrize(
    ("closer", "closed_by"), [(ROBIN, ClosedBy.OPENER), (LINNET, ClosedBy.MODERATOR), (None, None)]
)
async def test_a_cancelled_table_says_by_whom(
    adapter: Adapter, db: MemoryDatabase, closer: Person | None, closed_by: ClosedBy | None
) -> None:
    table = await start_game(adapter.service, ROBIN, WREN)
    if closer is None:
        after = await adapter.service.close(table.id)
    else:
        after = await adapter.service.cancel(table.id, closer, is_moderator=True)
    assert db.header(table.id).closed_by is closed_by
    shown = adapter.table_messages.build_content(after).text_embed.description or ""
    assert ("Robin" in shown) is (closed_by is ClosedBy.OPENER)


class TestOpenTables:
    """Moderators list the open tables that they see in their server, and close one or all of them."""

    SERVER = make_server(HERE.channel_id, 71, 72, hidden=(72,))
    MORE: ClassVar[dict[str, Any]] = {
        "permissions": MODERATOR,
        "channel_id": LOG_CHANNEL,
        "guild": SERVER,
        "member": make_member(LINNET, SERVER, KEEPS_ORDER),
    }

    async def show(self, adapter: Adapter, reason: str = "", **more: Any) -> str:
        """Let the moderator list the tables, and return the list."""
        asked: Any = command(LINNET, **{**self.MORE, **more})
        await adapter.app.service(OpenTables).show(asked, reason)
        return str(asked.answers[-1].embed.description)

    async def press(self, adapter: Adapter, pressed: object, *values: str) -> Any:
        return await adapter.click(make_menu_choice(LINNET, pressed, *values, in_whisper=True, **self.MORE))

    async def test_one_is_closed_after_a_question(self, adapter: Adapter, db: MemoryDatabase) -> None:
        lobby = await open_lobby(adapter.service, ROBIN, WREN)
        game = await start_game(adapter.service, JAY, WREN, location=Location(HERE.guild_id, 71))
        other = await start_game(adapter.service, JAY, computers=1, location=Location(4, 80))
        shown = await self.show(adapter, "spam")
        assert all(part in shown for part in ("<#70>", "<#71>", "Robin", "Jay"))
        assert "<#80>" not in shown
        question = await self.press(adapter, PickTableId(1, "spam"), str(game.id))
        assert CloseTableId(game.id, "spam") in map(parse_id, question.buttons())
        assert "spam" in question.answers[-1].embed.description
        assert db.header(game.id).status is Status.PLAYING
        await self.show(adapter, "another list")
        after = await self.press(adapter, CloseTableId(game.id, "spam"))
        assert "<#71>" not in after.answers[-1].embed.description
        assert db.header(game.id).closed_by is ClosedBy.MODERATOR
        assert db.header(lobby.id).status is Status.LOBBY
        foreign = await self.press(adapter, CloseTableId(other.id))
        assert foreign.refusal is HostReason.UNKNOWN_TABLE
        (line,) = await logged(adapter)
        assert "spam" in line

    @pytest.mark.parametrize("is_arranged", [False, True])
    async def test_who_closes_a_game_of_a_tournament_reads_that_it_gets_another_table(
        self, adapter: Adapter, *, is_arranged: bool
    ) -> None:
        link = SeriesLink(1, SeriesLinkKind.PAIRING, 1)
        seats = make_occupant(ROBIN, 7), make_occupant(WREN, 8)

        async def open_table() -> Table:
            if is_arranged:
                return await open_pairing(adapter.service, "magpie", "{}", seats, HERE, link)
            return await open_lobby(adapter.service, ROBIN)

        table = await open_table()
        pressed = [await self.press(adapter, each) for each in (CloseAllId(CloseAll.ASK, 9), CloseTableId(table.id))]
        texts = [str(click.answers[-1].embed.description) for click in pressed]
        await open_table()
        typed: Any = command(LINNET, permissions=MODERATOR)
        await adapter.app.service(TableCommands).cancel(typed)
        table = await open_table()
        click = await adapter.click(make_click(LINNET, CancelTableId(table.id), permissions=MODERATOR, in_whisper=True))
        texts += [typed.text, str(click.answers[-1].content)]
        assert [gettext(ARRANGED) in text for text in texts] == [is_arranged] * 4

    async def test_tables_in_channels_that_the_moderator_does_not_see_are_counted_alone(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        seen = await open_lobby(adapter.service, ROBIN)
        hidden = await open_lobby(adapter.service, JAY, location=Location(HERE.guild_id, 72))
        shown = await self.show(adapter)
        assert not any(part in shown for part in ("<#72>", "Jay"))
        assert "1" in shown.splitlines()[-1]
        for pressed, *values in ((PickTableId(1), str(hidden.id)), (CloseTableId(hidden.id),)):
            assert (await self.press(adapter, pressed, *values)).refusal is HostReason.UNKNOWN_TABLE
        await self.press(adapter, CloseAllId(CloseAll.REALLY, 9))
        assert [db.header(each.id).status for each in (seen, hidden)] == [Status.CANCELLED, Status.LOBBY]
        assert "<#72>" in await self.show(adapter, permissions=discord.Permissions.all())

    async def test_a_table_whose_game_is_gone_is_closed_and_logged_like_others(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        table = await open_lobby(adapter.service, ROBIN)
        db.tamper(table.id, lambda record: replace(record, header=replace(record.header, game="chess")))
        adapter.service.cache.evict(table.id)
        await self.press(adapter, CloseTableId(table.id))
        assert db.header(table.id).status is Status.CANCELLED
        (line,) = await logged(adapter)
        assert f"<@{LINNET.id}>" in line
        assert f"<#{HERE.channel_id}>" in line

    async def test_the_log_says_who_closed_all_even_if_the_database_fails_halfway(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        table = await open_lobby(adapter.service, ROBIN)
        db.broken.add(table_storage.save)
        await self.press(adapter, CloseAllId(CloseAll.REALLY, 9))
        assert db.header(table.id).status is Status.LOBBY
        (line,) = await logged(adapter)
        assert f"<@{LINNET.id}>" in line

    async def test_all_are_closed_after_a_question_and_are_one_line_of_the_log(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        for channel_id in (70, 71):
            await open_lobby(adapter.service, ROBIN, location=Location(HERE.guild_id, channel_id))
        db.tamper(2, lambda record: replace(record, header=replace(record.header, game="chess")))
        adapter.service.cache.evict(2)
        question = await self.press(adapter, CloseAllId(CloseAll.ASK, 2, "a raid"))
        later = await open_lobby(adapter.service, ROBIN, location=Location(HERE.guild_id, LOG_CHANNEL))
        assert CloseAllId(CloseAll.REALLY, 2, "a raid") in map(parse_id, question.buttons())
        assert {record.header.status for record in db.records.values()} == {Status.LOBBY}
        await self.press(adapter, CloseAllId(CloseAll.REALLY, 2, "a raid"))
        assert [each for each, record in db.records.items() if record.header.status is Status.LOBBY] == [later.id]
        (line,) = await logged(adapter)
        assert all(part in line for part in (f"<@{LINNET.id}>", "2", "a raid"))


@pytest.mark.parametrize(("roles", "may"), [((), False), ((KEEPS_ORDER,), True)])
async def test_who_moderates_one_channel_does_not_moderate_the_server(
    adapter: Adapter, roles: tuple[int, ...], *, may: bool
) -> None:
    server = make_server(HERE.channel_id)
    looks = command(LINNET, guild=server, member=make_member(LINNET, server, *roles), permissions=MODERATOR)
    with nullcontext() if may else pytest.raises(Refusal, match=ModerationReason.MODERATORS_ONLY):
        await adapter.app.service(OpenTables).show(looks)


@each_case(
    "roles, in_channel, is_banned",
    [((KEEPS_ORDER,), discord.Permissions.none(), False), ((), MODERATOR, True)],
)
async def test_only_moderators_of_the_whole_server_are_safe_from_bans(
    adapter: Adapter, roles: tuple[int, ...], in_channel: discord.Permissions, *, is_banned: bool
) -> None:
    other = make_member(WREN, make_server(HERE.channel_id), *roles, permissions=in_channel)
    asked = command(LINNET, permissions=MODERATOR)
    with nullcontext() if is_banned else pytest.raises(Refusal, match=ModerationReason.BAN_OF_MODERATOR):
        await adapter.app.service(BanCommands).ban(asked, other, "", None, tells_reason=False)
    assert adapter.app.service(Bans).is_banned(HERE.guild_id, WREN.id) is is_banned


async def test_what_organizers_do_is_one_line_with_who_and_which_tournament(adapter: Adapter) -> None:
    tournaments, server = adapter.app.service(Tournaments), make_server(HERE.channel_id)
    more: dict[str, Any] = {"guild": server, "member": make_member(ROBIN, server), "permissions": MODERATOR}
    await tournaments.open(command(ROBIN, **more), "magpie", "Cup", None, 24)
    (opened,) = await logged(adapter)
    await adapter.click(make_click(ROBIN, TournamentButtonId(1, TournamentButton.CANCEL), **more))
    (cancelled,) = await logged(adapter)
    for line in (opened, cancelled):
        assert f"<@{ROBIN.id}>" in line
        assert "**Cup**" in line
    assert opened != cancelled


@pytest.mark.parametrize("kind", [START_KIND, FORGOTTEN_KIND])
async def test_a_tournament_that_is_cancelled_by_itself_is_one_line(adapter: Adapter, kind: str) -> None:
    now = adapter.clock()
    cup = Tournament(0, "Cup", "magpie", "{}", HERE, ROBIN, now, 24, starts_at=now)
    await adapter.app.service(TournamentService).open(cup)
    await adapter.app.jobs[kind].run(Job(kind, "1", now))
    (line,) = await logged(adapter)
    assert "Cup" in line


async def test_who_deletes_the_data_of_the_server_is_one_line(adapter: Adapter) -> None:
    for button in PrivacyButton:
        await adapter.click(make_click(LINNET, PrivacyId(button), permissions=discord.Permissions.all()))
    (line,) = await logged(adapter)
    assert f"<@{LINNET.id}>" in line
