"""Costs of languages: reading all catalogues, and a click in another language beside one in English.

As a program it reads the catalogues in a process of its own and prints what that costs.
"""

import gc
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass

from bot.platform.catalogues import Catalogues
from tests.bench.click_costs import measure_in_turn, run_parlour
from tests.bench.measured_clicks import ClickCosts
from tests.bench.processes import memory_mib

ENGLISH = "in English"
OTHERS = {"in the language with most plural forms": "ru", "in a language that is written from right to left": "he"}
LOCALES = {ENGLISH: "en-US", **OTHERS}


@dataclass(frozen=True, slots=True)
class CatalogueCosts:
    """What reading all catalogues costs."""

    languages: int
    seconds: float
    """Processor time."""
    mib: float


def measure_catalogues() -> CatalogueCosts:
    """Read the catalogues in a new process."""
    ran = subprocess.run([sys.executable, "-m", "tests.bench.languages"], capture_output=True, text=True, check=True)
    return CatalogueCosts(**json.loads(ran.stdout))


async def measure_clicks_in_languages(address: Callable[[], str], rounds: int) -> dict[str, ClickCosts]:
    """Measure Parlour in servers of different languages, without pictures."""
    async with AsyncExitStack() as stack:
        contenders = {
            name: await stack.enter_async_context(run_parlour(address(), None, locale=locale))
            for name, locale in LOCALES.items()
        }
        return await measure_in_turn(contenders, rounds)


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
