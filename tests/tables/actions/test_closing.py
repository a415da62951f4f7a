"""Closing a game without a result once everybody has acted: all who play agree, or somebody resigns."""

import asyncio
import json
from functools import partial

import pytest

from bot.rules.refusals import Refusal
from bot.tables.actions.seats import (
    ABSENT_AFTER,
    SeatWish,
    agreeing,
    closing,
    coming_back,
    resigning,
    substituting,
    taking_back,
)
from bot.tables.model import Person, Status
from bot.tables.records.checking import portable, verify
from bot.tables.records.record import RecordReason, read_record
from bot.tables.refusals import HostReason, Repeated, Stale
from bot.tables.runtime.service import TableService
from bot.tables.table import Table
from tests.fairdice.seats import HEAPS
from tests.rules.toy import HeapOptions
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
    Clock,
    FakeStore,
    Gate,
    a_service,
    a_table,
    alone,
    mover_of,
    roll,
    under_way,
)


@pytest.fixture
def clock() -> Clock:
    return Clock()


async def one_round(service: TableService, *people: Person, computers: int = 0) -> Table:
    """Start a table and let every seat make its first move."""
    table = await under_way(service, *people, computers=computers)
    for _ in table.seats:
        table = await on(service, table)
    return table


async def on(service: TableService, table: Table) -> Table:
    """Make the next move, be it a person's or a computer player's."""
    if table.header.awaits_computer:
        return await service.play_computer(table.id, table.header.step, ALL_FIVE)
    return await roll(service, table)


async def wish(service: TableService, table: Table, person: Person, wished: SeatWish) -> Table:
    return await service.control(table.id, person, wished, next(NEW_CLICKS))


async def refused(service: TableService, table: Table, person: Person, wished: SeatWish = closing) -> object:
    with pytest.raises(Refusal) as caught:
        await wish(service, table, person, wished)
    return caught.value.reason


async def not_cancelled(service: TableService, table: Table, person: Person) -> object:
    with pytest.raises(Refusal) as caught:
        await service.cancel(table.id, person, is_moderator=False)
    return caught.value.reason


class TestWhoMayCloseAlone:
    async def test_the_opener_until_every_seat_has_acted(self, service: TableService, store: FakeStore) -> None:
        table = await under_way(service, ROBIN, WREN, computers=1)
        for _ in range(2):
            table = await on(service, table)
        assert await refused(service, table, ROBIN) is HostReason.NOT_OPENER_NOR_MODERATOR
        closed = await service.cancel(table.id, ROBIN, is_moderator=False)
        assert closed.header.status is Status.CANCELLED
        assert store.results == []

    async def test_nobody_once_every_seat_has_but_a_moderator(self, service: TableService) -> None:
        table = await one_round(service, ROBIN, WREN, computers=1)
        for person in (ROBIN, WREN):
            assert await not_cancelled(service, table, person) is HostReason.NEEDS_AGREEMENT
        assert await not_cancelled(service, table, STRANGER) is HostReason.NOT_SEATED
        closed = await service.cancel(table.id, STRANGER, is_moderator=True)
        assert closed.header.status is Status.CANCELLED

    async def test_another_process_knows_who_has_acted(self, service: TableService, store: FakeStore) -> None:
        table = await one_round(service, ROBIN, WREN)
        assert await not_cancelled(a_service(store), table, ROBIN) is HostReason.NEEDS_AGREEMENT

    async def test_who_takes_the_first_move_back_has_acted(self, store: FakeStore) -> None:
        service = a_service(store, HEAPS)
        table = await service.open("heap", HeapOptions(stones=12), ROBIN, HERE, click_id=1)
        table = await service.join(table.id, WREN, 2)
        table = await service.start(table.id, ROBIN, 3)
        movers = [mover_of(table)]
        table = await service.play(table.id, movers[0], 0, "toss", 4)
        movers.append(mover_of(table))
        assert movers[0] != movers[1]
        table = await service.play(table.id, movers[1], 1, "take 1", 5)
        table = await wish(service, table, movers[1], taking_back)
        assert await not_cancelled(service, table, ROBIN) is HostReason.NEEDS_AGREEMENT

    def test_a_solo_game_stays_its_owners(self) -> None:
        table = alone(a_table(status=Status.PLAYING))
        assert not table.needs_agreement

    async def test_against_computers_alone_leaving_is_resigning(self, service: TableService, store: FakeStore) -> None:
        table = await one_round(service, ROBIN, computers=2)
        assert await not_cancelled(service, table, ROBIN) is HostReason.NEEDS_AGREEMENT
        assert await refused(service, table, ROBIN) is HostReason.ONLY_RESIGN
        table = await wish(service, table, ROBIN, resigning)
        assert table.header.status is Status.FINISHED
        assert [(result.user_id, result.place) for result in store.results] == [(ROBIN.id, 3), (None, 1), (None, 1)]

    async def test_the_decision_is_made_on_what_is_on_disk(self, service: TableService, store: FakeStore) -> None:
        table = await under_way(service, ROBIN, WREN)
        table = await roll(service, table)
        other = a_service(store)
        await other.table(table.id)
        await roll(service, table)
        assert await not_cancelled(other, table, ROBIN) is HostReason.NEEDS_AGREEMENT


class TestAgreeing:
    async def test_the_last_agreement_closes_the_table_in_one_write(
        self, service: TableService, store: FakeStore
    ) -> None:
        table = await one_round(service)
        table = await wish(service, table, WREN, closing)
        assert table.header.status is Status.PLAYING
        assert table.closers == {1}
        table = await wish(service, table, ROBIN, agreeing)
        saves = store.calls.count("save")
        table = await wish(service, table, JAY, agreeing)
        assert store.calls.count("save") == saves + 1
        assert (table.header.status, table.header.to_move) == (Status.CANCELLED, None)
        assert store.header(table.id).status is Status.CANCELLED
        assert store.texts(table.id)[-3:] == ["!close"] * 3
        assert store.results == []
        assert await service.table_in(HERE.channel_id) is None

    async def test_another_process_sees_the_same_at_every_step(self, service: TableService, store: FakeStore) -> None:
        table = await one_round(service)
        for person in (WREN, ROBIN, JAY):
            table = await wish(service, table, person, closing)
            again = await a_service(store).table(table.id)
            assert (again.header, again.standing, again.acted) == (table.header, table.standing, table.acted)
        assert (await a_service(store).table(table.id)).is_closed_by_agreement

    async def test_nobody_agrees_twice_nor_twice_by_one_click(self, service: TableService) -> None:
        table = await one_round(service)
        table = await service.control(table.id, WREN, closing, 77)
        with pytest.raises(Repeated):
            await service.control(table.id, WREN, closing, 77)
        assert await refused(service, table, WREN, agreeing) is HostReason.ALREADY_AGREED

    async def test_only_who_plays_agrees(self, service: TableService) -> None:
        table = await one_round(service, ROBIN, WREN, JAY)
        table = await wish(service, table, WREN, closing)
        assert await refused(service, table, STRANGER, agreeing) is HostReason.NOT_SEATED
        table = await wish(service, table, JAY, resigning)
        assert await refused(service, table, JAY, agreeing) is HostReason.RESIGNED

    async def test_of_two_processes_that_agree_for_two_people_both_are_heard(self, store: FakeStore) -> None:
        first, second = a_service(store), a_service(store)
        table = await one_round(first, ROBIN, WREN)
        await second.table(table.id)
        store.before["save"] = gate = Gate()
        asking = ((first, ROBIN), (second, WREN))
        both = [asyncio.create_task(wish(service, table, person, closing)) for service, person in asking]
        await gate.reached.wait()
        gate.open()
        await asyncio.gather(*both)
        assert store.header(table.id).status is Status.CANCELLED
        assert store.texts(table.id)[-2:] == ["!close", "!close"]


class TestWhenAProposalLapses:
    async def test_with_the_next_move_of_a_person(self, service: TableService) -> None:
        table = await one_round(service, ROBIN, WREN)
        table = await wish(service, table, ROBIN, closing)
        table = await roll(service, table)
        assert table.closers == frozenset()
        with pytest.raises(Stale):
            await wish(service, table, WREN, agreeing)
        table = await wish(service, table, WREN, closing)
        assert table.header.status is Status.PLAYING, "the first agreement does not count any more"

    async def test_not_with_a_computer_players_move(self, service: TableService) -> None:
        table = await one_round(service, ROBIN, WREN, computers=1)
        while not table.header.awaits_computer:
            table = await roll(service, table)
        table = await wish(service, table, ROBIN, closing)
        table = await on(service, table)
        assert table.closers == {0}

    async def test_who_resigns_may_complete_it(self, service: TableService, store: FakeStore) -> None:
        table = await one_round(service)
        for person in (ROBIN, WREN):
            table = await wish(service, table, person, closing)
        table = await wish(service, table, JAY, resigning)
        assert table.header.status is Status.CANCELLED
        assert store.results == []

    async def test_who_is_left_alone_with_computers_has_not_agreed_with_anybody(self, service: TableService) -> None:
        table = await one_round(service, ROBIN, WREN, computers=1)
        table = await wish(service, table, ROBIN, closing)
        table = await wish(service, table, WREN, resigning)
        assert table.header.status is Status.PLAYING
        assert table.closers == frozenset()
        assert await refused(service, table, ROBIN) is HostReason.ONLY_RESIGN

    async def test_the_last_opponents_resignation_is_a_win_and_no_agreement(self, service: TableService) -> None:
        table = await one_round(service, ROBIN, WREN)
        table = await wish(service, table, ROBIN, closing)
        table = await wish(service, table, WREN, resigning)
        assert table.header.status is Status.FINISHED
        assert table.outcome is not None
        assert table.outcome.places == (1, 2)

    async def test_who_proposed_and_resigned_agrees_no_more(self, service: TableService) -> None:
        table = await one_round(service, ROBIN, WREN, JAY, LINNET)
        for person in (ROBIN, WREN):
            table = await wish(service, table, person, closing)
        table = await wish(service, table, ROBIN, resigning)
        assert table.header.status is Status.PLAYING
        assert table.closers == {1}

    async def test_who_is_stood_in_for_must_agree_too(self, store: FakeStore, clock: Clock) -> None:
        service = a_service(store, clock=clock)
        table = await one_round(service)
        absent = mover_of(table)
        rest = [person for person in (ROBIN, WREN, JAY) if person != absent]
        clock.tick(120)
        silent = partial(substituting, since=clock() - ABSENT_AFTER)
        for person in rest:
            if not table.standing.substituted:
                table = await wish(service, table, person, silent)
        assert table.standing.substituted
        for person in rest:
            table = await wish(service, table, person, closing)
        assert table.header.status is Status.PLAYING
        table = await wish(service, table, absent, coming_back)
        assert len(table.closers) == 2, "coming back is no move"
        table = await wish(service, table, absent, agreeing)
        assert table.header.status is Status.CANCELLED

    async def test_a_proposal_ends_what_could_be_taken_back(self, store: FakeStore) -> None:
        service = a_service(store, HEAPS)
        table = await service.open("heap", HeapOptions(stones=12), ROBIN, HERE, click_id=1)
        table = await service.join(table.id, WREN, 2)
        table = await service.start(table.id, ROBIN, 3)
        for step, text in enumerate(("toss", "toss")):
            table = await service.play(table.id, mover_of(table), step, text, 10 + step)
        mover = mover_of(table)
        table = await service.play(table.id, mover, 2, "take 1", 12)
        other = next(person for person in (ROBIN, WREN) if person != mover)
        table = await wish(service, table, other, closing)
        assert await refused(service, table, mover, taking_back) is HostReason.NOTHING_TO_TAKE_BACK


class TestRecords:
    async def closed(self, service: TableService) -> dict[str, object]:
        table = await one_round(service, ROBIN, WREN)
        for person in (ROBIN, WREN):
            table = await wish(service, table, person, closing)
        data: dict[str, object] = json.loads(str(portable(await service.record(table.id), GAMES["magpie"])))
        return data

    async def test_a_table_closed_by_agreement_holds(self, service: TableService) -> None:
        data = await self.closed(service)
        assert (data["ending"], data["outcome"]) == ("cancelled", None)
        assert verify(read_record(json.dumps(data).encode()), GAMES).controls == 2

    @pytest.mark.parametrize("ending", ["held", "expired", "finished"])
    async def test_and_has_ended_in_no_other_way(self, service: TableService, ending: str) -> None:
        data = await self.closed(service) | {"ending": ending}
        with pytest.raises(Refusal) as caught:
            verify(read_record(json.dumps(data).encode()), GAMES)
        assert caught.value.reason is RecordReason.ENDING

    async def test_an_agreement_before_everybody_has_acted_is_none(self, service: TableService) -> None:
        data = await self.closed(service)
        moves = data["moves"]
        assert isinstance(moves, list)
        first, second = moves[0], moves[2]
        data["moves"] = [first, {**second, "step": 2, "digest": first["digest"]}]
        with pytest.raises(Refusal) as caught:
            verify(read_record(json.dumps(data).encode()), GAMES)
        assert caught.value.reason is RecordReason.REFUSED
