"""Answers that only one person sees."""

import contextlib
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any

import discord
from discord import app_commands

from bot.observability.trace import InteractionOutcome, get_or_start_trace
from bot.rules.refusals import Refusal
from bot.tables.ports import OutcomeUnknown, StoreUnavailable
from bot.tables.refusals import DuplicateInteraction
from bot.tables.tasks import TaskSet
from bot.ui.delivery.http import NETWORK_ERRORS
from bot.ui.interactions.put_aside_offer import put_aside_view
from bot.ui.render.error_messages import OUTCOME_UNKNOWN, OUTDATED, SAVED, STORE_UNAVAILABLE, UNEXPECTED, ErrorMessages
from bot.words import gettext as _

log = logging.getLogger(__name__)


_PATIENCE_SECONDS = 1.5
_DEFERRAL = "deferral"
_THINKING = "announced"
_ANSWERED = "answered"
UNKNOWN_INTERACTION = 10062
ALREADY_ACKNOWLEDGED = 40060
_TOKEN_EXPIRED = (10015, 50027)
"""What Discord says once an interaction is older than 15 minutes."""
_GONE = (10008, 10015)
"""What Discord says of a message that was deleted, or put away by the only person who saw it."""


@dataclass(frozen=True, slots=True)
class EphemeralMessage:
    """A message that one person alone sees."""

    message_id: int | None
    delete: Callable[[], Awaitable[None]]
    """Deletes it, as long as the token of the interaction works that it came from."""
    edit: Callable[..., Awaitable[object]]
    """Edits it, as long as that token works."""


async def defer_if_slow(interaction: discord.Interaction[Any], work: Coroutine[Any, Any, None]) -> None:
    """Do the work, and tell Discord to wait for it if it takes long: an interaction has to be answered within 3 s.

    What comes late is for the person who acted alone, since it may be a refusal.
    """
    schedule_deferral(interaction)
    try:
        await work
    finally:
        await has_settled_response(interaction)
    await delete_unused_deferral(interaction)


def schedule_deferral(interaction: discord.Interaction[Any]) -> None:
    """Tell Discord to wait for an answer if there is none in a while, counted from the first time this is called."""
    if _DEFERRAL not in interaction.extras:
        deferral = interaction.extras[_DEFERRAL] = TaskSet(_DEFERRAL)
        deferral.start_later(interaction.id, _PATIENCE_SECONDS, lambda: _defer(interaction))


async def delete_unused_deferral(interaction: discord.Interaction[Any]) -> None:
    """Take back the announcement of an answer where none has followed it, because another process has given it."""
    if interaction.extras.pop(_THINKING, False):
        with contextlib.suppress(*NETWORK_ERRORS):
            await interaction.delete_original_response()


async def has_settled_response(interaction: discord.Interaction[Any]) -> bool:
    """Tell whether there is a first answer; where there is none, whoever asks has to give it now.

    Nothing else does so meanwhile, because Discord takes one of two first answers and drops the other.
    """
    deferral: TaskSet | None = interaction.extras.get(_DEFERRAL)
    if deferral is not None:
        deferral.cancel_pending(interaction.id)
        await deferral.finish()
    return has_response(interaction)


def has_response(interaction: discord.Interaction[Any]) -> bool:
    """Tell whether there is a first answer by now; one may be on its way."""
    return interaction.response.is_done() or _ANSWERED in interaction.extras


def is_thinking(interaction: discord.Interaction[Any]) -> bool:
    """Tell whether a private message is announced in which nothing is said yet."""
    return bool(interaction.extras.get(_THINKING))


def mark_responded(interaction: discord.Interaction[Any]) -> None:
    """Note that there is a first answer of which the library does not know."""
    interaction.extras[_ANSWERED] = True


async def require_no_response(interaction: discord.Interaction[Any]) -> None:
    """Demand that whoever asks gives the first answer now; raises InteractionResponded where there is one."""
    if await has_settled_response(interaction):
        raise discord.InteractionResponded(interaction)


async def acknowledge(click: discord.Interaction[Any]) -> None:
    """Acknowledge a click without a word if it has no answer yet, even if its message is gone."""
    if not await has_settled_response(click):
        await _defer_click(click)


async def _defer(interaction: discord.Interaction[Any]) -> None:
    if has_response(interaction):
        return
    with contextlib.suppress(*NETWORK_ERRORS):
        if _is_command(interaction):
            await interaction.response.defer(ephemeral=True)
            interaction.extras[_THINKING] = True
        else:
            await _defer_click(interaction)


async def _defer_click(click: discord.Interaction[Any]) -> None:
    """Defer the update of the message that was clicked; if it is gone, announce a private message instead.

    `delete_unused_deferral` deletes what was announced if nothing is said in it.
    """
    try:
        await click.response.defer()
    except discord.HTTPException as fault:
        if not is_gone(fault):
            raise
        await click.response.defer(ephemeral=True, thinking=True)
        click.extras[_THINKING] = True


async def send_ephemeral(
    interaction: discord.Interaction[Any],
    text: str = "",
    *,
    embed: discord.Embed | None = None,
    view: discord.ui.View | None = None,
    file: discord.File | None = None,
) -> EphemeralMessage:
    """Say something to the person who acted, and to nobody else."""
    extras: dict[str, Any] = {}
    if embed is not None:
        extras["embed"] = embed
    if view is not None:
        extras["view"] = view
    if file is not None:
        extras["file"] = file
    if await has_settled_response(interaction):
        interaction.extras[_THINKING] = False
        message = await interaction.followup.send(text, ephemeral=True, wait=True, **extras)
        return _make_ephemeral_message(interaction, message.id, message.id)
    answer = await interaction.response.send_message(text, ephemeral=True, **extras)
    return original_response_of(interaction, answer.message_id)


def original_response_of(interaction: discord.Interaction[Any], message_id: int | None) -> EphemeralMessage:
    """Return the message that an interaction was first answered with.

    It is remembered for a quarter of an hour, so only the token is held, not the interaction and all that came with it.
    """
    return _make_ephemeral_message(interaction, message_id, "@original")


def _make_ephemeral_message(
    interaction: discord.Interaction[Any], message_id: int | None, address: Any
) -> EphemeralMessage:
    followup = interaction.followup
    return EphemeralMessage(
        message_id, partial(followup.delete_message, address), partial(followup.edit_message, address)
    )


def is_ephemeral(click: discord.Interaction[Any]) -> bool:
    """Tell whether the message that was clicked is for one person alone; an id that was forged may be anywhere."""
    return click.message is not None and click.message.flags.ephemeral


async def edit_clicked_message(click: discord.Interaction[Any], **shown: Any) -> bool:
    """Edit the message that was clicked, with the first answer or after it.

    Return False if the message is gone: a newer one has replaced it, or its reader has put it away. The click is
    acknowledged then.
    """
    try:
        if not await has_settled_response(click):
            await click.response.edit_message(**shown)
        elif not is_thinking(click):
            await click.edit_original_response(**shown)
        else:
            # It was gone when the click was deferred.
            return False
    except discord.HTTPException as fault:
        if not is_gone(fault):
            raise
        await acknowledge(click)
        return False
    return True


async def finish(click: discord.Interaction[Any], text: str, view: discord.ui.View | None = None) -> None:
    """Put a text in place of the question or panel that was answered with a click; of nothing that others see."""
    if is_ephemeral(click):
        await edit_clicked_message(click, content=text, embed=None, view=view, attachments=[])
    else:
        await send_ephemeral(click, text, view=view)


class ErrorReplies:
    """Turns whatever went wrong into one clear sentence for the person who acted."""

    def __init__(self, sentences: ErrorMessages) -> None:
        self._messages = sentences

    async def send(self, interaction: discord.Interaction[Any], fault: BaseException) -> None:
        """Say what went wrong; what Discord no longer wants answered stays silent."""
        while isinstance(fault, app_commands.CommandInvokeError):
            fault = fault.original
        trace = get_or_start_trace()
        trace.outcome = outcome_of(fault)
        if trace.outcome is InteractionOutcome.OVERTAKEN:
            log.debug("interaction %s was answered elsewhere or too late", interaction.id)
            await delete_unused_deferral(interaction)
            return
        try:
            if is_gone(fault) and (has_response(interaction) or not _is_command(interaction)):
                trace.outcome = InteractionOutcome.OVERTAKEN
                log.debug("interaction %s: the message it was about is gone", interaction.id)
                await _acknowledge_silently(interaction)
            elif trace.is_saved:
                log.error(
                    "interaction %s was saved, but could not be answered as usual", interaction.id, exc_info=fault
                )
                await _confirm(interaction)
            else:
                await send_ephemeral(interaction, self._message_for(interaction, fault), view=put_aside_view(fault))
        except NETWORK_ERRORS as unanswered:
            level = logging.DEBUG if is_overtaken(unanswered) or is_gone(unanswered) else logging.WARNING
            log.log(level, "interaction %s could not be answered: %s", interaction.id, unanswered)

    def _message_for(self, interaction: discord.Interaction[Any], fault: BaseException) -> str:
        match fault:
            case Refusal():
                return self._messages.of(fault)
            case app_commands.CommandNotFound() | app_commands.CommandSignatureMismatch():
                return _(OUTDATED)
            case StoreUnavailable():
                # The store has logged it, once for all that fail while it does.
                log.debug("the database failed during interaction %s: %s", interaction.id, fault)
                return _(OUTCOME_UNKNOWN if isinstance(fault, OutcomeUnknown) else STORE_UNAVAILABLE)
            case _:
                log.error("interaction %s failed", interaction.id, exc_info=fault)
                return _(UNEXPECTED).format(trace=get_or_start_trace().id)


async def _confirm(interaction: discord.Interaction[Any]) -> None:
    """Say that a command was carried out; a click is acknowledged without a word, since the table shows it."""
    if _is_command(interaction):
        await send_ephemeral(interaction, _(SAVED))
    else:
        await _acknowledge_silently(interaction)


async def _acknowledge_silently(interaction: discord.Interaction[Any]) -> None:
    await acknowledge(interaction)
    await delete_unused_deferral(interaction)


def _is_command(interaction: discord.Interaction[Any]) -> bool:
    return interaction.type is discord.InteractionType.application_command


def outcome_of(fault: BaseException) -> InteractionOutcome:
    """Tell what a fault makes of the interaction."""
    match fault:
        case Refusal() | app_commands.CommandNotFound() | app_commands.CommandSignatureMismatch():
            return InteractionOutcome.REFUSED
        case StoreUnavailable():
            return InteractionOutcome.UNAVAILABLE
        case DuplicateInteraction():
            return InteractionOutcome.OVERTAKEN
        case _:
            return InteractionOutcome.OVERTAKEN if is_overtaken(fault) else InteractionOutcome.FAILED


def is_gone(fault: BaseException) -> bool:
    """Tell whether Discord says that the message that was to be edited or deleted is gone."""
    return isinstance(fault, discord.HTTPException) and fault.code in _GONE


def is_overtaken(fault: BaseException) -> bool:
    """Tell whether Discord says that an interaction has expired or was answered already."""
    return isinstance(fault, discord.HTTPException) and fault.code in (
        UNKNOWN_INTERACTION,
        ALREADY_ACKNOWLEDGED,
        *_TOKEN_EXPIRED,
    )
