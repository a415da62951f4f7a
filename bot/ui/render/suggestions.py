"""Suggestions for what is typed, as Discord shows them."""

from collections.abc import Iterable
from itertools import islice
from typing import Final, TypeVar

from discord import app_commands

ValueT = TypeVar("ValueT", str, int)

MOST: Final = 25
"""So many suggestions are shown at once."""

_LONGEST_NAME = 100


def offered(found: Iterable[tuple[str, ValueT]]) -> list[app_commands.Choice[ValueT]]:
    """Offer names and the values they stand for: the first ones, under names as long as there is room for."""
    return [app_commands.Choice(name=_short(name), value=value) for name, value in islice(found, MOST)]


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
