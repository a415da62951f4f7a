"""The entries of a table as one compressed text.

The text is a JSON list of columns, because values of a kind compress best side by side. Steps and times are stored as
differences to the ones before. Of the ids of clicks only whether there was one is left: they matter while a click may
arrive twice.
"""

import json
import zlib
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate, pairwise
from typing import Final

from bot.tables.model import FORGOTTEN_CLICK, Entry

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def compress_entries(entries: Sequence[Entry]) -> bytes:
    """Return entries as a compressed text."""
    columns = (
        _differences(entry.step for entry in entries),
        _differences((entry.at - _EPOCH) // _MICROSECOND for entry in entries),
        [entry.seat for entry in entries],
        [int(entry.click_id is not None) for entry in entries],
        [entry.text for entry in entries],
        [entry.digest for entry in entries],
    )
    return zlib.compress(json.dumps(columns, ensure_ascii=False, separators=(",", ":")).encode())


def decompress_entries(data: bytes) -> tuple[Entry, ...]:
    """Return the entries of a compressed text."""
    steps, times, seats, clicks, texts, digests = json.loads(zlib.decompress(data))
    return tuple(
        Entry(step, seat, text, digest, FORGOTTEN_CLICK if click else None, _EPOCH + timedelta(microseconds=at))
        for step, at, seat, click, text, digest in zip(
            accumulate(steps), accumulate(times), seats, clicks, texts, digests, strict=True
        )
    )


def _differences(numbers: Iterable[int]) -> list[int]:
    return [number - before for before, number in pairwise((0, *numbers))]
