"""Computer players move on their own, also after a restart or a fault, and people see what they do."""

import asyncio
import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any

import pytest

import bot.tables.computer_players
from bot.games.fortune.pieces import Ending, FortuneOptions, TurnEnded
from bot.games.magpie import PACKAGE as MAGPIE
from bot.games.magpie.pieces import ROLLS, MagpieOptions, Roll, State
from bot.platform.observability.trace import Trace, current_trace
from bot.rules.chance import Chance
from bot.rules.content import BrokenTables
from bot.rules.package import StoredArrays
from bot.tables import storage as table_storage
from bot.tables.computer_players import LOOK_SECONDS, MOMENT_SECONDS, NEXT_COMPUTER_SECONDS, RESULT_SECONDS
from bot.tables.highlights import heavy_highlight, is_passing
from bot.tables.model import Pace, Status
from bot.tables.opening import open_game
from bot.tables.publisher import Publisher
from bot.tables.registry import AnyPackage, AnyStrategy, GameRegistry
from bot.tables.service import HostSettings, TableService
from bot.tables.table import Table, stop
from bot.tables.thinker import Question, Thinker
from tests.games.fortune.positions import ALL, PACKAGE
from tests.support.driven_computer_players import ComputerPlayersHarness, first_move, games_with, last_move
from tests.support.fake_message_sender import FakeMessageSender
from tests.support.fake_table_messages import FakeTableMessages, ShowAction
from tests.support.fakes import (
    HERE,
    ROBIN,
    START_CLICK,
    fixed_entropy,
    make_service,
    mover_of,
    open_lobby,
    roll,
    start_game,
)
from tests.support.games import load_games_once
from tests.support.hosts import Host
from tests.support.memory_database import MemoryDatabase
from tests.support.virtual_time import elapsed_seconds, run_in_virtual_time
from tests.support.waiting import DEADLINE_SECONDS, Gate, wait_until


async def test_computers_move_in_a_row_until_it_is_a_persons_turn(
    driven: ComputerPlayersHarness, db: MemoryDatabase
) -> None:
    table = await driven.peoples_turn(await start_game(driven.service, ROBIN, computers=4))
    before = table.header.step
    await roll(driven.service, table)
    table = await driven.peoples_turn(table)
    assert table.header.step == before + 5
    assert mover_of(table).id == ROBIN.id
    newest = db.records[table.id].entries[before:]
    assert [entry.seat for entry in newest] == [0, 1, 2, 3, 4]
    assert [entry.click_id is None for entry in newest] == [False, True, True, True, True]
    assert [entry.text for entry in newest[1:]] == ["roll 1"] * 4


async def test_neither_seats_of_people_nor_stopped_tables_are_moved_for(
    driven: ComputerPlayersHarness, db: MemoryDatabase
) -> None:
    undriven, players = make_service(db), driven.computer_players
    table = await start_game(undriven, ROBIN, computers=1)
    while not table.header.awaits_computer:
        players.wake(table)
        assert not players.tasks.is_busy(table.id)
        table = await roll(undriven, table)
    for status in (Status.CANCELLED, Status.EXPIRED, Status.HELD):
        players.wake(stop(table, status))
        assert not players.tasks.is_busy(table.id)
    players.wake(table)
    assert players.tasks.is_busy(table.id)


async def test_a_caller_that_answers_at_once_leaves_no_computer_waiting(db: MemoryDatabase) -> None:
    """The person's move is made the moment the computer's is accepted, before the driver looks again."""
    driven = ComputerPlayersHarness(db, games_with(first=first_move))
    service, moves = driven.service, list[asyncio.Task[Table]]()

    def answer(table: Table) -> None:
        if table.header.status is Status.PLAYING and table.mover and not table.mover.is_computer:
            moves.append(asyncio.create_task(roll(service, table)))

    service.add_listener(answer)
    table = await start_game(service, ROBIN, computers=1, options=MagpieOptions(target=50))
    await wait_until(lambda: db.header(table.id).status is Status.FINISHED)
    assert len(moves) > 5
    await driven.computer_players.close()


async def test_two_processes_that_move_for_the_same_computers_do_not_collide(
    db: MemoryDatabase,
) -> None:
    one, two = (ComputerPlayersHarness(db, games_with(first=first_move)) for _ in range(2))
    table = await one.peoples_turn(await start_game(one.service, ROBIN, computers=5))
    await two.service.table(table.id)
    before = table.header.step
    table = await roll(one.service, table)
    two.service.cache.evict(table.id)
    two.computer_players.wake(await two.service.table(table.id))
    for process in (one, two):
        now = await process.peoples_turn(table)
        assert (now.header.step, mover_of(now).id) == (before + 6, ROBIN.id)
        await process.computer_players.close()
    assert db.texts(table.id)[before + 1 :] == ["roll 1"] * 5


async def test_a_computer_gets_the_view_and_the_moves_and_thinks_off_the_event_loop(db: MemoryDatabase) -> None:
    seen: list[tuple[Any, Sequence[Any], int]] = []

    def noted(view: Any, moves: Sequence[Any], chance: Chance) -> Any:
        seen.append((view, moves, threading.get_ident()))
        assert chance.randbelow(1) == 0
        return moves[-1]

    driven = ComputerPlayersHarness(db, games_with(noted=noted))
    table = await driven.peoples_turn(await start_game(driven.service, ROBIN, computers=1))
    table = await driven.peoples_turn(await roll(driven.service, table))
    view, moves, thread = seen[-1]
    assert view.mover == 1
    assert view.scores[0] == table.state.scores[0]
    assert list(moves) == list(MAGPIE.game.legal_moves(view))
    assert thread != threading.get_ident()
    await driven.computer_players.close()


class TestLevels:
    def package(self) -> AnyPackage:
        return replace(MAGPIE, mind=replace(MAGPIE.mind, strategies={"weak": first_move, "strong": last_move}))

    @pytest.mark.parametrize(
        ("level", "text"), [("weak", "roll 1"), ("strong", "roll 1 2 3 4 5"), ("forgotten", "roll 1 2 3 4 5")]
    )
    async def test_each_seat_plays_at_its_level_or_at_the_strongest_if_that_is_gone(
        self, db: MemoryDatabase, level: str, text: str
    ) -> None:
        driven = ComputerPlayersHarness(db, GameRegistry([self.package()]))
        table = await open_lobby(driven.service, ROBIN, computers=1)
        seats = (table.seats[0], replace(table.seats[1], level=level))
        db.tamper(table.id, lambda record: replace(record, seats=seats))
        driven.service.cache.evict(table.id)
        table = await driven.peoples_turn(await driven.service.start(table.id, ROBIN, START_CLICK))
        table = await driven.peoples_turn(await roll(driven.service, table))
        assert db.texts(table.id)[-1] == text
        await driven.computer_players.close()


class TestClosing:
    async def test_closing_is_quick_during_a_pause_and_no_move_is_made_afterwards(self, db: MemoryDatabase) -> None:
        driven = ComputerPlayersHarness(db, games_with(first=first_move), pause=3600)
        table = await start_game(driven.service, ROBIN, computers=5)
        while not table.header.awaits_computer:
            table = await roll(driven.service, table)
        assert driven.computer_players.tasks.is_busy(table.id)
        async with asyncio.timeout(DEADLINE_SECONDS):
            await driven.computer_players.close()
        moves = list(db.texts(table.id))
        driven.computer_players.wake(table)
        assert driven.computer_players.tasks.is_idle
        assert db.texts(table.id) == moves

    async def test_no_move_is_made_after_one_that_was_being_saved_at_closing(self, db: MemoryDatabase) -> None:
        driven = ComputerPlayersHarness(db, games_with(first=first_move))
        table = await driven.peoples_turn(await start_game(driven.service, ROBIN, computers=5))
        await roll(driven.service, table)
        db.before[table_storage.save] = gate = Gate()
        await gate.reached.wait()  # the first of five computers is at it
        closing = asyncio.create_task(driven.computer_players.close())
        for _ in range(5):
            await asyncio.sleep(0)
        moves = len(db.texts(table.id))
        gate.open()
        await closing
        assert driven.computer_players.tasks.is_idle
        assert len(db.texts(table.id)) <= moves + 1


class DaringThinker(Thinker):
    """Rolls its first two free dice again and again, up to three times in a turn."""

    async def choose(self, question: Question, level: str, seed: int) -> int:
        turn, moves = question.view.turn, list(map(str, question.moves))
        again = "roll " + " ".join(map(str, turn.free[:2]))
        wanted = again if turn.rolls <= 3 and again in moves else "stop"
        return moves.index(wanted) if wanted in moves else 0


class TimedTableMessages(FakeTableMessages):
    """Notes when tables were shown."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[float, Table]] = []

    async def _show(self, action: ShowAction, table: Table, message_id: int) -> None:
        await super()._show(action, table, message_id)
        self.seen.append((elapsed_seconds(), table))


@run_in_virtual_time
async def test_of_a_long_turn_people_see_the_first_roll_the_position_it_ends_from_and_its_end(
    db: MemoryDatabase,
) -> None:
    """A person's result stays longer than a computer player's, and a moment longer than both."""
    games, table_messages = load_games_once(), TimedTableMessages()
    thinker, settings = DaringThinker(games), HostSettings(computer_pause=1)
    host = Host(db, games, table_messages, FakeMessageSender(), settings, thinker=thinker)
    host.service.entropy = fixed_entropy
    table = await open_game(host.service, "fortune", FortuneOptions(), ROBIN, HERE, click_id=500, computers=3)
    now = await host.service.start(table.id, ROBIN, START_CLICK)
    while now.header.step < 40:
        if not now.header.awaits_computer:
            await roll(host.service, now, "stop" if now.state.turn.faces else ALL)
        await asyncio.sleep(1)
        now = await host.service.table(table.id)
    await host.close()

    turns = [list(turn) for _, turn in groupby(db.records[table.id].entries, lambda entry: entry.seat)]
    steps = {tuple(entry.step for entry in turn) for turn in turns[:-1] if turn[0].click_id is None}
    shown = {each.header.step: seconds for seconds, each in table_messages.seen}
    for turn in steps:
        assert set(turn) & set(shown) == {turn[0], *turn[-2:]}
    assert {len(turn) for turn in steps} >= {1, 3, 5}

    endings = set[Ending]()
    for (at, before), (then, after) in pairwise(table_messages.seen):
        if after.before is not None:
            assert after.before.header.step == before.header.step, "a motion starts from what people saw"
        if not before.header.awaits_computer:
            continue
        usual = NEXT_COMPUTER_SECONDS if before.news and before.news[-1].seat else RESULT_SECONDS
        is_moment = heavy_highlight(before, before.state) is not None
        assert then - at == pytest.approx(MOMENT_SECONDS if is_moment else usual)
        endings |= {event.ending for event in after.news[-1].events if isinstance(event, TurnEnded)}
    assert endings >= {Ending.STOPPED, Ending.DISQUALIFIED}


async def begin_computers_turn(service: TableService) -> Table:
    """Play until a computer player has rolled at a table of Fortune."""
    service.entropy = fixed_entropy
    table = await open_game(service, "fortune", FortuneOptions(), ROBIN, HERE, click_id=500, computers=1)
    table = await service.start(table.id, ROBIN, START_CLICK)
    if not table.header.awaits_computer:
        await roll(service, table, ALL)
        table = await roll(service, await service.table(table.id), "stop")
    begun = await service.play_computer(table.id, table.header.step, ALL)
    assert is_passing(begun)
    return begun


async def test_a_step_that_discord_delays_until_the_next_one_is_skipped(
    db: MemoryDatabase, table_messages: FakeTableMessages
) -> None:
    service = make_service(db, load_games_once())
    publisher = Publisher(service, table_messages)
    begun = await begin_computers_turn(service)
    table_messages.limits[ShowAction.POST] = gate = Gate()
    publisher.show_step(begun)
    await gate.reached.wait()
    move = PACKAGE.game.legal_moves(begun.state)[0]
    assert is_passing(await service.play_computer(begun.id, begun.header.step, str(move)))
    gate.open()
    await publisher.tasks.finish()
    assert table_messages.revisions == []
    over = await service.play_computer(begun.id, begun.header.step + 1, "stop")
    publisher.wake(begun.id)
    await publisher.tasks.finish()
    assert table_messages.revisions == [over.header.revision]


async def test_a_turn_that_a_killed_process_began_is_finished_and_shown(
    db: MemoryDatabase, table_messages: FakeTableMessages
) -> None:
    begun = table = await begin_computers_turn(make_service(db, load_games_once()))
    host = Host(db, load_games_once(), table_messages, FakeMessageSender())
    await host.sweep()
    await wait_until(lambda: not db.header(table.id).awaits_computer)
    await host.close()
    assert begun.header.revision not in table_messages.revisions
    assert table_messages.revisions[-1] == db.header(table.id).revision


@dataclass(frozen=True)
class FailingPlayer:
    """Never comes to a choice."""

    fault: Exception

    def __call__(self, view: State, moves: Sequence[Roll], chance: Chance) -> Roll:
        raise self.fault


class TestFaultyComputerPlayers:
    async def test_a_player_whose_tables_are_broken_plays_at_the_usual_level(
        self, db: MemoryDatabase, caplog: pytest.LogCaptureFixture
    ) -> None:
        stored = StoredArrays("race", lambda: None)
        strategies: dict[str, AnyStrategy] = {
            "normal": last_move,
            "strong": FailingPlayer(BrokenTables("data/magpie/race.npz can't be read.")),
        }
        package = replace(MAGPIE, mind=replace(MAGPIE.mind, strategies=strategies, stored=stored))
        driven = ComputerPlayersHarness(db, GameRegistry([package]))
        table = await open_lobby(driven.service, ROBIN)
        table = await driven.service.add_computer(table.id, ROBIN, table.header.revision, "strong")
        table = await driven.peoples_turn(await driven.service.start(table.id, ROBIN, START_CLICK))
        await driven.peoples_turn(await roll(driven.service, table))
        assert db.texts(table.id)[-1] == "roll 1 2 3 4 5"
        sentence = "computer players of magpie only play Normal: data/magpie/race.npz can't be read."
        assert [record.getMessage() for record in caplog.records].count(sentence) == 1
        await driven.computer_players.close()

    async def a_move_of(self, db: MemoryDatabase, player: AnyStrategy) -> str:
        """Return the move that a computer player comes to."""
        driven = ComputerPlayersHarness(db, games_with(player=player))
        table = await driven.peoples_turn(await start_game(driven.service, ROBIN, computers=1))
        table = await roll(driven.service, table, "roll 1")
        try:
            await driven.peoples_turn(table)
        finally:
            await driven.computer_players.close()
        return db.texts(table.id)[-1]

    async def test_a_player_that_raises_still_moves(self, db: MemoryDatabase, caplog: pytest.LogCaptureFixture) -> None:
        assert await self.a_move_of(db, FailingPlayer(LookupError("thought too hard"))) == "roll 1"
        assert "player player" in caplog.text
        assert "thought too hard" in caplog.text
        caplog.clear()

    async def test_a_faulty_narration_blocks_no_move(
        self, db: MemoryDatabase, caplog: pytest.LogCaptureFixture
    ) -> None:
        def fail(_view: object, _events: object) -> None:
            raise LookupError("tongue-tied")

        assert MAGPIE.words.narration is not None
        package = replace(
            MAGPIE, words=replace(MAGPIE.words, narration=replace(MAGPIE.words.narration, highlight=fail))
        )
        driven = ComputerPlayersHarness(db, GameRegistry([package]))
        table = await driven.peoples_turn(await start_game(driven.service, ROBIN, computers=1))
        table = await roll(driven.service, table)
        await driven.computer_players.tasks.finish()
        assert db.header(table.id).step == table.header.step + 1
        assert "tongue-tied" in caplog.text
        caplog.clear()

    @pytest.mark.parametrize(
        ("pace", "needs_a_look", "seconds"),
        [
            (Pace.CALM, True, LOOK_SECONDS),
            (Pace.QUICK, True, LOOK_SECONDS / 2),
            (Pace.QUICK, False, 1.0),
        ],
    )
    async def test_what_a_card_did_is_seen_before_a_computer_moves_and_half_as_long_at_quick_tables(
        self, db: MemoryDatabase, monkeypatch: pytest.MonkeyPatch, pace: Pace, needs_a_look: bool, seconds: float
    ) -> None:
        pauses, sleep, pause = list[float](), asyncio.sleep, 0.001

        async def note(seconds: float) -> None:
            pauses.append(seconds)
            await sleep(0)

        monkeypatch.setattr(asyncio, "sleep", note)
        assert MAGPIE.words.narration is not None
        narration = replace(
            MAGPIE.words.narration, highlight=lambda *_: None, needs_a_look=lambda _events: needs_a_look
        )
        package = replace(MAGPIE, words=replace(MAGPIE.words, narration=narration))
        driven = ComputerPlayersHarness(db, GameRegistry([package]), pause=pause)
        table = await open_lobby(driven.service, ROBIN, computers=1)
        if pace is not Pace.CALM:
            table = await driven.service.choose_pace(table.id, ROBIN, pace)
        table = await driven.peoples_turn(await driven.service.start(table.id, ROBIN, START_CLICK))
        pauses.clear()
        await roll(driven.service, table)
        await driven.computer_players.tasks.finish()
        assert [each for each in pauses if each] == [pause * seconds]

    async def test_what_a_player_logs_names_its_table(self, db: MemoryDatabase) -> None:
        traces: list[Trace | None] = []

        def first_with_trace(view: State, moves: Sequence[Roll], chance: Chance) -> Roll:
            traces.append(current_trace())
            return first_move(view, moves, chance)

        await self.a_move_of(db, first_with_trace)
        assert {trace and (trace.table, trace.game) for trace in traces} == {(1, "magpie")}

    @pytest.mark.parametrize("choice", [Roll((7,)), None, "fly"])
    async def test_a_player_that_chooses_no_move_still_moves(
        self, db: MemoryDatabase, caplog: pytest.LogCaptureFixture, choice: object
    ) -> None:
        try:
            assert await self.a_move_of(db, lambda *_: choice) in set(map(str, ROLLS))
        finally:
            caplog.clear()

    async def test_computers_go_on_after_a_failure_of_the_store(
        self,
        driven: ComputerPlayersHarness,
        db: MemoryDatabase,
        caplog: pytest.LogCaptureFixture,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(bot.tables.computer_players, "OUTAGE_SECONDS", 0.01)
        table = await driven.peoples_turn(await start_game(driven.service, ROBIN, computers=1))
        db.before[table_storage.save] = gate = Gate()
        move = asyncio.create_task(roll(driven.service, table))
        await gate.reached.wait()
        gate.open()
        table = await move
        db.broken = {table_storage.save}
        attempts = db.calls.count(table_storage.save)
        await wait_until(lambda: db.calls.count(table_storage.save) > attempts + 2)
        # The store logs that it fails, and those who wait for it do not.
        assert [record for record in caplog.records if record.levelno > logging.DEBUG] == []
        db.broken = set()
        assert (await driven.peoples_turn(table)).header.step == table.header.step + 1
