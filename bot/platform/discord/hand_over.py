"""Clicks and commands during a hand-over, while an old and a new process serve the same servers.

Discord sends both processes each interaction, and both try to save it. The database lets one of them win, and that
process answers. The other one finds that the interaction is saved already (`DuplicateInteraction` at a table), waits
here for the answer, and gives one itself only if the winner ended before it could.
"""

import asyncio
from typing import Final

import discord

from bot.platform.discord.answers import ALREADY_ACKNOWLEDGED, Interaction, defer, has_settled_response

OTHER_ANSWERS_SECONDS: Final = 1.0
"""Another process answers an interaction within this time of saving it; Discord waits for three seconds."""


async def acknowledge_first(interaction: Interaction) -> bool:
    """Acknowledge an interaction if necessary; return False if another process has already done so."""
    try:
        if not await has_settled_response(interaction):
            await defer(interaction)
    except discord.HTTPException as fault:
        if not is_answered_elsewhere(fault):
            raise
        return False
    return True


async def acknowledge_if_unanswered(interaction: Interaction) -> bool:
    """Acknowledge an interaction that another process has saved; return False if that process answers it after all."""
    await asyncio.sleep(OTHER_ANSWERS_SECONDS)
    return await acknowledge_first(interaction)


def is_answered_elsewhere(fault: BaseException) -> bool:
    """Return whether Discord says that an interaction was already answered, for example by another process."""
    return isinstance(fault, discord.HTTPException) and fault.code == ALREADY_ACKNOWLEDGED
