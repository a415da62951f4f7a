"""The entries of a table as one compressed text.

The text is a JSON list of columns, because values of a kind compress best side by side. Steps and times are stored as
differences to the ones before. Ids of clicks are left out: they only matter while a click may arrive twice.
"""

import json
import zlib
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate, pairwise
from typing import Final

from bot.tables.model import Entry

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_LEVEL: Final = 9


def compress_entries(entries: Sequence[Entry]) -> bytes:
    """Return entries as a compressed text, without the ids of clicks."""
    columns = (
        _differences(entry.step for entry in entries),
        _differences((entry.at - _EPOCH) // _MICROSECOND for entry in entries),
        [entry.seat for entry in entries],
        [entry.text for entry in entries],
        [entry.digest for entry in entries],
    )
    return zlib.compress(json.dumps(columns, ensure_ascii=False, separators=(",", ":")).encode(), _LEVEL)


def decompress_entries(data: bytes) -> tuple[Entry, ...]:
    """Return the entries of a compressed text."""
    steps, times, seats, texts, digests = json.loads(zlib.decompress(data))
    return tuple(
        Entry(step, seat, text, digest, None, _EPOCH + timedelta(microseconds=at))
        for step, at, seat, text, digest in zip(
            accumulate(steps), accumulate(times), seats, texts, digests, strict=True
        )
    )


def _differences(numbers: Iterable[int]) -> list[int]:
    return [number - before for before, number in pairwise((0, *numbers))]
