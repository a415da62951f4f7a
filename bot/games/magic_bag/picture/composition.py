"""The picture of The Magic Bag: the dice, the rows, the bag, and the treasure on the reference sheet."""

from collections.abc import Iterator, Sequence

from bot.games.magic_bag.events import GameEvent, Rolled
from bot.games.magic_bag.picture.pieces import die_marks
from bot.games.magic_bag.picture.plates import bag_marks, end_marks, news_marks, parts_marks, plate_marks
from bot.games.magic_bag.picture.rows import row_marks, slot_marks
from bot.games.magic_bag.picture.sheet import SHEET_HEIGHT, SHEET_WIDTH, gold_marks, sheet_marks, silhouette_marks
from bot.games.magic_bag.pieces import Piece, State, Suit
from bot.games.magic_bag.reading import describe_picture
from bot.rules.components import change_brackets
from bot.rules.picture import PICTURE_WIDTH, Mark, Picture, Rect, Sprite

_HEIGHT = 728
_ROWS_AREA = Rect(14, 14, 518, 700)
_DICE_AREA = Rect(376, 22, 600, 132)
_NEWS_AREA = Rect(376, 177, 608, 60)
_PLATES_AREA = Rect(368, 256, 616, 70)
_BAG_AREA = Rect(252, 18, 104, 130)
"""Beside the first and second row."""
_GOLD_AREA = Rect(444, 336, 138, 142)
"""Beside the fifth and sixth row."""
_SHEET_AREA = Rect(556, 332, SHEET_WIDTH, SHEET_HEIGHT)

_VELVET = Sprite("magic_bag/velvet", Rect(0, 0, PICTURE_WIDTH, _HEIGHT), may_overlap=True)


def build_picture(view: State, events: Sequence[GameEvent], names: Sequence[str] = ()) -> Picture:
    """Build the picture."""
    return Picture(
        size=(PICTURE_WIDTH, _HEIGHT),
        backdrop=(_VELVET, *slot_marks(_ROWS_AREA), *silhouette_marks(view.layout.sheet, _SHEET_AREA)),
        marks=(
            *row_marks(view, events, _ROWS_AREA),
            *(_playing_marks(view, events, names) if view.end is None else _end_marks(view, events)),
            *bag_marks(view, _BAG_AREA),
            *gold_marks(view, events, _GOLD_AREA),
            *sheet_marks(view, events, _SHEET_AREA),
        ),
        description=describe_picture(view),
    )


def _playing_marks(view: State, events: Sequence[GameEvent], names: Sequence[str]) -> Iterator[Mark]:
    rolled = [suit for event in events if isinstance(event, Rolled) for suit in event.suits]
    for suit, room in zip(Suit, _DICE_AREA.split_columns(len(Suit), 24), strict=True):
        yield from die_marks(Piece(suit, view.faces[suit]), room)
        if suit in rolled:
            yield from change_brackets(room)
    yield from news_marks(view, events, _NEWS_AREA)
    yield from plate_marks(view, events, _PLATES_AREA, names)


def _end_marks(view: State, events: Sequence[GameEvent]) -> Iterator[Mark]:
    yield from end_marks(view, _DICE_AREA)
    yield from news_marks(view, events, _NEWS_AREA)
    yield from parts_marks(view, _PLATES_AREA)
