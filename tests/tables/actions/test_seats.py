"""Actions on seats during a game: resigning, returning, substitution, and closing a game by agreement."""

import asyncio
from functools import partial

import pytest

from bot.platform.places import Person
from bot.rules.refusals import CommonReason, Refusal, RefusalReason
from bot.tables import storage as table_storage
from bot.tables.closing import agree_to_close, propose_close
from bot.tables.control_entries import Resign, TableEndReason
from bot.tables.model import Status
from bot.tables.opening import open_game
from bot.tables.refusals import DuplicateInteraction, HostReason, Stale
from bot.tables.seats import ABSENT_AFTER, SeatAction, come_back, resign_seat, substitute_absent, take_back
from bot.tables.service import TableService
from bot.tables.table import Table, apply_control_entry, apply_move
from tests.fairdice.seat_scenarios import HEAP_GAMES
from tests.rules.heap_game import HeapOptions
from tests.support.fake_message_sender import FakeMessageSender
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import (
    ALL_FIVE,
    GAMES,
    HERE,
    JAY,
    LINNET,
    NEW_CLICKS,
    ROBIN,
    STRANGER,
    WREN,
    FakeClock,
    as_solo,
    make_service,
    make_table,
    mover_of,
    roll,
    start_game,
)
from tests.support.hosts import Host
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate, wait_until
from tests.tables.refusals import refused_for


def others(table: Table) -> list[Person]:
    """The people who are not to move, in the order of their seats."""
    return [Person(who.user_id or 0, who.name) for who in table.seats if who is not table.mover]


async def apply_action(service: TableService, table: Table, person: Person, action: SeatAction) -> Table:
    return await service.apply_seat_action(table.id, person, action, next(NEW_CLICKS))


async def resign(service: TableService, table: Table, person: Person) -> Table:
    return await apply_action(service, table, person, resign_seat)


async def play_next_move(service: TableService, table: Table) -> Table:
    """Make the next move, as a person or as a computer player."""
    if table.header.awaits_computer:
        return await service.play_computer(table.id, table.header.step, ALL_FIVE)
    return await roll(service, table)


async def play_round(service: TableService, *people: Person, computers: int = 0) -> Table:
    """Start a table and let every seat make its first move."""
    table = await start_game(service, *people, computers=computers)
    for _ in table.seats:
        table = await play_next_move(service, table)
    return table


class TestResigning:
    async def test_resigning_is_a_step_that_leaves_the_position(
        self, service: TableService, db: MemoryDatabase
    ) -> None:
        table = await roll(service, await start_game(service))
        person = others(table)[0]
        after = await service.apply_seat_action(table.id, person, resign_seat, 77)
        assert after.state == table.state
        (move,) = table.news
        resigned = table.seat_of(person.id)
        assert resigned is not None
        assert after.news == (move._replace(left=frozenset({resigned})),)
        assert (after.header.step, after.header.to_move) == (2, table.header.to_move)
        first, second = db.records[table.id].entries
        assert (second.step, second.text, second.click_id) == (2, "!resign", 77)
        assert second.digest == first.digest
        assert second.seat == after.seat_of(others(table)[0].id)

    async def test_a_computer_player_plays_on_for_a_player_who_resigned(
        self, db: MemoryDatabase, table_messages: FakeTableMessages
    ) -> None:
        host = Host(db, GAMES, table_messages, FakeMessageSender())
        table = await start_game(host.service)
        gone = mover_of(table)
        assert not table.header.awaits_computer
        after = await resign(host.service, table, gone)
        assert after.header.status is Status.PLAYING
        assert after.header.awaits_computer
        await wait_until(lambda: len(db.texts(table.id)) == 2)
        await host.close()
        entry = db.records[table.id].entries[1]
        assert (entry.seat, entry.click_id) == (table.header.to_move, None)
        assert entry.text.startswith("roll")

    async def test_another_process_sees_the_same_at_every_step(self, service: TableService, db: MemoryDatabase) -> None:
        table = await start_game(service)
        gone = others(table)[0]
        for step in range(7):
            table = await (resign(service, table, gone) if step == 1 else play_next_move(service, table))
            again = await make_service(db).table(table.id)
            assert (again.header, again.state, again.seat_status) == (table.header, table.state, table.seat_status)
        assert table.seat_status.resigned

    @pytest.mark.parametrize(
        ("people", "computers", "resigning", "places"),
        [
            ([ROBIN, WREN], 0, [WREN], (1, 2)),
            ([ROBIN, WREN, JAY], 0, [ROBIN, JAY], (2, 1, 2)),
            ([ROBIN], 2, [ROBIN], (3, 1, 1)),
        ],
    )
    async def test_the_table_ends_when_one_player_or_no_person_is_left(
        self,
        service: TableService,
        people: list[Person],
        computers: int,
        resigning: list[Person],
        places: tuple[int, ...],
    ) -> None:
        table = await start_game(service, *people, computers=computers)
        for person in resigning:
            assert table.header.status is Status.PLAYING
            table = await resign(service, table, person)
        assert (table.header.status, table.header.to_move) == (Status.FINISHED, None)
        assert not table.header.awaits_computer
        assert table.outcome is not None
        assert (table.outcome.places, table.outcome.reason) == (places, TableEndReason.RESIGNED)
        assert await service.open_table_in(table.header.location.channel_id) is None

    async def test_a_player_resigns_once_and_does_not_play_afterwards(
        self, service: TableService, db: MemoryDatabase
    ) -> None:
        table = await start_game(service)
        gone = mover_of(table)
        with refused_for(CommonReason.UNREADABLE):
            await service.play(table.id, gone, 0, "!resign", 1)
        assert db.texts(table.id) == [], "it is no move that can be typed"
        table = await resign(service, table, gone)
        with refused_for(HostReason.RESIGNED):
            await resign(service, table, gone)
        with refused_for(HostReason.RESIGNED):
            await service.play(table.id, gone, table.header.step, ALL_FIVE, 1)
        with pytest.raises(Stale):
            await service.play(table.id, gone, 0, ALL_FIVE, 1)

    def test_a_solo_player_is_referred_to_closing(self) -> None:
        with refused_for(HostReason.ALONE):
            resign_seat(as_solo(make_table(status=Status.PLAYING)), ROBIN)


class TestSubstituting:
    @pytest.fixture
    def service(self, db: MemoryDatabase, clock: FakeClock) -> TableService:
        return make_service(db, clock=clock)

    async def substitute(self, service: TableService, table: Table, person: Person) -> Table:
        action = partial(substitute_absent, since=service.clock.ago(ABSENT_AFTER))
        return await service.apply_seat_action(table.id, person, action, next(NEW_CLICKS))

    async def reason(self, service: TableService, table: Table, person: Person) -> RefusalReason:
        with pytest.raises(Refusal) as refused:
            await self.substitute(service, table, person)
        assert isinstance(refused.value.reason, HostReason)
        return refused.value.reason

    async def until_to_move(self, service: TableService, person: Person, *people: Person) -> Table:
        table = await start_game(service, *people)
        while mover_of(table) != person:
            table = await roll(service, table)
        return table

    async def test_the_opener_substitutes_a_silent_player(
        self, service: TableService, db: MemoryDatabase, clock: FakeClock
    ) -> None:
        table = await self.until_to_move(service, WREN)
        clock.tick(119)
        assert await self.reason(service, table, ROBIN) is HostReason.NOT_ABSENT
        clock.tick(1)
        table = await self.substitute(service, table, ROBIN)
        assert db.texts(table.id)[-1] == "!substitute 1"
        assert (table.seat_status.substituted, table.header.awaits_computer) == (frozenset({1}), True)
        assert not table.seats[1].is_computer
        await play_next_move(service, table)
        with refused_for(HostReason.SUBSTITUTED):
            await service.play(table.id, WREN, table.header.step + 1, ALL_FIVE, 1)

    async def test_two_other_players_together_substitute_a_silent_player(
        self, service: TableService, db: MemoryDatabase, clock: FakeClock
    ) -> None:
        table = await self.until_to_move(service, ROBIN, ROBIN, WREN, JAY)
        clock.tick(120)
        asked = await self.substitute(service, table, WREN)
        assert (db.texts(table.id)[-1], asked.header.awaits_computer) == ("!ask 0", False)
        moved = apply_move(asked, 0, asked.package.game.parse_move(ALL_FIVE))
        assert (asked.seat_status.askers, moved.seat_status.askers) == (frozenset({1}), frozenset()), (
            "a move ends the silence"
        )
        assert await self.reason(service, asked, WREN) is HostReason.ALREADY_ASKED
        table = await self.substitute(service, asked, JAY)
        assert (db.texts(table.id)[-1], table.header.awaits_computer) == ("!substitute 0", True)
        assert not table.seat_status.askers

    async def test_a_single_other_player_substitutes_alone(
        self, service: TableService, db: MemoryDatabase, clock: FakeClock
    ) -> None:
        table = await self.until_to_move(service, ROBIN, ROBIN, WREN)
        clock.tick(120)
        await self.substitute(service, table, WREN)
        assert db.texts(table.id)[-1] == "!substitute 0"

    async def test_silence_is_measured_from_the_start_of_the_turn(
        self, service: TableService, clock: FakeClock
    ) -> None:
        table = await start_game(service)
        clock.tick(200)
        while mover_of(table) != JAY:
            table = await roll(service, table)
        assert table.header.awaited_since == clock(), "who has just come to move is not silent"
        clock.tick(100)
        table = await resign(service, table, WREN)  # what others do does not break the silence
        clock.tick(20)
        await self.substitute(service, table, ROBIN)

    async def test_invalid_substitutions_are_refused(self, service: TableService, clock: FakeClock) -> None:
        table = await self.until_to_move(service, WREN)
        clock.tick(120)
        assert await self.reason(service, table, WREN) is HostReason.OWN_TURN
        assert await self.reason(service, table, STRANGER) is HostReason.NOT_SEATED
        table = await self.substitute(service, table, ROBIN)
        assert await self.reason(service, table, ROBIN) is HostReason.NOBODY_AWAITED
        assert await self.reason(service, table, WREN) is HostReason.SUBSTITUTED

    async def test_a_substituted_player_can_come_back_or_resign_at_any_time(
        self, service: TableService, db: MemoryDatabase, clock: FakeClock
    ) -> None:
        table = await self.until_to_move(service, WREN)
        clock.tick(120)
        table = await self.substitute(service, table, ROBIN)
        assert not table.is_decided_by_resignation
        gone = apply_control_entry(table, 1, Resign()).seat_status
        assert (gone.resigned, gone.substituted) == (frozenset({1}), frozenset())
        with refused_for(HostReason.NOT_SUBSTITUTED):
            await service.apply_seat_action(table.id, JAY, come_back, 1)
        step = table.header.step
        table = await service.apply_seat_action(table.id, WREN, come_back, 2)
        assert db.texts(table.id)[-1] == "!back"
        assert (table.header.awaits_computer, mover_of(table)) == (False, WREN)
        assert table.header.awaited_since > clock.ago(ABSENT_AFTER)
        with pytest.raises(Stale):
            await service.play_computer(table.id, step, ALL_FIVE)
        await roll(service, table)


async def refusal_reason(
    service: TableService, table: Table, person: Person, action: SeatAction = propose_close
) -> object:
    with pytest.raises(Refusal) as caught:
        await apply_action(service, table, person, action)
    return caught.value.reason


async def refusal_to_cancel(service: TableService, table: Table, person: Person) -> object:
    with pytest.raises(Refusal) as caught:
        await service.cancel(table.id, person, is_moderator=False)
    return caught.value.reason


async def close_by_agreement(service: TableService, table: Table, *people: Person) -> Table:
    """Let players propose to close a table, or agree to it."""
    for person in people:
        table = await apply_action(service, table, person, propose_close)
    return table


async def start_heap(service: TableService, *moves: str) -> Table:
    """Start a game in which moves can be taken back, and make some."""
    table = await open_game(service, "heap", HeapOptions(stones=12), ROBIN, HERE, click_id=1)
    table = await service.join(table.id, WREN, 2)
    table = await service.start(table.id, ROBIN, 3)
    for step, text in enumerate(moves):
        table = await service.play(table.id, mover_of(table), step, text, 10 + step)
    return table


class TestWhoMayCloseAlone:
    async def test_the_opener_may_close_alone_until_every_seat_has_acted(
        self, service: TableService, db: MemoryDatabase
    ) -> None:
        table = await start_game(service, ROBIN, WREN, computers=1)
        for _ in range(2):
            table = await play_next_move(service, table)
        assert await refusal_reason(service, table, ROBIN) is HostReason.NOT_OPENER_NOR_MODERATOR
        closed = await service.cancel(table.id, ROBIN, is_moderator=False)
        assert closed.header.status is Status.CANCELLED
        assert db.results == []

    async def test_once_every_seat_has_acted_only_a_moderator_may_close_alone(
        self, service: TableService, db: MemoryDatabase
    ) -> None:
        table = await play_round(service, ROBIN, WREN, computers=1)
        for process in (service, make_service(db)):
            for person in (ROBIN, WREN):
                assert await refusal_to_cancel(process, table, person) is HostReason.NEEDS_AGREEMENT
        assert await refusal_to_cancel(service, table, STRANGER) is HostReason.NOT_SEATED
        closed = await service.cancel(table.id, STRANGER, is_moderator=True)
        assert closed.header.status is Status.CANCELLED
        assert not as_solo(make_table(status=Status.PLAYING)).needs_agreement, "its owner is all there is"

    async def test_a_first_move_that_was_taken_back_counts_as_acting(self, db: MemoryDatabase) -> None:
        service = make_service(db, HEAP_GAMES)
        before = await start_heap(service, "toss")
        second = mover_of(before)
        table = await service.play(before.id, second, 1, "take 1", 12)
        assert mover_of(table) != second
        await apply_action(service, table, second, take_back)
        assert await refusal_to_cancel(service, table, ROBIN) is HostReason.NEEDS_AGREEMENT

    async def test_against_computers_alone_closing_means_resigning(
        self, service: TableService, db: MemoryDatabase
    ) -> None:
        table = await play_round(service, ROBIN, computers=2)
        assert await refusal_to_cancel(service, table, ROBIN) is HostReason.NEEDS_AGREEMENT
        assert await refusal_reason(service, table, ROBIN) is HostReason.ONLY_RESIGN
        table = await resign(service, table, ROBIN)
        assert table.header.status is Status.FINISHED
        assert [(result.user_id, result.place) for result in db.results] == [(ROBIN.id, 3), (None, 1), (None, 1)]

    async def test_the_decision_is_based_on_the_stored_table(self, service: TableService, db: MemoryDatabase) -> None:
        table = await start_game(service, ROBIN, WREN)
        table = await roll(service, table)
        other = make_service(db)
        await other.table(table.id)
        await roll(service, table)
        assert await refusal_to_cancel(other, table, ROBIN) is HostReason.NEEDS_AGREEMENT


class TestAgreeing:
    async def test_the_last_agreement_closes_the_table_in_one_write(
        self, service: TableService, db: MemoryDatabase
    ) -> None:
        table = await play_round(service)
        table = await apply_action(service, table, WREN, propose_close)
        assert table.header.status is Status.PLAYING
        assert table.closers == {1}
        table = await apply_action(service, table, ROBIN, agree_to_close)
        saves = db.calls.count(table_storage.save)
        table = await apply_action(service, table, JAY, agree_to_close)
        assert db.calls.count(table_storage.save) == saves + 1
        assert (table.header.status, table.header.to_move) == (Status.CANCELLED, None)
        assert db.header(table.id).status is Status.CANCELLED
        assert db.texts(table.id)[-3:] == ["!close"] * 3
        assert db.results == []
        assert await service.open_table_in(HERE.channel_id) is None

    async def test_each_player_agrees_once_per_click_and_strangers_do_not(self, service: TableService) -> None:
        table = await play_round(service)
        table = await service.apply_seat_action(table.id, WREN, propose_close, 77)
        with pytest.raises(DuplicateInteraction):
            await service.apply_seat_action(table.id, WREN, propose_close, 77)
        assert await refusal_reason(service, table, WREN, agree_to_close) is HostReason.ALREADY_AGREED
        assert await refusal_reason(service, table, STRANGER, agree_to_close) is HostReason.NOT_SEATED
        table = await resign(service, table, JAY)
        assert await refusal_reason(service, table, JAY, agree_to_close) is HostReason.RESIGNED

    async def test_simultaneous_agreements_in_two_processes_both_count(self, db: MemoryDatabase) -> None:
        first, second = make_service(db), make_service(db)
        table = await play_round(first, ROBIN, WREN)
        await second.table(table.id)
        db.before[table_storage.save] = gate = Gate()
        asking = ((first, ROBIN), (second, WREN))
        both = [asyncio.create_task(apply_action(service, table, person, propose_close)) for service, person in asking]
        await gate.reached.wait()
        gate.open()
        await asyncio.gather(*both)
        assert db.header(table.id).status is Status.CANCELLED
        assert db.texts(table.id)[-2:] == ["!close", "!close"]


class TestWhenAProposalLapses:
    async def test_a_proposal_lapses_with_the_next_move_of_a_person(self, service: TableService) -> None:
        table = await play_round(service, ROBIN, WREN)
        table = await apply_action(service, table, ROBIN, propose_close)
        table = await roll(service, table)
        assert table.closers == frozenset()
        with pytest.raises(Stale):
            await apply_action(service, table, WREN, agree_to_close)
        table = await apply_action(service, table, WREN, propose_close)
        assert table.header.status is Status.PLAYING, "the first agreement does not count any more"

    async def test_a_computer_players_move_keeps_a_proposal(self, service: TableService) -> None:
        table = await play_round(service, ROBIN, WREN, computers=1)
        while not table.header.awaits_computer:
            table = await roll(service, table)
        table = await apply_action(service, table, ROBIN, propose_close)
        table = await play_next_move(service, table)
        assert table.closers == {0}

    async def test_a_resignation_may_complete_the_agreement(self, service: TableService, db: MemoryDatabase) -> None:
        table = await close_by_agreement(service, await play_round(service), ROBIN, WREN)
        table = await resign(service, table, JAY)
        assert table.header.status is Status.CANCELLED
        assert db.results == []

    async def test_a_player_whose_last_opponent_resigns_has_not_agreed_with_anyone(self, service: TableService) -> None:
        table = await close_by_agreement(service, await play_round(service, ROBIN, WREN, computers=1), ROBIN)
        table = await resign(service, table, WREN)
        assert (table.header.status, table.closers) == (Status.PLAYING, frozenset())
        assert await refusal_reason(service, table, ROBIN) is HostReason.ONLY_RESIGN
        await service.cancel(table.id, STRANGER, is_moderator=True)
        table = await close_by_agreement(service, await play_round(service, ROBIN, WREN), ROBIN)
        table = await resign(service, table, WREN)
        assert table.header.status is Status.FINISHED
        assert table.outcome is not None
        assert table.outcome.places == (1, 2)

    async def test_a_proposer_who_resigned_no_longer_agrees(self, service: TableService) -> None:
        table = await close_by_agreement(service, await play_round(service, ROBIN, WREN, JAY, LINNET), ROBIN, WREN)
        table = await resign(service, table, ROBIN)
        assert (table.header.status, table.closers) == (Status.PLAYING, frozenset({1}))

    async def test_a_substituted_player_must_agree_too(self, db: MemoryDatabase, clock: FakeClock) -> None:
        service = make_service(db, clock=clock)
        table = await play_round(service)
        absent = mover_of(table)
        rest = [person for person in (ROBIN, WREN, JAY) if person != absent]
        clock.tick(120)
        silent = partial(substitute_absent, since=clock() - ABSENT_AFTER)
        for person in rest:
            if not table.seat_status.substituted:
                table = await apply_action(service, table, person, silent)
        assert table.seat_status.substituted
        table = await close_by_agreement(service, table, *rest)
        assert table.header.status is Status.PLAYING
        table = await apply_action(service, table, absent, come_back)
        assert len(table.closers) == 2, "coming back is no move"
        table = await apply_action(service, table, absent, agree_to_close)
        assert table.header.status is Status.CANCELLED

    async def test_a_proposal_ends_taking_back(self, db: MemoryDatabase) -> None:
        service = make_service(db, HEAP_GAMES)
        before = await start_heap(service, "toss", "toss")
        mover = mover_of(before)
        table = await service.play(before.id, mover, 2, "take 1", 13)
        other = next(person for person in (ROBIN, WREN) if person != mover)
        table = await apply_action(service, table, other, propose_close)
        assert await refusal_reason(service, table, mover, take_back) is HostReason.NOTHING_TO_TAKE_BACK
