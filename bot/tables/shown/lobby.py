"""Renders tables that have not started."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import discord

from bot.platform.discord.content import Button, MessageContent
from bot.platform.discord.menus import SelectMenu, SelectOption
from bot.rules.components import name_labels, token_marks
from bot.rules.game import Seat
from bot.rules.package import minutes_of
from bot.rules.picture import COVER_SIZE, Box, ColourRole, Mark, Picture, Rect, Sprite, seat_colour
from bot.tables.clocks import may_have_clock
from bot.tables.handlers.ids import LobbyButton, LobbyId, OptionPanelId, RemovePlayerId
from bot.tables.lobby import has_hints, level_of
from bot.tables.registry import AnyPackage, played_level
from bot.tables.series import tally_of
from bot.tables.shown.buttons import guide_button
from bot.tables.shown.embeds import SEAT_COLOURS
from bot.tables.shown.links import escape_name, plain_seat_names, sanitize_name
from bot.tables.shown.screen import series_field
from bot.tables.shown.words import clock_option, describe_level, level_name, options_line
from bot.tables.table import Table, commitment_of
from bot.words import format_minutes, gettext as _, seat_emoji

_MARGIN, _GAP, _SEAT_HEIGHT = 20, 14, 68
_MAX_COLUMNS: Final = 3

_SEAL_LENGTH = 8
"""How many digits of the commitment a lobby shows; *Check fairness* and `/table verify` show all of them."""


def render_lobby(table: Table) -> MessageContent:
    """Render a lobby: the game, the seats, the options and how to start."""
    seats = [_seat_line(table, seat, escape_name(who.name)) for seat, who in enumerate(table.seats)]
    content = MessageContent(_make_embed(table, "\n".join(seats)).to_dict(), _button_rows(table))
    if (cover := table.package.look.cover) is None:
        return content
    # The cover shows the seats as well, so they take one line of text beside it.
    beside = {"fields": _make_embed(table, " · ".join(seats)).to_dict()["fields"]}
    make_picture = partial(lobby_picture, table.package, cover, plain_seat_names(table))
    return replace(content, make_picture=make_picture, picture_embed_json=beside)


def _make_embed(table: Table, seats: str) -> discord.Embed:
    info = table.package.game.info
    title = _("{game} · waiting for players") if _has_room(table) else _("{game} · ready to start")
    if info.is_solo:
        title = _("{game} · ready to deal")
    embed = discord.Embed(
        title=title.format(game=info.title),
        description=_(table.package.study.guide.summary),
        colour=SEAT_COLOURS[0],
    )
    embed.add_field(name=_seats_title(table), value=seats, inline=False)
    # Mention hints only if the opener has turned them off.
    hints = "" if table.header.allows_hints else _("Hints: {value}").format(value=f"**{_('off')}**")
    if line := " · ".join(filter(None, (options_line(table), hints, clock_option(table)))):
        embed.add_field(name=_("Options"), value=line, inline=False)
    if field := series_field(table):
        embed.add_field(name=field.title, value=field.text, inline=False)
    seal = _("Fairness seal: {seal}").format(seal=commitment_of(table.header.seed)[:_SEAL_LENGTH])
    lines = (_solo_note(table),) if info.is_solo else (_start_hint(table), _level_sentence(table))
    return embed.set_footer(text="\n".join(line for line in (*lines, seal) if line))


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
        name = f"{name} 🤖 {level_name(played_level(table.package, occupant.level))}"
    elif occupant.user_id == table.header.opener_id and not table.is_for_one_person:
        name = _("**{name}** (host)").format(name=name)
    return f"{seat_emoji(seat)} {name}"


def _has_room(table: Table) -> bool:
    """Return whether anyone can join."""
    is_full = len(table.seats) >= table.package.game.info.most_seats
    return not (is_full or table.is_for_one_person or table.is_fixed)


def _start_hint(table: Table) -> str:
    opener = sanitize_name(
        next(occupant.name for occupant in table.seats if occupant.user_id == table.header.opener_id)
    )
    if table.kind.is_arranged:
        return _("A tournament game; {name} presses Start.").format(name=opener)
    if table.is_fixed:
        return _("Same players; {name} presses Start.").format(name=opener)
    if table.is_for_one_person:
        return _("No one else can join in a direct message. Play the computer, or open a table in a server.")
    if len(table.seats) >= table.package.game.info.most_seats:
        return _("The table is full. {name} can start.").format(name=opener)
    if len(table.seats) < table.package.game.info.least_seats:
        return _("Press Join, or {name} can play the computer.").format(name=opener)
    return _("Press Join to play. {name} can start.").format(name=opener)


def _level_sentence(table: Table) -> str:
    """Return a sentence about the computer players, once there is one or their level has been chosen."""
    matters = table.header.computer_level is not None or any(who.is_computer for who in table.seats)
    if matters and table.package.mind.broken:
        return _("Computers only play Normal: what the other levels need can't be read.")
    return describe_level(level_of(table)) if matters else ""


def _solo_note(table: Table) -> str:
    """Return a warning if the aids for a solo player are worse than usual."""
    if table.package.mind.broken:
        return _("Hints and reviews are rougher than usual: what the strongest computer player needs can't be read.")
    return ""


def _button_rows(table: Table) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons: those for everyone in the first row, the opener's in the second."""
    if table.is_fixed:
        start = _lobby_button(table, LobbyButton.START, _("Start"), discord.ButtonStyle.success)
        return ((start, guide_button(table)),)
    if table.package.game.info.is_solo:
        deal = _lobby_button(table, LobbyButton.START, _("Deal"), discord.ButtonStyle.success)
        leave = _lobby_button(table, LobbyButton.LEAVE, _("Not now"))
        return ((deal, *_options_buttons(table), leave, guide_button(table)),)
    return ((*_buttons_for_everyone(table), guide_button(table)), _buttons_for_host(table))


def _buttons_for_everyone(table: Table) -> tuple[Button, ...]:
    """Return the buttons to join, start and leave; the opener may always start."""
    info, taken = table.package.game.info, len(table.seats)
    start = _("Play the computer") if taken < info.least_seats else _("Start with {count}").format(count=taken)
    buttons = [
        _lobby_button(table, LobbyButton.START, start, discord.ButtonStyle.success),
        _lobby_button(table, LobbyButton.LEAVE, _("Not now") if table.is_for_one_person else _("Leave")),
    ]
    if _has_room(table):
        buttons.insert(0, _lobby_button(table, LobbyButton.JOIN, _("Join"), discord.ButtonStyle.primary))
    return tuple(buttons)


def _buttons_for_host(table: Table) -> tuple[Button, ...]:
    """Return the buttons for the options, the computer players and the removal of players."""
    info = table.package.game.info
    buttons = list(_options_buttons(table))
    has_room = len(table.seats) < info.most_seats
    has_computer = any(occupant.is_computer for occupant in table.seats)
    if has_room:
        buttons.append(_lobby_button(table, LobbyButton.ADD_COMPUTER, _("Add computer")))
    if (has_room or has_computer) and not table.package.mind.broken:
        level = _("Computer: {level} ↻").format(level=level_name(level_of(table)))
        buttons.append(_lobby_button(table, LobbyButton.LEVEL, level))
    if len(table.remaining_players) > 1:
        buttons.append(_lobby_button(table, LobbyButton.REMOVE_PLAYER, _("Remove player")))
    elif has_computer:
        buttons.append(_lobby_button(table, LobbyButton.REMOVE_COMPUTER, _("Remove computer")))
    return tuple(buttons)


def _options_buttons(table: Table) -> tuple[Button, ...]:
    has_options = bool(type(table.options).model_fields) or has_hints(table.package) or may_have_clock(table)
    return (Button(_("Options"), str(OptionPanelId(table.id))),) if has_options else ()


def _lobby_button(
    table: Table, button: LobbyButton, label: str, style: discord.ButtonStyle = discord.ButtonStyle.secondary
) -> Button:
    return Button(label, str(LobbyId(table.id, table.header.revision, button)), style)


def lobby_picture(package: AnyPackage, cover: str, names: Sequence[str]) -> Picture:
    """Lay out a cover with the seats.

    Args:
        package: The game.
        cover: Its cover.
        names: The names at the taken seats.
    """
    info, (width, height) = package.game.info, COVER_SIZE
    columns = next(count for count in (1, 2, _MAX_COLUMNS) if count == _MAX_COLUMNS or info.most_seats <= count**2)
    rows = -(-info.most_seats // columns)
    seats = Rect(_MARGIN, height + _GAP, width - 2 * _MARGIN, rows * (_SEAT_HEIGHT + _GAP) - _GAP)
    areas = [at for row in seats.split_rows(rows, _GAP) for at in row.split_columns(columns, _GAP)]
    marks = (mark for seat, at in enumerate(areas[: info.most_seats]) for mark in _seat_marks(names, seat, at))
    return Picture(
        size=(width, seats.bottom + _MARGIN),
        backdrop=(Sprite(cover, Rect(0, 0, *COVER_SIZE)),),
        marks=tuple(marks),
        description=_("The cover of {game}, with {taken} of {most} seats taken.").format(
            game=info.title, taken=len(names), most=info.most_seats
        ),
        surface=package.look.surface,
    )


def _seat_marks(names: Sequence[str], seat: Seat, at: Rect) -> Iterator[Mark]:
    """Yield a seat with its token and name, or an empty one."""
    if seat >= len(names):
        yield Box(at, None, ColourRole.SURFACE_LINE, 18, 2)
        return
    yield Box(at, ColourRole.SURFACE_SHADE, seat_colour(seat), 18, 4)
    token = Rect(at.x + 14, at.y + 10, _SEAT_HEIGHT - 20, _SEAT_HEIGHT - 20)
    yield from token_marks(seat, token)
    yield from name_labels(names, seat, Rect(token.right + 12, at.y + 6, at.right - token.right - 24, at.height - 12))


def render_removal(table: Table, remover_id: int) -> MessageContent:
    """Render the menu of players that the opener or a moderator can remove."""
    options = tuple(
        SelectOption(f"{seat_emoji(seat)} {sanitize_name(who.name)}", str(seat))
        for seat, who in enumerate(table.seats)
        if who.user_id != remover_id
    )
    menu = SelectMenu(_("Remove player"), str(RemovePlayerId(table.id, table.header.revision)), options)
    embed = discord.Embed(description=_("Who isn't playing? Their seat becomes free."), colour=SEAT_COLOURS[0])
    return MessageContent(embed.to_dict(), menus=(menu,))
