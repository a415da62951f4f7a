"""Checks the exchange between a bot and the sandbox against Discord's API description."""

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any

from bot.sandbox.rest.routes import RequestRecord
from bot.sandbox.server import API_PATH
from bot.sandbox.wire import decode, encode
from tests.support.openapi import Description, load_description


def find_breaches(records: Iterable[RequestRecord], *, of_the_bot: bool) -> list[str]:
    """Return what does not fit the description: answers, and requests that were taken, or all of them."""
    description = load_description()
    new = (record for record in records if (_form_of(record), of_the_bot) not in _CONFORMING)
    return [each for record in new for each in _find_breaches(description, record, of_the_bot=of_the_bot)]


_CONFORMING: set[tuple[bytes, bool]] = set()
"""The forms of exchanges without breaches: those at the start of a bot are the same in every test."""


def _form_of(record: RequestRecord) -> bytes:
    """Return a digest of all but the ids, which differ between tests."""
    text = f"{record.method} {record.path} {record.status} {encode(record.json)} {encode(record.response)}"
    return sha256(re.sub(r"[1-9]\d{16,18}", "1", text).encode()).digest()


def _find_breaches(description: Description, record: RequestRecord, *, of_the_bot: bool) -> Iterator[str]:
    path, name = record.path.removeprefix(API_PATH), f"{record.method} {record.path} {record.status}"
    try:
        asked = description.request_faults(record.method, path, decode(encode(record.json)))
        answered = description.answer_faults(record.method, path, record.status, _as_json(record.response))
    except LookupError as unknown:
        if of_the_bot or record.status not in (401, 404):
            yield f"{name}: {unknown}"
        return
    found = [f"{name}: answer {fault}" for fault in answered]
    if of_the_bot or record.status < 400:
        found += [f"{name}: request {fault}" for fault in asked]
    if not found:
        _CONFORMING.add((_form_of(record), of_the_bot))
    yield from found


def _as_json(answer: Any) -> Any:
    # The codes of single faults are words on Discord, and numbers in its description: the tree is left out.
    kept = {**answer, "errors": {}} if isinstance(answer, dict) and "errors" in answer else answer
    return decode(encode(kept))
