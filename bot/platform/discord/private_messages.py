"""Deletes ephemeral messages once newer ones of the same kind replace them."""

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
    """Return content with its picture, or with a late picture if drawing takes longer than a user should wait."""
    picture_attacher.note_permissions(interaction)
    try:
        return await picture_attacher.attach_within_deadline(content, location)
    except StillDrawing as late:
        return replace(content, late_picture=late.drawing)


async def attach_picture_if_possible(
    interaction: Interaction, content: MessageContent, picture_attacher: PictureAttacher
) -> MessageContent:
    """Return content with its picture, or in words if the settings of the location are unknown."""
    try:
        location = location_of(interaction)
    except Refusal:
        return content
    return await attach_picture(interaction, content, picture_attacher, location)


async def send_ephemeral_content(interaction: Interaction, content: MessageContent) -> EphemeralMessage:
    """Send content in a new ephemeral message, and add a late picture once it is drawn."""

    async def send(each: MessageContent) -> EphemeralMessage:
        return await send_ephemeral(interaction, **each.send_kwargs())

    sent = await send_with_fallback(content, send)
    add_when_drawn(content, sent.message_id, sent.edit)
    return sent


async def edit_or_send_ephemeral(click: Interaction, content: MessageContent) -> EphemeralMessage | None:
    """Show content in the clicked message if it is ephemeral, else in a new ephemeral message.

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
"""How long messages are tracked. Only the interaction's token, which expires after 15 minutes, can delete them."""

_MAX_GROUPS: Final = 2000
"""The groups of messages that are tracked, about a kilobyte each. A table outside follows its game only while it is."""


class EphemeralKind(Enum):
    """The kinds of ephemeral messages."""

    TABLE = "table"
    """A table outside, whose message is ephemeral."""
    HAND = "hand"
    MORE = "more"
    READING = "reading"
    WHAT_HAPPENED = "what_happened"
    GUIDE = "guide"
    LESSON = "lesson"
    HINT = "hint"
    REPLAY = "replay"
    REVIEW = "review"
    OPTIONS = "options"
    SETTINGS = "settings"
    PINGS = "pings"
    PRIVACY = "privacy"
    PUZZLE = "puzzle"
    CHALLENGES = "challenges"


_Key: TypeAlias = tuple[int, EphemeralKind, Hashable]


class EphemeralMessages:
    """Keeps only the newest message for each user, kind and subject.

    The newest message is the one with the highest id, regardless of the order of responses; `replace_others` makes an
    older message the newest, after a choice in it. Messages of other processes, or with an expired token, stay.
    """

    def __init__(self, size: int = _MAX_GROUPS, clock: Callable[[], float] = time.monotonic) -> None:
        self._newest: TTLCache[_Key, Sequence[EphemeralMessage]] = TTLCache(size, TOKEN_SECONDS, clock)
        self._tasks = TaskSet("tidying")
        self._numbers = count()

    def replace_previous(
        self, interaction: Interaction, kind: EphemeralKind, subject: Hashable, *messages: EphemeralMessage
    ) -> bool:
        """Track the messages just sent to a user about a subject, and delete older ones in the background.

        Returns:
            Whether these messages are the newest.
        """
        if _first_id(self.newest(interaction.user.id, kind, subject)) > _first_id(messages):
            self._delete(messages)
            return False
        self.replace_others(interaction, kind, subject, *messages)
        return True

    def replace_others(
        self, interaction: Interaction, kind: EphemeralKind, subject: Hashable, *messages: EphemeralMessage
    ) -> None:
        """Track messages as the newest about a subject, whatever their ids, and delete others in the background."""
        key = (interaction.user.id, kind, subject)
        others = self._newest.get(key, ())
        self._newest[key] = messages
        current = {message.message_id for message in messages}
        self._delete(message for message in others if message.message_id not in current)

    def forget_clicked(self, click: Interaction, kind: EphemeralKind, subject: Hashable) -> None:
        """Stop tracking the clicked message, because it is about to show another kind of content."""
        clicked_id = click.message.id if click.message else None
        if any(message.message_id == clicked_id for message in self.newest(click.user.id, kind, subject)):
            del self._newest[click.user.id, kind, subject]

    def dismiss(self, user_id: int, kind: EphemeralKind, subject: Hashable) -> None:
        """Delete a user's messages about a subject that is over, in the background."""
        self._delete(self._newest.pop((user_id, kind, subject), ()))

    def newest(self, user_id: int, kind: EphemeralKind, subject: Hashable) -> Sequence[EphemeralMessage]:
        """Return a user's newest messages about a subject, if they can still be edited."""
        return self._newest.get((user_id, kind, subject), ())

    def _delete(self, messages: Iterable[EphemeralMessage]) -> None:
        for message in messages:
            self._tasks.start(next(self._numbers), _delete(message))

    async def close(self, seconds: float) -> None:
        """Finish running deletions, within some seconds."""
        await self._tasks.close(seconds)


def _first_id(messages: Sequence[EphemeralMessage]) -> int:
    """Return the lowest message id, that of the oldest message."""
    return min((message.message_id or 0 for message in messages), default=0)


async def _delete(message: EphemeralMessage) -> None:
    drop_late_picture(message.message_id)
    try:
        await message.delete()
    except NETWORK_ERRORS as fault:
        log.debug("an ephemeral message could not be deleted: %s", fault)
