"""Costs of languages: reading all catalogues, and a click in another language beside one in English.

As a program it reads the catalogues in a process of its own and prints what that costs.
"""

import gc
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import asdict, dataclass

from bot.features.settings.choices import PictureChoice
from bot.platform.catalogues import Catalogues
from tests.bench.click_costs import prepare_turns, run_parlour
from tests.bench.databases import new_sqlite_databases
from tests.bench.measured_clicks import ClickCosts
from tests.bench.processes import ROOT, memory_mib
from tests.bench.rows import Figure, Round, Row, Taken

ENGLISH = "en-US"
OTHERS = {"ru": Row.RUSSIAN_CLICK, "he": Row.HEBREW_CLICK}
"""The language with most plural forms, and one that is written from right to left."""


@dataclass(frozen=True, slots=True)
class CatalogueCosts:
    """What reading all catalogues costs."""

    languages: int
    seconds: float
    """Processor time."""
    mib: float


def read_catalogues() -> CatalogueCosts:
    """Read the catalogues in a new process."""
    command = [sys.executable, "-m", "tests.bench.languages"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return CatalogueCosts(**json.loads(ran.stdout))


def measure_catalogues() -> AbstractAsyncContextManager[Round]:
    """Measure the reading of all catalogues."""

    async def measure() -> Taken:
        costs = read_catalogues()
        rows = {Row.CATALOGUES: Figure(costs.seconds), Row.CATALOGUES_MEMORY: Figure(costs.mib)}
        return Taken(rows, costs)

    return nullcontext(measure)


@asynccontextmanager
async def compare_languages() -> AsyncIterator[Round]:
    """Compare Parlour in servers of different languages, without pictures."""
    async with AsyncExitStack() as stack:
        address = stack.enter_context(new_sqlite_databases())
        contenders = {
            locale: await stack.enter_async_context(run_parlour(address(), PictureChoice.OFF, locale=locale))
            for locale in (ENGLISH, *OTHERS)
        }
        yield await prepare_turns(contenders, _beside_english)


def _beside_english(costs: Mapping[str, ClickCosts]) -> dict[Row, Figure]:
    english = costs[ENGLISH].in_a_row.p50
    return {row: Figure(costs[locale].in_a_row.p50, english) for locale, row in OTHERS.items()}


def main() -> None:
    """Read the catalogues, as the bot does at its start."""
    catalogues = Catalogues()
    gc.collect()
    before, began = memory_mib(os.getpid()), time.process_time()
    for code in catalogues.codes:
        catalogues.find(code)
    taken = time.process_time() - began
    costs = CatalogueCosts(len(catalogues.codes), round(taken, 3), round(memory_mib(os.getpid()) - before, 1))
    print(json.dumps(asdict(costs)))  # noqa: T201 - what the other process reads


if __name__ == "__main__":
    main()
