"""The picture of Fortune: the card, the dice, the skulls, the stakes, and the score track."""

from collections.abc import Sequence

from bot.games.fortune.events import GameEvent, TurnEnded
from bot.games.fortune.picture.card import card_marks, pile_count_marks, pile_marks
from bot.games.fortune.picture.dice import dice_marks, skull_marks, turn_start_marks
from bot.games.fortune.picture.plates import plate_marks
from bot.games.fortune.picture.scene import scene_marks
from bot.games.fortune.pieces import State
from bot.games.fortune.reading import describe_picture
from bot.games.fortune.recent_events import last_round, score_change_of
from bot.games.fortune.scoring import places_of
from bot.rules.game import Seat, find_newest
from bot.rules.picture import PICTURE_WIDTH, Mark, Picture, Rect
from bot.rules.seat_rows import Badge, ScoreFormat, ScoreRow, score_track_height, score_track_marks
from bot.words import format_number, gettext as _

_CARD = Rect(34, 32, 254, 336)
_DICE = Rect(304, 22, 670, 268)
_SKULLS = Rect(304, 306, 670, 54)
_PLATES = Rect(26, 378, 948, 80)
_TRACK_TOP = 470


def build_picture(view: State, events: Sequence[GameEvent], names: Sequence[str] = ()) -> Picture:
    """Build the picture for all players."""
    track = Rect(26, _TRACK_TOP, PICTURE_WIDTH - 52, score_track_height(len(view.scores)))
    height = track.bottom + 18
    return Picture(
        size=(PICTURE_WIDTH, height),
        backdrop=tuple(scene_marks(view.turn)),
        marks=(
            *pile_marks(len(view.unseen), _CARD),
            *card_marks(view.turn, _CARD),
            *pile_count_marks(len(view.unseen), _CARD),
            *_dice(view, events),
            *skull_marks(view, _SKULLS),
            *plate_marks(view, _PLATES),
            *_track(view, events, track, names),
        ),
        description=describe_picture(view),
    )


def _dice(view: State, events: Sequence[GameEvent]) -> tuple[Mark, ...]:
    if view.turn.faces or view.mover is None:
        return dice_marks(view, events, _DICE)
    return turn_start_marks(view.mover, _DICE, find_newest(TurnEnded, events))


def _track(view: State, events: Sequence[GameEvent], at: Rect, names: Sequence[str]) -> tuple[Mark, ...]:
    latest = last_round(events, len(view.scores))
    rows = [
        ScoreRow(seat, score, score_change_of(seat, latest), is_to_move=seat == view.mover, badge=_badge(view, seat))
        for seat, score in enumerate(view.scores)
    ]
    is_last_round = view.crosser is not None and view.mover is not None
    heading = _("last round: highest above {target} wins") if is_last_round else _("race past {target}")
    heading = heading.format(target=format_number(view.options.target))
    return score_track_marks(rows, view.options.target, heading, at, ScoreFormat(format_number, 140), names=names)


def _badge(view: State, seat: Seat) -> Badge | None:
    if view.mover is None:
        return Badge.CROWN if places_of(view)[seat] == 1 else None
    return Badge.FLAG if seat == view.crosser else None
