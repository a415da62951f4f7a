"""Computer players think in workers as they do in threads, and whatever fails there costs a late move."""

import asyncio
import errno
import logging
import os
import pickle
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.languages import ENGLISH, speaking
from bot.platform.catalogues import Catalogues
from bot.platform.content import DATA
from bot.rules.chance import FastChance
from bot.rules.content import BrokenTables
from bot.rules.evaluation import Evaluation, Unit
from bot.rules.playout import random_move
from bot.tables.registry import GameRegistry, levels_of, load_games, played_level
from bot.tables.thinker import WORKERS, Games, Question, Thinker, evaluate_moves
from bot.workers import WorkerPool
from tests.support.broken_games import break_fortune, load_fortune
from tests.support.games import load_games_once
from tests.support.planted_players import load_dying, load_dying_evaluator, load_nothing, load_planted
from tests.support.waiting import DEADLINE_SECONDS
from tests.support.worker_calls import process_of

GAMES = load_games_once()
_MOST_MEMORY = 250_000_000
_LONGEST_RACES = 2 * 501 * 501 * 7 * 8
"""The bytes of two races to 500 points: seven chances for each two distances (`bot/games/magpie/minds/race.py`)."""


def questions_of(key: str, count: int) -> Iterator[Question]:
    """Yield positions of a random game."""
    game, chance = GAMES[key].game, FastChance(Random(3))
    state = game.start(game.info.options(), game.info.least_seats, chance)
    for _ in range(count):
        if (seat := game.seat_to_move(state)) is None:
            return
        moves = game.legal_moves(state)
        yield Question(key, game.view(state, seat), moves)
        state, _events = game.play(state, seat, random_move(moves, chance), chance)


MAGPIE = next(questions_of("magpie", 1))
LAST = len(MAGPIE.moves) - 1


@asynccontextmanager
async def run_thinker(load: Callable[[], Games]) -> AsyncIterator[Thinker]:
    workers = WorkerPool(load, size=WORKERS)
    yield Thinker(load(), workers)
    await workers.close()


@pytest.fixture
def warnings(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    return lambda: [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.mark.slow
async def test_a_worker_chooses_the_moves_that_a_thread_chooses_and_finds_the_same_values(
    warnings: Callable[[], list[str]],
) -> None:
    threads = Thinker(GAMES)
    async with run_thinker(load_games) as workers:
        for key, package in GAMES.items():
            for number, (question, level) in enumerate(zip(questions_of(key, 8), cycle(levels_of(package)))):
                chosen = await workers.choose(question, level, number)
                assert chosen is not None
                assert chosen == await threads.choose(question, level, number), (key, level)
                if len(question.moves) == 1 or package.study.hints is None:  # there is nothing to explain
                    continue
                hint = await workers.hint(question)
                assert hint == await threads.hint(question), key
                assert hint.result is not None
                best, evaluation = hint.result.best, hint.result.evaluation
                assert await workers.explain(question, best, evaluation) == hint.result.explanation, key
    assert warnings() == []


@pytest.mark.slow
async def test_a_worker_gives_hints_in_the_language_of_the_person_who_asks() -> None:
    question = next(each for each in questions_of("magpie", 8) if len(each.moves) > 1)
    hints = []
    async with run_thinker(load_games) as workers:
        for language in (Catalogues().find("he"), ENGLISH, Catalogues().find("de")):
            with speaking(language):
                hints.append(hint := await workers.hint(question))
                assert hint == await Thinker(GAMES).hint(question)
                assert hint.result is not None
                explained = await workers.explain(question, hint.result.best, hint.result.evaluation)
                assert explained == hint.result.explanation
    assert len({str(hint) for hint in hints}) == len(hints)


def test_what_a_worker_gets_equals_what_was_sent() -> None:
    """It may be a key of caches, which would fill up otherwise."""
    for key in GAMES:
        for question in questions_of(key, 40):
            assert pickle.loads(pickle.dumps(question)) == question  # noqa: S301 - ours


async def test_what_is_left_to_chance_follows_from_the_seed() -> None:
    first, again = [[await Thinker(GAMES).choose(MAGPIE, "easy", seed) for seed in range(20)] for _ in range(2)]
    assert first == again
    assert len({*first}) > 1


@pytest.mark.slow
async def test_the_usual_level_takes_over_after_the_loss_of_a_worker(warnings: Callable[[], list[str]]) -> None:
    async with run_thinker(load_planted) as workers:
        assert await workers.choose(MAGPIE, "dying", 0) == LAST
    assert warnings() == ["a worker died while the dying player of magpie was thinking"]


@pytest.mark.slow
async def test_values_are_asked_for_once_more_after_the_loss_of_a_worker(
    warnings: Callable[[], list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIED", str(tmp_path / "died"))
    async with run_thinker(load_dying_evaluator) as workers:
        assert (await workers.hint(MAGPIE)).result is not None
    assert warnings() == ["a worker died while the strongest player of magpie was thinking"]


async def test_values_are_those_of_the_best_evaluation_that_works() -> None:
    hint = await Thinker(GAMES).hint(MAGPIE)
    assert hint.is_first_choice
    assert hint.result is not None
    values = hint.result.evaluation
    assert (values.unit, values.is_exact, len(values.values)) == (Unit.WINS, True, len(MAGPIE.moves))
    assert (await Thinker(GAMES).assess(MAGPIE, 0)).is_first_choice
    package = GAMES["magpie"]
    easy = {"easy": package.mind.strategies["easy"]}
    weaker = Thinker(with_mind(evaluate=find_nothing, strategies=easy))
    hint, thought = await weaker.hint(MAGPIE), await weaker.assess(MAGPIE, 0)
    assert (hint.is_first_choice, thought.is_first_choice) == (False, False)
    assert hint.result is not None
    assert thought.result is not None
    assert hint.result.evaluation.unit is Unit.POINTS
    without_values = with_mind(evaluate=find_nothing, strategies={})
    without_hints = GameRegistry([replace(package, study=replace(package.study, hints=None))])
    for games in (without_values, without_hints):
        assert (await Thinker(games).hint(MAGPIE)).result is None


def with_mind(**changes: Any) -> GameRegistry:
    package = GAMES["magpie"]
    return GameRegistry([replace(package, mind=replace(package.mind, **changes))])


async def test_a_usual_level_that_kills_every_worker_chooses_nothing(warnings: Callable[[], list[str]]) -> None:
    async with run_thinker(load_dying) as workers:
        assert await workers.choose(MAGPIE, "normal", 0) is None
    assert warnings() == ["a worker died while the normal player of magpie was thinking"] * 2


async def test_the_usual_level_takes_over_from_one_that_fails_in_a_worker(
    warnings: Callable[[], list[str]], caplog: pytest.LogCaptureFixture
) -> None:
    """What the cause was is logged here, and broken tables are told once."""
    async with run_thinker(load_planted) as workers:
        assert await workers.choose(MAGPIE, "failing", 0) == LAST
        assert "the failing player of magpie failed" in caplog.text
        assert "LookupError: thought too hard" in caplog.text
        caplog.clear()
        assert [await workers.choose(MAGPIE, "broken", 0) for _ in range(3)] == [LAST] * 3
        assert warnings() == ["computer players of magpie only play Normal: data/magpie/race.npz can't be read."]
        caplog.clear()
        assert await workers.choose(replace(MAGPIE, view=lambda: None), "normal", 0) == LAST
        (warning,) = warnings()
        assert warning.startswith("computer players think in a thread: this can't be sent to a worker")


async def test_only_normal_plays_once_a_worker_has_found_a_broken_file_that_was_whole_at_the_start(
    warnings: Callable[[], list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_fortune(tmp_path)
    monkeypatch.setenv("CONTENT", str(DATA))
    games = load_fortune()
    stored = games["fortune"].mind.stored
    assert stored is not None
    assert stored.inspect() == ""
    assert played_level(games["fortune"], "strong") == "strong"
    monkeypatch.setenv("CONTENT", str(tmp_path))
    workers = WorkerPool(load_fortune, size=1)
    thinker = Thinker(games, workers)
    *_, question = questions_of("fortune", 4)
    assert await thinker.choose(question, "strong", 0) == await Thinker(games).choose(question, "normal", 0)
    await workers.close()
    (warning,) = warnings()
    assert warning.startswith("computer players of fortune only play Normal: ")
    assert "fortune/race.npz can't be read" in warning
    played = [played_level(games["fortune"], level) for level in ("easy", "strong", "random")]
    assert played == ["normal", "normal", "random"]


async def test_threads_think_if_no_worker_can_be_started(warnings: Callable[[], list[str]]) -> None:
    workers = WorkerPool(load_nothing, size=1)
    thinker = Thinker(load_planted(), workers)
    assert [await thinker.choose(MAGPIE, "normal", 0) for _ in range(2)] == [LAST] * 2
    (warning,) = warnings()
    assert warning.startswith("computer players think in a thread: no worker can be started")
    assert "the disk is gone" in warning
    await workers.close()


async def test_computer_players_go_on_while_files_run_out_and_have_workers_again_afterwards(
    monkeypatch: pytest.MonkeyPatch, warnings: Callable[[], list[str]]
) -> None:
    def fail(*_args: object, **_options: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    workers = WorkerPool(load_planted, size=2)
    thinker = Thinker(load_planted(), workers)
    with monkeypatch.context() as patched:
        patched.setattr("multiprocessing.context.SpawnContext.Pipe", fail)
        choices = [await asyncio.wait_for(thinker.choose(MAGPIE, "normal", 0), DEADLINE_SECONDS) for _ in range(3)]
    assert choices == [LAST] * 3
    assert [each.startswith("computer players think in a thread") for each in warnings()] == [True]
    assert await workers.call(process_of, seconds=DEADLINE_SECONDS) != os.getpid()
    await workers.close()


def find_nothing(_view: object, _moves: object) -> Evaluation:
    raise BrokenTables("data/magpie/race.npz can't be read.")


def memory_of(_: Any) -> int:
    """Return the memory of this process, with its part of what others share."""
    rollup = Path("/proc/self/smaps_rollup").read_text().split("\n")
    return sum(int(line.split()[1]) * 1024 for line in rollup if line.startswith("Pss:"))


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="the system does not tell the memory")
@pytest.mark.slow
async def test_all_workers_together_take_at_most_250_megabytes() -> None:
    """Also once each has the longest races of Magpie, which take too long to be found here."""
    workers = WorkerPool(load_games, size=1)
    for key in GAMES:
        for question in questions_of(key, 40):
            await workers.call(partial(evaluate_moves, question), seconds=DEADLINE_SECONDS)
    taken = await workers.call(memory_of, seconds=DEADLINE_SECONDS)
    await workers.close()
    assert WORKERS * (taken + _LONGEST_RACES) < _MOST_MEMORY
