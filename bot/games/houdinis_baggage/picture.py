"""The picture of Mr. Houdini's Baggage: the stage, the mover with both assignments, and a line for everyone else."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from bot.games.houdinis_baggage.cards import CARD_KEYS, CARDS, Aspect, Trait
from bot.games.houdinis_baggage.facts import newly_filled_spot, turn_order
from bot.games.houdinis_baggage.legality import ways_of
from bot.games.houdinis_baggage.picture_pieces import (
    ART_FOLDER,
    POSTER_HEIGHT,
    POSTER_WIDTH,
    Highlights,
    card_sprite,
    poster_marks,
    trait_sprite,
)
from bot.games.houdinis_baggage.pieces import CardOpened, GameEvent, Phase, State, TurnPlayed
from bot.games.houdinis_baggage.reading import describe_picture
from bot.games.houdinis_baggage.seat_picture import Seats, flying_bonuses, line_marks, mover_marks, stamps
from bot.games.houdinis_baggage.stage_picture import (
    STAGE,
    rays,
    search_marks,
    stage_marks,
    turning_cards,
    twin_marks,
    winner_marks,
)
from bot.games.houdinis_baggage.words import TRAIT_TEXTS, card_symbols
from bot.rules.components import FRAME_WIDTH, Nameplate
from bot.rules.game import Seat, find_newest
from bot.rules.hero import HERO_AREA, BestTurn, Hero
from bot.rules.motion import Motion, Played
from bot.rules.picture import (
    PICTURE_WIDTH,
    SYMBOL_AREA,
    Box,
    ColourRole,
    Mark,
    Picture,
    Rect,
    Sprite,
    Surface,
    SurfaceColours,
    Symbol,
)
from bot.words import format_signed

HEIGHT: Final = 740
"""The height of every picture of a table."""

_SCENERY = Sprite(f"{ART_FOLDER}/stage", Rect(0, 0, PICTURE_WIDTH, HEIGHT), may_overlap=True)

_SIDE, _BOTTOM, _GAP = 12, 4, 4
_LINE_PITCH = {1: 84, 2: 64, 3: 62}
"""The height of a line for each seat but the mover, by how many they are."""
_LINE_PITCH_OF_ALL = {2: 92, 3: 82, 4: 62}
"""The same if all seats have lines, as at the end."""
_TWIN_BLOCK = 208
"""The height of the mover's line and assignments below a twin."""


_FLIGHT: Final = (1 / 3, 2 / 3)
"""Where the bonus of a completed assignment is seen on its way, as shares of it."""


def build_picture(view: State, events: Sequence[GameEvent], nameplates: Sequence[Nameplate] = ()) -> Picture:
    """Return the picture of a position."""
    seats = Seats(view, events, nameplates)
    if view.mover is None:
        return _picture_of_end(seats)
    if view.phase is Phase.TWIN:
        return _picture_of_twin(seats)
    highlights = _find_highlights(view, events)
    return _picture_of_turn(seats, stage_marks(view, events, highlights), highlights)


def find_motion(played: Played[State, GameEvent], nameplates: Sequence[Nameplate] = ()) -> Motion | None:
    """Return the cards that are opened: they turn over while values and seats are as before, and a twin takes longer.

    Assignments that are done are stamped, and their bonuses fly to the others.
    """
    turn, before = find_newest(TurnPlayed, played.events), played.before
    opened = [event.card for event in played.events if isinstance(event, CardOpened)]
    seats, highlights = Seats(before, played.earlier, nameplates), _find_highlights(before, played.earlier)
    if not opened:
        return _find_stamping(seats) if turn is not None and turn.completed else None
    search = _picture_of_turn(seats, search_marks(before, played.earlier, len(opened)), highlights)
    is_twin = played.after.phase is Phase.TWIN
    staging = []
    if is_twin:
        staging.append(_picture_of_turn(seats, search_marks(played.after, played.earlier), highlights))
    return Motion(search, turning_cards(before, opened), tuple(staging), is_twin, in_turn=True)


def shows_step(turn: Sequence[Sequence[GameEvent]], following: Sequence[GameEvent]) -> bool:
    """Return whether people see a position of a computer player's turn: all open cards, and what has been packed."""
    if find_newest(CardOpened, turn[-1]) is not None:
        return find_newest(CardOpened, following) is None
    return bool(turn[-1]) and find_newest(TurnPlayed, following) is not None


def _find_stamping(seats: Seats) -> Motion:
    """Return the stamps that come down on the mover's filled assignments, before their bonuses fly to the others."""
    view, highlights = seats.view, _find_highlights(seats.view, seats.events)
    before = _picture_of_turn(seats, stage_marks(view, seats.events, highlights), highlights)
    block = _mover_block(len(view.players))
    imprints, pieces = zip(*stamps(view, block), strict=True)
    staging = (
        replace(before, marks=(*before.marks, *imprints, *flying_bonuses(view, block, share))) for share in _FLIGHT
    )
    return Motion(before, pieces, tuple(staging), is_moment=True)


def _picture_of_turn(seats: Seats, stage: Iterable[Mark], highlights: Highlights) -> Picture:
    """Return the picture of a turn: the stage, and below it the mover above everyone else."""
    view = seats.view
    _mover, *others = turn_order(view)
    lines, block = _other_lines(len(view.players)), _mover_block(len(view.players))
    marks: tuple[Mark, ...] = (
        *stage,
        *mover_marks(seats, highlights, block),
        *chain.from_iterable(line_marks(seats, seat, at) for seat, at in zip(others, lines, strict=True)),
    )
    frame = Box(block, ColourRole.SURFACE_SHADE, ColourRole.MARK, 16, FRAME_WIDTH)
    return Picture((PICTURE_WIDTH, HEIGHT), (_SCENERY, frame), marks, describe_picture(view, seats.events))


def _picture_of_twin(seats: Seats) -> Picture:
    """Return the picture of twins, above the mover, who sees what the card to keep may be needed for."""
    view = seats.view
    _mover, *others = turn_order(view)
    lines = _line_areas(len(others), _LINE_PITCH[len(others)])
    block = Rect(_SIDE, lines[0].y - _GAP - _TWIN_BLOCK, PICTURE_WIDTH - 2 * _SIDE, _TWIN_BLOCK)
    height = block.y - _GAP
    marks = chain(
        twin_marks(view, height),
        mover_marks(seats, Highlights(), block),
        *(line_marks(seats, seat, at) for seat, at in zip(others, lines, strict=True)),
    )
    backdrop = (
        rays(height),
        Box(Rect(0, height, PICTURE_WIDTH, HEIGHT - height), ColourRole.SURFACE),
        Box(block, ColourRole.SURFACE_SHADE, ColourRole.MARK, 16, FRAME_WIDTH),
    )
    return Picture((PICTURE_WIDTH, HEIGHT), backdrop, tuple(marks), describe_picture(view, seats.events))


def _picture_of_end(seats: Seats) -> Picture:
    """Return the picture of the end, in which every seat has a line."""
    view, count = seats.view, len(seats.view.players)
    lines = _line_areas(count, _LINE_PITCH_OF_ALL[count])
    marks = chain(
        winner_marks(view, seats.nameplates, lines[0].y - _GAP),
        *(line_marks(seats, seat, at) for seat, at in enumerate(lines)),
    )
    return Picture((PICTURE_WIDTH, HEIGHT), (_SCENERY,), tuple(marks), describe_picture(view, seats.events))


def _other_lines(seats: int) -> tuple[Rect, ...]:
    """Return the areas of all seats but the mover during a turn."""
    return _line_areas(seats - 1, _LINE_PITCH[seats - 1])


def _mover_block(seats: int) -> Rect:
    """Return the area of the mover during a turn."""
    return Rect(_SIDE, STAGE.bottom, PICTURE_WIDTH - 2 * _SIDE, _other_lines(seats)[0].y - _GAP - STAGE.bottom)


def _line_areas(count: int, pitch: int) -> tuple[Rect, ...]:
    """Return the areas of lines at the bottom of the picture."""
    top = HEIGHT - _BOTTOM - count * pitch
    return tuple(Rect(_SIDE, top + pitch * at, PICTURE_WIDTH - 2 * _SIDE, pitch - 2) for at in range(count))


def _find_highlights(view: State, events: Sequence[GameEvent]) -> Highlights:
    """Return the cards and items to highlight before or while cards are placed."""
    if view.phase is Phase.CHOOSE:
        return Highlights()
    ways = ways_of(view)
    spots = frozenset(place.spot for place in ways.places)
    if view.phase is Phase.SEARCH:
        return Highlights(fillable=spots)
    return Highlights(
        playable=frozenset(place.card for place in ways.places),
        bankable=frozenset(each.card for each in ways.banks),
        usable=spots.union({each.start for each in ways.shifts}, {each.end for each in ways.shifts}),
        filled=newly_filled_spot(events),
    )


SURFACE: Final = Surface(
    standard=SurfaceColours("#4d1f24", "#341216", "#b57e74", "#fff3e4", "#e0c6b9"),
    dark=SurfaceColours("#241314", "#170a0b", "#a47a72", "#e2d8cc", "#bfaaa0"),
    high_contrast=SurfaceColours("#000000", "#3c1216", "#d49e96", "#ffffff", "#f4e0da"),
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


_HERO_GAP: Final = 24
_MOST: Final = 4


def build_hero(_view: State, _seat: Seat, best_turn: BestTurn | None) -> Hero | None:
    """Lay out the assignments that a seat completed in its best turn, as posters with a stamp."""
    played = None if best_turn is None else find_newest(TurnPlayed, best_turn.events)
    if best_turn is None or played is None or not played.completed:
        return None
    posters = sorted(played.completed, key=lambda assignment: -assignment.points)[:_MOST]
    width = len(posters) * (POSTER_WIDTH + _HERO_GAP) - _HERO_GAP
    row = HERO_AREA._replace(height=POSTER_HEIGHT).center(width, POSTER_HEIGHT)
    marks: list[Mark] = []
    for poster, at in zip(posters, row.split_columns(len(posters), _HERO_GAP), strict=True):
        marks += poster_marks(poster, at, is_done=True)
    return Hero(tuple(marks), format_signed(best_turn.change))
