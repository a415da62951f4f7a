"""Choices for autocompletion."""

from collections.abc import Iterable
from itertools import islice
from typing import Final, TypeVar

from discord import app_commands

from bot.words import truncate

ValueT = TypeVar("ValueT", str, int)

MAX_CHOICES: Final = 25
"""Discord's limit."""

_MAX_NAME_LENGTH = 100


def make_choices(found: Iterable[tuple[str, ValueT]]) -> list[app_commands.Choice[ValueT]]:
    """Return the first choices of names and values, with names cut to Discord's limit."""
    return [
        app_commands.Choice(name=truncate(name, _MAX_NAME_LENGTH), value=value)
        for name, value in islice(found, MAX_CHOICES)
    ]
