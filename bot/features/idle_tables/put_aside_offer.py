"""The offer to put aside an idle table that blocks another one."""

import discord

from bot.features.idle_tables.ids import PutAsideId
from bot.platform.discord.content import Button, RefusalWithButton
from bot.rules.refusals import Refusal
from bot.tables.handlers.ids import NextTableId, OpenTableId, PlayAgainId, ResumeId
from bot.tables.refusals import MAY_BE_PUT_ASIDE, OrphanFacts, TableFacts
from bot.words import gettext as _


class RefusalWithOffer(RefusalWithButton):
    """A refusal because of a silent table, with the button that puts that table aside."""

    def __init__(self, refusal: Refusal, offer: PutAsideId) -> None:
        resumes = isinstance(offer.then, ResumeId)
        label = _("Put it aside and resume mine") if resumes else _("Put it aside and open mine")
        super().__init__(refusal, Button(label, str(offer), discord.ButtonStyle.primary))
        self.offer = offer


def with_put_aside_offer(refusal: Refusal, then: OpenTableId | PlayAgainId | NextTableId | ResumeId) -> Refusal:
    """Add the offer to put the blocking table aside and then do `then`, if the refusal is about an idle table."""
    if refusal.reason not in MAY_BE_PUT_ASIDE:
        return refusal
    match refusal.facts:
        case TableFacts(table):
            return RefusalWithOffer(refusal, PutAsideId(table.id, then))
        case OrphanFacts(table_id):
            return RefusalWithOffer(refusal, PutAsideId(table_id, then))
        case _:
            return refusal
