"""Costs of clicks, and of whatever else is done many times."""

import statistics
import time
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from typing import Self

from tests.bench.processes import processor_seconds


@dataclass(frozen=True, slots=True)
class Times:
    """How long something takes that is done many times, in milliseconds."""

    p50: float
    p99: float

    @classmethod
    def of(cls, taken: Sequence[float], digits: int) -> Self:
        """Round the quantiles of all times."""
        return cls(*(round(each, digits) for each in quantiles(taken)))


@dataclass(frozen=True, slots=True)
class Cost:
    """Costs of clicks, in milliseconds."""

    p50: float
    """From sending the click to receiving the answer."""
    p99: float
    processor: float
    """CPU time of the bot's process per click."""
    sandbox: float
    """CPU time of the sandbox's process per click."""


@dataclass(frozen=True, slots=True)
class ClickCosts:
    """The costs of a bot, for clicks one after another and on all tables at once."""

    in_a_row: Cost
    at_once: Cost
    resident_mib: float
    """The memory of the process at the end."""


@dataclass(slots=True)
class MeasuredClicks:
    """Clicks of all rounds."""

    taken: list[float] = field(default_factory=list)
    """Milliseconds of each click."""
    processor: float = 0.0
    """Seconds of the bot's process."""
    sandbox: float = 0.0
    """Seconds of the sandbox's process."""

    async def add(self, process_id: int, clicks: Awaitable[list[float]]) -> None:
        """Make more clicks and measure what they cost."""
        bot, own = processor_seconds(process_id), time.process_time()
        self.taken += await clicks
        self.sandbox += time.process_time() - own
        self.processor += processor_seconds(process_id) - bot

    def cost(self) -> Cost:
        """Return what a click costs."""
        per_click = 1000 / len(self.taken)
        figures = (*quantiles(self.taken), per_click * self.processor, per_click * self.sandbox)
        return Cost(*(round(each, 3) for each in figures))


def quantiles(taken: Sequence[float]) -> tuple[float, float]:
    """Return the median and the 99th percentile."""
    return statistics.median(taken), statistics.quantiles(taken, n=100, method="inclusive")[98]
