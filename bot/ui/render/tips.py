"""Renders the line that helps beginners at a table."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.rules.tips import Tip
from bot.tables.table import Table
from bot.ui.help_ids import NoTipsId
from bot.ui.render.message import Button, Json, MessageContent
from bot.words import gettext as _


def no_tips_buttons(table: Table, tip: Tip | None) -> tuple[Button, ...]:
    """Return the button with which a player turns tips off, if there is a tip."""
    return () if tip is None else (Button(_("No more tips"), str(NoTipsId(table.id))),)


def with_tip(content: MessageContent, tip: Tip | None) -> MessageContent:
    """Add a tip below the footer: nearest to the buttons, and never above the picture."""
    if tip is None:
        return content
    text_json, picture_json = content.text_embed_json, content.picture_embed_json
    if "footer" in picture_json:
        picture_json = _with_line(picture_json, tip)
    return replace(content, text_embed_json=_with_line(text_json, tip), picture_embed_json=picture_json)


def _with_line(embed: Mapping[str, Any], tip: Tip) -> Json:
    footer = embed.get("footer", {}).get("text", "")
    return {**embed, "footer": {"text": "\n".join(filter(None, (footer, f"💡 {tip.text}")))}}
