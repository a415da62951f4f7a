"""The texts of reminders for each stage of a turn, and the panels about pings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import time
from enum import StrEnum
from typing import Final

import discord
from discord.utils import format_dt

from bot.features.reminders.model import DELAYS, PersonPings, PingChoice, PingMode, QuietHours, Reminder, ReminderStage
from bot.platform.discord.content import Button, Json, MessageContent
from bot.platform.discord.ids import CustomId, TableButtonId
from bot.platform.discord.menus import SelectMenu, SelectOption
from bot.platform.notices.sending import Line, button_ids
from bot.platform.time_zones import format_clock
from bot.tables.clocks import has_pings, period_of
from bot.tables.handlers.ids import SeatButton, SeatId
from bot.tables.model import TableId
from bot.tables.shown.embeds import PLAIN_COLOUR
from bot.tables.shown.links import escape_name, table_link
from bot.tables.table import Table
from bot.words import N_, gettext as _


class PingMenu(StrEnum):
    """The menus about pings."""

    HOW = "how"
    WHEN = "when"


class PingPanelId(TableButtonId, prefix="PP"):
    """The button that shows a player their choices about pings at a table."""


@dataclass(frozen=True)
class PingMenuId(CustomId, prefix="PM"):
    """A menu about pings at a table, or (0) at all others."""

    table_id: TableId
    menu: PingMenu


class TimeUpButton(StrEnum):
    """The possible decisions about a player whose time is up."""

    WAIT = "wait"
    COMPUTER = "computer"


@dataclass(frozen=True)
class TimeUpId(CustomId, prefix="TU"):
    """A button about a player whose time is up; the period identifies the time that ended."""

    table_id: TableId
    period: int
    button: TimeUpButton


_REMINDERS: Final[Mapping[ReminderStage, str]] = {
    ReminderStage.TURN: N_("<@{mover}>, it's your turn in {game}: {link}"),
    ReminderStage.HALF_TIME: N_("<@{mover}>, half your time in {game} has passed; it ends {when}: {link}"),
}


def remind_player(table: Table, stage: ReminderStage) -> Line:
    """Return the line that reminds a player to move, with buttons about pings and for a computer player to stand in.

    The latter is missing while a turn clock or a tournament gives the player time, or if no other player is left to
    press it.
    """
    header, mover = table.header, table.mover
    if mover is None or mover.user_id is None:
        raise ValueError(f"table {table.id} has no player to remind")
    ends_at = header.clock.ends_at
    when = "" if ends_at is None else format_dt(ends_at, "R")
    words = {"mover": mover.user_id, "game": _(table.package.game.info.title), "link": table_link(table), "when": when}
    buttons: tuple[Button, ...] = (_ping_button(table),)
    others = [seat for seat in range(len(table.seats)) if seat != header.to_move and not table.is_automatic(seat)]
    if others and ends_at is None and not table.kind.is_arranged:
        substitute_id = SeatId(table.id, header.step, SeatButton.SUBSTITUTE)
        buttons = (Button(_("Let a computer player stand in"), str(substitute_id)), *buttons)
    return Line(_(_REMINDERS[stage]).format_map(words), (mover.user_id,), buttons)


def ask_others(table: Table, user_ids: Sequence[int]) -> Line:
    """Ask the other players what happens to a player whose time is up, and mention some of them."""
    name = escape_name(table.mover.name) if table.mover is not None else ""
    text = _(
        "**{name}**'s time in {game} is up: {link}\n"
        "Any other player decides: wait as long again, or let a computer player stand in until {name} is back."
    ).format(name=name, game=_(table.package.game.info.title), link=table_link(table))
    mentions = " ".join(f"<@{user_id}>" for user_id in user_ids)
    wait, computer = (
        str(TimeUpId(table.id, period_of(table), button)) for button in (TimeUpButton.WAIT, TimeUpButton.COMPUTER)
    )
    buttons = (
        Button(_("Wait"), wait, discord.ButtonStyle.primary),
        Button(_("Let a computer player stand in"), computer),
    )
    return Line(f"{mentions} {text}" if mentions else text, user_ids, buttons)


def is_reminder(reminder: Reminder, message: Json) -> bool:
    """Return whether a message belongs to a reminder, by its buttons."""
    if reminder.stage is ReminderStage.TIME_UP:
        own = f"{TimeUpId.prefix}:{reminder.table_id}:"
        return any(custom_id.startswith(own) for custom_id in button_ids(message))
    return str(PingPanelId(reminder.table_id)) in button_ids(message)


UNCHOSEN: Final = "default"
"""The value of the menu line for no choice."""

_MODE_LABELS: Final[Mapping[PingMode, str]] = {
    PingMode.MENTION: N_("Ping: mention me in the channel"),
    PingMode.DIRECT: N_("Ping: a direct message"),
    PingMode.OFF: N_("Ping: off"),
}
_DELAY_LABELS: Final[Mapping[int, str]] = {
    0: N_("When: at once"),
    2: N_("When: after 2 quiet minutes"),
    5: N_("When: after 5 quiet minutes"),
    15: N_("When: after 15 quiet minutes"),
    60: N_("When: after a quiet hour"),
    240: N_("When: after 4 quiet hours"),
}


def ping_button(table: Table, user_id: int) -> tuple[Button, ...]:
    """Return the button that shows a player their choices about pings at a table."""
    return (_ping_button(table),) if has_pings(table, user_id) else ()


def _ping_button(table: Table) -> Button:
    return Button(_("Ping me"), str(PingPanelId(table.id)))


def render_ping_panel(pings: PersonPings, table_id: TableId, game: str, *, is_enabled: bool) -> MessageContent:
    """Render a person's choices about pings at a table, or (0) at all others, with a menu for each choice.

    Args:
        pings: The person's choices.
        table_id: The table, or 0.
        game: The title of the table's game.
        is_enabled: Whether the bot sends reminders at all.
    """
    chosen = pings.here if table_id else pings.always
    title = _("Pings · this table of {game}").format(game=game) if table_id else _("Pings · everywhere")
    embed = discord.Embed(
        title=title, description="\n".join(_lines(pings, table_id, is_enabled=is_enabled)), colour=PLAIN_COLOUR
    )
    embed.set_footer(text=_("Changes apply immediately."))
    menus = [_mode_menu(chosen, table_id)]
    if chosen is not None and chosen.mode is not PingMode.OFF:
        menus.append(_delay_menu(chosen, table_id))
    return MessageContent(embed.to_dict(), menus=tuple(menus))


def describe_quiet_hours(quiet: QuietHours | None) -> str:
    """Return a sentence about a person's quiet hours."""
    if quiet is None:
        return _("No quiet hours; `/ping quiet` sets them.")
    if not quiet.is_zone_known:
        lost = _(
            "⚠️ Quiet from {start} to {end}, but I no longer know the time zone {zone}, so I don't ping you at any "
            "hour. Set them again with `/ping quiet`, or end them with `/ping anytime`."
        )
        return lost.format(start=format_clock(time(quiet.start)), end=format_clock(time(quiet.end)), zone=quiet.zone)
    text = _(
        "Quiet from {start} to {end}, time zone {zone}: pings that are due then wait until the end. `/ping "
        "anytime` ends the quiet hours."
    )
    return text.format(start=format_clock(time(quiet.start)), end=format_clock(time(quiet.end)), zone=quiet.zone)


def _lines(pings: PersonPings, table_id: TableId, *, is_enabled: bool) -> list[str]:
    lines = [
        _(
            "How I ping you when it's your turn: once per turn, for one table at a time. The ping goes away as "
            "soon as you play."
        )
    ]
    if not is_enabled:
        lines.append(_("**The people who run this bot have turned all pings off.**"))
    if table_id and not pings.may_mention:
        lines.append(_("This server doesn't let reminders mention anyone, so only direct messages reach you here."))
    if pings.refuses_direct:
        lines.append(
            _("Discord refused my last direct message to you, so I mention you instead. Choose it again to retry.")
        )
    return [*lines, describe_quiet_hours(pings.quiet)]


def _mode_menu(chosen: PingChoice | None, table_id: TableId) -> SelectMenu:
    unchosen = _("Ping: as everywhere else") if table_id else _("Ping: as usual, after 2 quiet minutes")
    options = [SelectOption(unchosen, UNCHOSEN, is_chosen=chosen is None)]
    options += [
        SelectOption(_(label), mode.value, is_chosen=chosen is not None and chosen.mode is mode)
        for mode, label in _MODE_LABELS.items()
    ]
    return SelectMenu(_("Ping"), str(PingMenuId(table_id, PingMenu.HOW)), tuple(options))


def _delay_menu(chosen: PingChoice, table_id: TableId) -> SelectMenu:
    options = (SelectOption(_(_DELAY_LABELS[delay]), str(delay), is_chosen=delay == chosen.delay) for delay in DELAYS)
    return SelectMenu(_("When"), str(PingMenuId(table_id, PingMenu.WHEN)), tuple(options))
