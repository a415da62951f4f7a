"""What the content of games has in common."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class ContentModel(BaseModel):
    """Base of the parts of a game's content, which refuse unknown fields and never change."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Origin(StrEnum):
    """The origin of a fact about a game."""

    SOURCE = "source"
    """Stated in the rules of the game."""
    OURS = "ours"
    """Our choice, because the rules are silent."""
