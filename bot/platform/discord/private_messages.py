"""Deletes ephemeral messages once a newer one of the same kind replaces them."""

import logging
import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from enum import Enum
from itertools import count
from typing import Final, TypeAlias

from cachetools import TTLCache

from bot.platform.discord.answers import (
    EphemeralMessage,
    Interaction,
    add_when_drawn,
    drop_late_picture,
    edit_clicked_message,
    is_ephemeral,
    original_response_of,
    send_ephemeral,
)
from bot.platform.discord.content import MessageContent
from bot.platform.discord.context import location_of
from bot.platform.discord.http import NETWORK_ERRORS
from bot.platform.discord.picture_attachments import PictureAttacher, StillDrawing, send_with_fallback
from bot.platform.places import Location
from bot.platform.tasks import TaskSet
from bot.rules.refusals import Refusal


async def attach_picture(
    interaction: Interaction, content: MessageContent, picture_attacher: PictureAttacher, location: Location
) -> MessageContent:
    """Return content with its picture, or with a late one if that takes longer than a user should wait."""
    picture_attacher.note_permissions(interaction)
    try:
        return await picture_attacher.attach_within_deadline(content, location)
    except StillDrawing as late:
        return replace(content, late_picture=late.drawing)


async def attach_picture_if_possible(
    interaction: Interaction, content: MessageContent, picture_attacher: PictureAttacher
) -> MessageContent:
    """Return content with its picture, or in words where the bot can't know the settings of the location."""
    try:
        location = location_of(interaction)
    except Refusal:
        return content
    return await attach_picture(interaction, content, picture_attacher, location)


async def send_ephemeral_content(interaction: Interaction, content: MessageContent) -> EphemeralMessage:
    """Send content in a new ephemeral message, to which a late picture is added when it is drawn."""

    async def send(each: MessageContent) -> EphemeralMessage:
        return await send_ephemeral(interaction, **each.send_kwargs())

    sent = await send_with_fallback(content, send)
    add_when_drawn(content, sent.message_id, sent.edit)
    return sent


async def edit_or_send_ephemeral(click: Interaction, content: MessageContent) -> EphemeralMessage | None:
    """Show content in the clicked message if that is ephemeral, else in a new ephemeral message.

    Returns:
        The message, or None if the clicked message is gone.
    """

    async def send(each: MessageContent) -> EphemeralMessage | None:
        if not await edit_clicked_message(click, **each.edit_kwargs()):
            return None
        return original_response_of(click, click.message.id if click.message else None)

    if not is_ephemeral(click):
        return await send_ephemeral_content(click, content)
    shown = await send_with_fallback(content, send)
    if shown is not None:
        add_when_drawn(content, shown.message_id, shown.edit)
    return shown


log = logging.getLogger(__name__)

TOKEN_SECONDS: Final = 14 * 60.0
"""How long messages are tracked: only the interaction's token can delete them, and it expires after 15 minutes."""

_MAX_GROUPS: Final = 500


class EphemeralKind(Enum):
    """What an ephemeral message shows."""

    HAND = "hand"
    READING = "reading"
    WHAT_HAPPENED = "what_happened"
    GUIDE = "guide"
    HINT = "hint"
    REPLAY = "replay"
    REVIEW = "review"
    OPTIONS = "options"
    SETTINGS = "settings"
    PINGS = "pings"
    PRIVACY = "privacy"
    PUZZLE = "puzzle"
    DAILY_BAG = "daily_bag"


_Key: TypeAlias = tuple[int, EphemeralKind, Hashable]


class EphemeralMessages:
    """Keeps only the newest message for each user, kind and subject.

    The newest is the one with the highest id, whatever order responses arrive in; `replace_others` is for what
    was chosen in an older one. Messages of other processes, and those older than the token, stay.
    """

    def __init__(self, size: int = _MAX_GROUPS, clock: Callable[[], float] = time.monotonic) -> None:
        self._newest: TTLCache[_Key, Sequence[EphemeralMessage]] = TTLCache(size, TOKEN_SECONDS, clock)
        self._tasks = TaskSet("tidying")
        self._numbers = count()

    def replace_previous(
        self, interaction: Interaction, kind: EphemeralKind, subject: Hashable, *messages: EphemeralMessage
    ) -> bool:
        """Note the messages that a user was just sent about a subject, and delete older ones in the background.

        Returns:
            Whether these are the newest.
        """
        if _first_id(self.newest(interaction.user.id, kind, subject)) > _first_id(messages):
            self._delete(messages)
            return False
        self.replace_others(interaction, kind, subject, *messages)
        return True

    def replace_others(
        self, interaction: Interaction, kind: EphemeralKind, subject: Hashable, *messages: EphemeralMessage
    ) -> None:
        """Note messages as the newest about a subject, even if they are not, and delete others in the background."""
        key = (interaction.user.id, kind, subject)
        others = self._newest.get(key, ())
        self._newest[key] = messages
        current = {message.message_id for message in messages}
        self._delete(message for message in others if message.message_id not in current)

    def forget_clicked(self, click: Interaction, kind: EphemeralKind, subject: Hashable) -> None:
        """Let the clicked message stay, because it is about to show something of another kind."""
        clicked_id = click.message.id if click.message else None
        if any(message.message_id == clicked_id for message in self.newest(click.user.id, kind, subject)):
            del self._newest[click.user.id, kind, subject]

    def dismiss(self, user_id: int, kind: EphemeralKind, subject: Hashable) -> None:
        """Delete what a user was sent about a subject, in the background, because that is over."""
        self._delete(self._newest.pop((user_id, kind, subject), ()))

    def newest(self, user_id: int, kind: EphemeralKind, subject: Hashable) -> Sequence[EphemeralMessage]:
        """Return the newest messages that a user was sent about a subject, if they can still be edited."""
        return self._newest.get((user_id, kind, subject), ())

    def _delete(self, messages: Iterable[EphemeralMessage]) -> None:
        for message in messages:
            self._tasks.start(next(self._numbers), _delete(message))

    async def close(self, seconds: float) -> None:
        """Finish running deletions, within some seconds."""
        await self._tasks.close(seconds)


def _first_id(messages: Sequence[EphemeralMessage]) -> int:
    """Return the lowest message id: Discord's ids grow with time."""
    return min((message.message_id or 0 for message in messages), default=0)


async def _delete(message: EphemeralMessage) -> None:
    drop_late_picture(message.message_id)
    try:
        await message.delete()
    except NETWORK_ERRORS as fault:
        log.debug("an ephemeral message could not be deleted: %s", fault)
