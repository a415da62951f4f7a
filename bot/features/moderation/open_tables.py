"""Lists the open tables of a server for moderators, and closes them."""

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence

from bot.features.moderation import storage
from bot.features.moderation.bans import require_id, require_moderator
from bot.features.moderation.messages import (
    CloseAll,
    CloseAllId,
    CloseTableId,
    OpenTablesId,
    PickTableId,
    close_all_question,
    render_question,
    render_tables,
)
from bot.features.moderation.model import OpenTable
from bot.features.settings.moderator_log import ModeratorLog
from bot.features.settings.service import ServerRules
from bot.platform.database.database import Database
from bot.platform.discord.answers import Interaction, deferred_if_slow
from bot.platform.discord.channels import readable_among
from bot.platform.discord.context import person_of
from bot.platform.discord.menus import chosen_value
from bot.platform.discord.private_messages import edit_or_send_ephemeral, send_ephemeral_content
from bot.rules.refusals import Refusal
from bot.tables.aside import close_orphan
from bot.tables.handlers.closing import LogAction, closed_text, log_closed_orphan, log_closing, with_reason
from bot.tables.refusals import HostReason, Stale
from bot.tables.registry import AnyPackage
from bot.tables.service import TableService
from bot.tables.shown.links import escape_name
from bot.tables.shown.table_messages import DiscordTableMessages
from bot.tables.shown.words import title_of
from bot.words import format_number, gettext as _, join_items, ngettext


class OpenTables:
    """Shows moderators the open tables that they see, and closes one or all of them after a confirmation."""

    def __init__(
        self,
        db: Database,
        service: TableService,
        table_messages: DiscordTableMessages,
        rules: ServerRules,
        log: ModeratorLog,
    ) -> None:
        self._db = db
        self._service = service
        self._table_messages = table_messages
        self._rules = rules
        self._log = log

    @property
    def _games(self) -> Mapping[str, AnyPackage]:
        return self._service.games

    @deferred_if_slow
    async def show(self, command: Interaction, reason: str = "") -> None:
        """Show the open tables, and keep the reason for which the moderator will close some in the buttons."""
        tables, hidden = await self._find(command, await require_moderator(command, self._rules))
        listed = OpenTablesId(1, reason.strip())
        await send_ephemeral_content(command, render_tables(tables, hidden, self._games, listed, ""))

    async def press(self, click: Interaction, pressed: OpenTablesId | PickTableId | CloseTableId | CloseAllId) -> None:
        """Show a page, ask for a confirmation, or close tables.

        Raises:
            Refusal: The user does not moderate the server, or sees no such table there.
        """
        guild_id, news = await require_moderator(click, self._rules), ""
        tables, hidden = await self._find(click, guild_id)
        listed = pressed if isinstance(pressed, OpenTablesId) else OpenTablesId(1, pressed.reason)
        if isinstance(pressed, CloseAllId):
            tables = [table for table in tables if table.table_id <= pressed.table_id]
        match pressed:
            case PickTableId():
                await self._ask(click, _find(tables, require_id(chosen_value(click))), pressed.reason)
                return
            case CloseAllId(CloseAll.ASK) if tables:
                await edit_or_send_ephemeral(click, close_all_question(tables, pressed.reason))
                return
            case CloseTableId(table_id):
                found = _find(tables, table_id)
                await self._close(click, found, self._log.note, pressed.reason)
                news = closed_text(is_arranged=found.is_arranged)
            case CloseAllId(CloseAll.REALLY) if tables:
                # Noted first, so that the log says who it was even if closing fails halfway.
                news = self._note_all_closed(click, guild_id, len(tables), pressed.reason)
                for table in tables:
                    await self._close(click, table, _note_nothing)
            case _:
                pass
        tables, hidden = await self._find(click, guild_id)
        if tables and isinstance(pressed, CloseAllId):
            news = ""  # More tables were open than one list holds.
        await edit_or_send_ephemeral(click, render_tables(tables, hidden, self._games, listed, news))

    async def _find(self, interaction: Interaction, guild_id: int) -> tuple[Sequence[OpenTable], int]:
        """Return the open tables in channels that the user sees, and the number of the others."""
        tables = await self._db.read(storage.find_open_tables, guild_id)
        if interaction.permissions.administrator:
            return tables, 0
        readable = await readable_among(interaction, {table.channel_id for table in tables})
        seen = [table for table in tables if table.channel_id in readable]
        return seen, len(tables) - len(seen)

    async def _ask(self, click: Interaction, table: OpenTable, reason: str) -> None:
        text = _("Close the table of {game} in {place}? Players: {names}. The game doesn't count.").format(
            game=title_of(self._games, table.game),
            place=f"<#{table.channel_id}>",
            names=join_items([escape_name(name) for name in table.names]),
        )
        question = render_question(text, _("Close the table"), CloseTableId(table.table_id, reason))
        await edit_or_send_ephemeral(click, question)

    async def _close(self, click: Interaction, found: OpenTable, log_action: LogAction, reason: str = "") -> None:
        """Close a table, unless another click was faster."""
        person = person_of(click)
        with contextlib.suppress(Refusal, Stale):
            if found.game in self._games:
                table = await self._service.cancel(found.table_id, person, is_moderator=True)
                log_closing(log_action, table, person.id, reason)
            else:
                header = await close_orphan(self._service, found.table_id, person, is_moderator=True)
                log_closed_orphan(log_action, header, person.id, reason)
                await self._table_messages.mark_closed(header)

    def _note_all_closed(self, click: Interaction, guild_id: int, count: int, reason: str) -> str:
        """Add a line to the log; return a sentence that confirms it."""
        who = f"<@{click.user.id}>"

        def describe() -> str:
            line = ngettext("{who} closed {count} open table.", "{who} closed {count} open tables.", count)
            return with_reason(line.format(who=who, count=format_number(count)), reason)

        self._log.note(guild_id, describe)
        return _("All listed tables are closed.")


def _note_nothing(_guild_id: int | None, _describe: Callable[[], str]) -> None:
    """Leave a table out of the log, which has one line for all."""


def _find(tables: Iterable[OpenTable], table_id: int) -> OpenTable:
    """Return the table with an id; refuse if it is not among those listed."""
    for table in tables:
        if table.table_id == table_id:
            return table
    raise Refusal(HostReason.UNKNOWN_TABLE)
