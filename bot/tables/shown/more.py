"""What *More …* offers, privately: everything that people rarely do at a table."""

from collections.abc import Iterator

from bot.platform.discord.content import Button, MessageContent
from bot.rules.game import Seat
from bot.tables.handlers.ids import LobbyButton, MoveHereId, OptionPanelId, SeatButton, SeatId
from bot.tables.model import Status
from bot.tables.shown.buttons import (
    guide_button,
    may_leave_series,
    news_button,
    play_again_button,
    read_button,
    with_buttons,
)
from bot.tables.shown.embeds import PLAIN_COLOUR, heading_of
from bot.tables.shown.lobby import has_options, lobby_button
from bot.tables.shown.parts import Place, TableParts
from bot.tables.table import Table
from bot.words import gettext as _


def render_more(table: Table, parts: TableParts, user_id: int, *, is_moderator: bool = False) -> MessageContent:
    """Render what somebody can do at a table besides playing.

    Args:
        table: The table.
        parts: The parts that features add.
        user_id: The person.
        is_moderator: Whether the person may remove players from any lobby.
    """
    match table.header.status:
        case Status.LOBBY:
            buttons = _buttons_in_a_lobby(table, user_id, is_moderator=is_moderator)
        case Status.PLAYING:
            buttons = _buttons_while_playing(table, parts, table.seat_of(user_id))
        case _:
            buttons = _buttons_at_the_end(table, parts)
    embed = {"type": "rich", "author": {"name": heading_of(table)}, "title": _("More …"), "color": PLAIN_COLOUR}
    return MessageContent(embed, with_buttons((), *buttons))


def _buttons_in_a_lobby(table: Table, user_id: int, *, is_moderator: bool) -> Iterator[Button]:
    is_opener = user_id == table.header.opener_id
    if is_opener and has_options(table):
        yield Button(_("Options"), str(OptionPanelId(table.id)))
    if not table.is_fixed:
        if (is_opener or is_moderator) and any(who.user_id != user_id for who in table.seats):
            yield lobby_button(table, LobbyButton.REMOVE_PLAYER, _("Remove player"))
        if table.seat_of(user_id) is not None:
            label = _("Not now") if table.is_for_one_person else _("Leave")
            yield lobby_button(table, LobbyButton.LEAVE, label)
    yield guide_button(table)


def _buttons_while_playing(table: Table, parts: TableParts, seat: Seat | None) -> Iterator[Button]:
    plays = seat is not None and seat in table.remaining_players
    if plays and seat == table.header.to_move:
        yield from parts.buttons(Place.MOVER_BUTTON, table)
    yield from news_button(table)
    yield read_button(table)
    yield guide_button(table)
    if plays:
        if not (table.header.is_private or table.header.location.is_outside):
            yield Button(_("Move table here"), str(MoveHereId(table.id)))
        yield from parts.buttons(Place.PLAYER_BUTTON, table)
        if len(table.seats) > 1:
            yield Button(_("Resign"), str(SeatId(table.id, table.header.step, SeatButton.ASK_TO_RESIGN)))


def _buttons_at_the_end(table: Table, parts: TableParts) -> Iterator[Button]:
    if may_leave_series(table):
        yield play_again_button(table)
    yield from parts.buttons(Place.RESULT_BUTTON, table)
    yield from news_button(table)
    yield read_button(table)
    yield from parts.buttons(Place.BOARD_BUTTON, table)
    yield from parts.buttons(Place.PROOF_BUTTON, table)
