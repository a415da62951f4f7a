"""The announcement that an idle table will be closed, and the offer to put aside a table that blocks another."""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

import discord
from discord.utils import format_dt

from bot.platform.discord.content import Button, Json, RefusalWithButton
from bot.platform.discord.ids import CustomId, TableButtonId
from bot.platform.notices.sending import Line, button_ids
from bot.platform.notices.storage import Notice
from bot.rules.refusals import Refusal
from bot.tables.handlers.ids import DareId, NextTableId, OpenTableId, PlayAgainId, ResumeId
from bot.tables.model import TableId
from bot.tables.refusals import MAY_BE_PUT_ASIDE, OrphanFacts, TableFacts
from bot.tables.shown.links import table_link
from bot.tables.table import Table
from bot.words import gettext as _

Blocked: TypeAlias = OpenTableId | DareId | PlayAgainId | NextTableId | ResumeId
"""The clicks that an idle table can block."""


@dataclass(frozen=True)
class PutAsideId(CustomId, prefix="z"):
    """The button that puts an idle table aside and then repeats the blocked click."""

    table_id: TableId
    then: Blocked


class StillPlayingId(TableButtonId, prefix="j"):
    """The button that keeps an idle table open."""


def announce_closing(table: Table, closes_at: datetime) -> Line:
    """Return the line that says when a table will be closed and how to keep it open."""
    text = _(
        "No one has played this game of {game} for a long time: {link}\n"
        "It closes {when} without a result unless one of its players presses *Still playing*."
    )
    if table.header.status.is_aside:
        text = _(
            "No one has come back to this game of {game}, which was put aside: {link}\n"
            "It closes {when} without a result unless one of its players presses *Still playing* or types "
            "`/table resume`."
        )
    text = text.format(game=_(table.package.game.info.title), link=table_link(table), when=format_dt(closes_at, "R"))
    still_playing = Button(_("Still playing"), str(StillPlayingId(table.id)), discord.ButtonStyle.primary)
    return Line(text, buttons=(still_playing,))


def is_announcement(announcement: Notice, message: Json) -> bool:
    """Return whether a message belongs to an announcement that a table will be closed."""
    return str(StillPlayingId(announcement.table_id)) in button_ids(message)


class RefusalWithOffer(RefusalWithButton):
    """A refusal because of an idle table, with the button that puts that table aside."""

    def __init__(self, refusal: Refusal, offer: PutAsideId) -> None:
        resumes = isinstance(offer.then, ResumeId)
        label = _("Put it aside and resume mine") if resumes else _("Put it aside and open mine")
        super().__init__(refusal, Button(label, str(offer), discord.ButtonStyle.primary))
        self.offer = offer


def with_put_aside_offer(refusal: Refusal, then: Blocked) -> Refusal:
    """If a refusal is about an idle table, add the button that puts the table aside and then does `then`."""
    if refusal.reason not in MAY_BE_PUT_ASIDE:
        return refusal
    match refusal.facts:
        case TableFacts(table):
            return RefusalWithOffer(refusal, PutAsideId(table.id, then))
        case OrphanFacts(table_id):
            return RefusalWithOffer(refusal, PutAsideId(table_id, then))
        case _:
            return refusal
