"""What *More …* offers, privately: everything that people rarely do at a table."""

from collections.abc import Iterator

from bot.platform.discord.content import Button, MessageContent
from bot.rules.game import Seat
from bot.tables.handlers.ids import MoveHereId, SeatButton, SeatId
from bot.tables.model import Status
from bot.tables.shown.buttons import guide_button, news_button, read_button, with_buttons
from bot.tables.shown.embeds import PLAIN_COLOUR, heading_of
from bot.tables.shown.parts import Place, TableParts
from bot.tables.table import Table
from bot.words import gettext as _


def render_more(table: Table, parts: TableParts, seat: Seat | None) -> MessageContent:
    """Render what somebody can do at a table besides playing.

    Args:
        table: A table that has started.
        parts: The parts that features add.
        seat: The person's seat; None for others.
    """
    is_played = table.header.status is Status.PLAYING
    buttons = _buttons_while_playing(table, parts, seat) if is_played else _buttons_at_the_end(table, parts)
    embed = {"type": "rich", "author": {"name": heading_of(table)}, "title": _("More …"), "color": PLAIN_COLOUR}
    return MessageContent(embed, with_buttons((), *buttons))


def _buttons_while_playing(table: Table, parts: TableParts, seat: Seat | None) -> Iterator[Button]:
    plays = seat is not None and seat in table.remaining_players
    if plays and seat == table.header.to_move:
        yield from parts.buttons(Place.MOVER_BUTTON, table)
    yield from news_button(table)
    yield read_button(table)
    yield guide_button(table)
    if plays:
        yield Button(_("Move table here"), str(MoveHereId(table.id)))
        yield from parts.buttons(Place.PLAYER_BUTTON, table)
        yield Button(_("Resign"), str(SeatId(table.id, table.header.step, SeatButton.ASK_TO_RESIGN)))


def _buttons_at_the_end(table: Table, parts: TableParts) -> Iterator[Button]:
    yield from parts.buttons(Place.RESULT_BUTTON, table)
    yield from news_button(table)
    yield read_button(table)
    yield from parts.buttons(Place.BOARD_BUTTON, table)
    yield from parts.buttons(Place.PROOF_BUTTON, table)
