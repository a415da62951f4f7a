"""Python's collection of garbage, at good moments: everything waits for it, and a whole one goes through all there is.

What a start makes stays for good, so it is left out of all collections. What comes later is gone through in pauses,
when nobody is being answered; whatever is in no ring goes at once all the same when nobody uses it any more.
"""

import asyncio
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_THRESHOLDS: Final = (1500, 3, 30)
"""How many new things there are before a collection, and how often one takes place before the next larger kind does."""

_CHECK_SECONDS: Final = 5.0
"""How often a pause is looked for."""

_FULL_COLLECTION_INTERVAL: Final = 10
"""How many collections of the middle kind make a whole one worth its while: nothing of note has happened before."""

_MIDDLE_GENERATION: Final = 1


@contextmanager
def tune_gc() -> Iterator[None]:
    """Leave what is there now out of all collections while the block runs, and collect less often."""
    before = gc.get_threshold()
    gc.set_threshold(*_THRESHOLDS)
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


async def collect_when_idle(is_pause: Callable[[], bool], seconds: float = _CHECK_SECONDS) -> None:
    """Leave what the start has made out of all collections, and collect whatever comes later in pauses.

    It is left out once: what is used now may be in a ring when nobody uses it any more.
    """
    is_first, due = True, 0
    while True:
        await asyncio.sleep(seconds)
        if _middle_collections() < due or not is_pause():
            continue
        gc.collect()
        if is_first:
            gc.freeze()
        is_first, due = False, _middle_collections() + _FULL_COLLECTION_INTERVAL


def _middle_collections() -> int:
    """Return how often more than the newest things were gone through, but not all."""
    return int(gc.get_stats()[_MIDDLE_GENERATION]["collections"])
