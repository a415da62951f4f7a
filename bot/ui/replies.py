"""Answers that only one person sees."""

import logging
from typing import Any

import discord
from discord import app_commands

from bot.rules.refusals import Refusal
from bot.tables.ports import StoreUnavailable
from bot.ui.sentences import STORE_UNAVAILABLE, UNEXPECTED, Sentences
from bot.words import gettext as _

log = logging.getLogger(__name__)

_TOO_LATE = 10062
_ALREADY_ANSWERED = 40060


async def whisper(
    interaction: discord.Interaction[Any],
    text: str = "",
    *,
    embed: discord.Embed | None = None,
    view: discord.ui.View | None = None,
) -> None:
    """Say something to the person who acted, and to nobody else."""
    extras: dict[str, Any] = {}
    if embed is not None:
        extras["embed"] = embed
    if view is not None:
        extras["view"] = view
    if interaction.response.is_done():
        await interaction.followup.send(text, ephemeral=True, **extras)
    else:
        await interaction.response.send_message(text, ephemeral=True, **extras)


class Apologies:
    """Turns whatever went wrong into one clear sentence for the person who acted."""

    def __init__(self, sentences: Sentences) -> None:
        self._sentences = sentences

    async def answer(self, interaction: discord.Interaction[Any], fault: BaseException) -> None:
        """Say what went wrong; what Discord no longer wants answered stays silent."""
        while isinstance(fault, app_commands.CommandInvokeError):
            fault = fault.original
        if overtaken(fault):
            log.debug("interaction %s was answered elsewhere or too late", interaction.id)
            return
        try:
            await whisper(interaction, self._sentence(interaction, fault))
        except discord.HTTPException as unanswered:
            log.warning("interaction %s could not be answered: %s", interaction.id, unanswered)

    def _sentence(self, interaction: discord.Interaction[Any], fault: BaseException) -> str:
        match fault:
            case Refusal():
                return self._sentences.of(fault)
            case StoreUnavailable():
                log.error("the database failed during interaction %s", interaction.id, exc_info=fault)
                return _(STORE_UNAVAILABLE)
            case _:
                log.error("interaction %s failed", interaction.id, exc_info=fault)
                return _(UNEXPECTED)


def overtaken(fault: BaseException) -> bool:
    """Tell whether Discord says that an interaction has expired or was answered already."""
    return isinstance(fault, discord.HTTPException) and fault.code in (_TOO_LATE, _ALREADY_ANSWERED)
