"""Posts what players share of a table where others read it."""

from dataclasses import replace
from functools import partial

import discord

from bot.platform.discord.answers import Interaction, post_content, send_ephemeral, speaking_to_everyone
from bot.platform.discord.content import MessageContent
from bot.platform.discord.context import require_posting
from bot.platform.discord.http import MessageClient, id_of, post_request
from bot.platform.discord.picture_attachments import PictureAttacher, send_with_fallback
from bot.platform.discord.private_messages import attach_picture
from bot.platform.discord.rate_limits import Urgency
from bot.platform.discord.refusals import ClickReason, PermissionFacts
from bot.platform.places import Location
from bot.rules.refusals import Refusal
from bot.tables.shown.links import message_link
from bot.tables.table import Table
from bot.words import gettext as _


def public_place_of(click: Interaction, table: Table) -> Location:
    """Return where others read a post about a table: where it is or, for its private thread, the thread's channel.

    Raises:
        Refusal: The bot may not post there.
    """
    require_posting(click)
    location, channel = table.header.location, click.channel
    if not location.is_own_thread or getattr(channel, "type", None) is not discord.ChannelType.private_thread:
        return location
    # The bot's permissions in a thread are those in its channel.
    if not click.app_permissions.send_messages:
        raise Refusal(ClickReason.MISSING_PERMISSIONS, PermissionFacts(_("Send Messages")))
    return replace(location, channel_id=getattr(channel, "parent_id", None) or location.channel_id)


class PublicPosts:
    """Posts with the bot's token where the answer to a click would be seen by its player alone."""

    def __init__(self, picture_attacher: PictureAttacher, message_client: MessageClient) -> None:
        self._picture_attacher = picture_attacher
        self._message_client = message_client

    async def post(self, click: Interaction, table: Table, content: MessageContent, place: Location) -> int:
        """Post content with its picture, or without one that Discord refuses, and return the message's id."""
        location = table.header.location
        with speaking_to_everyone(click):
            if place == location:
                content = await attach_picture(click, content, self._picture_attacher, location)
            else:
                self._picture_attacher.note_permissions(click)
                content = await self._picture_attacher.attach(content, location)
        note_refusal = partial(self._picture_attacher.note_refusal, location)
        message_id = await send_with_fallback(content, partial(self.send, click, table, place), note_refusal)
        if place != location:
            await send_ephemeral(click, _("I've posted it here: {link}").format(link=message_link(place, message_id)))
        return message_id

    async def send(self, click: Interaction, table: Table, place: Location, content: MessageContent) -> int:
        """Post content as it is, in a public place of an acknowledged click, and return the message's id."""
        if place == table.header.location:
            return await post_content(click, content)
        request = post_request(place.channel_id, content)
        return id_of(await self._message_client.send_with_retries(request, Urgency.POST))
