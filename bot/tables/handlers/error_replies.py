"""Tells users what went wrong and what to do instead."""

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from discord import app_commands

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
from bot.platform.discord.content import RefusalWithButton, make_view
from bot.platform.discord.http import NETWORK_ERRORS
from bot.platform.discord.picture_attachments import refuses_file
from bot.platform.observability.trace import InteractionOutcome, Trace, get_or_start_trace
from bot.platform.registration import Registry
from bot.rules.refusals import CommonReason, Refusal, RefusalReason
from bot.tables.handlers.answers import TABLE_SAVED
from bot.tables.publisher import RestoreTable
from bot.tables.refusals import DuplicateInteraction, PlaceTakenFacts, TableFacts
from bot.tables.shown.host_error_messages import channel_taken_message
from bot.tables.shown.links import opener_name, table_link
from bot.tables.shown.story import missing_agreements, seat_names
from bot.tables.table import Table
from bot.words import N_, gettext as _

log = logging.getLogger(__name__)


_NO_FILE: Final = N_(
    "Discord doesn't accept the file here: it may be too large, or uploads are limited in this server "
    "for now. Please try again in an hour, or somewhere else."
)

OUTDATED_ERRORS: Final = (
    app_commands.CommandNotFound,
    app_commands.CommandSignatureMismatch,
    app_commands.TransformerError,
)
"""The errors of a command that Discord still shows as another version declared it."""

KERNEL_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    CommonReason.UNREADABLE: N_(
        "That's not a move in this game. Use the table's buttons, or the command's suggestions."
    ),
    CommonReason.NOT_TO_MOVE: N_("It's not your turn."),
    CommonReason.GAME_OVER: N_("This game is over. Open a new table with the game's `new` command."),
}


UNEXPECTED = N_(
    "Something went wrong on my side. Every move you've seen is saved; please try again. If it keeps "
    "happening, send this number to the people who run this bot: `{trace}`"
)
SAVED = N_("That's saved, but I can't show you the result right now. Please look again in a moment.")
OUTDATED = N_("This command has changed. Please choose it again from Discord's list; it may take a moment to appear.")
BEGUN = N_("I could save only a part of that. Please try again in a moment.")
STORE_UNAVAILABLE = N_("I can't save right now, so nothing was done. Please try again in a moment.")
OUTCOME_UNKNOWN = N_("I don't know yet whether that was saved. Look again in a minute before you try it again.")


class ErrorReplies:
    """Tells users what went wrong, in one sentence."""

    def __init__(self, registry: Registry, restore: RestoreTable) -> None:
        """Initialize.

        Args:
            registry: Knows the sentences of all features.
            restore: Shows a table again.
        """
        self._registry = registry
        self._restore = restore

    def explain(self, refusal: Refusal) -> str:
        """Return the sentence for a refusal: what is wrong and what to do instead."""
        facts = refusal.facts
        if isinstance(facts, PlaceTakenFacts):
            message = channel_taken_message(facts.table, facts.asker_id)
        else:
            message = _(self._registry.sentence_for(refusal.reason))
        words = facts.by_name()
        if isinstance(facts, TableFacts):
            words = {**words, **_words_of(facts.table)}
        return message.format_map(words)

    async def send(self, interaction: Interaction, fault: BaseException) -> None:
        """Tell the user what went wrong, unless Discord no longer accepts a response."""
        while isinstance(fault, app_commands.CommandInvokeError):
            fault = fault.original
        trace = get_or_start_trace()
        trace.outcome = outcome_of(fault)
        if trace.outcome is InteractionOutcome.OVERTAKEN:
            log.debug("interaction %s was answered by another process or has expired", interaction.id)
            await delete_unused_deferral(interaction)
            return
        try:
            # A refusal is the answer, unless it only follows from the interaction's own change to a table.
            if trace.is_saved and (trace.is_table_saved or not isinstance(fault, Refusal)):
                # The store logs an outage once, not for every interaction.
                level = logging.DEBUG if isinstance(fault, StoreUnavailable) else logging.ERROR
                log.log(level, "interaction %s was saved, but the response failed", interaction.id, exc_info=fault)
                await _confirm(interaction, trace)
            else:
                text = await self._message_for(interaction, fault)
                if (
                    isinstance(fault, Refusal)
                    and self._registry.ends_panel(fault.reason)
                    and not is_command(interaction)
                ):
                    await finish(interaction, text)
                else:
                    button = fault.button if isinstance(fault, RefusalWithButton) else None
                    await send_ephemeral(interaction, text, view=None if button is None else make_view(button))
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
        """Return the sentence for a refusal, with a working link to its table."""
        text, facts = self.explain(refusal), refusal.facts
        if not isinstance(facts, TableFacts) or not facts.table.header.status.is_open:
            return text
        if table_link(facts.table) not in text:
            return text
        try:
            there = await self._restore(facts.table.id)
        except (Refusal, StoreUnavailable):
            return text
        return self.explain(Refusal(refusal.reason, replace(facts, table=there)))


async def _confirm(interaction: Interaction, trace: Trace) -> None:
    """Confirm in one sentence that the action is saved. Only acknowledge a click on a table, which shows the result."""
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


def _words_of(table: Table) -> dict[str, str]:
    return {
        "game": _(table.package.game.info.title),
        "command": table.package.game.info.command,
        "mover": "" if table.header.to_move is None else seat_names(table)[table.header.to_move],
        "opener": opener_name(table),
        "missing": missing_agreements(table),
        "link": table_link(table),
    }
