"""Renders tables with what all features add, as the bot shows them; what features would load is not known."""

from typing import Any, Final

from bot.app.table_parts import make_table_knowledge, make_table_parts
from bot.features.settings.people import PreferenceCache
from bot.platform.discord.content import MessageContent
from bot.rules.screen import Draft
from bot.rules.tips import Tip
from bot.tables.shown import message
from bot.tables.shown.parts import TableParts
from bot.tables.table import Table

_NO_DATABASE: Any = None

PARTS: Final = make_table_parts(make_table_knowledge(_NO_DATABASE, PreferenceCache(_NO_DATABASE)))


def render_game(
    table: Table, draft: Draft, tip: Tip | None = None, parts: TableParts = PARTS, **others: Any
) -> MessageContent:
    """Render a table that is being played, or is finished."""
    return message.render_game(table, draft, parts, tip, **others)
