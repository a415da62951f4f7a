"""Buttons that open another table, or do something about an idle one."""

from typing import TypeAlias

from bot.features.help.ids import LessonId
from bot.features.idle_tables.handlers import IdleTableCommands
from bot.features.idle_tables.put_aside_offer import RefusalWithOffer, with_put_aside_offer
from bot.features.lessons.handlers import Lessons
from bot.features.settings.rules import ServerRules
from bot.platform.discord.answers import Interaction, acknowledge, finish, send_ephemeral
from bot.platform.discord.context import person_of, require_permissions
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables.handlers.answers import clicked_table
from bot.tables.handlers.ids import NextTableId, OpenTableId, PlayAgainId, PutAsideId, ResumeId, StillPlayingId
from bot.tables.handlers.lobby import has_seat_in_next_lobby
from bot.tables.model import Status, TableId
from bot.tables.refusals import HostReason, Stale, refused_table
from bot.tables.service import TableService
from bot.tables.shown.links import table_link
from bot.tables.table import Table
from bot.words import gettext as _

TableRequestId: TypeAlias = PlayAgainId | NextTableId | OpenTableId | LessonId | PutAsideId | ResumeId | StillPlayingId


class TableRequests:
    """Opens tables, lessons and the next tables of a series, and puts aside, resumes and keeps open idle ones."""

    def __init__(
        self, service: TableService, idle_tables: IdleTableCommands, lessons: Lessons, rules: ServerRules
    ) -> None:
        self._service = service
        self._rules = rules
        self._idle_tables = idle_tables
        self._lessons = lessons

    async def press(self, click: Interaction, pressed: TableRequestId) -> None:
        """Do what a button asks for."""
        match pressed:
            case PlayAgainId() | NextTableId():
                if await self._open_next(click, pressed):
                    await finish(click, _("The next table is at the end of this channel."))
            case OpenTableId():
                await finish(click, await self._idle_tables.open(click, pressed))
            case LessonId(game):
                await self._lessons.press(click, game)
            case PutAsideId():
                await self._put_aside_then(click, pressed)
            case ResumeId(table_id):
                await self._idle_tables.resume(click, (await self._table(click, table_id)).id)
            case StillPlayingId(table_id):
                await self._idle_tables.keep_open(click, await self._table(click, table_id))

    async def _open_next(self, click: Interaction, pressed: PlayAgainId | NextTableId) -> bool:
        """Open the table that follows a finished one; return whether this click did, and is still to be answered."""
        require_permissions(click)
        table, person = await self._table(click, pressed.table_id), person_of(click)
        if isinstance(pressed, PlayAgainId):
            await self._require_may_play_again(click, table, person)
        open_next = self._service.continue_series if isinstance(pressed, NextTableId) else self._service.play_again
        try:
            await open_next(table.id, person, click.id)
        except Stale:
            pass
        except Refusal as refusal:
            if refusal.reason is HostReason.NOT_A_PLAYER:
                await self._point_to_lobby(table, person)
            there = refused_table(refusal)
            if there is None or not has_seat_in_next_lobby(table, there, person):
                raise with_put_aside_offer(refusal, pressed) from refusal
            if person.id != there.header.opener_id:
                await send_ephemeral(click, _("The next table is already open: {link}").format(link=table_link(there)))
        else:
            return True
        await acknowledge(click)
        return False

    async def _require_may_play_again(self, click: Interaction, table: Table, person: Person) -> None:
        """Raise a Refusal unless the user may open another table here; the next one may be open already."""
        try:
            await self._rules.require_may_open(click, table.header.game)
        except Refusal:
            await self._point_to_lobby(table, person)
            raise

    async def _point_to_lobby(self, table: Table, person: Person) -> None:
        """Raise a Refusal that says where the person can join, if the channel has a lobby."""
        there = await self._service.open_table_in(table.header.location.channel_id)
        if there is not None and there.header.status is Status.LOBBY:
            raise self._service.place_taken_refusal(there, person.id)

    async def _put_aside_then(self, click: Interaction, pressed: PutAsideId) -> None:
        """Put an idle table aside if nothing else is in the way of a request, and carry out the request."""
        try:
            await self._do_requested(click, pressed.then)
        except Refusal as refusal:
            # What would be refused all the same leaves the table where it is, and so does a forged id.
            if not isinstance(refusal, RefusalWithOffer) or refusal.offer != pressed:
                raise
            await self._idle_tables.put_aside(click, pressed)
            await self._do_requested(click, pressed.then)
        await self._idle_tables.confirm_put_aside(click)

    async def _do_requested(
        self, click: Interaction, request: OpenTableId | PlayAgainId | NextTableId | ResumeId
    ) -> None:
        match request:
            case OpenTableId():
                await self._idle_tables.open(click, request)
            case ResumeId():
                await self.press(click, request)
            case _:
                await self._open_next(click, request)

    async def _table(self, click: Interaction, table_id: TableId) -> Table:
        return await clicked_table(click, self._service, table_id)
