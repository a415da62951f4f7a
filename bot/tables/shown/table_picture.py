"""Pictures of tables with a banner for what is worth noticing."""

from collections import Counter
from typing import Any

from bot.rules.banner import LEFT_OUT, shown_pieces, with_banner
from bot.rules.game import Seat
from bot.rules.package import PictureBuilder, on_surface
from bot.rules.picture import Picture
from bot.rules.story import HIGHLIGHT_WEIGHTS, Highlight
from bot.tables.highlights import heavy_highlight
from bot.tables.model import Status
from bot.tables.shown.links import plain_seat_names
from bot.tables.table import Table
from bot.words import gettext as _, join_items


def table_picture(table: Table, build: PictureBuilder[Any, Any], viewer: Seat | None) -> Picture:
    """Lay out a picture; spectators of a game, and of its end in a replay, get a banner for what is worth noticing."""
    view = table.package.game.view(table.state, viewer)
    picture = on_surface(table.package, build(view, table.recent_events_for(viewer), plain_seat_names(table)))
    is_shown = viewer is None and table.header.status in (Status.PLAYING, Status.FINISHED)
    if not is_shown or not (found := heavy_highlight(table, view)):
        return picture
    seat, highlight = found
    return add_banner(picture, highlight, seat if len(table.seats) > 1 else None)


def with_decisive_highlight(table: Table, picture: Picture) -> Picture:
    """Add a banner to the picture of a solo result if the last move was decisive, such as one that clears the board."""
    found = heavy_highlight(table, table.package.game.view(table.state, None)) if len(table.seats) == 1 else None
    if found is None or found.highlight.weight < max(HIGHLIGHT_WEIGHTS):
        return picture
    return add_banner(picture, found.highlight, None)


def add_banner(picture: Picture, highlight: Highlight, seat: Seat | None) -> Picture:
    """Add a banner, and a sentence to the alternative text, which names players by number."""
    banner = _("Banner:") if seat is None else _("Banner of player {number}:").format(number=seat + 1)
    told = f"{banner} {highlight.word} {highlight.number}"
    counts = Counter(piece.name for piece in shown_pieces(highlight, seat) if piece.name)
    names = [name if count == 1 else f"{count} × {name}" for name, count in counts.items()]
    if names and names[-1] == LEFT_OUT:
        names[-1] = _("more")
    text = _("{banner}, with {pieces}.").format(banner=told, pieces=join_items(names)) if names else f"{told}."
    return with_banner(picture, highlight, seat, text)
