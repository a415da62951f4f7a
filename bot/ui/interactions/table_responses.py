"""Answers to clicks on a table: the table as it stands now, wherever the answer can show it."""

import contextlib
from functools import partial
from typing import Any, Final

import discord

from bot.tables.runtime.host import Host
from bot.tables.runtime.publisher import Asleep, Carrier, MessageGone, TooManyEdits
from bot.tables.table import Table
from bot.ui.delivery.http import NETWORK_FAULTS
from bot.ui.delivery.picture_attachments import StillDrawing, sent
from bot.ui.delivery.table_messages import MOVED, DiscordBoard, verdict
from bot.ui.interactions.callback_client import NotTaken, Postman
from bot.ui.interactions.context import permissions_note
from bot.ui.interactions.responses import (
    acknowledge,
    has_answer,
    is_announced,
    is_answered,
    is_gone,
    overtaken,
    require_unanswered,
    whisper,
)
from bot.ui.render.links import jump_link
from bot.ui.render.message import Frame
from bot.words import N_, gettext as _

Click = discord.Interaction[Any]

_ARCHIVED = N_(
    "That is saved, but this thread is archived, so the table can't be shown here. "
    "Write something in the thread, then type `/table show`."
)
_PATIENCE_SECONDS: Final = 10.0
"""How long a click waits for an edit under way, where nothing but the click itself can show the table."""


class Answers:
    """Answers clicks on tables, or leaves it to the publisher to show what came of them."""

    def __init__(self, host: Host, board: DiscordBoard, postman: Postman) -> None:
        self._host = host
        self._board = board
        self._postman = postman

    async def show(self, click: Click, table: Table) -> None:
        """Answer with the table as it stands now, or acknowledge and let the publisher show it."""
        await self._carry(click, table, self._whole(click), again=False)

    async def catch_up(self, click: Click, table: Table, revision: int) -> None:
        """Show the table as it stands now in a message that shows an earlier revision of it, if that is possible.

        Whatever else the click asks for is to be answered after it.
        """
        if revision < table.header.revision:
            with contextlib.suppress(StillDrawing, NotTaken, discord.InteractionResponded, *NETWORK_FAULTS):
                await self._carried(click, table, self._whole(click))

    async def show_draft(self, click: Click, table: Table) -> None:
        """Answer with the buttons alone: nothing else on the table has changed, unless the answer had to wait."""
        whole = self._whole(click)

        async def send(now: Table) -> int:
            if now.header.revision != table.header.revision:
                return await whole(now)
            await self._edit(click, self._board.frame(now), buttons_alone=True)
            return _message_id(click)

        await self._carry(click, table, send, again=True)

    async def _carry(self, click: Click, table: Table, send: Carrier, *, again: bool) -> None:
        publisher = self._host.publisher
        if has_answer(click) and not permissions_note(click):
            publisher.wake(table.id, again=again)
            return
        try:
            if await self._carried(click, table, send):
                return
        except (StillDrawing, NotTaken) as fault:
            # Whoever waits for Discord here keeps nobody else from the table, which the publisher shows.
            publisher.wake(table.id, again=again)
            await acknowledge(click)
            if isinstance(fault, NotTaken) and permissions_note(click):
                await self.catch_up(click, table, table.header.revision - 1)
            return
        except discord.InteractionResponded:
            publisher.wake(table.id, again=again)
            return
        except discord.HTTPException as fault:
            if not overtaken(fault):
                await self._answer_without(click, fault)
            publisher.wake(table.id, again=True)
            return
        publisher.wake(table.id, again=again)
        await self._point_on(click, await self._host.service.table(table.id))

    async def _carried(self, click: Click, table: Table, send: Carrier) -> bool:
        """Show the table by answering a click, if that is possible now; tell whether it was.

        Whoever has brought a table up to date is told why it was not, if that can be mended.
        """
        publisher, note = self._host.publisher, permissions_note(click)
        was_stuck = publisher.is_stuck(table.id)
        patience = _PATIENCE_SECONDS if note else 0.0
        if not await publisher.carry(table.id, _message_id(click), send, patience=patience):
            return False
        if was_stuck and note:
            await whisper(click, note)
        return True

    def _whole(self, click: Click) -> Carrier:
        """Return what shows a whole table in the message that was clicked."""
        self._board.easel.heed(click)

        async def send(now: Table) -> int:
            drawn = self._board.easel.hung if permissions_note(click) else self._board.easel.in_time
            frame = await drawn(self._board.frame(now), now.header.place)
            await sent(frame, partial(self._edit, click))
            return _message_id(click)

        return send

    async def _edit(self, click: Click, frame: Frame, *, buttons_alone: bool = False) -> None:
        """Edit the message that was clicked; raises InteractionResponded where the publisher has to do it.

        The click can still reach its message after it was answered, where the bot itself may not.
        """
        if permissions_note(click) and await is_answered(click) and not is_announced(click):
            await self._postman.update_later(click, frame, buttons_alone=buttons_alone)
        else:
            await require_unanswered(click)
            await self._postman.update(click, frame, buttons_alone=buttons_alone)

    async def _answer_without(self, click: Click, fault: discord.HTTPException) -> None:
        """Answer a click whose message can't be edited; raises what has nothing to do with the message."""
        match verdict(fault):
            case Asleep():
                await whisper(click, _(_ARCHIVED))
            case MessageGone():
                await acknowledge(click)
            case _:
                raise fault

    async def _point_on(self, click: Click, table: Table) -> None:
        """Acknowledge a click; a message that shows the table no longer becomes a pointer to the one that does."""
        if table.header.message_id in (None, _message_id(click)) or await is_answered(click):
            await acknowledge(click)
        else:
            await self._replace(click, _(MOVED).format(link=jump_link(table)))

    async def _replace(self, click: Click, text: str) -> None:
        """Answer with a text in place of the message that was clicked, or in private where that can't be changed."""
        try:
            await self._postman.replace(click, text)
        except NotTaken:
            await whisper(click, text)
        except discord.HTTPException as fault:
            if is_gone(fault):
                await acknowledge(click)
            elif isinstance(verdict(fault), TooManyEdits):
                await whisper(click, text)
            else:
                raise


def _message_id(click: Click) -> int:
    return click.message.id if click.message is not None else 0
