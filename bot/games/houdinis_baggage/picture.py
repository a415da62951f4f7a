"""The picture of Mr. Houdini's Baggage: open cards with their values, the seats, and the row of open assignments.

While someone chooses an assignment, no card is open: then the assignments are on the stage, as large as it is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from bot.games.houdinis_baggage.cards import CARD_KEYS, CARDS, Aspect, Assignment, Card, Trait, trait_values
from bot.games.houdinis_baggage.facts import (
    bonuses_of,
    latest_kept_card,
    newly_filled_spot,
    newly_opened_card,
    newly_taken_assignments,
    points_gained,
    winners_of,
)
from bot.games.houdinis_baggage.legality import ways_of
from bot.games.houdinis_baggage.picture_pieces import (
    ART_FOLDER,
    POSTER_HEIGHT,
    ROW_HEIGHT,
    Highlights,
    bonus_chip,
    card_marks,
    card_sprite,
    choice_marks,
    row_backdrop,
    row_marks,
    task_strip,
    trait_sprite,
)
from bot.games.houdinis_baggage.pieces import MAX_TASKS, GameEvent, Phase, Player, State
from bot.games.houdinis_baggage.reading import describe_picture
from bot.games.houdinis_baggage.rules import places_of
from bot.games.houdinis_baggage.words import TRAIT_TEXTS, card_symbols
from bot.rules.components import (
    FRAME_MARGIN,
    FRAME_WIDTH,
    TIGHT_MARGIN,
    BracketSize,
    Nameplate,
    action_frame,
    change_brackets,
    name_labels,
    tag_marks,
    token_marks,
)
from bot.rules.game import Seat
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
from bot.rules.seat_rows import Badge, ScoreRow, score_bar_marks

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


_PANEL_WIDTH, _PANEL_GAP, _PANEL_SIDE = 478, 10, 17
_HEAD, _STRIP, _CHIPS = 46, 42, 34
_BETWEEN = 4
_PAD = 8
_CHIPS_IN_LINE = 7
_BANK_CARD, _BANK_PITCH = 36, 40
_MAX_BANK = 4
"""The places for bank cards, if the name leaves room for them. If the cards are more, the last place counts them."""

_NAME_SIZE, _NAME_PADDING, _MAX_LETTERS = 26, 8, 8
"""As many Latin letters are never cut."""
_LETTER, _CAPITAL, _WIDE_LETTER = 16, 18, 22
_WIDE_LETTERS = frozenset("mwMW")

_MIN_NAME_WIDTH = 40
"""What is left for the progress where names are not shown."""


@dataclass(frozen=True, slots=True)
class TableLayout:
    """Where the open cards lie on the stage."""

    cards: Rect
    case: Rect
    """The baggage and how many cards are left in it."""
    plates: Rect
    """The eight values."""
    bottom: int


@dataclass(frozen=True, slots=True)
class Scene:
    """What a picture shows."""

    view: State
    events: Sequence[GameEvent]
    highlights: Highlights
    nameplates: Sequence[Nameplate]


_CARDS = Rect(_SIDE, _TOP, PICTURE_WIDTH - 2 * _SIDE, _CARD_HEIGHT)
_CASE = Rect(_SIDE, _CARDS.bottom + 12, _DECK_WIDTH, _PLATES_HEIGHT)
_PLATES = Rect(_CASE.right + 6, _CASE.y, _CARDS.width - _DECK_WIDTH - 6, _PLATES_HEIGHT)
TABLE: Final = TableLayout(_CARDS, _CASE, _PLATES, _PLATES.bottom + 8)


def build_picture(view: State, events: Sequence[GameEvent], nameplates: Sequence[Nameplate] = ()) -> Picture:
    """Return the picture of a position."""
    is_choice = view.mover is not None and view.phase is Phase.CHOOSE
    margin = _TWO_SEATS_MARGIN if len(view.players) == 2 else _MARGIN
    panels = seat_panels(view.players, TABLE.bottom + (ROW_HEIGHT + margin if is_choice else 0))
    row = Rect(16, panels[-1].bottom + margin, PICTURE_WIDTH - 32, ROW_HEIGHT)
    highlights = _find_highlights(view, events)
    scene = Scene(view, events, highlights, nameplates)
    seats = (seat_marks(scene, seat, at) for seat, at in enumerate(panels))
    if is_choice:
        posters = choice_marks(view, row._replace(y=_POSTERS_TOP, height=POSTER_HEIGHT))
        return Picture(
            size=(PICTURE_WIDTH, panels[-1].bottom + margin),
            backdrop=(_STAGE, *seat_backdrop(panels, nameplates)),
            marks=(*posters, *chain.from_iterable(seats)),
            description=describe_picture(view),
        )
    return Picture(
        size=(PICTURE_WIDTH, row.bottom + margin),
        backdrop=(_STAGE, *table_backdrop(view), *seat_backdrop(panels, nameplates), *row_backdrop(row)),
        marks=(
            *(table_marks(scene) if view.mover is not None else ranking_marks(view, nameplates)),
            *chain.from_iterable(seats),
            *row_marks(view, row),
        ),
        description=describe_picture(view),
    )


def _find_highlights(view: State, events: Sequence[GameEvent]) -> Highlights:
    """Return the cards and items to highlight."""
    highlights = Highlights(filled=newly_filled_spot(events))
    if view.mover is None or view.phase is Phase.CHOOSE:
        return highlights
    if view.phase is Phase.TWIN:
        return replace(highlights, playable=frozenset(view.open))
    ways = ways_of(view)
    spots = frozenset(place.spot for place in ways.places)
    if view.phase is Phase.SEARCH:
        return replace(highlights, fillable=spots)
    return replace(
        highlights,
        playable=frozenset(place.card for place in ways.places),
        bankable=frozenset(each.card for each in ways.banks),
        usable=spots.union({each.start for each in ways.shifts}, {each.end for each in ways.shifts}),
    )


def table_marks(scene: Scene) -> Iterator[Mark]:
    """Yield the open cards or the trunk, the number of cards left, and the values."""
    view, case = scene.view, TABLE.case
    count = case._replace(x=case.x + 48, width=_DECK_WIDTH - 52)
    yield Label(str(sum(view.baggage)), count, ColourRole.TEXT, 34, bold=True)
    if view.open:
        yield from _open_card_marks(scene)
    else:
        yield Sprite(f"{ART_FOLDER}/trunk", _TRUNK, may_overlap=True)
    if view.phase is Phase.SEARCH:
        yield action_frame(case.inset(3) if view.open else _TRUNK_ITSELF, 12, TIGHT_MARGIN)
    for value, at in zip(trait_values(view.open), _value_areas(), strict=True):
        room = Rect(at.right - 54, at.y + 4, 50, at.height - 8)
        if value:
            yield Box(room, ColourRole.PAPER, radius=8)
        yield Label(str(value), room, ColourRole.TEXT if value else ColourRole.TEXT_FAINT, 36, bold=bool(value))


def _open_card_marks(scene: Scene) -> Iterator[Mark]:
    """Yield the open cards, those that can be placed or kept in frames, and the new one or its twin in brackets."""
    cards, area = scene.view.open, TABLE.cards
    pitch = area.width // max(5, len(cards))
    width = min(_CARD_WIDTH, pitch - _MIN_CARD_GAP)
    margin = FRAME_MARGIN if pitch - width >= _MIN_ROOMY_GAP else TIGHT_MARGIN
    new = newly_opened_card(scene.events)
    left = area.center(pitch * len(cards), 0).x
    for index, card in enumerate(cards):
        at = Rect(left + pitch * index, area.y, pitch, area.height).center(width, area.height)
        yield from card_marks(card, at)
        if card in scene.highlights.playable:
            yield action_frame(at, min(at.width, at.height) // 7, margin)
        if card == new:
            yield from change_brackets(at, BracketSize.USUAL if margin == FRAME_MARGIN else BracketSize.TIGHT)


def ranking_marks(view: State, nameplates: Sequence[Nameplate]) -> Iterator[Mark]:
    """Yield the seats on pedestals by their places at the end, winners with a crown."""
    places = places_of(view.players)
    order = sorted(range(len(places)), key=lambda seat: (places[seat], seat))
    width = _NARROW_PEDESTAL if len(order) > _MAX_WIDE else _PEDESTAL_WIDTH
    pitch = width + _PEDESTAL_GAP
    left = (PICTURE_WIDTH - pitch * len(order) + _PEDESTAL_GAP) // 2
    for nth, seat in enumerate(order):
        height = _PEDESTAL_HEIGHTS[places[seat] - 1]
        pedestal = Rect(left + pitch * nth, _FLOOR - height, width, height)
        line = pedestal.center(pedestal.width - 20, 40)
        rank = line._replace(width=_RANK_WIDTH)
        name = Rect(rank.right, line.y, line.right - rank.right, line.height)
        yield Box(pedestal, ColourRole.GOLD if places[seat] == 1 else ColourRole.PAPER, radius=10, is_raised=True)
        yield Label(f"{places[seat]}.", rank, ColourRole.TEXT, 32, Align.LEFT, bold=True)
        yield from name_labels(nameplates, seat, name, ColourRole.TEXT, size=30)
        token = Rect(pedestal.x + pedestal.width // 2 - 66, pedestal.y - _TOKEN - 2, _TOKEN, _TOKEN)
        score = Rect(token.right + 8, token.y + 4, 72, token.height - 8)
        yield from token_marks(nameplates, seat, token)
        yield from tag_marks(
            str(view.players[seat].score), score, ColourRole.SURFACE_SHADE, ColourRole.SURFACE_TEXT, 40
        )
        if places[seat] == 1:
            yield Sprite("crown", Rect(token.x - 4, token.y - 45, 60, 45))
    if len(order) < _MAX_WIDE:
        yield Sprite(f"{ART_FOLDER}/case", Rect(left - 140, _FLOOR - 96, 96, 96))
        yield Sprite(f"{ART_FOLDER}/hat", Rect(PICTURE_WIDTH - left + 28, _FLOOR - 110, 190, 114))


def table_backdrop(view: State) -> Iterator[Mark]:
    """Yield the plates of the baggage and of the eight values, unless the game is over."""
    if view.mover is None:
        return
    yield Box(TABLE.case, ColourRole.PAPER, radius=10)
    yield Sprite(f"{ART_FOLDER}/case", Rect(TABLE.case.x + 5, TABLE.case.y + 1, 40, 40))
    for trait, at in zip(Trait, _value_areas(), strict=True):
        yield Box(at, ColourRole.PAPER_SHADE, radius=10)
        yield trait_sprite(trait, Rect(at.x + 6, at.y + 3, 36, 36))


def _value_areas() -> tuple[Rect, ...]:
    return TABLE.plates.split_columns(len(Trait), 6)


def seat_panels(players: Sequence[Player], top: int) -> tuple[Rect, ...]:
    """Return the panel of each seat, two side by side, as high as the bonuses of both need."""
    panels: list[Rect] = []
    for first in range(0, len(players), 2):
        pair = players[first : first + 2]
        lines = max(1, -(-max(len(player.completed) for player in pair) // _CHIPS_IN_LINE))
        height = 2 * _PAD + _HEAD + MAX_TASKS * (_STRIP + _BETWEEN) + lines * _CHIPS
        panels += [
            Rect(_PANEL_SIDE + column * (_PANEL_WIDTH + _PANEL_GAP), top, _PANEL_WIDTH, height)
            for column in range(len(pair))
        ]
        top += height + _PANEL_GAP
    return tuple(panels)


def seat_backdrop(panels: Sequence[Rect], nameplates: Sequence[Nameplate]) -> Iterator[Mark]:
    """Yield what never changes: each seat's panel and token, and a hat in place of a fourth seat."""
    for seat, at in enumerate(panels):
        yield Box(at, ColourRole.SURFACE_SHADE, ColourRole.SURFACE_LINE, 16, 2)
        inner = at.inset(_PAD)
        yield from token_marks(nameplates, seat, Rect(inner.x, inner.y, 44, 44))
        for room in _task_areas(inner):
            yield Box(room, None, ColourRole.SURFACE_LINE, 10, 2)
    if len(panels) % 2:
        yield Sprite(f"{ART_FOLDER}/hat", panels[-1].shift(_PANEL_WIDTH + _PANEL_GAP).center(240, 144))


def seat_marks(scene: Scene, seat: Seat, at: Rect) -> Iterator[Mark]:
    """Yield the content of a seat's panel; the mover's is framed."""
    view = scene.view
    if seat == view.mover:
        yield Box(at, None, ColourRole.MARK, 16, FRAME_WIDTH, may_overlap=True)
    elif _seat_badge(view, seat) is Badge.CROWN:
        yield Box(at, None, ColourRole.GOLD, 16, 4, may_overlap=True)
    inner, player = at.inset(_PAD), view.players[seat]
    yield from _head_marks(scene, seat, inner)
    new = newly_taken_assignments(scene.events)
    for task, room in zip(player.tasks, _task_areas(inner), strict=False):
        yield from task_strip(task, room, scene.highlights)
        if task.assignment.number in new:
            yield from change_brackets(room, BracketSize.TIGHT)
    top = inner.y + _HEAD + MAX_TASKS * (_STRIP + _BETWEEN)
    yield from _bonus_chips(bonuses_of(view, seat), Rect(inner.x, top, inner.width, 33))


def _task_areas(at: Rect) -> tuple[Rect, ...]:
    """Return the places of the assignments."""
    return tuple(Rect(at.x, at.y + _HEAD + line * (_STRIP + _BETWEEN), at.width, _STRIP) for line in range(MAX_TASKS))


def _seat_badge(view: State, seat: Seat) -> Badge | None:
    if view.mover is None:
        return Badge.CROWN if seat in winners_of(view) else None
    return Badge.FLAG if view.players[seat].score >= view.options.target else None


def _head_marks(scene: Scene, seat: Seat, at: Rect) -> Iterator[Mark]:
    """Yield the points, the name above their progress to the target, and the bank in the room that the name leaves."""
    view, events = scene.view, scene.events
    player, points, badge = view.players[seat], points_gained(events, seat), _seat_badge(view, seat)
    score = Rect(at.x + 41, at.y, 54, 44)
    yield Label(str(player.score), score, ColourRole.SURFACE_TEXT, 38, Align.RIGHT, bold=True)
    goal, right = Rect(at.x + 100, at.y, 54, 44), at.right
    if points:
        yield from tag_marks(f"+{points}", goal.center(54, 36), ColourRole.NEW)
    elif badge is not None:
        yield _badge_sprite(badge, goal)
    else:
        yield Label(f"/{view.options.target}", goal, ColourRole.SURFACE_TEXT_FAINT, 28, Align.LEFT)
    if points and badge is not None:
        right -= goal.width
        yield _badge_sprite(badge, goal._replace(x=right))
        right -= 4
    left = at.x + 157
    if player.bank:
        room = Rect(left, at.y + 4, right - left, _BANK_CARD)
        bank = _bank_area(room, len(player.bank), _name_width(scene.nameplates, seat))
        bankable = scene.highlights.bankable if seat == view.mover else frozenset[Card]()
        kept = latest_kept_card(events)
        newly_kept_card = kept.card if kept is not None and kept.seat == seat else None
        yield from _bank_marks(player, bank, newly_kept_card, bankable)
        right = bank.x - 4
    room = Rect(left, at.y, right - left, 44)
    full, bar = max(view.options.target, player.score), room._replace(y=room.bottom - 16, height=16)
    yield from score_bar_marks(ScoreRow(seat, player.score, points), full, bar)
    yield from name_labels(scene.nameplates, seat, room._replace(height=28), size=_NAME_SIZE)


def _badge_sprite(badge: Badge, at: Rect) -> Sprite:
    return Sprite(badge.value, at.center(54, 40))


def _name_width(nameplates: Sequence[Nameplate], seat: Seat) -> int:
    """Return how much room a name has at least: as much as its first letters can take."""
    if not nameplates:
        return _MIN_NAME_WIDTH
    width = _NAME_PADDING
    for letter in nameplates[seat].name[:_MAX_LETTERS]:
        is_wide = letter in _WIDE_LETTERS or not letter.isascii()
        width += _WIDE_LETTER if is_wide else _CAPITAL if letter.isupper() else _LETTER
    return width


def _bank_area(room: Rect, cards: int, name_width: int) -> Rect:
    """Return the right part of a room: the case and all cards, or as many as the name leaves room for."""
    most, gap = room.width - name_width - 4, _BANK_PITCH - _BANK_CARD
    places = min(cards + 1, _MAX_BANK + 1, (most + gap) // _BANK_PITCH)
    # If not even one card fits, their number stands beside the case.
    width = places * _BANK_PITCH - gap if places > 1 else most
    return room._replace(x=room.right - width, width=width)


def _bank_marks(player: Player, at: Rect, new: Card | None, bankable: frozenset[Card]) -> Iterator[Mark]:
    """Yield the bank: a case and its cards, and how many more there are if they don't fit."""
    room = Rect(at.x, at.y, _BANK_CARD, _BANK_CARD)
    yield Sprite(f"{ART_FOLDER}/case", room)
    places = (at.width + _BANK_PITCH - _BANK_CARD) // _BANK_PITCH - 1
    shown = player.bank if len(player.bank) <= places else player.bank[: max(0, places - 1)]
    for card in shown:
        room = room.shift(_BANK_PITCH)
        yield from card_marks(card, room)
        if card in bankable:
            yield action_frame(room, 5, TIGHT_MARGIN)
        if card == new:
            yield from change_brackets(room, BracketSize.TIGHT)
            new = None
    if left := len(player.bank) - len(shown):
        count = Rect(room.right + 4, at.y, at.right - room.right - 4, at.height)
        yield Label(f"+{left}" if shown else str(left), count, ColourRole.SURFACE_TEXT, 28)


def _bonus_chips(bonuses: Sequence[tuple[Assignment, bool]], at: Rect) -> Iterator[Mark]:
    """Yield the bonuses in the order they were earned."""
    for place, (each, is_used) in enumerate(bonuses):
        line, column = divmod(place, _CHIPS_IN_LINE)
        room = Rect(at.x + 66 * column, at.y + _CHIPS * line, 63, at.height)
        yield from bonus_chip(each.bonus, room, is_spent=is_used)


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
