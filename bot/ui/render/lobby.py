"""Renders tables that have not started."""

import discord

from bot.rules.package import minutes_of
from bot.tables.actions.series import tally_of
from bot.tables.table import Table
from bot.ui.custom_ids import LobbyButton, LobbyId, OptionPanelId
from bot.ui.render.levels import level_name
from bot.ui.render.links import escaped_seat_names, sanitize_name
from bot.ui.render.message import Button, MessageContent
from bot.ui.render.options_line import options_line
from bot.ui.render.series import series_field
from bot.ui.render.table_message import SEAT_COLOURS, commitment_text, with_guide_button
from bot.words import format_minutes, gettext as _, seat_emoji


def render_lobby(table: Table) -> MessageContent:
    """Render a lobby: the game, the seats, the options and how to start."""
    info = table.package.game.info
    title = _("{game} · ready to start") if table.is_for_one_person else _("{game} · waiting for players")
    if info.is_solo:
        title = _("{game} · ready to deal")
    embed = discord.Embed(
        title=title.format(game=info.title),
        description=_(table.package.guide.summary),
        colour=SEAT_COLOURS[0],
    )
    seats = "\n".join(_seat_line(table, seat, name) for seat, name in enumerate(escaped_seat_names(table)))
    embed.add_field(name=_seats_title(table), value=seats, inline=False)
    if line := options_line(table):
        embed.add_field(name=_("Options"), value=line, inline=False)
    if field := series_field(table):
        embed.add_field(name=field.title, value=field.text, inline=False)
    commitment = commitment_text(table)
    embed.set_footer(text=commitment if info.is_solo else f"{_start_hint(table)}\n{commitment}")
    return MessageContent(embed.to_dict(), with_guide_button(_button_rows(table), table))


def _button_rows(table: Table) -> tuple[tuple[Button, ...], ...]:
    if table.header.link is not None:
        return ((_lobby_button(table, LobbyButton.START, _("Start"), discord.ButtonStyle.success),),)
    return _solo_buttons(table) if table.package.game.info.is_solo else _multiplayer_buttons(table)


def _seats_title(table: Table) -> str:
    info = table.package.game.info
    time = format_minutes(minutes_of(table.package, table.options, max(len(table.seats), info.least_seats)))
    if tally_of(table):
        time = _("{time} per game").format(time=time)
    if info.is_solo:
        return _("Player · {time}").format(time=time)
    return _("{taken}/{most} players · {time}").format(taken=len(table.seats), most=info.most_seats, time=time)


def _seat_line(table: Table, seat: int, name: str) -> str:
    occupant = table.seats[seat]
    if occupant.level is not None:
        name = f"{name} 🤖 {level_name(occupant.level)}"
    elif occupant.user_id == table.header.opener_id and not table.package.game.info.is_solo:
        name = _("**{name}** · host").format(name=name)
    return f"{seat_emoji(seat)} {name}"


def _start_hint(table: Table) -> str:
    opener = sanitize_name(
        next(occupant.name for occupant in table.seats if occupant.user_id == table.header.opener_id)
    )
    if table.header.link is not None:
        return _("Same players; {name} presses Start.").format(name=opener)
    if len(table.seats) >= table.package.game.info.most_seats:
        return _("The table is full. {name} can start.").format(name=opener)
    if table.is_for_one_person:
        return _("No one else can join in a direct message. Play the computer, or open a table in a server.")
    if len(table.seats) < table.package.game.info.least_seats:
        return _("Press Join, or {name} can play the computer.").format(name=opener)
    return _("Press Join to play. {name} starts the game.").format(name=opener)


def _solo_buttons(table: Table) -> tuple[tuple[Button, ...], ...]:
    deal = _lobby_button(table, LobbyButton.START, _("Deal"), discord.ButtonStyle.success)
    return ((deal, *_options_buttons(table), _lobby_button(table, LobbyButton.LEAVE, _("Not now"))),)


def _lobby_button(
    table: Table, button: LobbyButton, label: str, style: discord.ButtonStyle = discord.ButtonStyle.secondary
) -> Button:
    return Button(label, str(LobbyId(table.id, table.header.revision, button)), style)


def _options_buttons(table: Table) -> tuple[Button, ...]:
    return (Button(_("Options"), str(OptionPanelId(table.id))),) if type(table.options).model_fields else ()


def _multiplayer_buttons(table: Table) -> tuple[tuple[Button, ...], ...]:
    info = table.package.game.info
    taken = len(table.seats)
    is_full = taken >= info.most_seats
    start = _("Play the computer") if taken < info.least_seats else _("Start with {count}").format(count=taken)
    first = []
    if not (is_full or table.is_for_one_person):
        first.append(_lobby_button(table, LobbyButton.JOIN, _("Join"), discord.ButtonStyle.primary))
    first.append(_lobby_button(table, LobbyButton.START, start, discord.ButtonStyle.success))
    second = [] if is_full else [_lobby_button(table, LobbyButton.ADD_COMPUTER, _("Add computer"))]
    if any(occupant.is_computer for occupant in table.seats):
        second.append(_lobby_button(table, LobbyButton.REMOVE_COMPUTER, _("Remove computer")))
    second += (*_options_buttons(table), _lobby_button(table, LobbyButton.LEAVE, _("Leave")))
    return tuple(first), tuple(second)
