"""JSON as it goes over the wire."""

import json
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]

_ENCODER = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, check_circular=False)


def encode(value: object) -> str:
    """Write a value as compact JSON."""
    return _ENCODER.encode(value)


def decode(text: str | bytes) -> Any:
    """Read JSON; raise `ValueError` for anything else."""
    return json.loads(text)
