"""Draws the open cards with their values, the baggage deck, and at the end the ranking."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.games.houdinis_baggage.cards import Card, Trait, trait_values
from bot.games.houdinis_baggage.events import BankUsed, CardOpened, GameEvent
from bot.games.houdinis_baggage.picture.pieces import ART_FOLDER, card_marks, trait_sprite
from bot.games.houdinis_baggage.pieces import Phase, State
from bot.games.houdinis_baggage.ranking import places_of
from bot.games.houdinis_baggage.recent_events import latest_events
from bot.rules.components import (
    FRAME_MARGIN,
    TIGHT_MARGIN,
    BracketSize,
    action_frame,
    change_brackets,
    name_labels,
    token_marks,
)
from bot.rules.picture import Align, Box, ColourRole, Label, Mark, Rect, Sprite
from bot.words import gettext as _

_TOP = 14
_CARD_SIZE, _SMALL_CARD_SIZE = 104, 80
"""The sides of open cards for two seats, and for more."""
_PLATES_HEIGHT = 42
_CARD_GAP = 20

_RANKING = Rect(30, 24, 948, 126)
_MAX_SEATS = 4

_MIN_ROOMY_GAP = 14
"""With a smaller gap between the cards, their frames are narrower."""


@dataclass(frozen=True, slots=True)
class TableLayout:
    """Where the open cards lie on the stage."""

    case: Rect
    """The baggage, which is square."""
    cards: Rect
    plates: Rect
    """The eight values."""
    bottom: int


def table_layout(seats: int) -> TableLayout:
    """Return the layout of a table with some seats."""
    height = _CARD_SIZE if seats <= 2 else _SMALL_CARD_SIZE
    case, cards = Rect(18, _TOP, 96, height).center(96, 96), Rect(138, _TOP, 842, height)
    plates = Rect(16, cards.bottom + 14, 968, _PLATES_HEIGHT)
    return TableLayout(case, cards, plates, plates.bottom + 8)


def table_marks(
    view: State, events: Sequence[GameEvent], playable: frozenset[Card], layout: TableLayout
) -> Iterator[Mark]:
    """Yield the baggage, the open cards and their values."""
    yield Sprite(f"{ART_FOLDER}/case", layout.case)
    # The case's window shows the number of cards left.
    count = layout.case.center(46, 40).shift(down=9)
    yield Label(str(sum(view.baggage)), count, ColourRole.TEXT, 36, bold=True)
    if view.phase is Phase.SEARCH:
        yield action_frame(layout.case.inset(2), 12)
    yield from _card_marks(view, events, playable, layout.cards) if view.open else _no_cards_marks(view, layout.cards)
    yield from _value_marks(view, layout.plates)


def _no_cards_marks(view: State, at: Rect) -> Iterator[Mark]:
    yield Label(_("no card is open"), at._replace(width=640), ColourRole.SURFACE_TEXT, 34, Align.LEFT)
    if len(view.players) % 2 == 0:
        yield Sprite(f"{ART_FOLDER}/hat", Rect(at.right - 180, at.y, 115, at.height).center(115, 69))


def _card_marks(view: State, events: Sequence[GameEvent], playable: frozenset[Card], area: Rect) -> Iterator[Mark]:
    """Yield the open cards, with playable and new ones highlighted."""
    pitch = min(area.height + _CARD_GAP, area.width // len(view.open))
    side = min(area.height, pitch - 10)
    margin = FRAME_MARGIN if pitch - side >= _MIN_ROOMY_GAP else TIGHT_MARGIN
    new = _new_indexes(view, events)
    for index, card in enumerate(view.open):
        at = Rect(area.x + pitch * index, area.y, side, area.height).center(side, side)
        yield from card_marks(card, at)
        if card in playable:
            yield action_frame(at, at.width // 7, margin)
        if index in new:
            yield from change_brackets(at, BracketSize.USUAL if margin == FRAME_MARGIN else BracketSize.TIGHT)


def _new_indexes(view: State, events: Sequence[GameEvent]) -> frozenset[int]:
    """Return the indexes of the card that was just opened or added: two if it is a twin."""
    match latest_events(events):
        case (CardOpened(card=card) | BankUsed(card=card),):
            return frozenset(index for index, each in enumerate(view.open) if each == card)
        case _:
            return frozenset()


def ranking_marks(view: State, names: Sequence[str]) -> Iterator[Mark]:
    """Yield the seats by their places at the end, winners with a crown."""
    places = places_of(view.players)
    order = sorted(range(len(places)), key=lambda seat: (places[seat], seat))
    for seat, room in zip(order, _RANKING.split_columns(_MAX_SEATS), strict=False):
        above, below = room.split_rows(2, 6)
        if places[seat] == 1:
            yield Sprite("crown", Rect(above.x, above.y, 80, 60))
        else:
            yield Label(f"{places[seat]}.", Rect(above.x, above.y, 90, above.height), ColourRole.SURFACE_TEXT_FAINT, 40)
        yield from name_labels(names, seat, above._replace(x=above.x + 96, width=above.width - 100), size=30)
        yield from token_marks(seat, Rect(below.x + 6, below.y, below.height, below.height))
        score = Rect(below.x + 96, below.y, below.width - 96, below.height)
        yield Label(str(view.players[seat].score), score, ColourRole.SURFACE_TEXT, 52, Align.LEFT, bold=True)
    if len(order) % 2 == 0 and len(order) < _MAX_SEATS:
        yield Sprite(f"{ART_FOLDER}/hat", Rect(744, 20, 190, 114))


def table_backdrop(view: State, layout: TableLayout) -> Iterator[Mark]:
    """Yield the plates of the eight values, unless the game is over."""
    if view.mover is None:
        return
    for trait, at in zip(Trait, _value_areas(layout.plates), strict=True):
        yield Box(at, ColourRole.PAPER_SHADE, radius=10)
        yield trait_sprite(trait, Rect(at.x + 10, at.y + 3, 36, 36))


def _value_marks(view: State, plates: Rect) -> Iterator[Mark]:
    """Yield the values, those above zero on white."""
    for count, at in zip(trait_values(view.open), _value_areas(plates), strict=True):
        room = Rect(at.right - 58, at.y + 4, 54, at.height - 8)
        if count:
            yield Box(room, ColourRole.WHITE, radius=8)
        yield Label(str(count), room, ColourRole.TEXT if count else ColourRole.TEXT_FAINT, 36, bold=bool(count))


def _value_areas(plates: Rect) -> tuple[Rect, ...]:
    return plates.split_columns(len(Trait), 8)
