"""Responses to interactions: deferring, acknowledging, ephemeral and public messages, and late pictures."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeAlias, TypeVar

import discord

from bot.languages import Language, current_language, speak, speaking
from bot.pictures.service import PictureFile
from bot.platform.discord.content import MessageContent
from bot.platform.discord.direction import turn_text
from bot.platform.discord.http import NETWORK_ERRORS, MalformedAnswer, reading
from bot.platform.discord.picture_attachments import send_with_fallback
from bot.platform.discord.queues import QueuePlace
from bot.platform.discord.refusals import ClickReason
from bot.platform.tasks import TaskSet
from bot.rules.refusals import Refusal

log = logging.getLogger(__name__)

Interaction: TypeAlias = discord.Interaction[Any]

DEFER_AFTER_SECONDS = 1.5

_DEFERRAL = "deferral"
_THINKING = "announced"
_ANSWERED = "answered"
_PLACE = "place"
_LANGUAGE = "language of the place"
_KEPT = "kept"
"""Keys of notes in the extras of an interaction."""

UNKNOWN_INTERACTION = 10062
ALREADY_ACKNOWLEDGED = 40060
_TOKEN_EXPIRED = (10015, 50027)
"""Discord's error codes for an interaction older than 15 minutes."""
_GONE = (10008, 10015)
"""Discord's error codes for a message that was deleted or dismissed."""


_MOST_SECONDS: Final = 600.0
"""How long a picture may take; the token of an interaction edits messages for 15 minutes."""

EditMessage: TypeAlias = Callable[..., Awaitable[object]]
"""Edits a message with the token of its interaction."""

_waiting: Final = TaskSet("late picture")
"""A task for each message that still lacks its picture."""

OwnerT = TypeVar("OwnerT")
_ResponseT = TypeVar("_ResponseT")
P = ParamSpec("P")
_Handler: TypeAlias = Callable[Concatenate[OwnerT, Interaction, P], Coroutine[Any, Any, None]]


@dataclass(frozen=True, slots=True)
class EphemeralMessage:
    """A message that only one user sees."""

    message_id: int | None
    delete: Callable[[], Awaitable[None]]
    """Deletes the message, while the token of its interaction is valid."""
    edit: Callable[..., Awaitable[object]]
    """Edits the message, while the token is valid."""

    async def try_edit(self, text: str) -> None:
        """Replace the message's text, unless its user has dismissed it or Discord fails."""
        try:
            await self.edit(content=turn_text(text))
        except NETWORK_ERRORS as fault:
            log.debug("a private message can't be edited: %s", fault)


async def defer_if_slow(interaction: Interaction, work: Coroutine[Any, Any, None]) -> None:
    """Do the work, and defer the response if the work takes long, because Discord expects a response within 3 s.

    A deferred response to a command is ephemeral, because it may be a refusal.
    """
    schedule_deferral(interaction)
    try:
        await work
    finally:
        await has_settled_response(interaction)
    await delete_unused_deferral(interaction)


def deferred_if_slow(handler: _Handler[OwnerT, P]) -> _Handler[OwnerT, P]:
    """Decorate a method that answers an interaction, to run it with `defer_if_slow`."""

    @wraps(handler)
    async def handle(owner: OwnerT, interaction: Interaction, /, *args: P.args, **kwargs: P.kwargs) -> None:
        await defer_if_slow(interaction, handler(owner, interaction, *args, **kwargs))

    return handle


def schedule_deferral(interaction: Interaction) -> None:
    """Defer the response if there is none some time after the first call."""

    async def defer_unless_unreachable() -> None:
        with contextlib.suppress(*NETWORK_ERRORS):
            await defer(interaction)

    if _DEFERRAL not in interaction.extras:
        deferral = interaction.extras[_DEFERRAL] = TaskSet(_DEFERRAL)
        deferral.start_later(interaction.id, DEFER_AFTER_SECONDS, defer_unless_unreachable)


async def delete_unused_deferral(interaction: Interaction) -> None:
    """Delete a "thinking" message without content; another process has given the response."""
    if interaction.extras.pop(_THINKING, False):
        with contextlib.suppress(*NETWORK_ERRORS), reading():
            await interaction.delete_original_response()


async def has_settled_response(interaction: Interaction) -> bool:
    """Return whether there is an initial response; if not, the caller must give it now.

    First cancel or await the pending deferral, because Discord accepts only one initial response.
    """
    deferral: TaskSet | None = interaction.extras.get(_DEFERRAL)
    if deferral is not None:
        deferral.cancel_pending(interaction.id)
        await deferral.finish()
    return has_response(interaction)


def has_response(interaction: Interaction) -> bool:
    """Return whether there is an initial response by now; a deferral may be in progress."""
    return _ANSWERED in interaction.extras


def is_thinking(interaction: Interaction) -> bool:
    """Return whether an ephemeral "thinking" message waits for its content."""
    return bool(interaction.extras.get(_THINKING))


def mark_responded(interaction: Interaction) -> None:
    """Note that there is an initial response.

    discord.py's `Interaction.response` only knows its own responses, and accessing it creates a reference cycle. The 40
    objects of a click would wait for the garbage collector, which took a tenth of the time of a click.
    """
    interaction.extras[_ANSWERED] = True


async def _respond(interaction: Interaction, response: Awaitable[_ResponseT]) -> _ResponseT | None:
    """Give the initial response through discord.py; return None if Discord accepts it without a readable reply."""
    try:
        with reading():
            sent = await response
    except MalformedAnswer:
        if not interaction.response.is_done():
            raise
        sent = None
    mark_responded(interaction)
    return sent


async def require_no_response(interaction: Interaction) -> None:
    """Raise InteractionResponded if the interaction already has a response."""
    if await has_settled_response(interaction):
        raise discord.InteractionResponded(interaction)


async def acknowledge(click: Interaction) -> None:
    """Acknowledge the click (deferred update) if it has no response yet, even if its message is gone."""
    if not await has_settled_response(click):
        await defer(click)


async def defer(interaction: Interaction) -> None:
    """Defer the (ephemeral) answer to a command, or the update of the clicked message.

    If the clicked message is gone, send an ephemeral "thinking" message instead. `delete_unused_deferral` deletes it if
    it gets no content.
    """
    if is_command(interaction):
        await _respond(interaction, interaction.response.defer(ephemeral=True))
        interaction.extras[_THINKING] = True
        return
    try:
        await _respond(interaction, interaction.response.defer())
    except discord.HTTPException as fault:
        if not is_gone(fault):
            raise
        await _respond(interaction, interaction.response.defer(ephemeral=True, thinking=True))
        interaction.extras[_THINKING] = True


async def send_ephemeral(
    interaction: Interaction,
    text: str = "",
    *,
    embed: discord.Embed | None = None,
    view: discord.ui.View | None = None,
    file: discord.File | None = None,
) -> EphemeralMessage:
    """Send a message that only the user of the interaction sees."""
    text = turn_text(text)
    given = {"embed": embed, "view": view, "file": file}
    # discord.py treats None as a value, not as a missing argument.
    extras: dict[str, Any] = {name: each for name, each in given.items() if each is not None}
    if await has_settled_response(interaction):
        interaction.extras[_THINKING] = False
        with reading():
            message = await interaction.followup.send(text, ephemeral=True, wait=True, **extras)
        return _make_ephemeral_message(interaction, message.id, message.id)
    response = await _respond(interaction, interaction.response.send_message(text, ephemeral=True, **extras))
    return original_response_of(interaction, None if response is None else response.message_id)


def original_response_of(interaction: Interaction, message_id: int | None) -> EphemeralMessage:
    """Return the initial response of an interaction.

    Callers keep the response for 14 minutes, so it holds only the token, not the interaction with all its data.
    """
    return _make_ephemeral_message(interaction, message_id, "@original")


def _make_ephemeral_message(interaction: Interaction, message_id: int | None, address: Any) -> EphemeralMessage:
    followup = interaction.followup
    return EphemeralMessage(
        message_id, partial(_read, followup.delete_message, address), partial(_read, followup.edit_message, address)
    )


async def _read(request: Callable[..., Awaitable[object]], *arguments: Any, **options: Any) -> None:
    """Send a request through discord.py, which reads the answer although nobody uses it."""
    with reading():
        await request(*arguments, **options)


def keep_clicked_message(click: Interaction) -> None:
    """Keep the clicked message, although it is ephemeral: private answers to the click are messages of their own."""
    click.extras[_KEPT] = True


def is_ephemeral(click: Interaction) -> bool:
    """Return whether the clicked message is an ephemeral one that the answer may replace.

    A forged custom id may be on any message.
    """
    return click.message is not None and click.message.flags.ephemeral and _KEPT not in click.extras


async def edit_clicked_message(click: Interaction, **kwargs: Any) -> bool:
    """Edit the clicked message, in the initial response or afterwards.

    Returns:
        False if the message is gone, because a newer one has replaced it or the user has dismissed it. The click is
        acknowledged in that case.
    """
    drop_late_picture(click.message.id if click.message else None)
    if "content" in kwargs:
        kwargs["content"] = turn_text(kwargs["content"])
    try:
        if not await has_settled_response(click):
            await _respond(click, click.response.edit_message(**kwargs))
        elif not is_thinking(click):
            await _read(click.edit_original_response, **kwargs)
        else:
            # The message was gone when the click was deferred.
            return False
    except discord.HTTPException as fault:
        if not is_gone(fault):
            raise
        await acknowledge(click)
        return False
    return True


async def delete_clicked(click: Interaction) -> None:
    """Delete the clicked message if it is ephemeral, unless its user has dismissed it."""
    await acknowledge(click)
    if is_ephemeral(click):
        with contextlib.suppress(*NETWORK_ERRORS), reading():
            await click.delete_original_response()


async def finish(click: Interaction, text: str, view: discord.ui.View | None = None) -> None:
    """Replace the clicked question or panel with a text, or send the text if the clicked message is public."""
    if is_ephemeral(click):
        await edit_clicked_message(click, content=text, embed=None, view=view, attachments=[])
    else:
        await send_ephemeral(click, text, view=view)


async def post_content(click: Interaction, content: MessageContent) -> int:
    """Post content in the channel of an acknowledged click, without mentions, and return the message's id.

    A late picture follows once it is drawn.
    """
    message_id = await post(click, **content.send_kwargs())
    add_when_drawn(content, message_id, partial(click.followup.edit_message, message_id))
    return message_id


async def post(click: Interaction, text: str = "", **content: Any) -> int:
    """Post arguments of `Webhook.send` in the channel of an acknowledged click, and return the message's id."""
    mentions = discord.AllowedMentions.none()
    with reading():
        message = await click.followup.send(
            turn_text(text), ephemeral=False, wait=True, allowed_mentions=mentions, **content
        )
    return message.id


def is_command(interaction: Interaction) -> bool:
    """Return whether the interaction is a slash command."""
    return interaction.type is discord.InteractionType.application_command


def is_gone(fault: BaseException) -> bool:
    """Return whether Discord says that the message to be edited or deleted is gone."""
    return isinstance(fault, discord.HTTPException) and fault.code in _GONE


def is_overtaken(fault: BaseException) -> bool:
    """Return whether Discord says that an interaction has expired or was already answered."""
    return isinstance(fault, discord.HTTPException) and fault.code in (
        UNKNOWN_INTERACTION,
        ALREADY_ACKNOWLEDGED,
        *_TOKEN_EXPIRED,
    )


def note_place(interaction: Interaction, place: QueuePlace) -> None:
    """Note the place of an interaction in its user's queue."""
    interaction.extras[_PLACE] = place


def note_languages(interaction: Interaction, persons: Language, places: Language) -> None:
    """Speak the language of the person who acts from now on, and note that of the place."""
    speak(persons)
    interaction.extras[_LANGUAGE] = places


def speaking_to_everyone(interaction: Interaction) -> contextlib.AbstractContextManager[None]:
    """Speak the language of the place within the block, because everyone there sees what is posted."""
    return speaking(interaction.extras.get(_LANGUAGE, current_language()))


def begin_long_answer(interaction: Interaction) -> None:
    """Give the interaction's place in the queue to the user's next click, because its answer may take minutes.

    Raises:
        Refusal: The user has the maximum of long answers already.
    """
    place: QueuePlace | None = interaction.extras.get(_PLACE)
    if place is not None and not place.leave():
        raise Refusal(ClickReason.TOO_MANY_LONG_ANSWERS)


def add_when_drawn(content: MessageContent, message_id: int | None, edit: EditMessage) -> None:
    """Edit a message once the late picture of its content is drawn, unless the message has changed by then."""
    if content.late_picture is not None and message_id is not None:
        drop_late_picture(message_id)
        _waiting.start(message_id, _add(content, content.late_picture, edit))


def drop_late_picture(message_id: int | None) -> None:
    """Cancel the late picture of a message that is about to change."""
    _waiting.cancel_running(message_id)


def clear_late_pictures() -> None:
    """Cancel all late pictures, because they may show a person who was deleted."""
    _waiting.cancel_all_running()


async def _add(content: MessageContent, drawing: asyncio.Future[PictureFile], edit: EditMessage) -> None:
    try:
        async with asyncio.timeout(_MOST_SECONDS):
            drawn = content.with_picture(await asyncio.shield(drawing))
    except Exception:
        log.exception("a late picture could not be drawn; its message stays in words")
        return

    async def send(shown: MessageContent) -> None:
        await edit(**shown.edit_kwargs())

    try:
        await send_with_fallback(drawn, send)
    except NETWORK_ERRORS as fault:
        log.info("a late picture was not added to its message: %s", fault)
