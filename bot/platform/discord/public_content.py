"""Posts message content for everyone, as the answer to a click."""

from functools import partial
from typing import Any

import discord

from bot.platform.discord.answers import Interaction, add_when_drawn
from bot.platform.discord.content import MessageContent
from bot.platform.discord.http import reading


async def post_content(click: Interaction, content: MessageContent) -> int:
    """Post content where an acknowledged click was, and return the message's id. It mentions no one.

    A late picture is added when it is drawn.
    """
    given = content.send_kwargs()
    # discord.py takes None for a value, not for nothing.
    message_id = await post(click, **{name: each for name, each in given.items() if each is not None})
    add_when_drawn(content, message_id, partial(click.followup.edit_message, message_id))
    return message_id


async def post(click: Interaction, **content: Any) -> int:
    """Post what `Webhook.send` takes where an acknowledged click was, and return the message's id."""
    mentions = discord.AllowedMentions.none()
    with reading():
        message = await click.followup.send(ephemeral=False, wait=True, allowed_mentions=mentions, **content)
    return message.id
