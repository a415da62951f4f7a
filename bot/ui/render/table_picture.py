"""Pictures of tables with a banner for what is worth noticing."""

from typing import Any

from bot.rules.banner import with_banner
from bot.rules.game import Seat
from bot.rules.package import on_surface
from bot.rules.picture import Picture, PictureBuilder
from bot.rules.story import HIGHLIGHT_WEIGHTS, Highlight
from bot.tables.highlights import heavy_highlight
from bot.tables.model import Status
from bot.tables.table import Table
from bot.ui.render.links import plain_seat_names
from bot.words import gettext as _


def table_picture(table: Table, build: PictureBuilder[Any, Any], viewer: Seat | None) -> Picture:
    """Lay out a picture; spectators of a game, and of its end in a replay, get a banner for what is worth noticing."""
    view = table.package.game.view(table.state, viewer)
    picture = on_surface(table.package, build(view, table.recent_events_for(viewer), plain_seat_names(table)))
    is_shown = viewer is None and table.header.status in (Status.PLAYING, Status.FINISHED)
    if not is_shown or not (found := heavy_highlight(table, view)):
        return picture
    seat, highlight = found
    return with_banner(picture, highlight, seat if len(table.seats) > 1 else None, _describe_highlight(*found))


def with_decisive_highlight(table: Table, picture: Picture) -> Picture:
    """Add a banner to the picture of a solo result if the last move was decisive, such as one that clears the board."""
    found = heavy_highlight(table, table.package.game.view(table.state, None)) if len(table.seats) == 1 else None
    if found is None or found.highlight.weight < max(HIGHLIGHT_WEIGHTS):
        return picture
    return with_banner(picture, found.highlight, None, _describe_highlight(*found))


def _describe_highlight(seat: Seat, highlight: Highlight) -> str:
    """Return a sentence for the alternative text, which names players by number."""
    what = " ".join(filter(None, (highlight.word, highlight.number)))
    return _("Banner of player {number}: {what}").format(number=seat + 1, what=what)
