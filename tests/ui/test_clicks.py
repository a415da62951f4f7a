"""Every click is answered: with the table, with a sentence, or with an acknowledgement."""

import asyncio
import logging
from typing import Any

import discord
import pytest

import bot.ui.replies
from bot.games.magpie.pieces import Roll
from bot.tables.model import Person, Place, Status
from bot.tables.table import Table
from bot.ui.ids import CancelId, ControlId, GuideId, LobbyAction, LobbyId
from bot.ui.sentences import STORE_UNAVAILABLE, UNEXPECTED
from bot.watch.trace import present
from tests.support.fakes import (
    JAY,
    ROBIN,
    START_CLICK,
    STRANGER,
    WREN,
    Deed,
    FakeStore,
    Gate,
    a_lobby,
    mover_of,
    roll,
    under_way,
    until,
)
from tests.ui.adapter import Adapter
from tests.ui.interactions import ALREADY_ANSWERED, ARCHIVED, SERVER_ERROR, TOO_LATE, FakeInteraction, How, click_of

MODERATOR = discord.Permissions(manage_messages=True)


async def shown_lobby(adapter: Adapter, *people: Person, computers: int = 0) -> Table:
    table = await a_lobby(adapter.service, *people, computers=computers)
    await adapter.settled()
    return await adapter.service.table(table.id)


async def shown_game(adapter: Adapter, *people: Person) -> Table:
    table = await under_way(adapter.service, *people)
    await adapter.settled()
    return await adapter.service.table(table.id)


def lobby_click(table: Table, person: Person, action: LobbyAction, **more: Any) -> FakeInteraction:
    more = {"message_id": table.header.message_id, **more}
    return click_of(person, LobbyId(table.id, table.header.revision, action), **more)


def control_click(
    table: Table, person: Person, key: str, draft: frozenset[int] = frozenset(), **more: Any
) -> FakeInteraction:
    more = {"message_id": table.header.message_id, **more}
    return click_of(person, ControlId(table.id, table.header.step, key, draft), **more)


def waiting(table: Table) -> Person:
    """A person who is not to move."""
    who = next(who for who in table.seats if who != table.mover)
    return Person(who.user_id or 0, who.name)


class TestOthers:
    @pytest.mark.parametrize(
        "kind",
        [
            discord.InteractionType.ping,
            discord.InteractionType.application_command,
            discord.InteractionType.autocomplete,
        ],
    )
    async def test_what_is_no_click_is_not_ours(self, adapter: Adapter, kind: discord.InteractionType) -> None:
        click = await adapter.click(click_of(ROBIN, "nonsense", type=kind))
        assert click.answers == []

    async def test_a_form_that_was_never_shown_is_answered_and_presses_no_button(
        self, adapter: Adapter, store: FakeStore
    ) -> None:
        table = await under_way(adapter.service)
        form = control_click(table, mover_of(table), "roll", type=discord.InteractionType.modal_submit)
        await adapter.click(form)
        assert "another version" in form.text
        assert store.texts(table.id) == []

    @pytest.mark.parametrize("data", [None, {}, {"custom_id": "nonsense"}, {"custom_id": "t:1:2:roll"}])
    async def test_nonsense_is_answered_with_a_sentence(self, adapter: Adapter, data: dict[str, Any] | None) -> None:
        click = click_of(ROBIN, "")
        click.data = data
        await adapter.click(click)
        assert "another version" in click.text

    @pytest.mark.parametrize(
        "custom_id",
        [
            ControlId(999, 0, "roll", frozenset()),
            LobbyId(999, 1, LobbyAction.JOIN),
            CancelId(999),
            ControlId(10**18 - 1, 10**18 - 1, "k" * 24, frozenset(range(64))),
        ],
        ids=str,
    )
    async def test_a_button_of_no_table_is_answered_with_a_sentence(self, adapter: Adapter, custom_id: object) -> None:
        assert "does not exist" in (await adapter.click(click_of(ROBIN, custom_id))).text

    @pytest.mark.parametrize("action", LobbyAction)
    async def test_a_table_is_reached_only_from_its_channel(
        self, adapter: Adapter, store: FakeStore, action: LobbyAction
    ) -> None:
        table = await shown_lobby(adapter, ROBIN)
        before = store.records[table.id]
        for custom_id in (LobbyId(table.id, 1, action), CancelId(table.id)):
            click = await adapter.click(click_of(ROBIN, custom_id, channel_id=71))
            assert "does not exist" in click.text
        assert store.records[table.id] == before

    async def test_the_guide_is_for_one_reader(self, adapter: Adapter) -> None:
        click = await adapter.click(click_of(STRANGER, GuideId("magpie")))
        (answer,) = click.answers
        assert answer.ephemeral
        assert answer.embed is not None
        assert answer.embed.title == "Magpie"

    async def test_the_guide_of_no_game_is_refused(self, adapter: Adapter) -> None:
        assert "another version" in (await adapter.click(click_of(ROBIN, GuideId("chess")))).text


class TestPlaying:
    async def test_a_move_is_made_and_carried_by_the_answer(self, adapter: Adapter, store: FakeStore) -> None:
        table = await shown_game(adapter)
        click = await adapter.click(control_click(table, mover_of(table), "roll"))
        await adapter.settled()
        assert store.texts(table.id) == ["roll 1 2 3 4 5"]
        assert store.records[table.id].entries[0].click_id == click.id
        (answer,) = click.answers
        assert (answer.how, answer.embed is not None) == (How.EDIT, True)
        revisions = adapter.shown.revisions
        assert revisions == [table.header.revision], "the answer has shown it, the publisher need not"

    async def test_a_double_click_is_one_move_and_no_scolding(self, adapter: Adapter, store: FakeStore) -> None:
        table = await shown_game(adapter)
        clicks = [control_click(table, mover_of(table), "roll", id=number) for number in (9001, 9002)]
        await asyncio.gather(*map(adapter.click, clicks))
        await adapter.settled()
        assert len(store.texts(table.id)) == 1
        for click in clicks:
            assert click.text == ""
            assert {answer.how for answer in click.answers} <= {How.EDIT, How.DEFER}
            assert len(click.answers) == 1

    async def test_a_click_on_an_old_screen_refreshes_it(self, adapter: Adapter, store: FakeStore) -> None:
        table = await shown_game(adapter)
        late = control_click(table, waiting(table), "roll")
        await roll(adapter.service, table)
        await adapter.settled()
        click = await adapter.click(late)
        assert len(store.texts(table.id)) == 1
        assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(How.EDIT, False)]

    @pytest.mark.parametrize(
        ("who", "sentence"), [("waiting", "It is {mover}'s turn"), ("stranger", "You have no seat")]
    )
    async def test_who_is_not_to_move_is_told_so(self, adapter: Adapter, who: str, sentence: str) -> None:
        table = await shown_game(adapter)
        person = STRANGER if who == "stranger" else waiting(table)
        click = await adapter.click(control_click(table, person, "die1"))
        assert click.text.startswith(sentence.format(mover=mover_of(table).name))

    @pytest.mark.parametrize("key", ["fly", "rest", "die6"])
    async def test_a_control_that_is_not_offered_changes_nothing(
        self, adapter: Adapter, store: FakeStore, key: str
    ) -> None:
        table = await shown_game(adapter)
        click = await adapter.click(control_click(table, mover_of(table), key))
        assert store.texts(table.id) == []
        assert [answer.how for answer in click.answers] == [How.EDIT]

    async def test_a_step_of_the_future_changes_nothing(self, adapter: Adapter, store: FakeStore) -> None:
        table = await shown_game(adapter)
        forged = ControlId(table.id, 10**17, "roll", frozenset())
        click = await adapter.click(click_of(mover_of(table), forged, message_id=table.header.message_id))
        assert store.texts(table.id) == []
        assert len(click.answers) == 1

    async def test_what_another_process_has_played_is_read_anew(self, adapter: Adapter, store: FakeStore) -> None:
        table = await shown_game(adapter)
        other = Adapter(store, adapter.shown)
        ahead = await roll(other.service, table)
        click = await adapter.click(control_click(ahead, mover_of(ahead), "roll", message_id=1))
        assert click.text == ""
        assert len(store.texts(table.id)) == 2
        await other.host.close()

    async def test_after_a_restart_buttons_work(self, adapter: Adapter, store: FakeStore) -> None:
        table = await shown_game(adapter)
        await adapter.host.close()
        again = Adapter(store, adapter.shown)
        await again.click(control_click(table, mover_of(table), "roll", frozenset({2, 4})))
        assert store.texts(table.id) == ["roll 2 4"]
        await again.host.close()


class TestDrafts:
    async def test_a_toggle_changes_the_buttons_alone(self, adapter: Adapter, store: FakeStore) -> None:
        table = await shown_game(adapter)
        calls = len(store.calls)
        click = await adapter.click(control_click(table, mover_of(table), "die2"))
        (answer,) = click.answers
        assert answer.how is How.EDIT
        assert answer.sent == {"view"}
        assert [label.startswith("✓") for label in click.labels()[:5]] == [False, True, False, False, False]
        await adapter.settled()
        assert "save" not in store.calls[calls:]

    async def test_two_quick_toggles_both_count(self, adapter: Adapter, store: FakeStore) -> None:
        table = await shown_game(adapter)
        mover = mover_of(table)
        for key in ("die2", "die4"):  # both from the screen on which nothing is picked
            await adapter.click(control_click(table, mover, key))
        await adapter.click(control_click(table, mover, "roll"))
        assert store.texts(table.id) == ["roll 2 4"]

    async def test_nobody_else_picks(self, adapter: Adapter, store: FakeStore) -> None:
        table = await shown_game(adapter)
        for person in (waiting(table), STRANGER):
            await adapter.click(control_click(table, person, "die2"))
        await adapter.click(control_click(table, mover_of(table), "roll"))
        assert store.texts(table.id) == ["roll 1 2 3 4 5"]

    async def test_after_a_restart_a_toggle_goes_on_from_the_button(self, adapter: Adapter, store: FakeStore) -> None:
        table = await shown_game(adapter)
        mover = mover_of(table)
        await adapter.click(control_click(table, mover, "die5", frozenset({1, 2})))
        await adapter.click(control_click(table, mover, "rest", frozenset({1, 2})))
        assert store.texts(table.id) == [str(Roll((3, 4)))]

    async def test_a_draft_ends_with_its_step(self, adapter: Adapter) -> None:
        table = await shown_game(adapter, ROBIN, WREN)
        mover = mover_of(table)
        await adapter.click(control_click(table, mover, "die2"))
        for _ in range(2):
            table = await roll(adapter.service, table)
        assert mover_of(table) == mover
        assert adapter.drafts.of(table) == frozenset()


class TestLobby:
    @pytest.mark.parametrize(
        ("action", "person", "seats"),
        [
            (LobbyAction.JOIN, JAY, ["Robin", "Wren", "Computer", "Jay"]),
            (LobbyAction.LEAVE, WREN, ["Robin", "Computer"]),
            (LobbyAction.ADD_COMPUTER, ROBIN, ["Robin", "Wren", "Computer", "Computer 2"]),
            (LobbyAction.REMOVE_COMPUTER, ROBIN, ["Robin", "Wren"]),
            (LobbyAction.START, ROBIN, ["Robin", "Wren", "Computer"]),
        ],
    )
    async def test_each_button_does_what_it_says(
        self, adapter: Adapter, store: FakeStore, action: LobbyAction, person: Person, seats: list[str]
    ) -> None:
        table = await a_lobby(adapter.service, ROBIN)
        table = await adapter.service.join(table.id, WREN, 501)
        table = await adapter.service.add_computer(table.id, ROBIN, table.header.revision)
        await adapter.settled()
        table = await adapter.service.table(table.id)
        click = await adapter.click(lobby_click(table, person, action))
        assert [answer.how for answer in click.answers] == [How.EDIT]
        assert [who.name for who in store.records[table.id].seats] == seats
        started = store.header(table.id).status is Status.PLAYING
        assert started == (action is LobbyAction.START)

    async def test_the_click_that_joins_contributes_to_chance(self, adapter: Adapter, store: FakeStore) -> None:
        table = await shown_lobby(adapter, ROBIN)
        await adapter.click(lobby_click(table, WREN, LobbyAction.JOIN, id=424242))
        assert store.records[table.id].seats[-1].contribution == "424242"

    @pytest.mark.parametrize(
        ("action", "person"),
        [
            (LobbyAction.JOIN, JAY),
            (LobbyAction.LEAVE, WREN),
            (LobbyAction.START, ROBIN),
            (LobbyAction.ADD_COMPUTER, ROBIN),
        ],
    )
    async def test_a_double_click_does_it_once_and_nobody_is_scolded(
        self, adapter: Adapter, store: FakeStore, action: LobbyAction, person: Person
    ) -> None:
        table = await shown_lobby(adapter, ROBIN, WREN)
        revision = table.header.revision
        for number in (9001, 9002):
            click = await adapter.click(lobby_click(table, person, action, id=number))
            assert click.text == ""
            assert len(click.answers) == 1
        assert store.header(table.id).revision == revision + 1

    async def test_a_double_click_of_the_last_person_out_is_silent(self, adapter: Adapter, store: FakeStore) -> None:
        table = await shown_lobby(adapter, ROBIN)
        for number in (9001, 9002):
            click = await adapter.click(lobby_click(table, ROBIN, LobbyAction.LEAVE, id=number))
            assert click.text == ""
        assert store.header(table.id).status is Status.CANCELLED

    @pytest.mark.parametrize(
        ("action", "person", "sentence"),
        [
            (LobbyAction.JOIN, WREN, "You already have a seat"),
            (LobbyAction.LEAVE, STRANGER, "You have no seat"),
            (LobbyAction.START, WREN, "Only Robin"),
            (LobbyAction.ADD_COMPUTER, STRANGER, "Only Robin"),
            (LobbyAction.REMOVE_COMPUTER, ROBIN, "There is no computer player"),
        ],
    )
    async def test_what_is_no_double_click_is_refused_in_words(
        self, adapter: Adapter, action: LobbyAction, person: Person, sentence: str
    ) -> None:
        table = await shown_lobby(adapter, ROBIN, WREN)
        click = await adapter.click(lobby_click(table, person, action))
        assert click.text.startswith(sentence)

    async def test_a_stranger_who_is_too_late_is_told_so(self, adapter: Adapter) -> None:
        table = await shown_lobby(adapter, ROBIN, WREN)
        await adapter.service.start(table.id, ROBIN, START_CLICK)
        click = await adapter.click(lobby_click(table, STRANGER, LobbyAction.JOIN))
        assert click.text.startswith("This game has already started")


class TestCancelling:
    @pytest.mark.parametrize(
        ("person", "permissions", "closed"),
        [
            (ROBIN, discord.Permissions.none(), True),
            (WREN, discord.Permissions.none(), False),
            (STRANGER, discord.Permissions.none(), False),
            (STRANGER, MODERATOR, True),
        ],
    )
    async def test_is_for_the_opener_and_moderators(
        self,
        adapter: Adapter,
        store: FakeStore,
        person: Person,
        permissions: discord.Permissions,
        closed: bool,
    ) -> None:
        table = await shown_game(adapter)
        click = await adapter.click(click_of(person, CancelId(table.id), permissions=permissions))
        assert (store.header(table.id).status is Status.CANCELLED) is closed
        if closed:
            assert click.answers[0].content == "The table is closed."
            assert click.answers[0].view is None
        else:
            assert click.text.startswith("Only Robin")

    async def test_a_double_click_is_answered_alike(self, adapter: Adapter) -> None:
        table = await shown_game(adapter)
        for _ in range(2):
            click = await adapter.click(click_of(ROBIN, CancelId(table.id)))
            assert [answer.content for answer in click.answers] == ["The table is closed."]


class TestCarrying:
    async def test_a_message_that_was_replaced_points_to_the_table(self, adapter: Adapter) -> None:
        table = await shown_game(adapter)
        click = await adapter.click(control_click(table, mover_of(table), "roll", message_id=1))
        (answer,) = click.answers
        assert answer.how is How.EDIT
        assert str(table.header.message_id) in (answer.content or "")
        assert answer.view is None
        await adapter.settled()
        assert adapter.shown.revisions[-1] == table.header.revision + 1
        assert adapter.shown.shown[-1].message_id == table.header.message_id

    async def test_a_click_during_an_edit_is_acknowledged_and_the_frame_follows(self, adapter: Adapter) -> None:
        table = await shown_game(adapter)
        adapter.shown.gates[Deed.EDIT] = gate = Gate()
        adapter.host.publisher.wake(table.id, again=True)
        await gate.reached.wait()
        click = await adapter.click(control_click(table, mover_of(table), "roll"))
        assert [answer.how for answer in click.answers] == [How.DEFER]
        gate.open()
        await adapter.settled()
        assert adapter.shown.revisions[-1] == table.header.revision + 1

    async def test_a_move_in_an_archived_thread_is_saved_and_told_so(self, adapter: Adapter, store: FakeStore) -> None:
        table = await shown_game(adapter)
        click = control_click(table, mover_of(table), "roll")
        click.fault = ARCHIVED
        await adapter.click(click)
        assert "this thread is archived" in click.text
        assert len(store.texts(table.id)) == 1

    @pytest.mark.parametrize("fault", [TOO_LATE, ALREADY_ANSWERED])
    async def test_an_answer_nobody_waits_for_is_left_to_the_publisher(
        self, adapter: Adapter, store: FakeStore, fault: Exception
    ) -> None:
        table = await shown_game(adapter)
        click = control_click(table, mover_of(table), "roll")
        click.fault = fault
        await adapter.click(click)
        assert click.answers == []
        assert len(store.texts(table.id)) == 1
        await adapter.settled()
        assert adapter.shown.revisions[-1] == table.header.revision + 1

    async def test_an_answer_that_discord_refuses_is_left_to_the_publisher_too(
        self, adapter: Adapter, store: FakeStore, caplog: pytest.LogCaptureFixture
    ) -> None:
        table = await shown_game(adapter)
        click = control_click(table, mover_of(table), "roll")
        click.fault = SERVER_ERROR
        await adapter.click(click)
        await adapter.settled()
        assert len(store.texts(table.id)) == 1
        assert adapter.shown.revisions[-1] == table.header.revision + 1
        caplog.clear()

    async def test_a_click_whose_table_was_posted_anew_meanwhile_does_not_bring_the_old_message_back(
        self, adapter: Adapter, store: FakeStore
    ) -> None:
        table = await shown_game(adapter)
        store.before["save"] = gate = Gate()
        clicking = asyncio.create_task(adapter.click(control_click(table, mover_of(table), "roll")))
        await gate.reached.wait()

        async def send(_: Table) -> int:
            return 4711

        await adapter.host.publisher.post_anew(table.id, send)  # `/table show`
        gate.open()
        await clicking
        await adapter.settled()
        now = await adapter.service.table(table.id)
        assert now.header.message_id == 4711
        assert now.header.published == now.header.revision
        assert adapter.shown.shown[-1].message_id == 4711


class TestSlowWork:
    @pytest.fixture(autouse=True)
    def short_patience(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bot.ui.replies, "_PATIENCE_SECONDS", 0.01)

    @pytest.mark.parametrize("key", ["roll", "die2"])
    async def test_is_acknowledged_and_shown_by_the_publisher(
        self, adapter: Adapter, store: FakeStore, key: str
    ) -> None:
        table = await shown_game(adapter)
        before = len(adapter.shown.shown)
        adapter.service._cache.forget(table.id)
        store.after["load"] = gate = Gate()
        click = control_click(table, mover_of(table), key)
        clicking = asyncio.create_task(adapter.click(click))
        await until(lambda: click.answers)
        gate.open()
        await clicking
        await adapter.settled()
        assert [answer.how for answer in click.answers] == [How.DEFER]
        assert len(adapter.shown.shown) == before + 1
        assert click.text == ""

    @pytest.mark.parametrize("key", ["roll", "die2"])
    async def test_that_is_done_while_it_is_being_acknowledged_is_answered_once(
        self, adapter: Adapter, store: FakeStore, key: str
    ) -> None:
        table = await shown_game(adapter)
        before = len(adapter.shown.shown)
        adapter.service._cache.forget(table.id)
        store.after["load"] = loading = Gate()
        click = control_click(table, mover_of(table), key)
        click.gate = acknowledging = Gate()
        clicking = asyncio.create_task(adapter.click(click))
        await acknowledging.reached.wait()
        loading.open()
        for _ in range(20):
            await asyncio.sleep(0)
        acknowledging.open()
        await clicking
        await adapter.settled()
        assert [answer.how for answer in click.answers] == [How.DEFER]
        assert len(adapter.shown.shown) == before + 1

    async def test_is_refused_in_words_all_the_same(self, adapter: Adapter, store: FakeStore) -> None:
        table = await shown_game(adapter)
        adapter.service._cache.forget(table.id)
        store.after["load"] = gate = Gate()
        click = control_click(table, STRANGER, "roll")
        clicking = asyncio.create_task(adapter.click(click))
        await until(lambda: click.answers)
        gate.open()
        await clicking
        assert [answer.how for answer in click.answers] == [How.DEFER, How.FOLLOW_UP]
        assert click.text.startswith("You have no seat")


class TestFaults:
    async def test_a_failing_database_is_told(
        self, adapter: Adapter, store: FakeStore, caplog: pytest.LogCaptureFixture
    ) -> None:
        table = await shown_game(adapter)
        store.broken = {"save"}
        click = await adapter.click(control_click(table, mover_of(table), "roll"))
        assert click.text == STORE_UNAVAILABLE
        caplog.clear()
        store.broken = set()
        again = await adapter.click(control_click(table, mover_of(table), "roll"))
        assert [answer.how for answer in again.answers] == [How.EDIT]
        assert len(store.texts(table.id)) == 1

    async def test_a_fault_of_ours_is_told_without_its_insides(
        self, adapter: Adapter, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table = await shown_game(adapter)

        def fail(*_: object) -> None:
            raise RuntimeError("secret detail")

        monkeypatch.setattr(adapter.drafts, "of", fail)
        click = await adapter.click(control_click(table, mover_of(table), "roll"))
        assert click.text == UNEXPECTED.format(trace=present().id)
        assert [record.levelno for record in caplog.records] == [logging.ERROR]
        caplog.clear()


async def test_a_table_in_a_direct_message_is_played_there(adapter: Adapter, store: FakeStore) -> None:
    table = await a_lobby(adapter.service, ROBIN, place=Place(None, 88))
    await adapter.settled()
    table = await adapter.service.table(table.id)
    here: dict[str, Any] = {"guild_id": None, "channel_id": 88, "in_own_dm": True}
    click = await adapter.click(lobby_click(table, ROBIN, LobbyAction.START, **here))
    assert [answer.how for answer in click.answers] == [How.EDIT]
    assert store.header(table.id).status is Status.PLAYING
    await adapter.settled()
