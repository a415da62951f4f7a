"""Computer players that fail still move."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace

import pytest

import bot.tables.computer_players
from bot.games.magpie import PACKAGE as MAGPIE
from bot.games.magpie.pieces import ROLLS, Roll, State
from bot.platform.observability.trace import Trace, current_trace
from bot.rules.chance import Chance
from bot.rules.content import BrokenTables
from bot.rules.package import StoredArrays
from bot.tables import storage as table_storage
from bot.tables.registry import AnyStrategy, GameRegistry
from tests.support.driven_computer_players import ComputerPlayersHarness, first_move, games_with, last_move
from tests.support.fakes import ROBIN, START_CLICK, open_lobby, roll, start_game
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate, wait_until


def player_that_raises(fault: Exception) -> AnyStrategy:
    """Return a computer player who never comes to a choice."""

    def choose(_view: object, _moves: object, _chance: Chance) -> None:
        raise fault

    return choose


class TestFaultyComputerPlayers:
    async def test_a_player_whose_tables_are_broken_plays_at_the_usual_level(
        self, db: MemoryDatabase, caplog: pytest.LogCaptureFixture
    ) -> None:
        stored = StoredArrays("race", lambda: None)
        strategies: dict[str, AnyStrategy] = {
            "normal": last_move,
            "strong": player_that_raises(BrokenTables("data/magpie/race.npz can't be read.")),
        }
        package = replace(MAGPIE, mind=replace(MAGPIE.mind, strategies=strategies, stored=stored))
        driven = ComputerPlayersHarness(db, GameRegistry([package]))
        table = await open_lobby(driven.service, ROBIN, computers=1)
        table = await driven.service.change_level(table.id, ROBIN, table.header.revision)
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
        assert await self.a_move_of(db, player_that_raises(LookupError("thought too hard"))) == "roll 1"
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
