"""A player takes a move back unless it revealed something or another player has acted."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import pytest

from bot.features.reviews.model import find_made_moves
from bot.platform.places import Person
from bot.rules.chance import Chance
from bot.rules.game import Event, Seat
from bot.rules.refusals import Refusal
from bot.tables.model import Status
from bot.tables.opening import open_game
from bot.tables.refusals import HostReason
from bot.tables.registry import AnyPackage, GameRegistry
from bot.tables.seats import ABSENT_AFTER, resign_seat, substitute_absent, take_back
from bot.tables.service import TableService
from bot.tables.table import Table
from bot.tables.turns import offers_take_back
from tests.rules.heap_game import PACKAGE, PATIENT_PACKAGE, Heap, HeapOptions, Move, PatientHeap, State, Take
from tests.support.fakes import HERE, JAY, NEW_CLICKS, ROBIN, WREN, FakeClock, make_service, mover_of
from tests.support.memory_database import MemoryDatabase
from tests.support.stored_games import replay_of
from tests.tables.refusals import refused_for

TOSS = "toss"


@dataclass(frozen=True, slots=True)
class CardPeeked(Event):
    seat: Seat

    @property
    def audience(self) -> Seat:
        return self.seat


class PeekingHeap(Heap):
    """A heap that reveals something to a player who takes two stones."""

    def play(self, state: State, seat: Seat, move: Move, chance: Chance) -> tuple[State, tuple[Event, ...]]:
        after, events = super().play(state, seat, move, chance)
        return after, (*events, CardPeeked(seat)) if move == Take(2) else events


PEEKING_PACKAGE: AnyPackage = replace(PACKAGE, game=PeekingHeap())
GAMES = GameRegistry([PEEKING_PACKAGE])


@pytest.fixture
def service(db: MemoryDatabase, clock: FakeClock) -> TableService:
    return make_service(db, GAMES, clock)


async def start_game(service: TableService, *people: Person) -> Table:
    opener, *others = people or (ROBIN, WREN)
    options = HeapOptions(stones=12)
    table = await open_game(service, "heap", options, opener, HERE, click_id=500)
    for person in others:
        table = await service.join(table.id, person, 501)
    return await service.start(table.id, opener, 502)


async def play(service: TableService, table: Table, *moves: str) -> Table:
    for text in moves:
        table = await service.play(table.id, mover_of(table), table.header.step, text, next(NEW_CLICKS))
    return table


async def undo(service: TableService, table: Table, person: Person) -> Table:
    return await service.apply_seat_action(table.id, person, take_back, next(NEW_CLICKS))


async def is_refused(service: TableService, table: Table, people: Sequence[Person] = (ROBIN, WREN)) -> bool:
    for person in people:
        with refused_for(HostReason.NOTHING_TO_TAKE_BACK):
            await undo(service, table, person)
    return table.take_back_state is None


async def test_the_earlier_position_is_restored_at_the_next_step(service: TableService, db: MemoryDatabase) -> None:
    before = await play(service, await start_game(service), TOSS)
    mover = mover_of(before)
    table = await undo(service, await play(service, before, "take 3"), mover)
    assert (table.state, table.news, table.race) == (before.state, before.news, before.race)
    assert (table.header.to_move, table.header.step) == (before.header.to_move, 3)
    assert db.texts(table.id) == [TOSS, "take 3", "!undo"]
    first, _, last = db.records[table.id].entries
    assert last.digest == first.digest
    after = await play(service, table, "take 1")
    assert after.state.heap == before.state.heap - 1


async def test_another_process_sees_the_same(service: TableService, db: MemoryDatabase) -> None:
    table = await play(service, await start_game(service), "take 1")
    assert table.take_back_state is not None
    again = await make_service(db, GAMES).table(table.id)
    shown = (table.header, table.state, table.race, table.take_back_state)
    assert (again.header, again.state, again.race, again.take_back_state) == shown
    table = await undo(service, table, (ROBIN, WREN)[table.take_back_state.seat])
    again = await make_service(db, GAMES).table(table.id)
    assert (again.header, again.state, again.news, again.take_back_state) == (
        table.header,
        table.state,
        table.news,
        None,
    )


async def test_only_the_player_who_moved_takes_back_and_only_once(service: TableService) -> None:
    before = await start_game(service)
    mover = mover_of(before)
    table = await play(service, before, "take 1")
    with pytest.raises(Refusal):
        await undo(service, table, mover_of(table))
    assert await is_refused(service, await undo(service, table, mover))


class TestTheMovesOfATurn:
    """They are taken back one after another, the newest first."""

    @pytest.fixture
    def games(self) -> GameRegistry:
        return GameRegistry([PATIENT_PACKAGE])

    @pytest.fixture
    def service(self, db: MemoryDatabase, clock: FakeClock, games: GameRegistry) -> TableService:
        return make_service(db, games, clock)

    @pytest.mark.parametrize("restarts", [False, True])
    async def test_each_position_is_restored_even_after_a_restart(
        self, service: TableService, db: MemoryDatabase, games: GameRegistry, restarts: bool
    ) -> None:
        positions = [await play(service, await start_game(service), TOSS)]
        mover, moves = mover_of(positions[0]), ["take 1", "take 1", "take 3"]
        for move in moves:
            positions.append(await play(service, positions[-1], move))
        table = positions.pop()
        while positions:
            process = make_service(db, games) if restarts else service
            table, before = await undo(process, table, mover), positions.pop()
            assert (table.state, table.news, table.race) == (before.state, before.news, before.race)
            assert table.take_back_state == before.take_back_state
        assert await is_refused(service, table)
        assert db.texts(table.id) == [TOSS, *moves, *["!undo"] * 3]

    async def test_they_are_taken_back_beyond_what_was_played_instead(self, service: TableService) -> None:
        before = await start_game(service)
        mover = mover_of(before)
        table = await undo(service, await play(service, before, "take 1", "take 1"), mover)
        table = await play(service, table, "take 1", "take 3")
        for _ in range(3):
            table = await undo(service, table, mover)
        assert table.state == before.state
        assert await is_refused(service, table)

    async def test_after_another_seats_move_nothing_before_it_is_taken_back(self, service: TableService) -> None:
        first = await start_game(service)
        second = await play(service, first, "take 1", "take 3")
        table = await undo(service, await play(service, second, "take 1"), mover_of(second))
        assert table.state == second.state
        assert await is_refused(service, table)

    async def test_after_a_roll_nothing_before_it_is_taken_back(self, service: TableService) -> None:
        table = await play(service, await start_game(service), "take 1", TOSS)
        assert await is_refused(service, table)

    async def test_after_a_resignation_nothing_before_it_is_taken_back(self, service: TableService) -> None:
        table = await play(service, await start_game(service, ROBIN, WREN, JAY), "take 1", "take 1")
        other = next(each for each in (ROBIN, WREN, JAY) if each != mover_of(table))
        table = await service.apply_seat_action(table.id, other, resign_seat, 1)
        assert await is_refused(service, table, [mover_of(table)])


@pytest.mark.parametrize("is_by_host", [False, True])
async def test_a_turn_that_ended_by_itself_is_taken_back_to_where_there_was_a_choice(
    db: MemoryDatabase, clock: FakeClock, is_by_host: bool
) -> None:
    def find_forced_end(view: State) -> Move | None:
        return Take(3) if view.heap == 11 else None

    package: AnyPackage = replace(PATIENT_PACKAGE, mind=replace(PATIENT_PACKAGE.mind, find_forced_end=find_forced_end))
    service = make_service(db, GameRegistry([package]), clock)
    before = await start_game(service)
    table = await play(service, before, "take 1")
    if is_by_host:
        table = await service.play_computer(table.id, table.header.step, "take 3")
    else:
        table = await play(service, table, "take 3")
    table = await undo(service, table, mover_of(before))
    assert (table.state, offers_take_back(table)) == (before.state, False)


class TwoTurnsHeap(PatientHeap):
    """A heap with a new turn, of whoever is to move, from the eleventh stone on."""

    def turn_of(self, state: State) -> Hashable:
        return state.mover, state.heap > 10


async def test_nothing_is_taken_back_beyond_the_beginning_of_a_turn(db: MemoryDatabase, clock: FakeClock) -> None:
    games = GameRegistry([replace(PACKAGE, game=TwoTurnsHeap())])
    service = make_service(db, games, clock)
    before = await play(service, await start_game(service), "take 1", "take 1")
    mover = mover_of(before)
    table = await undo(service, await play(service, before, "take 1"), mover)
    assert table.state == before.state
    assert await is_refused(service, table)


@pytest.mark.parametrize("moves", [(), (TOSS,), ("take 1", TOSS), ("take 2",)], ids=str)
async def test_a_move_that_revealed_something_cannot_be_taken_back(
    service: TableService, moves: tuple[str, ...]
) -> None:
    assert await is_refused(service, await play(service, await start_game(service), *moves))


async def test_after_another_entry_a_move_cannot_be_taken_back(service: TableService) -> None:
    table = await play(service, await start_game(service, ROBIN, WREN, JAY), "take 1")
    assert table.take_back_state is not None
    mover = (ROBIN, WREN, JAY)[table.take_back_state.seat]
    other = next(each for each in (ROBIN, WREN, JAY) if each not in (mover, mover_of(table)))
    table = await service.apply_seat_action(table.id, other, resign_seat, 1)
    assert await is_refused(service, table, [mover])


async def test_a_substitutes_move_cannot_be_taken_back_by_the_player(service: TableService, clock: FakeClock) -> None:
    table = await start_game(service)
    away, other = mover_of(table), next(each for each in (ROBIN, WREN) if each != mover_of(table))
    clock.tick(120)
    table = await service.apply_seat_action(
        table.id, other, lambda t, p: substitute_absent(t, p, clock.ago(ABSENT_AFTER)), 1
    )
    table = await service.play_computer(table.id, table.header.step, "take 1")
    assert await is_refused(service, table, [away, other])


async def test_the_move_that_ended_the_game_cannot_be_taken_back(service: TableService, db: MemoryDatabase) -> None:
    table = await play(service, await start_game(service), *["take 3"] * 4)
    assert table.header.status is Status.FINISHED
    assert table.take_back_state is not None, "the move itself brought nothing to light"
    results = list(db.results)
    assert len(results) == 2
    for process in (service, make_service(db, GAMES)):
        for person in (ROBIN, WREN):
            with refused_for(HostReason.TABLE_OVER):
                await undo(process, table, person)
    assert db.header(table.id).status is Status.FINISHED
    assert db.texts(table.id) == ["take 3"] * 4
    assert db.results == results


async def test_a_move_that_was_taken_back_is_no_decision(service: TableService) -> None:
    """The review of a game weighs the moves that stood, in the positions that they were made in."""
    before = await play(service, await start_game(service), TOSS, TOSS)
    table = await undo(service, await play(service, before, "take 3"), mover_of(before))
    await play(service, table, "take 1", TOSS)
    replay = replay_of(await service.load_stored(table.id), PEEKING_PACKAGE)
    made = list(find_made_moves(replay.entries, replay.stages, replay.turn_starts))
    assert [each and each.text for each in made] == [TOSS, TOSS, None, None, "take 1", TOSS]
    assert made[4] is not None
    assert (made[4].step, made[4].seat, made[4].question.view) == (5, before.header.to_move, before.state)
