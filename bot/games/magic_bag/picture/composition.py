"""The Magic Bag as a picture: the dice, the rows with what can be taken, the bag, and the treasure on its sheet."""

from collections.abc import Iterator, Sequence

from bot.games.magic_bag.events import Rolled
from bot.games.magic_bag.picture.pieces import die
from bot.games.magic_bag.picture.plates import end_marks, news_marks, parts_marks, plate_marks
from bot.games.magic_bag.picture.rows import row_marks, slots
from bot.games.magic_bag.picture.sheet import sheet_marks
from bot.games.magic_bag.pieces import Piece, State, Suit
from bot.games.magic_bag.reading import described
from bot.rules.components import just_changed
from bot.rules.game import Event
from bot.rules.picture import WIDTH, Mark, Picture, Rect

_HEIGHT = 728
_ROWS = Rect(14, 14, 518, 700)
_DICE = Rect(376, 22, 600, 132)
_NEWS = Rect(376, 177, 608, 60)
_PLATES = Rect(368, 256, 616, 70)
_SHEET = Rect(550, 342, 434, 374)


def picture(view: State, news: Sequence[Event]) -> Picture:
    """Make the picture that everybody sees."""
    return Picture(
        size=(WIDTH, _HEIGHT),
        backdrop=slots(_ROWS),
        marks=(
            *row_marks(view, news, _ROWS),
            *(_playing(view, news) if view.end is None else _ended(view, news)),
            *sheet_marks(view, news, _SHEET),
        ),
        description=described(view),
    )


def _playing(view: State, news: Sequence[Event]) -> Iterator[Mark]:
    rolled = [suit for event in news if isinstance(event, Rolled) for suit in event.suits]
    for suit, room in zip(Suit, _DICE.columns(len(Suit), 24), strict=True):
        yield from die(Piece(suit, view.faces[suit]), room)
        if suit in rolled:
            yield from just_changed(room)
    yield from news_marks(view, news, _NEWS)
    yield from plate_marks(view, news, _PLATES)


def _ended(view: State, news: Sequence[Event]) -> Iterator[Mark]:
    yield from end_marks(view, _DICE)
    yield from news_marks(view, news, _NEWS)
    yield from parts_marks(view, _PLATES)
