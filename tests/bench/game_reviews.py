"""How long people wait for the review of a long game, on one processor and with a worker that has yet to be started."""

import os
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.features.replays.model import Replay
from bot.features.reviews.handlers import Reviewer
from bot.features.reviews.messages import render_review
from bot.features.reviews.model import find_made_moves
from bot.platform.content import digest_arrays
from bot.platform.time_slices import TimeSlices
from bot.rules.chance import FastChance
from bot.tables.model import StoredTable
from bot.tables.registry import AnyPackage, GameRegistry, load_games
from bot.tables.thinker import Thinker
from bot.workers import WorkerPool
from tests.bench.processes import pin_to_processor
from tests.bench.rows import Figure, Round, Row, Taken
from tests.support.memory_database import MemoryDatabase
from tests.support.stored_games import choose_by_level, play_stored, replay_of

LEVELS = ("easy", "normal")
GAMES = 5
"""Games of each level, with the default options and all seats taken; the one with the most decisions counts."""


@dataclass(frozen=True, slots=True)
class ReviewCost:
    """What the review of a game's longest play takes."""

    seats: int
    decisions: int
    seconds: float
    """From its moves, as they are stored, to what is shown."""
    processor: float
    """Seconds of processor time meanwhile, of this process and the worker: other programs do not add to them."""


@asynccontextmanager
async def measure_reviews() -> AsyncIterator[Round]:
    """Measure every game that has reviews."""
    packages = [package for package in load_games().values() if package.mind.evaluate is not None]
    played = {package.game.info.title: (package, _play_longest(package)) for package in packages}

    async def measure() -> Taken:
        costs = {title: await _time_review(longest, package) for title, (package, longest) in played.items()}
        slowest = Figure(max(cost.seconds for cost in costs.values()))
        return Taken({Row.REVIEW: slowest}, costs)

    with pin_to_processor(0, max(os.sched_getaffinity(0))):
        yield measure


def _play_longest(package: AnyPackage) -> StoredTable:
    seats = package.game.info.most_seats
    played = [_play(package, seats, level, seed) for level in LEVELS for seed in range(GAMES)]
    return max(played, key=lambda stored: _count_decisions(replay_of(stored, package)))


def _play(package: AnyPackage, seats: int, level: str, seed: int) -> StoredTable:
    choose = choose_by_level(package, (level,), FastChance(random.Random(seed)))
    return play_stored(package, seats, choose, options=package.game.info.options(), seed=seed)


def _count_decisions(replay: Replay) -> int:
    made = find_made_moves(replay.entries, replay.stages, replay.turn_starts)
    return sum(each is not None for each in made)


async def _time_review(stored: StoredTable, package: AnyPackage) -> ReviewCost:
    """Return what a review costs that nobody has asked for before."""
    workers = WorkerPool(load_games, size=1)
    reviewer = Reviewer(Thinker(GameRegistry([package]), workers), MemoryDatabase(), TimeSlices(), digest_arrays)
    began, processor = time.perf_counter(), _processor_seconds()
    replay = replay_of(stored, package)
    render_review(replay, await reviewer.start(replay).task, None)
    taken = time.perf_counter() - began
    await workers.close()
    spent = _processor_seconds() - processor
    return ReviewCost(package.game.info.most_seats, _count_decisions(replay), round(taken, 2), round(spent, 2))


def _processor_seconds() -> float:
    """Return the processor time of this process and of those that it has ended."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system
