"""What the content of games has in common."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict


class ContentModel(BaseModel):
    """Base of the parts of a game's content, which refuse unknown fields and never change."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


class BrokenTables(Exception):
    """Stored arrays can't be used; the message is a sentence that names the file."""


@runtime_checkable
class Tables(Protocol):
    """Arrays that were calculated in advance, because that takes minutes."""

    def __hash__(self) -> int: ...

    def load(self) -> Mapping[str, Any]:
        """Read the arrays by name.

        Raises:
            BrokenTables: They can't be read.
        """


class Origin(StrEnum):
    """The origin of a fact about a game."""

    SOURCE = "source"
    """Stated in the rules of the game."""
    OURS = "ours"
    """Our choice, because the rules are silent."""
