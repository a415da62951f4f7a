"""JSON encoding and decoding."""

import json
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]

_ENCODER = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, check_circular=False)


def encode(value: object) -> str:
    """Encode a value as compact JSON."""
    return _ENCODER.encode(value)


def decode(text: str | bytes) -> Any:
    """Decode JSON; raise `ValueError` if it is malformed."""
    return json.loads(text)
