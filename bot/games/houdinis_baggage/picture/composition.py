"""The picture of Mr. Houdini's Baggage: open cards with their values, the seats, and the row of open assignments.

While someone chooses an assignment, no card is open: then the assignments are on the stage, as large as it is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from bot.games.houdinis_baggage.bonuses import supply_of
from bot.games.houdinis_baggage.cards import CARD_KEYS, CARDS, Aspect, Card, Trait, trait_values
from bot.games.houdinis_baggage.facts import latest_events, newly_filled_spot
from bot.games.houdinis_baggage.legality import bank_moves, place_moves, shift_moves
from bot.games.houdinis_baggage.picture.pieces import (
    ART_FOLDER,
    POSTER_HEIGHT,
    ROW_HEIGHT,
    Highlights,
    card_marks,
    card_sprite,
    choice_marks,
    row_backdrop,
    row_marks,
    trait_sprite,
)
from bot.games.houdinis_baggage.picture.seats import Scene, seat_backdrop, seat_marks, seat_panels
from bot.games.houdinis_baggage.pieces import BankUsed, CardOpened, GameEvent, Phase, State
from bot.games.houdinis_baggage.reading import describe_picture
from bot.games.houdinis_baggage.rules import places_of
from bot.games.houdinis_baggage.words import TRAIT_TEXTS, card_symbols
from bot.rules.components import (
    FRAME_MARGIN,
    TIGHT_MARGIN,
    BracketSize,
    action_frame,
    change_brackets,
    name_labels,
    tag_marks,
    token_marks,
)
from bot.rules.picture import (
    PICTURE_WIDTH,
    SYMBOL_AREA,
    Align,
    Box,
    ColourRole,
    Label,
    Mark,
    Picture,
    Rect,
    Sprite,
    Surface,
    SurfaceColours,
    Symbol,
)

_MARGIN = 10
_TWO_SEATS_MARGIN = 14
_POSTERS_TOP = 9

_STAGE = Sprite(f"{ART_FOLDER}/stage", Rect(0, 0, PICTURE_WIDTH, 880), may_overlap=True)
"""Scenery, higher than most pictures."""

_TOP, _SIDE = 12, 12
_CARD_WIDTH, _CARD_HEIGHT = 180, 140
"""The size of an open card, if there are up to five: no poster is wider or higher."""

_MIN_CARD_GAP = 10
_PLATES_HEIGHT, _DECK_WIDTH = 42, 112
_TRUNK = Rect(188, 6, 640, 140)
"""The trunk in the middle of the stage, with the magician's things around it."""

_TRUNK_ITSELF = Rect(394, 14, 212, 130)
_FLOOR = 206
"""Where pedestals and scenery stand."""

_PEDESTAL_HEIGHTS = (74, 62, 54, 48)
"""By place."""

_PEDESTAL_WIDTH, _NARROW_PEDESTAL, _PEDESTAL_GAP = 220, 188, 12
"""Four pedestals are narrower, and stay clear of the curtains."""

_MAX_WIDE, _TOKEN, _RANK_WIDTH = 3, 52, 40
_MIN_ROOMY_GAP = 14
"""With a smaller gap between the cards, their frames are narrower."""


@dataclass(frozen=True, slots=True)
class TableLayout:
    """Where the open cards lie on the stage."""

    cards: Rect
    case: Rect
    """The baggage and how many cards are left in it."""
    plates: Rect
    """The eight values."""
    bottom: int


def build_picture(view: State, events: Sequence[GameEvent], names: Sequence[str] = ()) -> Picture:
    """Return the picture of a position."""
    is_choice = view.mover is not None and view.phase is Phase.CHOOSE
    table = table_layout()
    margin = _TWO_SEATS_MARGIN if len(view.players) == 2 else _MARGIN
    panels = seat_panels(view.players, table.bottom + (ROW_HEIGHT + margin if is_choice else 0))
    row = Rect(16, panels[-1].bottom + margin, PICTURE_WIDTH - 32, ROW_HEIGHT)
    highlights = _find_highlights(view, events)
    scene = Scene(view, events, highlights, names)
    seats = (seat_marks(scene, seat, at) for seat, at in enumerate(panels))
    if is_choice:
        posters = choice_marks(view, row._replace(y=_POSTERS_TOP, height=POSTER_HEIGHT))
        return Picture(
            size=(PICTURE_WIDTH, panels[-1].bottom + margin),
            backdrop=(_STAGE, *seat_backdrop(panels)),
            marks=(*posters, *chain.from_iterable(seats)),
            description=describe_picture(view),
        )
    return Picture(
        size=(PICTURE_WIDTH, row.bottom + margin),
        backdrop=(_STAGE, *table_backdrop(view, table), *seat_backdrop(panels), *row_backdrop(row)),
        marks=(
            *_stage_marks(scene, table),
            *chain.from_iterable(seats),
            *row_marks(view, row),
        ),
        description=describe_picture(view),
    )


def _stage_marks(scene: Scene, table: TableLayout) -> Iterator[Mark]:
    if scene.view.mover is None:
        return ranking_marks(scene.view, scene.names)
    return table_marks(scene.view, scene.events, scene.highlights.playable, table)


def _find_highlights(view: State, events: Sequence[GameEvent]) -> Highlights:
    """Return the cards and items to highlight."""
    highlights = Highlights(filled=newly_filled_spot(events))
    if view.mover is None or view.phase is Phase.CHOOSE:
        return highlights
    if view.phase is Phase.TWIN:
        return replace(highlights, playable=frozenset(view.open))
    player, supply = view.players[view.mover], supply_of(view)
    places = place_moves(view.open, player.tasks, supply)
    spots = frozenset(place.spot for place in places)
    if view.phase is Phase.SEARCH:
        return replace(highlights, fillable=spots)
    shifts = shift_moves(player.tasks, supply)
    return replace(
        highlights,
        playable=frozenset(place.card for place in places),
        bankable=frozenset(each.card for each in bank_moves(view.open, player.bank)),
        usable=spots.union({each.start for each in shifts}, {each.end for each in shifts}),
    )


def table_layout() -> TableLayout:
    """Return the layout of the stage."""
    width = PICTURE_WIDTH - 2 * _SIDE
    cards = Rect(_SIDE, _TOP, width, _CARD_HEIGHT)
    case = Rect(_SIDE, cards.bottom + 12, _DECK_WIDTH, _PLATES_HEIGHT)
    plates = Rect(case.right + 6, case.y, width - _DECK_WIDTH - 6, _PLATES_HEIGHT)
    return TableLayout(cards, case, plates, plates.bottom + 8)


def table_marks(
    view: State, events: Sequence[GameEvent], playable: frozenset[Card], layout: TableLayout
) -> Iterator[Mark]:
    """Yield the open cards or the trunk, the number of cards left and the values."""
    count = layout.case._replace(x=layout.case.x + 48, width=_DECK_WIDTH - 52)
    yield Label(str(sum(view.baggage)), count, ColourRole.TEXT, 34, bold=True)
    if view.open:
        yield from _card_marks(view, events, playable, layout.cards)
    else:
        yield Sprite(f"{ART_FOLDER}/trunk", _TRUNK, may_overlap=True)
    if view.phase is Phase.SEARCH:
        yield action_frame(layout.case.inset(3) if view.open else _TRUNK_ITSELF, 12, TIGHT_MARGIN)
    yield from _value_marks(view, layout.plates)


def _card_marks(view: State, events: Sequence[GameEvent], playable: frozenset[Card], area: Rect) -> Iterator[Mark]:
    """Yield the open cards, with playable and new ones highlighted."""
    pitch = area.width // max(5, len(view.open))
    width = min(_CARD_WIDTH, pitch - _MIN_CARD_GAP)
    margin = FRAME_MARGIN if pitch - width >= _MIN_ROOMY_GAP else TIGHT_MARGIN
    new = _new_indexes(view, events)
    left = area.center(pitch * len(view.open), 0).x
    for index, card in enumerate(view.open):
        at = Rect(left + pitch * index, area.y, pitch, area.height).center(width, area.height)
        yield from card_marks(card, at)
        if card in playable:
            yield action_frame(at, min(at.width, at.height) // 7, margin)
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
    """Yield the seats on pedestals by their places at the end, winners with a crown."""
    places = places_of(view.players)
    order = sorted(range(len(places)), key=lambda seat: (places[seat], seat))
    width = _NARROW_PEDESTAL if len(order) > _MAX_WIDE else _PEDESTAL_WIDTH
    pitch = width + _PEDESTAL_GAP
    left = (PICTURE_WIDTH - pitch * len(order) + _PEDESTAL_GAP) // 2
    for nth, seat in enumerate(order):
        height = _PEDESTAL_HEIGHTS[places[seat] - 1]
        pedestal = Rect(left + pitch * nth, _FLOOR - height, width, height)
        yield from _pedestal_marks(names, seat, places[seat], pedestal)
        token = Rect(pedestal.x + pedestal.width // 2 - 66, pedestal.y - _TOKEN - 2, _TOKEN, _TOKEN)
        score = Rect(token.right + 8, token.y + 4, 72, token.height - 8)
        yield from token_marks(seat, token)
        yield from tag_marks(
            str(view.players[seat].score), score, ColourRole.SURFACE_SHADE, ColourRole.SURFACE_TEXT, 40
        )
        if places[seat] == 1:
            yield Sprite("crown", Rect(token.x - 4, token.y - 45, 60, 45))
    if len(order) < _MAX_WIDE:
        yield Sprite(f"{ART_FOLDER}/case", Rect(left - 140, _FLOOR - 96, 96, 96))
        yield Sprite(f"{ART_FOLDER}/hat", Rect(PICTURE_WIDTH - left + 28, _FLOOR - 110, 190, 114))


def _pedestal_marks(names: Sequence[str], seat: int, place: int, at: Rect) -> Iterator[Mark]:
    """Yield a pedestal with a place and a name."""
    line = at.center(at.width - 20, 40)
    rank = line._replace(width=_RANK_WIDTH)
    yield Box(at, ColourRole.GOLD if place == 1 else ColourRole.PAPER, radius=10, is_raised=True)
    yield Label(f"{place}.", rank, ColourRole.TEXT, 32, Align.LEFT, bold=True)
    name = Rect(rank.right, line.y, line.right - rank.right, line.height)
    yield from name_labels(names, seat, name, ColourRole.TEXT, size=30)


def table_backdrop(view: State, layout: TableLayout) -> Iterator[Mark]:
    """Yield the plates of the baggage and of the eight values, unless the game is over."""
    if view.mover is None:
        return
    yield Box(layout.case, ColourRole.PAPER, radius=10)
    yield Sprite(f"{ART_FOLDER}/case", Rect(layout.case.x + 5, layout.case.y + 1, 40, 40))
    for trait, at in zip(Trait, _value_areas(layout.plates), strict=True):
        yield Box(at, ColourRole.PAPER_SHADE, radius=10)
        yield trait_sprite(trait, Rect(at.x + 6, at.y + 3, 36, 36))


def _value_marks(view: State, plates: Rect) -> Iterator[Mark]:
    """Yield the values, those above zero on brighter paper."""
    for count, at in zip(trait_values(view.open), _value_areas(plates), strict=True):
        room = Rect(at.right - 54, at.y + 4, 50, at.height - 8)
        if count:
            yield Box(room, ColourRole.PAPER, radius=8)
        yield Label(str(count), room, ColourRole.TEXT if count else ColourRole.TEXT_FAINT, 36, bold=bool(count))


def _value_areas(plates: Rect) -> tuple[Rect, ...]:
    return plates.split_columns(len(Trait), 6)


SURFACE: Final = Surface(
    standard=SurfaceColours("#4d1f24", "#341216", "#b57e74", "#fff3e4", "#e0c6b9"),
    dark=SurfaceColours("#241314", "#170a0b", "#a47a72", "#e2d8cc", "#bfaaa0"),
    high_contrast=SurfaceColours("#1a0406", "#3c1216", "#d49e96", "#ffffff", "#f4e0da"),
    banner="houdinis_baggage/banner",
)


def _trait_marks(trait: Trait) -> tuple[Mark, ...]:
    """Return the swatch of a colour, or a shape on paper: plain shapes have the colour of text."""
    if trait.aspect is Aspect.COLOUR:
        return (trait_sprite(trait, SYMBOL_AREA),)
    return (Sprite("die", SYMBOL_AREA), trait_sprite(trait, SYMBOL_AREA.center(88, 88).shift(down=-4)))


SYMBOLS: Final = (
    *(Symbol(str(trait), text.symbol, _trait_marks(trait)) for trait, text in TRAIT_TEXTS.items()),
    *(
        Symbol(CARD_KEYS[card].replace("-", "_"), card_symbols(card), (card_sprite(card, SYMBOL_AREA),))
        for card in CARDS
    ),
    Symbol("bonus", "🎁", (Sprite(f"{ART_FOLDER}/gift", SYMBOL_AREA),)),
    Symbol("baggage", "🧳", (Sprite(f"{ART_FOLDER}/case", SYMBOL_AREA),)),
)
