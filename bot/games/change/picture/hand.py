"""The private picture of a hand."""

from collections import Counter
from collections.abc import Iterator, Sequence

from bot.games.change.board import Card, CardKind
from bot.games.change.events import GameEvent
from bot.games.change.guide import card_name
from bot.games.change.picture.board import set_colour, space_sprite
from bot.games.change.pieces import MAX_HAND_SIZE, View
from bot.games.change.playable_cards import can_play
from bot.games.change.recent_events import latest_drawn_cards
from bot.rules.components import action_frame, tag_marks
from bot.rules.picture import PICTURE_WIDTH, Box, ColourRole, Label, Mark, Picture, Rect, Sprite, text_colour_on
from bot.words import gettext as _, join_items

_CARDS = Rect(24, 24, PICTURE_WIDTH - 48, 252)
_GAP = 22


def build_hand_picture(view: View, events: Sequence[GameEvent], _names: Sequence[str] = ()) -> Picture:
    """Return the picture of a seat's hand: its cards and its empty places."""
    places = _CARDS.split_columns(MAX_HAND_SIZE, _GAP)
    marks: list[Mark] = [
        Box(place, ColourRole.SURFACE_SHADE, ColourRole.SURFACE_LINE, 16, 3) for place in places[len(view.hand) :]
    ]
    new = Counter(latest_drawn_cards(events, view.seat))
    for card, place in zip(view.hand, places, strict=False):
        marks += _card_marks(view, card, place, is_new=new[card] > 0)
        new[card] -= 1
        if can_play(view, card):
            marks.append(action_frame(place, 16))
    return Picture((PICTURE_WIDTH, _CARDS.bottom + 24), (), tuple(marks), _describe_hand_picture(view))


def _card_marks(view: View, card: Card, at: Rect, *, is_new: bool) -> Iterator[Mark]:
    board = view.public.board
    face = board.cards[card]
    yield Box(at, ColourRole.PAPER, ColourRole.TEXT, 16, 3)
    name = Rect(at.x + 7, at.y + 10, at.width - 14, 50)
    if is_new:
        yield Box(name, ColourRole.NEW, ColourRole.TEXT, 12, 2)
    yield Label(card_name(board, card), name, ColourRole.TEXT, 28, bold=True)
    art = Rect(at.x + (at.width - 120) // 2, at.y + 92, 120, 120)
    match face.kind:
        case CardKind.ADD:
            yield Label(f"+{face.amount}", art, ColourRole.TEXT, 84, bold=True)
        case CardKind.REPLACE:
            yield Sprite("change/replace", art)
        case CardKind.ANY:
            yield Sprite("change/any", art)
        case CardKind.SPACE:
            yield from _space_marks(view, face.space or 0, at)


def _space_marks(view: View, space: int, at: Rect) -> Iterator[Mark]:
    """Yield set and picture of a space, and the credits that landing there releases (with a marker) or receives."""
    public, entry = view.public, view.public.board.spaces[space]
    colour, letter = set_colour(public.board, entry), Rect(at.x + 14, at.y + 84, 54, 60)
    yield Box(letter, colour, ColourRole.TEXT, 8, 2)
    yield Label(entry.set or "", letter, text_colour_on(colour), 40, bold=True)
    yield space_sprite(entry, Rect(at.right - 90, at.y + 76, 76, 76), ColourRole.TEXT)
    released = public.released_credits_for(view.seat, space) if view.seat is not None else 0
    text, fill = (f"−{released}", ColourRole.GOOD) if released else (f"+{entry.credits}", ColourRole.BAD)
    yield from tag_marks(text, Rect(at.x + 40, at.y + 168, at.width - 80, 54), fill, size=38)


def _describe_hand_picture(view: View) -> str:
    if not view.hand:
        return _("A hand without message cards.")
    cards = [card_name(view.public.board, card) for card in view.hand]
    return _("The message cards {cards}.").format(cards=join_items(cards))
