"""Renders tables with what all features add, as the bot shows them; what features would load is not known."""

from typing import Any, Final

from bot.platform.discord.content import MessageContent
from bot.rules.screen import Draft
from bot.rules.study import Tip
from bot.tables.shown import message
from bot.tables.shown.parts import TableParts
from bot.tables.table import Table
from tests.support.apps import shared_app

PARTS: Final = shared_app().table_messages.parts


def render_game(
    table: Table, draft: Draft, tip: Tip | None = None, parts: TableParts = PARTS, **others: Any
) -> MessageContent:
    """Render a table that is being played, or is finished."""
    return message.render_game(table, draft, parts, tip, **others)
