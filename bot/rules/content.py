"""What the content of games has in common."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, ValidationError


class ContentModel(BaseModel):
    """Base of the parts of a game's content, which refuse unknown fields and never change."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


class BrokenTables(Exception):
    """Stored arrays can't be used; the message is a sentence that names the file."""


def first_error(invalid: ValidationError) -> tuple[str, str]:
    """Return where data is invalid first, such as `games.3.seats`, and what is wrong, without a full stop."""
    first = invalid.errors(include_url=False, include_context=False, include_input=False)[0]
    return ".".join(map(str, first["loc"])), reason_of(first["msg"])


def reason_of(message: str) -> str:
    """Return what is wrong, from pydantic's message."""
    return message.removeprefix("Value error, ")


@runtime_checkable
class Tables(Protocol):
    """Arrays that were calculated in advance, because that takes minutes."""

    def __hash__(self) -> int: ...

    def load(self, dtype: str, shapes: Mapping[str, tuple[int, ...]]) -> Mapping[str, Any]:
        """Read arrays by name, which then are what was asked for.

        Args:
            dtype: NumPy's name of the type of their numbers, such as `float32`.
            shapes: Their shapes by name.

        Raises:
            BrokenTables: They can't be read, are of another type or shape, or a number is too large or none.
        """


class Origin(StrEnum):
    """The origin of a fact about a game."""

    SOURCE = "source"
    """Stated in the rules of the game."""
    OURS = "ours"
    """Our choice, because the rules are silent."""
