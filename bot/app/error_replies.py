"""Tells users what went wrong."""

import logging
from dataclasses import replace
from typing import Final

from discord import app_commands

from bot.app.error_messages import BEGUN, OUTCOME_UNKNOWN, OUTDATED, SAVED, STORE_UNAVAILABLE, UNEXPECTED, ErrorMessages
from bot.features.idle_tables.put_aside_offer import put_aside_view
from bot.features.puzzles.model import PuzzleReason
from bot.features.reminders.model import PingReason
from bot.features.tournaments.model import TournamentReason
from bot.platform.database.errors import OutcomeUnknown, StoreUnavailable
from bot.platform.discord.answers import (
    Interaction,
    acknowledge,
    delete_unused_deferral,
    finish,
    is_command,
    is_ephemeral,
    is_overtaken,
    send_ephemeral,
)
from bot.platform.discord.http import NETWORK_ERRORS
from bot.platform.discord.picture_attachments import refuses_file
from bot.platform.observability.trace import InteractionOutcome, Trace, get_or_start_trace
from bot.rules.refusals import Refusal
from bot.tables.delivery import RestoreTable
from bot.tables.handlers.answers import TABLE_SAVED
from bot.tables.refusals import DuplicateInteraction, HostReason, TableFacts
from bot.tables.shown.links import table_link
from bot.words import N_, gettext as _

log = logging.getLogger(__name__)


_NO_FILE: Final = N_(
    "Discord does not take the file here: it may be too large, or uploads are limited in this server for now. "
    "Please try again in an hour, or somewhere else."
)

OUTDATED_ERRORS: Final = (
    app_commands.CommandNotFound,
    app_commands.CommandSignatureMismatch,
    app_commands.TransformerError,
)
"""What comes of a command that Discord still shows as another version had it."""


OVER_REASONS: Final = (
    HostReason.UNKNOWN_TABLE,
    HostReason.GAME_GONE,
    HostReason.TABLE_OVER,
    HostReason.ALREADY_STARTED,
    HostReason.NOT_OPENER,
    HostReason.RESIGNED,
    PingReason.NO_PINGS_HERE,
    PuzzleReason.UNKNOWN_PUZZLE,
    TournamentReason.UNKNOWN,
    TournamentReason.HAS_STARTED,
    TournamentReason.NOT_RUNNING,
    TournamentReason.OVER,
    TournamentReason.NOT_IN_IT,
)
"""Why a private question or panel is of no more use, so that the refusal takes its place."""


class ErrorReplies:
    """Tells users what went wrong, in one sentence."""

    def __init__(self, messages: ErrorMessages, restore: RestoreTable) -> None:
        self._messages = messages
        self._restore = restore

    async def send(self, interaction: Interaction, fault: BaseException) -> None:
        """Tell the user what went wrong, unless Discord accepts no response any more."""
        while isinstance(fault, app_commands.CommandInvokeError):
            fault = fault.original
        trace = get_or_start_trace()
        trace.outcome = outcome_of(fault)
        if trace.outcome is InteractionOutcome.OVERTAKEN:
            log.debug("interaction %s was answered by another process or has expired", interaction.id)
            await delete_unused_deferral(interaction)
            return
        try:
            # A refusal is the answer, unless it is about what the interaction itself has made of a table.
            if trace.is_saved and (trace.is_table_saved or not isinstance(fault, Refusal)):
                # The store logs an outage once, not for every interaction.
                level = logging.DEBUG if isinstance(fault, StoreUnavailable) else logging.ERROR
                log.log(level, "interaction %s was saved, but the response failed", interaction.id, exc_info=fault)
                await _confirm(interaction, trace)
            else:
                text = await self._message_for(interaction, fault)
                if isinstance(fault, Refusal) and fault.reason in OVER_REASONS and not is_command(interaction):
                    await finish(interaction, text)
                else:
                    await send_ephemeral(interaction, text, view=put_aside_view(fault))
        except NETWORK_ERRORS as failed:
            level = logging.DEBUG if is_overtaken(failed) else logging.WARNING
            log.log(level, "interaction %s could not be answered: %s", interaction.id, failed)

    async def _message_for(self, interaction: Interaction, fault: BaseException) -> str:
        match fault:
            case Refusal():
                return await self._refusal_message(fault)
            case _ if isinstance(fault, OUTDATED_ERRORS):
                return _(OUTDATED)
            case StoreUnavailable():
                # The store logs an outage once, not for every interaction.
                log.debug("the database failed during interaction %s: %s", interaction.id, fault)
                if isinstance(fault, OutcomeUnknown):
                    return _(OUTCOME_UNKNOWN)
                return _(BEGUN if get_or_start_trace().is_begun else STORE_UNAVAILABLE)
            case _ if refuses_file(fault):
                log.warning("Discord does not take the file of interaction %s: %s", interaction.id, fault)
                return _(_NO_FILE)
            case _:
                log.error("interaction %s failed", interaction.id, exc_info=fault)
                return _(UNEXPECTED).format(trace=get_or_start_trace().id)

    async def _refusal_message(self, refusal: Refusal) -> str:
        """Return what a refusal says, with a link to a table that leads somewhere."""
        text, facts = self._messages.of(refusal), refusal.facts
        if not isinstance(facts, TableFacts) or not facts.table.header.status.is_open:
            return text
        if table_link(facts.table) not in text:
            return text
        try:
            there = await self._restore(facts.table.id)
        except (Refusal, StoreUnavailable):
            return text
        return self._messages.of(Refusal(refusal.reason, replace(facts, table=there)))


async def _confirm(interaction: Interaction, trace: Trace) -> None:
    """Confirm what is saved in one sentence; a click on a table is only acknowledged: the table shows its result."""
    if is_command(interaction):
        await send_ephemeral(interaction, _(TABLE_SAVED if trace.is_table_saved else SAVED))
    elif trace.is_table_saved and not is_ephemeral(interaction):
        await acknowledge(interaction)
        await delete_unused_deferral(interaction)
    else:
        await send_ephemeral(interaction, _(SAVED))


def outcome_of(fault: BaseException) -> InteractionOutcome:
    """Return the outcome of an interaction that raised an exception."""
    match fault:
        case _ if isinstance(fault, (Refusal, *OUTDATED_ERRORS)):
            return InteractionOutcome.REFUSED
        case StoreUnavailable():
            return InteractionOutcome.UNAVAILABLE
        case DuplicateInteraction():
            return InteractionOutcome.OVERTAKEN
        case _:
            return InteractionOutcome.OVERTAKEN if is_overtaken(fault) else InteractionOutcome.FAILED
