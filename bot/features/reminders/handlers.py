"""Panels for choosing pings at one table or at all tables, and quiet hours."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from discord import app_commands

from bot.features.reminders import storage
from bot.features.reminders.messages import UNCHOSEN, PingMenu, PingMenuId, describe_quiet_hours, render_ping_panel
from bot.features.reminders.model import (
    DELAYS,
    PersonPings,
    PingChoice,
    PingMode,
    PingReason,
    QuietHours,
)
from bot.features.reminders.service import Reminders
from bot.platform.database.database import Database
from bot.platform.discord.answers import Interaction, deferred_if_slow, send_ephemeral
from bot.platform.discord.content import MessageContent
from bot.platform.discord.context import person_of
from bot.platform.discord.menus import chosen_value, make_choices
from bot.platform.discord.private_messages import (
    EphemeralKind,
    EphemeralMessages,
    edit_or_send_ephemeral,
    send_ephemeral_content,
)
from bot.platform.discord.refusals import ClickReason
from bot.platform.time_zones import UnknownZone, find_zone, search_zones, zone_label
from bot.rules.refusals import Refusal
from bot.tables.clocks import has_pings
from bot.tables.handlers.commands import TableCommands
from bot.tables.model import TableId
from bot.tables.refusals import TableFacts
from bot.tables.service import TableService
from bot.tables.table import Table
from bot.tables.turns import require_remaining_seat
from bot.words import gettext as _


class Pings:
    """Shows a person's choices about pings, and changes them."""

    choose_daily: Callable[[Interaction, int, str], Awaitable[None]]
    """Pings a person about the challenge of the day, at an hour in a time zone. The feature of challenges sets it."""

    def __init__(
        self,
        service: TableService,
        reminders: Reminders,
        db: Database,
        table_commands: TableCommands,
        ephemeral_messages: EphemeralMessages,
    ) -> None:
        self._service = service
        self._reminders = reminders
        self._db = db
        self._table_commands = table_commands
        self._ephemeral_messages = ephemeral_messages
        service.add_listener(self._on_table_changed)

    def _on_table_changed(self, table: Table) -> None:
        """Delete the panels for a table that is over."""
        if not table.header.status.is_open:
            for who in table.seats:
                self._ephemeral_messages.dismiss(who.user_id or 0, EphemeralKind.PINGS, table.id)

    @deferred_if_slow
    async def choose_here(self, command: Interaction) -> None:
        """Send the panel for this channel's table."""
        await self.open(command, await self._table_commands.common_table(command))

    @deferred_if_slow
    async def choose_always(self, command: Interaction) -> None:
        """Send the panel for all tables."""
        await self.open(command, None)

    async def open(self, interaction: Interaction, table: Table | None) -> None:
        """Send the panel for a table at which the user plays, or for all tables (None)."""
        _require_pings(interaction, table)
        shown = await send_ephemeral_content(interaction, await self._render(interaction, table))
        self._ephemeral_messages.replace_previous(interaction, EphemeralKind.PINGS, _id_of(table), shown)

    async def press(self, click: Interaction, table: Table | None, pressed: PingMenuId) -> None:
        """Apply a choice for a table at which the user plays, or for all tables (None), and refresh the panel.

        Raises:
            Refusal: The menu does not offer the choice, or the user has no seat.
        """
        _require_pings(click, table)
        pings = await self._load(click, table)
        choice = _choose(pings.here if table else pings.always, pressed.menu, chosen_value(click))
        await self._db.write(storage.choose, click.user.id, _id_of(table), choice)
        if shown := await edit_or_send_ephemeral(click, await self._render(click, table)):
            self._ephemeral_messages.replace_previous(click, EphemeralKind.PINGS, _id_of(table), shown)

    @deferred_if_slow
    async def choose_quiet_hours(self, command: Interaction, start: int, end: int, zone: str) -> None:
        """Set the hours in which the user is not pinged.

        Raises:
            Refusal: The time zone does not exist, or the start equals the end.
        """
        try:
            name = find_zone(zone)
        except UnknownZone:
            raise Refusal(PingReason.UNKNOWN_ZONE) from None
        if start == end:
            raise Refusal(PingReason.NO_QUIET_HOURS)
        await self._save_quiet_hours(command, QuietHours(name, start, end))

    @deferred_if_slow
    async def end_quiet_hours(self, command: Interaction) -> None:
        """Let the user be pinged at any time."""
        await self._save_quiet_hours(command, None)

    async def suggest_zones(self, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest time zones, with their present time."""
        now = self._service.clock()
        return make_choices((zone_label(name, now), name) for name in search_zones(typed))

    async def _save_quiet_hours(self, command: Interaction, quiet: QuietHours | None) -> None:
        await self._db.write(storage.choose_quiet_hours, command.user.id, quiet)
        await send_ephemeral(command, describe_quiet_hours(quiet))

    async def _load(self, interaction: Interaction, table: Table | None) -> PersonPings:
        return await self._db.read(storage.find_choices, interaction.user.id, _id_of(table), interaction.guild_id)

    async def _render(self, interaction: Interaction, table: Table | None) -> MessageContent:
        game = "" if table is None else _(table.package.game.info.title)
        is_enabled = self._reminders.is_enabled
        return render_ping_panel(await self._load(interaction, table), _id_of(table), game, is_enabled=is_enabled)


def _require_pings(interaction: Interaction, table: Table | None) -> None:
    if table is None:
        return
    require_remaining_seat(table, person_of(interaction))
    if not has_pings(table, interaction.user.id):
        raise Refusal(PingReason.NO_PINGS_HERE, TableFacts(table))


def _id_of(table: Table | None) -> TableId:
    return 0 if table is None else table.id


def _choose(before: PingChoice | None, menu: PingMenu, value: str) -> PingChoice | None:
    """Return a choice after a menu's value is chosen; raise a Refusal for a value that the menu lacks."""
    choice = before or PingChoice()
    if menu is PingMenu.WHEN and value in map(str, DELAYS):
        return replace(choice, delay=int(value))
    if menu is PingMenu.HOW and value == UNCHOSEN:
        return None
    if menu is PingMenu.HOW and value in list(PingMode):
        return replace(choice, mode=PingMode(value))
    raise Refusal(ClickReason.UNKNOWN_BUTTON)
