"""Python's collection of garbage, at good moments: everything waits for it, and a whole one goes through all there is.

Hardly anything of a bot ends in a ring of things that hold each other, and most of it stays for good. So what is there
in a pause is left out of all collections that come while somebody waits; whatever is in no ring goes at once all the
same when nobody uses it any more. Rings that grew old are found once an hour, in a pause as well.
"""

import asyncio
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_THRESHOLDS: Final = (1500, 3, 30)
"""How many new things there are before a collection, and how often one takes place before the next larger kind does."""

_PAUSE_SECONDS: Final = 5.0
"""How often a pause is looked for."""

_WHOLE_AFTER: Final = 720
"""How many pauses are used before everything is gone through in one: an hour."""


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """Leave what is there now out of all collections while the block runs, and collect less often."""
    before = gc.get_threshold()
    gc.set_threshold(*_THRESHOLDS)
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


async def collect_in_pauses(is_pause: Callable[[], bool], seconds: float = _PAUSE_SECONDS) -> None:
    """Collect what has come together since the last pause whenever there is one, and everything once in a while."""
    pauses = 0
    while True:
        await asyncio.sleep(seconds)
        if is_pause():
            pauses += 1
            if pauses % _WHOLE_AFTER == 0:
                gc.unfreeze()
            gc.collect()
            gc.freeze()
