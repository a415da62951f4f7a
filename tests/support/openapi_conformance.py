"""Checks the exchange between a bot and the sandbox against Discord's API description."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from bot.sandbox.rest.routes import RequestRecord
from bot.sandbox.server import API_PATH
from bot.sandbox.wire import decode, encode
from tests.support.openapi import Description, find_description, load_openapi


def load_description() -> Description | None:
    """Return Discord's description, if it is present."""
    path = find_description()
    return None if path is None else load_openapi(path)


def find_breaches(records: Iterable[RequestRecord], *, of_the_bot: bool) -> list[str]:
    """Return what does not fit the description: answers, and requests that were taken, or all of them."""
    description = load_description()
    if description is None:
        return []
    return [each for record in records for each in _find_breaches(description, record, of_the_bot=of_the_bot)]


def _find_breaches(description: Description, record: RequestRecord, *, of_the_bot: bool) -> Iterator[str]:
    path, name = record.path.removeprefix(API_PATH), f"{record.method} {record.path} {record.status}"
    try:
        asked = _find_request_breaches(description, record.method, path, encode(record.json))
        answered = description.answer_faults(record.method, path, record.status, _as_json(record.response))
    except LookupError as unknown:
        if of_the_bot or record.status not in (401, 404):
            yield f"{name}: {unknown}"
        return
    yield from (f"{name}: answer {fault}" for fault in answered)
    if of_the_bot or record.status < 400:
        yield from (f"{name}: request {fault}" for fault in asked)


@lru_cache(maxsize=64)
def _find_request_breaches(description: Description, method: str, path: str, body: str) -> list[str]:
    # Every bot sends the same long list of its commands.
    return description.request_faults(method, path, decode(body))


def _as_json(answer: Any) -> Any:
    # The codes of single faults are words on Discord, and numbers in its description: the tree is left out.
    kept = {**answer, "errors": {}} if isinstance(answer, dict) and "errors" in answer else answer
    return decode(encode(kept))
