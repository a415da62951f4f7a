"""The same tables served by 1, 2 and 4 processes, which share the shards and one database."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final

import aiohttp
import typer
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from bot.app.bootstrap import symbols_of
from bot.rules.motion import RollOutcome
from bot.sandbox import Sandbox
from tests.bench.busy_tables import (
    CALM_THINKING_SECONDS,
    THINKING_SECONDS,
    BusySandbox,
    Crowd,
    Waits,
    open_boards,
)
from tests.bench.databases import new_postgres_databases, new_sqlite_databases
from tests.bench.measured_clicks import quantiles
from tests.bench.processes import PARLOUR, memory_mib, parlour_environment, processor_seconds, run_bot, run_sandbox
from tests.bench.rows import Figure, Round, Row, Taken
from tests.support.games import load_games_once
from tests.support.network_ports import reserve_port
from tests.support.processes import list_workers
from tests.support.waiting import wait_until

SHARDS: Final = 4
PROCESS_COUNTS: Final = (1, 2, 4)
TABLES: Final = 150
START_SECONDS: Final = 300.0
"""How long connecting and making the bot's emoji may take."""
WARM_UP_SECONDS: Final = 120.0
"""From the time when that is done, and every computer player has played once.

Each process fills caches of its own with what its tables show: of four processes each makes a quarter of the moves.
"""
MEASURED_SECONDS: Final = 20.0
CALM_SECONDS: Final = 60.0
"""How long all numbers of processes are measured at once, with a third of the moves each."""
SEED: Final = 20261127

ROLLING_TABLES: Final = 50
ROLLS_WARM_UP_SECONDS, ROLLS_SECONDS = 30.0, 20.0


@dataclass(frozen=True, slots=True)
class LoadCosts:
    """What a number of processes took for the same tables and people."""

    moves_per_second: float
    click_p50: float
    """Milliseconds from a click until the table is shown after it."""
    click_p99: float
    longest_click: float
    """Seconds."""
    longest_turn: float
    """Seconds until a computer player's turn was shown, which includes its pause of 1 to 2.5 seconds."""
    longest_request_wait: float
    """Seconds that no request with the bot's token waited longer for, as far as its histogram tells."""
    processor: float
    """Milliseconds of processor time per saved move, of all processes with their workers.

    Measured of all numbers of processes at once, so that none has the processors' caches to itself.
    """
    requests: float
    """Requests with the bot's token per saved move, measured in the same way."""
    requests_per_second: float
    refused: int
    """Requests that Discord refused with 429."""
    resident_mib: float
    """The memory of the largest process, without its workers."""


@dataclass(frozen=True, slots=True)
class RollShares:
    """How many rolls were shown, and per cent of them that lay still, by reason."""

    rolls_per_second: float
    busy: float
    late: float
    too_large: float
    failed: float


@dataclass(frozen=True, slots=True)
class RunningBot:
    """A process of the bot with its health endpoint."""

    process_id: int
    port: int

    def processor_seconds(self) -> float:
        """Return the processor time of the process and its workers."""
        return sum(processor_seconds(each) for each in (self.process_id, *list_workers(self.process_id)))


@dataclass(frozen=True, slots=True)
class Metrics:
    """The metrics of all processes at a moment."""

    samples: Sequence[Sample]

    def total(self, name: str, **labels: str) -> float:
        """Return the sum of a counter over all processes and labels, except those given."""
        return sum(each.value for each in self.samples if each.name == name and labels.items() <= each.labels.items())


@dataclass(frozen=True, slots=True)
class Measurement:
    """What all processes did in some time."""

    seconds: float
    processor: float
    """Seconds of processor time."""
    before: Metrics
    after: Metrics

    def grown(self, name: str, **labels: str) -> float:
        """Return by how much the sum of a counter has grown."""
        return self.after.total(name, **labels) - self.before.total(name, **labels)


@dataclass(frozen=True, slots=True)
class Load:
    """A number of processes with tables of their own, at which people play while they are measured."""

    crowd: Crowd
    bots: Sequence[RunningBot]

    async def warm_up(self, seconds: float) -> None:
        """Let everyone play until the processes have filled their caches."""
        async with self.crowd.playing():
            await self.crowd.wait_until_warm()
            await asyncio.sleep(seconds)

    async def measure_rolls(self) -> RollShares:
        """Let everyone play, and return which rolls moved."""
        seconds = ROLLS_SECONDS
        async with self.crowd.playing():
            before = await _read_metrics(self.bots)
            await asyncio.sleep(seconds)
            measured = Measurement(seconds, 0.0, before, await _read_metrics(self.bots))
        grown = {outcome: measured.grown("parlour_rolls_total", outcome=outcome) for outcome in RollOutcome}
        rolls = sum(grown.values())
        return RollShares(
            rolls_per_second=round(rolls / seconds, 1),
            busy=round(100 * grown[RollOutcome.BUSY] / rolls, 2),
            late=round(100 * grown[RollOutcome.LATE] / rolls, 2),
            too_large=round(100 * grown[RollOutcome.TOO_LARGE] / rolls, 2),
            failed=round(100 * grown[RollOutcome.FAILED] / rolls, 2),
        )

    async def measure(self, thinking_seconds: tuple[float, float], seconds: float) -> LoadCosts:
        """Let everyone play, and return what it takes once all have begun."""
        async with self.crowd.playing(thinking_seconds):
            # Everyone looks at the table twice before the first move.
            await asyncio.sleep(2 * thinking_seconds[1])
            before, began, busy = await _read_metrics(self.bots), time.perf_counter(), self._processor_seconds()
            waits = await self.crowd.measure(seconds)
            took, spent = time.perf_counter() - began, self._processor_seconds() - busy
            measured = Measurement(took, spent, before, await _read_metrics(self.bots))
        return _costs(waits, measured, [memory_mib(each.process_id) for each in self.bots])

    def _processor_seconds(self) -> float:
        return sum(each.processor_seconds() for each in self.bots)


@asynccontextmanager
async def compare_processes() -> AsyncIterator[Round]:
    """Compare the same tables on several numbers of processes with one process."""
    async with AsyncExitStack() as stack:
        loads: dict[int, Load] = {}
        for address in stack.enter_context(new_postgres_databases()).values():
            for count in PROCESS_COUNTS:
                typer.echo(f"warming up {count} processes", err=True)
                loads[count] = await stack.enter_async_context(_run_load(address(), count))
                await loads[count].warm_up(WARM_UP_SECONDS)

        async def measure() -> Taken:
            costs = await _measure_in_turn(loads)
            return Taken(_beside_one(costs) if costs else {}, costs)

        yield measure


async def _measure_in_turn(loads: Mapping[int, Load]) -> dict[int, LoadCosts]:
    """Measure each number of processes in turn, and then all at once, so that other load affects all."""
    taken = {count: await load.measure(THINKING_SECONDS, MEASURED_SECONDS) for count, load in loads.items()}
    calm = await asyncio.gather(*(load.measure(CALM_THINKING_SECONDS, CALM_SECONDS) for load in loads.values()))
    return {
        count: replace(costs, processor=together.processor, requests=together.requests)
        for (count, costs), together in zip(taken.items(), calm, strict=True)
    }


def _beside_one(costs: Mapping[int, LoadCosts]) -> dict[Row, Figure]:
    """Return the highest costs of a move on several processes, beside those on one."""
    one, *several = costs.values()
    return {
        Row.PROCESSOR_ON_SEVERAL: Figure(max(each.processor for each in several), one.processor),
        Row.REQUESTS_ON_SEVERAL: Figure(max(each.requests for each in several), one.requests),
        Row.REQUEST_WAIT: Figure(max(each.longest_request_wait for each in costs.values())),
    }


@asynccontextmanager
async def measure_rolls_at_tables() -> AsyncIterator[Round]:
    """Measure which rolls lie still while people play at 50 tables of one process."""
    with new_sqlite_databases() as address:
        async with _run_load(address(), 1, ROLLING_TABLES) as load:
            await load.warm_up(ROLLS_WARM_UP_SECONDS)

            async def measure() -> Taken:
                shares = await load.measure_rolls()
                return Taken({Row.STILL_ROLLS: Figure(shares.busy + shares.late)}, shares)

            yield measure


@asynccontextmanager
async def _run_load(address: str, processes: int, tables: int = TABLES) -> AsyncIterator[Load]:
    """Run processes with a sandbox, tables and people of their own until the block ends."""
    sandbox = BusySandbox(SHARDS)
    await open_boards(address, sandbox, tables)
    async with run_sandbox(sandbox), _run_bots(sandbox, address, processes) as bots:
        emoji = len(symbols_of(load_games_once()))
        await wait_until(lambda: len(sandbox.world.emojis.list_all()) >= emoji, seconds=START_SECONDS)
        yield Load(Crowd(sandbox, SEED), bots)


@asynccontextmanager
async def _run_bots(sandbox: Sandbox, address: str, processes: int) -> AsyncIterator[Sequence[RunningBot]]:
    """Run processes that share the shards; all are connected when the block begins."""
    async with AsyncExitStack() as stack:
        bots: list[RunningBot] = []
        size = SHARDS // processes
        for first in range(0, SHARDS, size):
            port = stack.enter_context(reserve_port())
            shards = {"SHARDS": f"{first}-{first + size - 1}/{SHARDS}", "HEALTH_PORT": str(port)}
            environment = parlour_environment(sandbox, address) | shards
            process = await stack.enter_async_context(run_bot(sandbox, PARLOUR, environment))
            bots.append(RunningBot(process.pid, port))
        await wait_until(lambda: sandbox.gateway.session_count == SHARDS, seconds=START_SECONDS)
        yield bots


async def _read_metrics(bots: Iterable[RunningBot]) -> Metrics:
    samples: list[Sample] = []
    async with aiohttp.ClientSession() as session:
        for bot in bots:
            async with session.get(f"http://127.0.0.1:{bot.port}/metrics") as response:
                families = text_string_to_metric_families(await response.text())
            samples += [sample for family in families for sample in family.samples]
    return Metrics(samples)


def _costs(waits: Waits, measured: Measurement, memory: Sequence[float]) -> LoadCosts:
    moves = measured.grown("parlour_moves_saved_total")
    requests = measured.grown("parlour_discord_requests_total", token="bot")
    p50, p99 = quantiles(waits.clicks)
    return LoadCosts(
        moves_per_second=round(moves / measured.seconds, 1),
        click_p50=round(1000 * p50, 1),
        click_p99=round(1000 * p99, 1),
        longest_click=round(max(waits.clicks), 2),
        longest_turn=round(max(waits.turns), 2),
        longest_request_wait=_longest_wait(measured),
        processor=round(1000 * measured.processor / moves, 3),
        requests=round(requests / moves, 3),
        requests_per_second=round(requests / measured.seconds, 1),
        refused=round(measured.grown("parlour_discord_requests_total", status="429")),
        resident_mib=max(memory),
    )


def _longest_wait(measured: Measurement) -> float:
    """Return the limit of the lowest bucket that holds all waits."""
    name = "parlour_request_wait_seconds_bucket"
    limits = {each.labels["le"] for each in measured.after.samples if each.name == name}
    held = {float(limit): measured.grown(name, le=limit) for limit in limits}
    return min(limit for limit, count in held.items() if count == held[float("inf")])
