"""The offer to put a silent table aside that is in the way of another."""

import discord

from bot.rules.game import Options
from bot.rules.options import encode_value
from bot.rules.refusals import Refusal
from bot.tables.refusals import HostReason
from bot.tables.table import Table
from bot.ui.custom_ids import NextTableId, OpenTableId, PlayAgainId, PutAsideId, ResumeId
from bot.words import gettext as _

_MAY_BE_PUT_ASIDE = (HostReason.CHANNEL_SILENT, HostReason.GONE_SILENT)


def open_table_id(game: str, options: Options, computers: int) -> OpenTableId:
    """Return what names a table that somebody wants to open."""
    texts = tuple(encode_value(getattr(options, name)) for name in type(options).model_fields)
    return OpenTableId(game, computers, texts)


def with_put_aside_offer(refusal: Refusal, then: OpenTableId | PlayAgainId | NextTableId | ResumeId) -> Refusal:
    """Add to a refusal the offer to put aside the silent table in the way, and what is done then, if there is one."""
    if refusal.reason not in _MAY_BE_PUT_ASIDE:
        return refusal
    table = refusal.facts.get("table")
    table_id = table.id if isinstance(table, Table) else int(str(refusal.facts["table_id"]))
    return Refusal(refusal.reason, **{**refusal.facts, "offer": PutAsideId(table_id, then)})


def put_aside_view(fault: BaseException) -> discord.ui.View | None:
    """Make the button of the offer that comes with a refusal; stopped, because clicks go another way."""
    offer = fault.facts.get("offer") if isinstance(fault, Refusal) else None
    if not isinstance(offer, PutAsideId):
        return None
    mine = _("Put it aside and resume mine") if isinstance(offer.then, ResumeId) else _("Put it aside and open mine")
    view = discord.ui.View(timeout=None)
    view.add_item(discord.ui.Button(label=mine, style=discord.ButtonStyle.primary, custom_id=str(offer)))
    view.stop()
    return view
