"""Custom ids of what people do about idle tables."""

from dataclasses import dataclass

from bot.platform.discord.ids import CustomId, TableButtonId
from bot.tables.handlers.ids import NextTableId, OpenTableId, PlayAgainId, ResumeId
from bot.tables.model import TableId


@dataclass(frozen=True)
class PutAsideId(CustomId, prefix="z"):
    """The button that puts an idle table aside and then does what it was blocking."""

    table_id: TableId
    then: OpenTableId | PlayAgainId | NextTableId | ResumeId


class StillPlayingId(TableButtonId, prefix="j"):
    """The button that keeps an idle table open."""
