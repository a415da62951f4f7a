"""Clicks and commands that change who sits at a table, and playing again."""

from collections.abc import AsyncIterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.features.invitations.handlers import InvitationCommands
from bot.features.invitations.model import InvitationReason
from bot.features.invitations.service import store_invitation
from bot.features.new_tables.handlers import is_next_table
from bot.games.magpie.pieces import MagpieOptions
from bot.platform.discord.refusals import ClickReason
from bot.platform.places import Person
from bot.rules.refusals import Refusal, RefusalReason
from bot.tables import storage as table_storage
from bot.tables.characters import name_seats
from bot.tables.handlers.commands import parse_digits
from bot.tables.handlers.ids import PEOPLE_ONLY, CancelTableId, LobbyButton, LobbyId, PlayAgainId, RemovePlayerId
from bot.tables.handlers.lobby import LobbyCommands, is_double_click
from bot.tables.model import PublishedRevision, Status
from bot.tables.refusals import DuplicateInteraction, HostReason
from bot.tables.seats import resign_seat
from bot.tables.shown.links import table_link
from bot.tables.table import Table
from tests.support.each_case import each_case
from tests.support.fake_table_messages import FakeTableMessages, ShowAction
from tests.support.fakes import (
    HERE,
    JAY,
    ROBIN,
    START_CLICK,
    STRANGER,
    WREN,
    make_service,
    make_table,
    open_lobby,
    start_game,
)
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import (
    ALREADY_ANSWERED,
    MISSING_PERMISSIONS,
    SERVER_ERROR,
    AnswerMethod,
    FakeInteraction,
    make_click,
    make_command,
    make_menu_choice,
)
from tests.ui.table_clicks import (
    make_lobby_click,
    make_opponent_choice,
    offered_ids,
    open_shown_lobby,
    start_shown_game,
)


@each_case(
    "status, person, expected",
    [(Status.CANCELLED, ROBIN, True), (Status.CANCELLED, STRANGER, False), (Status.EXPIRED, ROBIN, False)],
)
def test_only_a_players_click_on_a_cancelled_lobby_repeats_another(
    status: Status, person: Person, expected: bool
) -> None:
    table = make_table(status=status)
    earlier = LobbyId(table.id, table.header.revision - 1, LobbyButton.LEAVE)
    assert is_double_click(HostReason.TABLE_OVER, earlier, table, person) is expected


class TestLobby:
    @pytest.mark.parametrize(
        ("action", "person", "seats"),
        [
            (LobbyButton.JOIN, JAY, ["Robin", "Rusty", "Wren", "Jay"]),
            (LobbyButton.LEAVE, WREN, ["Robin", "Rusty"]),
            (LobbyButton.START, ROBIN, ["Robin", "Rusty", "Wren"]),
        ],
    )
    async def test_each_lobby_button_performs_its_action(
        self, adapter: Adapter, db: MemoryDatabase, action: LobbyButton, person: Person, seats: list[str]
    ) -> None:
        table = await open_shown_lobby(adapter, ROBIN, WREN, computers=1)
        click = await adapter.click(make_lobby_click(table, person, action))
        assert [answer.how for answer in click.answers] == [AnswerMethod.EDIT]
        assert list(name_seats(db.records[table.id].seats)) == seats
        started = db.header(table.id).status is Status.PLAYING
        assert started == (action is LobbyButton.START)

    async def test_the_host_seats_computer_players_of_several_levels_and_removes_all(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        table = await open_shown_lobby(adapter, ROBIN)
        for value, levels in (
            ("strong", [None, "strong"]),
            ("easy", [None, "strong", "easy"]),
            (PEOPLE_ONLY, [None]),
        ):
            click = await adapter.click(make_opponent_choice(table, ROBIN, value))
            assert [answer.how for answer in click.answers] == [AnswerMethod.EDIT]
            assert [who.level for who in db.records[table.id].seats] == levels
            table = await adapter.service.table(table.id)

    async def test_from_the_private_message_a_player_leaves_and_the_table_is_shown(
        self, adapter: Adapter, db: MemoryDatabase, shown: FakeTableMessages
    ) -> None:
        table = await open_shown_lobby(adapter, ROBIN, WREN)
        for number in (9001, 9002):
            click = await adapter.click(
                make_lobby_click(table, WREN, LobbyButton.LEAVE, message_id=70, in_whisper=True, id=number)
            )
            (answer,) = click.answers
            assert (answer.how, answer.view) == (AnswerMethod.EDIT, None)
            assert click.refusal is None
        await adapter.wait_until_shown()
        assert [who.name for who in db.records[table.id].seats] == ["Robin"]
        assert (shown.shown[-1].action, shown.shown[-1].message_id) == (ShowAction.EDIT, table.header.message_id)
        assert shown.shown[-1].revision == table.header.revision + 1

    async def test_nobody_is_told_that_they_have_left_a_game_that_has_started(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        table = await open_shown_lobby(adapter, ROBIN, WREN)
        await adapter.service.start(table.id, ROBIN, 1)
        late = make_lobby_click(table, WREN, LobbyButton.LEAVE, message_id=70, in_whisper=True)
        click = await adapter.click(late)
        assert [who.name for who in db.records[table.id].seats] == ["Robin", "Wren"]
        assert table_link(table) in click.text, "the table, where Wren still plays"

    @pytest.mark.parametrize("fault", [None, ALREADY_ANSWERED])
    async def test_a_message_not_yet_noted_by_another_process_is_not_posted_again(
        self, adapter: Adapter, db: MemoryDatabase, fault: Exception | None
    ) -> None:
        theirs = await open_lobby(make_service(db), ROBIN)
        await adapter.click(make_lobby_click(theirs, WREN, LobbyButton.JOIN, message_id=70, fault=fault))
        await adapter.wait_until_shown()
        assert {(shown.action, shown.message_id) for shown in adapter.fake_table_messages.shown} <= {
            (ShowAction.EDIT, 70)
        }
        await adapter.service.flush()
        assert db.header(theirs.id).message_id == 70

    async def test_a_click_on_another_message_does_not_replace_the_tables_message(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        table = await open_shown_lobby(adapter, ROBIN)
        shown = table.header.message_id
        assert shown not in (None, 70)
        await adapter.click(make_lobby_click(table, WREN, LobbyButton.JOIN, message_id=70))
        await adapter.wait_until_shown()
        await adapter.service.flush()
        assert db.header(table.id).message_id == shown

    async def test_the_click_that_joins_contributes_to_chance(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await open_shown_lobby(adapter, ROBIN)
        await adapter.click(make_lobby_click(table, WREN, LobbyButton.JOIN, id=424242))
        assert db.records[table.id].seats[-1].contribution == "424242"

    @pytest.mark.parametrize(
        ("action", "person"),
        [
            (LobbyButton.JOIN, JAY),
            (LobbyButton.LEAVE, WREN),
            (LobbyButton.START, ROBIN),
        ],
    )
    async def test_a_double_click_acts_once_without_an_error(
        self, adapter: Adapter, db: MemoryDatabase, action: LobbyButton, person: Person
    ) -> None:
        table = await open_shown_lobby(adapter, ROBIN, WREN)
        revision = table.header.revision
        for number in (9001, 9002):
            click = await adapter.click(make_lobby_click(table, person, action, id=number))
            assert click.text == ""
            assert len(click.answers) == 1
        assert db.header(table.id).revision == revision + 1

    async def test_a_double_choice_seats_one_computer_player(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await open_shown_lobby(adapter, ROBIN)
        for number in (9001, 9002):
            click = await adapter.click(make_opponent_choice(table, ROBIN, "easy", id=number))
            assert (click.text, len(click.answers)) == ("", 1)
        assert len(db.records[table.id].seats) == 2

    async def test_a_double_click_of_the_last_person_leaving_is_silent(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        table = await open_shown_lobby(adapter, ROBIN)
        for number in (9001, 9002):
            click = await adapter.click(make_lobby_click(table, ROBIN, LobbyButton.LEAVE, id=number))
            assert click.text == ""
        assert db.header(table.id).status is Status.CANCELLED


class TestRemovingPlayers:
    async def choose(self, adapter: Adapter, table: Table, person: Person, value: str) -> FakeInteraction:
        menu_id = RemovePlayerId(table.id, table.header.revision)
        return await adapter.click(make_menu_choice(person, menu_id, value, in_whisper=True))

    def offered(self, click: FakeInteraction) -> list[str]:
        view = click.answers[-1].view
        assert view is not None
        (row,) = view.to_components()
        return [option["value"] for option in row["components"][0]["options"]]

    async def test_the_host_chooses_whom_to_remove(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await open_shown_lobby(adapter, ROBIN, WREN, computers=1)
        asked = await adapter.click(make_lobby_click(table, ROBIN, LobbyButton.REMOVE_PLAYER))
        (answer,) = asked.answers
        assert (answer.how, answer.ephemeral) == (AnswerMethod.SEND, True)
        assert self.offered(asked) == ["1", "2"]
        done = await self.choose(adapter, table, ROBIN, "2")
        (answer,) = done.answers
        assert answer.how is AnswerMethod.EDIT
        assert answer.content
        assert answer.view is None
        assert name_seats(db.records[table.id].seats) == ("Robin", "Rusty")

    async def test_an_outdated_menu_is_refreshed(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await open_shown_lobby(adapter, ROBIN, WREN)
        await adapter.service.join(table.id, JAY, 5)
        click = await self.choose(adapter, table, ROBIN, "1")
        assert click.answers[-1].how is AnswerMethod.EDIT
        assert self.offered(click) == ["1", "2"]
        assert len(db.records[table.id].seats) == 3

    async def test_without_other_players_no_menu_is_shown(self, adapter: Adapter) -> None:
        table = await open_shown_lobby(adapter, ROBIN)
        click = await adapter.click(make_lobby_click(table, ROBIN, LobbyButton.REMOVE_PLAYER))
        assert [(bool(answer.content), answer.view) for answer in click.answers] == [(True, None)]

    async def test_the_button_and_the_menu_of_a_started_game_are_refused(self, adapter: Adapter) -> None:
        table = await open_shown_lobby(adapter, ROBIN, WREN)
        await adapter.service.start(table.id, ROBIN, START_CLICK)
        click = await adapter.click(make_lobby_click(table, ROBIN, LobbyButton.REMOVE_PLAYER))
        assert click.refusal is HostReason.ALREADY_STARTED
        late = await self.choose(adapter, table, ROBIN, "1")
        assert late.refusal is HostReason.ALREADY_STARTED

    @pytest.mark.parametrize(
        ("person", "value", "reason"),
        [
            (WREN, "2", HostReason.NOT_OPENER),
            (ROBIN, "0", HostReason.ONLY_LEAVE),
            (ROBIN, "3", HostReason.THEY_HAVE_NO_SEAT),
            *((ROBIN, value, ClickReason.UNKNOWN_BUTTON) for value in ("", "x", "-1", "٣", "12")),
        ],
    )
    async def test_invalid_choices_are_refused(
        self, adapter: Adapter, db: MemoryDatabase, person: Person, value: str, reason: RefusalReason
    ) -> None:
        table = await open_shown_lobby(adapter, ROBIN, WREN, JAY)
        assert (await self.choose(adapter, table, person, value)).refusal is reason
        assert len(db.records[table.id].seats) == 3


class TestCancelling:
    async def test_a_double_click_on_cancel_is_answered_twice_alike(self, adapter: Adapter) -> None:
        table = await start_shown_game(adapter)
        for _ in range(2):
            click = await adapter.click(make_click(ROBIN, CancelTableId(table.id)))
            assert [bool(answer.content) for answer in click.answers] == [True]
            assert click.refusal is None


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
        assert new.seat_of(ROBIN.id) is None
        second = await adapter.click(make_click(ROBIN, PlayAgainId(table.id), id=9002))
        assert second.text
        assert (await adapter.service.table(new.id)).seat_of(ROBIN.id) is not None


async def play_to_end(adapter: Adapter) -> Table:
    table = await start_game(adapter.service, ROBIN, WREN)
    return await adapter.service.apply_seat_action(table.id, WREN, resign_seat, 77)


async def test_a_double_click_opens_one_table_without_an_error(adapter: Adapter, db: MemoryDatabase) -> None:
    table = await play_to_end(adapter)
    for is_told in (True, False):
        assert bool((await adapter.click(make_click(ROBIN, PlayAgainId(table.id)))).text) is is_told
    assert len(db.records) == 2


async def test_alone_a_double_click_starts_one_game_without_an_error(adapter: Adapter, db: MemoryDatabase) -> None:
    table = await start_game(adapter.service, ROBIN, computers=1)
    table = await adapter.service.apply_seat_action(table.id, ROBIN, resign_seat, 77)
    for is_told in (True, False):
        click = await adapter.click(make_click(ROBIN, PlayAgainId(table.id)))
        assert bool(click.text) is is_told
        assert click.refusal is None
    assert [record.header.status for record in db.records.values()] == [Status.FINISHED, Status.PLAYING]


async def test_one_click_in_two_processes_opens_one_table_without_an_error(
    adapter: Adapter, db: MemoryDatabase, shown: FakeTableMessages
) -> None:
    table = await play_to_end(adapter)
    other = Adapter(db, shown)
    for process, how in ((adapter, AnswerMethod.SEND), (other, AnswerMethod.DEFER)):
        click = await process.click(make_click(ROBIN, PlayAgainId(table.id), id=7777))
        assert [answer.how for answer in click.answers] == [how]
    assert len(db.records) == 2
    await other.host.close()


def test_a_lobby_of_another_game_is_not_the_next_table() -> None:
    table = make_table()
    assert is_next_table(table, table, ROBIN)
    assert not is_next_table(table, replace(table, header=replace(table.header, game="chess")), ROBIN)


@pytest.mark.parametrize("person", [STRANGER, ROBIN, WREN])
async def test_who_has_no_seat_in_the_next_lobby_is_told_where_to_join(adapter: Adapter, person: Person) -> None:
    table = await play_to_end(adapter)
    await open_lobby(adapter.service, JAY)
    click = await adapter.click(make_click(person, PlayAgainId(table.id)))
    assert click.refusal is HostReason.CHANNEL_TAKEN
    assert "https://" in click.text


@each_case("text", ["", " ", " , ", "a", "1a", "-1", "²", "٣"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(Refusal):
        parse_digits(text)
