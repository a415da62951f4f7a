"""Posts and edits the messages of tables."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple, Protocol, TypeAlias, TypeVar

import discord
from cachetools import LRUCache

from bot.languages import Language, speaking
from bot.pictures.service import PictureFile
from bot.pictures.symbols import ROLLING_DIE
from bot.platform.discord.answers import (
    EphemeralMessage,
    Interaction,
    is_thinking,
    original_response_of,
    send_ephemeral,
)
from bot.platform.discord.content import Json, MessageContent, Roll
from bot.platform.discord.emoji import OWN_EMOJI
from bot.platform.discord.errors import (
    ChannelDeleted,
    ChannelUnreachable,
    DeliveryFailed,
    DiscordUnavailable,
    MessageGone,
    RetryLater,
)
from bot.platform.discord.http import (
    NETWORK_ERRORS,
    MessageClient,
    classify_error,
    delete_request,
    edit_request,
    edit_text_request,
    id_of,
    post_request,
    words_request,
)
from bot.platform.discord.picture_attachments import PictureAttacher, send_with_fallback
from bot.platform.discord.private_messages import EphemeralKind, EphemeralMessages
from bot.platform.discord.rate_limits import Urgency
from bot.platform.places import Location
from bot.rules.study import Tip
from bot.tables.model import (
    ClosedBy,
    Header,
    Status,
    TableId,
)
from bot.tables.publisher import ShowTable
from bot.tables.shown.embeds import PLAIN_COLOUR, SMALL_PRINT
from bot.tables.shown.links import (
    moved_text,
    opener_name,
)
from bot.tables.shown.lobby import render_lobby
from bot.tables.shown.message import render_closed, render_game, render_put_aside, render_suspense
from bot.tables.shown.parts import TableParts
from bot.tables.shown.screen import Drafts
from bot.tables.shown.story_line import EMPTY_LINE
from bot.tables.table import Table
from bot.words import N_, gettext as _

log = logging.getLogger(__name__)

_CANCELLED = N_("This table was cancelled. It doesn't count.")
_CANCELLED_BY = {
    ClosedBy.OPENER: N_("{name} cancelled this table. It doesn't count."),
    ClosedBy.MODERATOR: N_("A moderator cancelled this table. It doesn't count."),
}
_AGREED = N_("All players agreed to close this table. It doesn't count.")
_EXPIRED = N_("This table was closed after an hour without activity. `/{command} new` opens another.")

_ABANDONED = N_(
    "This game was closed because no one had played for a long time. It doesn't count. `/{command} new` opens another."
)
_HELD = N_("This table is on hold because I can no longer follow its moves. `/table cancel` ends it.")
_CLOSED = {
    Status.CANCELLED: _CANCELLED,
    Status.EXPIRED: _EXPIRED,
    Status.ABANDONED: _ABANDONED,
    Status.FINISHED: N_("This table is over, but its result can no longer be shown."),
}
"""The texts of tables that are over, with a game that can't be shown."""

_CLOSED_WITHOUT_GAME = {
    Status.CANCELLED: _CANCELLED,
    Status.EXPIRED: N_("This table was closed after an hour without activity."),
    Status.ASIDE: N_(
        "This game was put aside to make room for another table. You can resume it once I have that game again."
    ),
    Status.HELD_ASIDE: N_("This table couldn't continue, so it was put aside to make room for another."),
}
"""The texts of orphans that are closed or put aside."""

_MAX_LATE_PICTURES: Final = 64
_MAX_ROLLS: Final = 4096


_SentT = TypeVar("_SentT")
_Send: TypeAlias = Callable[[MessageContent], Awaitable[_SentT]]


class _SendWords(Protocol):
    """Sends only the words of content."""

    def __call__(self, content: MessageContent, /, *, has_new_buttons: bool) -> Awaitable[object]:
        """Send the words, and the buttons if they are new."""


class _ShownRoll(NamedTuple):
    """A roll that moved in a table's picture."""

    step: int
    """The step that it made."""
    picture: PictureFile
    has_words: bool
    """Whether the words tell what it brought, as they do at once unless it is a moment."""
    has_buttons: bool
    """Whether the buttons are those of the position after it."""


class DiscordTableMessages:
    """Renders tables, and posts and edits their messages with the bot's token.

    Outside, a table's message is ephemeral: an answer to its player posts it, and the tokens of clicks edit it.
    """

    def __init__(
        self,
        message_client: MessageClient,
        drafts: Drafts,
        picture_attacher: PictureAttacher,
        parts: TableParts,
        language_of: Callable[[Location, int], Awaitable[Language]],
    ) -> None:
        self.message_client = message_client
        self.drafts = drafts
        self.picture_attacher = picture_attacher
        self.parts = parts
        self.ephemeral_messages = EphemeralMessages()
        """The newest private messages, those of tables outside among them."""
        self.has_talk_below: Callable[[int, int], bool] = lambda _channel_id, _message_id: False
        """Returns whether anything stands below a message in a channel, as far as it is known."""
        self._language_of = language_of
        self._late_pictures: LRUCache[TableId, asyncio.Future[PictureFile]] = LRUCache(_MAX_LATE_PICTURES)
        self._files: LRUCache[TableId, str] = LRUCache(_MAX_ROLLS)
        """The names of the files that show the tables."""
        self._rolls: LRUCache[TableId, _ShownRoll] = LRUCache(_MAX_ROLLS)
        """The newest roll that moved at each table, so that none moves twice."""

    def clear(self) -> None:
        """Forget the late pictures, and those of rolls."""
        self._late_pictures.clear()
        self._rolls.clear()

    async def language_of(self, header: Header) -> Language:
        """Return the language of a table: its place's, or that of the person who alone sees it."""
        return await self._language_of(header.location, header.opener_id)

    async def load_news(self, table: Table) -> None:
        """Load the features' facts about a finished table; call this before `build_content`."""
        await self.parts.load(table)

    async def build(self, table: Table) -> MessageContent:
        """Return the content that shows a table to everyone, without its picture."""
        with speaking(await self.language_of(table.header)):
            await self.load_news(table)
            return self.build_content(table)

    def build_content(self, table: Table) -> MessageContent:
        """Return the content that shows a table, in the language that is spoken now."""
        if self.parts.tip is None:
            return self._build_content(table, None)
        tip = self.parts.tip.find(table)
        self.parts.tip.note_shown(table, tip)
        return self._build_content(table, tip)

    async def build_with_picture(self, table: Table) -> MessageContent:
        """Return the content that shows a table with its picture; a picture that takes too long follows later."""
        content = await self.attach(table, self.picture_attacher.attach)
        if content.late_picture is not None:
            self._late_pictures[table.id] = content.late_picture
        return content

    async def attach(
        self, table: Table, attach: Callable[[MessageContent, Location], Awaitable[MessageContent]]
    ) -> MessageContent:
        """Return the content that shows a table with its picture, in which a roll moves if nobody has seen it yet.

        Args:
            table: The table.
            attach: Attaches the picture.
        """
        with speaking(await self.language_of(table.header)):
            await self.load_news(table)
            content = replace(self.build_content(table), roll=self._find_roll(table))
            content = await attach(content, table.header.location)
        self._note_roll(table, content)
        return content

    async def build_waiting(self, table: Table) -> MessageContent | None:
        """Return an embed in which a die rolls until the table's late picture comes; None if that can't be shown.

        The earlier picture stays meanwhile.
        """
        file = self._files.get(table.id)
        if file is None or not OWN_EMOJI.replaces(ROLLING_DIE):
            return None
        with speaking(await self.language_of(table.header)):
            content = self.build_content(table)
            before = {} if table.before is None else render_suspense(table.before).embed_json
        embed = {
            **content.text_embed_json,
            **content.picture_embed_json,
            **before,
            "description": f"{ROLLING_DIE}\n{EMPTY_LINE}",
        }
        return MessageContent(embed, picture=PictureFile(b"", file, ""))

    def rolling_seconds(self, table: Table) -> float:
        """Return how long dice moved in the picture that shows the newest step of a table; 0 if they did not."""
        roll = self._roll_of(table)
        return 0.0 if roll is None else roll.picture.rolling_seconds

    def awaits_words(self, table: Table) -> bool:
        """Return whether the words of a table are to follow as soon as its dice rest."""
        roll = self._roll_of(table)
        return roll is not None and not roll.has_words

    def _roll_of(self, table: Table) -> _ShownRoll | None:
        roll: _ShownRoll | None = self._rolls.get(table.id)
        return roll if roll is not None and roll.step == table.header.step else None

    def _find_roll(self, table: Table) -> Roll | None:
        """Return the newest move as a roll, if it is one that nobody has seen."""
        is_new = table.header.published < table.header.revision and self._roll_of(table) is None
        if table.before is None or not is_new:
            return None
        people = frozenset(occupant.user_id for occupant in table.seats if occupant.user_id is not None)
        # New buttons would tell what was rolled, so they wait unless a person would have to wait for them.
        may_wait = table.header.status is Status.FINISHED or table.header.awaits_computer
        return Roll(people, partial(render_suspense, table.before, self.parts if may_wait else None))

    def _note_roll(self, table: Table, content: MessageContent) -> None:
        if content.picture is not None:
            self._files[table.id] = content.picture.name
        else:
            self._files.pop(table.id, None)
        if content.picture is not None and content.picture.rolling_seconds:
            suspense = content.suspense
            has_buttons = suspense is None or suspense.rows is None
            self._rolls[table.id] = _ShownRoll(table.header.step, content.picture, suspense is None, has_buttons)
        elif (roll := self._roll_of(table)) is not None:
            self._rolls[table.id] = roll._replace(has_words=True)

    def take_late_picture(self, table_id: TableId) -> asyncio.Future[PictureFile] | None:
        """Return, once, the picture that was not drawn in time when the table was last shown."""
        late: asyncio.Future[PictureFile] | None = self._late_pictures.pop(table_id, None)
        return late

    def _build_content(self, table: Table, tip: Tip | None) -> MessageContent:
        match table.header.status:
            case Status.LOBBY:
                return render_lobby(table, self.parts)
            case Status.PLAYING | Status.FINISHED if table.state is not None:
                draft = self.drafts.of(table)
                return render_game(table, draft, self.parts, tip)
            case Status.ASIDE | Status.HELD_ASIDE:
                return render_put_aside(table)
            case _:
                return render_closed(table, _closed_text(table), self.parts)

    @asynccontextmanager
    async def reserve_post(self, table: Table, *, is_urgent: bool = True) -> AsyncIterator[ShowTable]:
        """Wait for the permit to post a table, and yield a function that posts it."""
        channel_id, urgency = table.header.location.channel_id, Urgency.POST if is_urgent else Urgency.REFRESH
        async with self.message_client.permit("POST", channel_id, urgency) as permit:

            async def send(content: MessageContent) -> Json:
                message: Json = await self.message_client.send(post_request(channel_id, content), permit)
                return message

            async def post(now: Table) -> int:
                return id_of(await self._show(now, send))

            yield post

    @asynccontextmanager
    async def reserve_edit(self, table: Table, *, is_new: bool) -> AsyncIterator[ShowTable]:
        """Wait for the permit to edit a table's message, and yield a function that edits it.

        The token of a click needs no permit.
        """
        if table.header.location.is_outside:
            yield self._edit_privately
            return
        channel_id, urgency = table.header.location.channel_id, Urgency.EDIT if is_new else Urgency.REFRESH
        async with self.message_client.permit("PATCH", channel_id, urgency) as permit:

            async def edit(now: Table) -> int:
                message_id = now.header.message_id or 0

                async def send(content: MessageContent) -> object:
                    return await self.message_client.send(edit_request(channel_id, message_id, content), permit)

                async def send_words(content: MessageContent, *, has_new_buttons: bool) -> object:
                    request = words_request(channel_id, message_id, content, has_new_buttons=has_new_buttons)
                    return await self.message_client.send(request, permit)

                await self._edit(now, send, send_words)
                return message_id

            yield edit

    async def _edit(self, table: Table, send: _Send[object], send_words: _SendWords) -> None:
        """Edit the message of a table.

        When the dice of a moment rest, words alone tell what they brought: the picture stays, so that nothing is loaded
        again.
        """
        roll = self._roll_of(table)
        if roll is None or roll.has_words:
            await self._show(table, send)
            return
        content = (await self.build(table)).with_picture(roll.picture)
        try:
            await send_words(content, has_new_buttons=not roll.has_buttons)
        except NETWORK_ERRORS as fault:
            raise classify_error(fault) from fault
        self._rolls[table.id] = roll._replace(has_words=True)

    async def _show(self, table: Table, send: _Send[_SentT]) -> _SentT:
        """Send a table, without its picture if Discord refuses the file."""
        content = await self.build_with_picture(table)
        try:
            with self.sending(table):
                return await send_with_fallback(content, send, partial(self.note_refusal, table))
        except NETWORK_ERRORS as fault:
            raise classify_error(fault) from fault

    def can_reach(self, table: Table) -> bool:
        """Return whether the message of a table can be edited; outside, only with the token of a recent click."""
        return not table.header.location.is_outside or self._find_private_message(table) is not None

    async def post_privately(self, interaction: Interaction, table: Table) -> int:
        """Post a table outside as an answer that its player alone sees, and return the message's id."""

        async def send(content: MessageContent) -> EphemeralMessage:
            return await send_ephemeral(interaction, **content.send_kwargs())

        message = await self._show(table, send)
        if message.message_id is None:
            raise DeliveryFailed("Discord's answer lacks the id")
        self.ephemeral_messages.replace_previous(interaction, EphemeralKind.TABLE, table.id, message)
        return message.message_id

    def note_answered(self, click: Interaction, table: Table) -> None:
        """Use the token of an answered click for later edits, if it was on the message of a table outside."""
        message_id = click.message.id if click.message is not None else None
        if table.header.location.is_outside and message_id == table.header.message_id and not is_thinking(click):
            message = original_response_of(click, message_id)
            self.ephemeral_messages.replace_previous(click, EphemeralKind.TABLE, table.id, message)

    def _find_private_message(self, table: Table) -> EphemeralMessage | None:
        """Return the message of a table outside while a token can edit it."""
        newest = self.ephemeral_messages.newest(table.header.location.solo_id, EphemeralKind.TABLE, table.id)
        return next((each for each in newest if each.message_id == table.header.message_id), None)

    async def _edit_privately(self, table: Table) -> int:
        """Edit the message of a table outside; if that fails, its player sees the table in the answer to a click.

        Raises:
            MessageGone: The message is gone, or the token has expired.
            DeliveryFailed: Editing failed for now.
        """
        message = self._find_private_message(table)
        if message is None or message.message_id is None:
            raise MessageGone("no token can edit the message")

        async def send(content: MessageContent) -> object:
            return await message.edit(**content.edit_kwargs())

        async def send_words(content: MessageContent, *, has_new_buttons: bool) -> object:
            buttons = {"view": content.view()} if has_new_buttons else {}
            return await message.edit(embed=content.embed_to_send(), **buttons)

        try:
            await self._edit(table, send, send_words)
        except RetryLater as fault:
            raise DiscordUnavailable(str(fault)) from fault
        except ChannelUnreachable as fault:
            raise MessageGone(str(fault)) from fault
        return message.message_id

    @contextmanager
    def sending(self, table: Table) -> Iterator[None]:
        """Forget a roll in a picture that the body fails to send."""
        try:
            yield
        except BaseException:
            self._rolls.pop(table.id, None)
            raise

    def note_refusal(self, table: Table, refusal: discord.HTTPException) -> None:
        """Note that Discord refused a table's picture, so that the words are all there is."""
        self._rolls.pop(table.id, None)
        self.picture_attacher.note_refusal(table.header.location, refusal)

    async def remove(self, table: Table, message_id: int) -> None:
        """Delete a message that is replaced or about a cancelled table, or leave one line in its place.

        A replaced message that can't be deleted becomes a link to the present one. Where people have written below a
        table that was cancelled, its message becomes a line that says so.
        """
        if table.header.location.is_outside:
            # A newer message has replaced another one already.
            if message_id == table.header.message_id:
                self.ephemeral_messages.dismiss(table.header.location.solo_id, EphemeralKind.TABLE, table.id)
            return
        with speaking(await self.language_of(table.header)):
            await self._remove(table, message_id)

    async def _remove(self, table: Table, message_id: int) -> None:
        channel_id = table.header.location.channel_id
        if message_id == table.header.message_id and self.has_talk_below(channel_id, message_id):
            line = edit_text_request(channel_id, message_id, f"{SMALL_PRINT}{_closed_text(table)}")
            try:
                await self.message_client.send_with_retries(line, Urgency.DELETION)
            except NETWORK_ERRORS as fault:
                raise classify_error(fault) from fault
            return
        try:
            await self.message_client.send_with_retries(delete_request(channel_id, message_id), Urgency.DELETION)
        except NETWORK_ERRORS as fault:
            failure = classify_error(fault)
            if isinstance(failure, MessageGone | ChannelDeleted) or table.header.message_id in (None, message_id):
                raise failure from fault
            line = edit_text_request(channel_id, message_id, moved_text(table))
            try:
                await self.message_client.send_with_retries(line, Urgency.DELETION)
            except NETWORK_ERRORS:
                raise failure from fault

    async def mark_closed(self, header: Header) -> None:
        """Edit an orphan's message so that it says how the table ended; only log failures."""
        if header.message_id is None or header.location.is_outside:
            return
        with speaking(await self.language_of(header)):
            text = _(_CLOSED_WITHOUT_GAME[header.status])
        content = MessageContent(discord.Embed(description=text, colour=PLAIN_COLOUR).to_dict())
        try:
            await self.message_client.send_with_retries(
                edit_request(header.location.channel_id, header.message_id, content), Urgency.EDIT
            )
        except NETWORK_ERRORS as fault:
            log.info("message %s could not be edited: %s", header.message_id, fault)


def _closed_text(table: Table) -> str:
    """Return the sentence that says how a table ended without a result, or that it is on hold."""
    text = _(_AGREED if table.is_closed_by_agreement else _CLOSED.get(table.header.status, _HELD))
    if (closed_by := table.header.closed_by) is not None:
        text = _(_CANCELLED_BY[closed_by])
    return text.format(command=table.package.game.info.command, name=opener_name(table))
