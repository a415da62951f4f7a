"""Opens tables on behalf of commands and buttons: new ones, and those that follow a finished table."""

import contextlib
from collections.abc import Awaitable, Mapping
from dataclasses import replace
from typing import NamedTuple

from bot.features.idle_tables.handlers import IdleTableCommands
from bot.features.idle_tables.messages import Blocked, PutAsideId, RefusalWithOffer, with_put_aside_offer
from bot.features.new_tables.threads import TableThreads, refused_text, thread_text
from bot.features.settings.all_settings import CLOCK
from bot.features.settings.reasons import SettingReason
from bot.features.settings.rights import FIXED
from bot.features.settings.service import ServerRules
from bot.platform.discord.answers import Interaction, acknowledge, deferred_if_slow, finish, send_ephemeral
from bot.platform.discord.channels import ThreadRefused
from bot.platform.discord.context import (
    UPLOADS_ARE_LIMITED,
    attach_files_note,
    location_of,
    person_of,
    require_permissions,
)
from bot.platform.discord.picture_attachments import PictureAttacher
from bot.platform.discord.refusals import ClickReason
from bot.platform.observability.metrics import Ending
from bot.platform.observability.trace import set_table
from bot.platform.places import Location, Person
from bot.rules.game import Options
from bot.rules.options import decode_options
from bot.rules.refusals import Refusal
from bot.tables.aside import is_taken_by_others, place_taken_refusal
from bot.tables.handlers.answers import TABLE_SAVED, TablePosts
from bot.tables.handlers.commands import let_other_process_answer
from bot.tables.handlers.controls import clicked_table
from bot.tables.handlers.ids import DareId, NextTableId, OpenTableId, PlayAgainId, ResumeId, open_table_id
from bot.tables.model import Status
from bot.tables.opening import continue_series, open_game, play_again
from bot.tables.refusals import HostReason, Stale, refused_table
from bot.tables.registry import levels_of
from bot.tables.service import TableService
from bot.tables.shown.links import table_link
from bot.tables.shown.result import strongest_level
from bot.tables.table import Table
from bot.words import gettext as _


class _Order(NamedTuple):
    """What somebody wants to play."""

    game: str
    options: Options
    computers: int
    level: str = ""
    """The level of the computer players; empty for the usual one."""
    is_dare: bool = False
    """Whether it is the dare of a shared result."""
    starts: bool = False
    """Whether the game starts at once."""


class NewTables:
    """Opens tables where the server's settings allow it, in new threads if the server wants them."""

    def __init__(
        self,
        service: TableService,
        posts: TablePosts,
        picture_attacher: PictureAttacher,
        rules: ServerRules,
        *,
        threads: TableThreads,
        idle_tables: IdleTableCommands,
    ) -> None:
        self._service = service
        self._posts = posts
        self._picture_attacher = picture_attacher
        self._rules = rules
        self._threads = threads
        self._idle_tables = idle_tables

    @deferred_if_slow
    async def open(self, command: Interaction, game: str, given: Mapping[str, object], computers: int) -> None:
        """Open a table with the given options, and the server's defaults for the rest; respond with its lobby."""
        location_of(command)
        require_permissions(command)
        await self._rules.require_may_open(command, game)
        options = await self._rules.complete_options(command, game, given)
        await self._rules.require_unfixed(command, game, options)
        note, is_private = "", await self._is_private(command, game, computers)
        if await self._rules.opens_threads(command, is_private=is_private):
            try:
                table = await self._threads.open(command, game, options, computers, is_private=is_private)
            except Stale:
                return  # another process has claimed the command
            except ThreadRefused as refusal:
                note = refused_text(refusal)
            else:
                await send_ephemeral(command, thread_text(table))
                await self._send_picture_note(command, table)
                return
        try:
            order = _Order(game, options, computers)
            table = await self._open_here(command, order, open_table_id(game, options, computers))
        except Stale:
            await let_other_process_answer(command, _(TABLE_SAVED))
            return
        await self._posts.answer_with(command, table)
        await self._send_picture_note(command, table)
        if note := note or await self._threads.missing_note(command, is_private=is_private):
            await send_ephemeral(command, note)

    async def press(self, click: Interaction, request: OpenTableId | DareId) -> None:
        """Open the requested table, and answer with its link."""
        if text := await self._open(click, request):
            await finish(click, text)

    async def press_next(self, click: Interaction, pressed: PlayAgainId | NextTableId) -> None:
        """Open the table that follows a finished one, and answer with its link."""
        if await self._open_next(click, pressed):
            await finish(click, _("The next game is at the end of this channel."))

    async def press_put_aside(self, click: Interaction, pressed: PutAsideId) -> None:
        """Put aside the idle table if nothing else blocks a request, and carry out the request."""
        try:
            await self._carry_out(click, pressed.then)
        except Refusal as refusal:
            # For a forged id, or a request that would be refused anyway, the table stays where it is.
            if not isinstance(refusal, RefusalWithOffer) or refusal.offer != pressed:
                raise
            await self._idle_tables.put_aside(click, pressed)
            await self._carry_out(click, pressed.then)
        await finish(click, _("Done: the old game is put aside, and yours is at the end of this channel."))

    async def _carry_out(self, click: Interaction, request: Blocked) -> None:
        match request:
            case OpenTableId() | DareId():
                await self._open(click, request)
            case ResumeId(table_id):
                await self._idle_tables.resume(click, await clicked_table(click, self._service, table_id))
            case _:
                await self._open_next(click, request)

    async def _open(self, click: Interaction, request: OpenTableId | DareId) -> str:
        """Open the requested table, or find the one that a double click has opened; return a sentence that says so.

        Outside, the table itself is the answer, so the text is empty.
        """
        require_permissions(click)
        order = await self._order_of(click, request)
        await self._rules.require_may_open(click, order.game)
        await self._rules.require_unfixed(click, order.game, order.options, {order.level})
        note, is_private = "", await self._is_private(click, order.game, order.computers)
        if await self._rules.opens_threads(click, is_private=is_private):
            try:
                table = await self._threads.open(
                    click, order.game, order.options, order.computers, order.level, is_private=is_private
                )
                return thread_text(await self._begin(click, order, table))
            except Stale:
                return _("Your table is opening.")
            except ThreadRefused as refusal:
                note = refused_text(refusal)
        with contextlib.suppress(Stale):  # another process has opened the table and shows it
            try:
                table = await self._begin(click, order, await self._open_here(click, order, request))
            except Refusal as refusal:
                # The blocking table may be the lobby that an earlier click has opened.
                there = refused_table(refusal)
                if there is None or there.header.status is not Status.LOBBY:
                    raise
                if (there.header.game, there.header.opener_id) != (order.game, click.user.id):
                    raise
                table = there
            if table.header.location.is_outside:
                await self._posts.answer_with(click, table)
                return ""
        where = _("Your table is at the end of this channel.")
        note = note or await self._threads.missing_note(click, is_private=is_private)
        return "\n".join(filter(None, (where, note)))

    async def _is_private(self, interaction: Interaction, game: str, computers: int) -> bool:
        """Return whether the server wants threads for tables, and a game of one person for its player alone."""
        is_alone = computers > 0 or self._service.games[game].game.info.is_solo
        frees_channel = is_alone and await self._rules.frees_channel(location_of(interaction))
        return frees_channel and await self._rules.wants_threads(interaction)

    async def _order_of(self, click: Interaction, request: OpenTableId | DareId) -> _Order:
        """Return what a button stands for."""
        if isinstance(request, OpenTableId):
            package = self._service.games.get(request.game)
            options = decode_options(package.game.info.options, request.options) if package else None
            if package is None or options is None or request.level not in ("", *levels_of(package)):
                raise Refusal(ClickReason.UNKNOWN_BUTTON)
            return _Order(request.game, options, request.computers, request.level, starts=bool(request.level))
        table = await self._dared_table(click, request)
        computers = sum(who.is_computer for who in table.seats)
        starts = computers > 0 or len(table.seats) == 1
        level = strongest_level(table)
        return _Order(table.header.game, table.options, computers, level, is_dare=True, starts=starts)

    async def _dared_table(self, click: Interaction, dare: DareId) -> Table:
        """Return the table of a result that was shared where it was played, or in the channel of its thread."""
        table = await self._service.table(dare.table_id)
        if table.header.location.is_own_thread and table.header.location.guild_id == click.guild_id:
            return table
        return await clicked_table(click, self._service, dare.table_id)

    async def _begin(self, click: Interaction, order: _Order, table: Table) -> Table:
        """Start the game, once, if it needs no lobby; count a dare."""
        if table.header.status is not Status.LOBBY:
            return table
        if order.is_dare:
            self._service.db.metrics.count_ending(order.game, Ending.DARED)
        return await self._service.start(table.id, person_of(click), click.id) if order.starts else table

    async def _open_here(self, interaction: Interaction, order: _Order, request: OpenTableId | DareId) -> Table:
        """Open a table in the channel itself; a refusal because of an idle table offers to put that table aside."""
        person, location = person_of(interaction), location_of(interaction)
        clock = (await self._rules.settings_of(interaction)).get(CLOCK)
        may_be_solo = order.computers > 0 and await self._rules.frees_channel(location)
        solo = replace(location, solo_id=person.id)
        await self._threads.archive_again(interaction)
        try:
            async with self._rules.pacing(interaction) as limits:

                def open_at(place: Location) -> Awaitable[Table]:
                    return open_game(
                        self._service,
                        order.game,
                        order.options,
                        person,
                        place,
                        click_id=interaction.id,
                        computers=order.computers,
                        level=order.level,
                        clock=clock,
                        limits=limits,
                    )

                try:
                    is_solo = may_be_solo and (order.starts or await self._rules.wants_threads(interaction))
                    table = await open_at(solo if is_solo else location)
                except Refusal as refusal:
                    if not (may_be_solo and is_taken_by_others(refusal, person.id)):
                        raise
                    table = await open_at(solo)
        except Refusal as refusal:
            if refusal.reason is SettingReason.OPENED_JUST_NOW:
                # A repeated click opens no second table.
                await self._point_to_own_table(person, location)
            raise with_put_aside_offer(refusal, request) from refusal
        set_table(table.id, order.game)
        return table

    async def _send_picture_note(self, command: Interaction, table: Table) -> None:
        """Tell a table's opener which permission its pictures need, or that Discord limits uploads."""
        note, location = attach_files_note(command), table.header.location
        if not note and self._picture_attacher.pop_news_of_limit(location):
            note = _(UPLOADS_ARE_LIMITED)
        if note and table.package.look.build_picture and await self._picture_attacher.shows_pictures(location):
            await send_ephemeral(command, note)

    async def _open_next(self, click: Interaction, pressed: PlayAgainId | NextTableId) -> bool:
        """Open the table that follows a finished one; return whether this click did so and still needs an answer."""
        require_permissions(click)
        table, person = await clicked_table(click, self._service, pressed.table_id), person_of(click)
        if isinstance(pressed, PlayAgainId):
            try:
                await self._rules.require_may_open(click, table.header.game)
                levels = {who.level or "" for who in table.seats}
                await self._rules.require_unfixed(click, table.header.game, table.options, levels)
            except Refusal:
                # The next table may be open already.
                await self._point_to_lobby(table, person)
                raise
        try:
            if isinstance(pressed, NextTableId):
                opened = await continue_series(self._service, table.id, person, click.id)
            else:
                limits, chosen = await self._rules.opening_limits(click), await self._rules.settings_of(click)
                fixed, clock = chosen.get(FIXED), chosen.get(CLOCK)
                opened = await play_again(self._service, table.id, person, click.id, limits, fixed=fixed, clock=clock)
        except Stale:
            pass
        except Refusal as refusal:
            await self._sit_down_instead(click, table, pressed, refusal)
        else:
            if not opened.header.location.is_outside:
                return True
            await self._posts.answer_with(click, opened)
        await acknowledge(click)
        return False

    async def _sit_down_instead(
        self, click: Interaction, table: Table, pressed: PlayAgainId | NextTableId, refusal: Refusal
    ) -> None:
        """If the next table is open already, take the seat that it keeps for the person, or name the table.

        Raises:
            Refusal: Another table is open here, or none can be.
        """
        person = person_of(click)
        if refusal.reason is HostReason.NOT_A_PLAYER:
            await self._point_to_lobby(table, person)
        there = refused_table(refusal)
        if there is not None and there.header.game == table.header.game and person.id in there.header.kept:
            there = await self._service.join(there.id, person, click.id)
            await send_ephemeral(click, _("You have a seat in the next game: {link}").format(link=table_link(there)))
        elif there is None or not is_next_table(table, there, person):
            raise with_put_aside_offer(refusal, pressed) from refusal
        elif person.id != there.header.opener_id:
            await send_ephemeral(click, _("The next table is already open: {link}").format(link=table_link(there)))

    async def _point_to_own_table(self, person: Person, location: Location) -> None:
        """If the person has opened a table here, raise a Refusal that names it."""
        for solo_id in (person.id, 0):
            there = await self._service.open_table_in(location.channel_id, solo_id)
            if there is not None and there.header.opener_id == person.id:
                raise place_taken_refusal(self._service, there, person.id)

    async def _point_to_lobby(self, table: Table, person: Person) -> None:
        """If the channel has a lobby, raise a Refusal that says where the person can join."""
        there = await self._service.open_table_in(table.header.location.channel_id)
        if there is not None and there.header.status is Status.LOBBY:
            raise place_taken_refusal(self._service, there, person.id)


def is_next_table(table: Table, there: Table, person: Person) -> bool:
    """Return whether a person who wants to play again has a seat in the next game, which no person has begun yet."""
    has_begun = any(there.seats[seat].user_id is not None for seat in there.acted)
    is_new = there.header.status is Status.LOBBY or (there.header.status is Status.PLAYING and not has_begun)
    return is_new and there.header.game == table.header.game and there.seat_of(person.id) is not None
