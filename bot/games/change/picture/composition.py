"""The picture of Change: the ring of spaces with the pieces, and in its middle the turn and the credits."""

from collections.abc import Sequence

from bot.games.change.events import GameEvent
from bot.games.change.picture.board import HEIGHT, board_marks
from bot.games.change.picture.markers import piece_marks
from bot.games.change.picture.middle import middle_marks
from bot.games.change.pieces import View
from bot.games.change.reading import describe_picture
from bot.games.change.recent_events import latest_turn
from bot.rules.picture import PICTURE_WIDTH, Picture


def build_picture(view: View, events: Sequence[GameEvent], names: Sequence[str] = ()) -> Picture:
    """Return the public picture. Nothing in it depends on a hand."""
    public, turn = view.public, latest_turn(events)
    return Picture(
        size=(PICTURE_WIDTH, HEIGHT),
        backdrop=board_marks(public.board),
        marks=(*piece_marks(public, turn), *middle_marks(public, turn, names)),
        description=describe_picture(public),
    )
