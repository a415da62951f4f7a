"""Fortune as a picture: the card, the dice, the skulls, what stopping and a bust would bring, and the race."""

from collections.abc import Sequence

from bot.games.fortune.latest import change_of, last_turn
from bot.games.fortune.picture.card import card_marks
from bot.games.fortune.picture.dice import dice_marks, skull_marks, waiting_marks
from bot.games.fortune.picture.plates import plate_marks
from bot.games.fortune.pieces import State
from bot.games.fortune.reading import described
from bot.games.fortune.scoring import places_of, totals_of
from bot.rules.components import Badge, Figures, Score, score_track, track_height
from bot.rules.game import Event, Seat
from bot.rules.picture import WIDTH, Mark, Picture, Rect
from bot.words import gettext as _, number

_CARD = Rect(26, 26, 254, 336)
_DICE = Rect(304, 22, 670, 268)
_SKULLS = Rect(304, 306, 670, 54)
_PLATES = Rect(26, 378, 948, 80)
_TRACK_TOP = 470


def picture(view: State, news: Sequence[Event]) -> Picture:
    """Make the picture that everybody sees."""
    track = Rect(26, _TRACK_TOP, WIDTH - 52, track_height(len(view.scores)))
    return Picture(
        size=(WIDTH, track.bottom + 18),
        backdrop=(),
        marks=(
            *card_marks(view.turn, _CARD),
            *_dice(view, news),
            *skull_marks(view, _SKULLS),
            *plate_marks(view, _PLATES),
            *_track(view, news, track),
        ),
        description=described(view),
    )


def _dice(view: State, news: Sequence[Event]) -> tuple[Mark, ...]:
    last = last_turn(news)
    if view.turn.faces or last is None or view.mover is None:
        return dice_marks(view, news, _DICE)
    return waiting_marks(view.mover, _DICE, last)


def _track(view: State, news: Sequence[Event], at: Rect) -> tuple[Mark, ...]:
    rows = [
        Score(seat, score, change_of(seat, news), is_to_move=seat == view.mover, badge=_badge(view, seat))
        for seat, score in enumerate(totals_of(view))
    ]
    is_last_round = view.crosser is not None and view.mover is not None
    heading = _("last round: highest above {target} wins") if is_last_round else _("more than {target} wins")
    heading = heading.format(target=number(view.options.target))
    return score_track(rows, view.options.target, heading, at, Figures(number, 140))


def _badge(view: State, seat: Seat) -> Badge | None:
    if view.mover is None:
        return Badge.CROWN if places_of(view)[seat] == 1 else None
    return Badge.FLAG if seat == view.crosser else None
