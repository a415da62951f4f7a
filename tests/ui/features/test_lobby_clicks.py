"""Clicks that change who sits at a table, and those that close it."""

import pytest

from bot.platform.discord.refusals import ClickReason
from bot.platform.places import Person
from bot.rules.refusals import RefusalReason
from bot.tables.handlers.ids import CancelTableId, LobbyButton, LobbyId, RemovePlayerId
from bot.tables.handlers.lobby import is_double_click
from bot.tables.model import Status
from bot.tables.refusals import HostReason
from bot.tables.table import Table
from tests.support.each_case import each_case
from tests.support.fake_table_messages import ShowAction
from tests.support.fakes import JAY, ROBIN, START_CLICK, STRANGER, WREN, make_service, make_table, open_lobby
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import ALREADY_ANSWERED, AnswerMethod, FakeInteraction, make_click, make_menu_choice
from tests.ui.table_clicks import make_lobby_click, open_shown_lobby, start_shown_game


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
            (LobbyButton.JOIN, JAY, ["Robin", "Wren", "Computer", "Jay"]),
            (LobbyButton.LEAVE, WREN, ["Robin", "Computer"]),
            (LobbyButton.ADD_COMPUTER, ROBIN, ["Robin", "Wren", "Computer", "Computer 2"]),
            (LobbyButton.REMOVE_COMPUTER, ROBIN, ["Robin", "Wren"]),
            (LobbyButton.LEVEL, ROBIN, ["Robin", "Wren", "Computer"]),
            (LobbyButton.START, ROBIN, ["Robin", "Wren", "Computer"]),
        ],
    )
    async def test_each_lobby_button_performs_its_action(
        self, adapter: Adapter, db: MemoryDatabase, action: LobbyButton, person: Person, seats: list[str]
    ) -> None:
        table = await open_lobby(adapter.service, ROBIN)
        table = await adapter.service.join(table.id, WREN, 501)
        table = await adapter.service.add_computer(table.id, ROBIN, table.header.revision)
        await adapter.wait_until_shown()
        table = await adapter.service.table(table.id)
        click = await adapter.click(make_lobby_click(table, person, action))
        assert [answer.how for answer in click.answers] == [AnswerMethod.EDIT]
        assert [who.name for who in db.records[table.id].seats] == seats
        started = db.header(table.id).status is Status.PLAYING
        assert started == (action is LobbyButton.START)

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
            (LobbyButton.ADD_COMPUTER, ROBIN),
            (LobbyButton.LEVEL, ROBIN),
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

    async def test_a_double_click_of_the_last_person_leaving_is_silent(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        table = await open_shown_lobby(adapter, ROBIN)
        for number in (9001, 9002):
            click = await adapter.click(make_lobby_click(table, ROBIN, LobbyButton.LEAVE, id=number))
            assert click.text == ""
        assert db.header(table.id).status is Status.CANCELLED

    @pytest.mark.parametrize(
        ("action", "person", "reason"),
        [
            (LobbyButton.JOIN, WREN, HostReason.ALREADY_SEATED),
            (LobbyButton.LEAVE, STRANGER, HostReason.NOT_SEATED),
            (LobbyButton.START, WREN, HostReason.NOT_STARTER),
            (LobbyButton.ADD_COMPUTER, STRANGER, HostReason.NOT_OPENER),
            (LobbyButton.LEVEL, WREN, HostReason.NOT_OPENER),
            (LobbyButton.REMOVE_PLAYER, WREN, HostReason.NOT_OPENER),
            (LobbyButton.REMOVE_COMPUTER, ROBIN, HostReason.NO_COMPUTER),
        ],
    )
    async def test_a_click_of_somebody_who_may_not_is_refused(
        self, adapter: Adapter, action: LobbyButton, person: Person, reason: HostReason
    ) -> None:
        table = await open_shown_lobby(adapter, ROBIN, WREN)
        click = await adapter.click(make_lobby_click(table, person, action))
        assert click.refusal is reason


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
        table = await open_shown_lobby(adapter, ROBIN, WREN)
        table = await adapter.service.add_computer(table.id, ROBIN, table.header.revision)
        asked = await adapter.click(make_lobby_click(table, ROBIN, LobbyButton.REMOVE_PLAYER))
        (answer,) = asked.answers
        assert (answer.how, answer.ephemeral) == (AnswerMethod.SEND, True)
        assert self.offered(asked) == ["1", "2"]
        done = await self.choose(adapter, table, ROBIN, "1")
        (answer,) = done.answers
        assert answer.how is AnswerMethod.EDIT
        assert answer.content
        assert answer.view is None
        assert [who.name for who in db.records[table.id].seats] == ["Robin", "Computer"]

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

    async def test_the_button_of_a_started_game_only_shows_the_table(self, adapter: Adapter) -> None:
        table = await open_shown_lobby(adapter, ROBIN, WREN)
        await adapter.service.start(table.id, ROBIN, START_CLICK)
        click = await adapter.click(make_lobby_click(table, ROBIN, LobbyButton.REMOVE_PLAYER))
        assert click.text == ""
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
