"""The picture of Mr. Houdini's Baggage: open cards with their values, the seats, and the row of open assignments.

While someone chooses an assignment, no card is open: then the assignments are on the stage, as large as it is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from bot.games.houdinis_baggage.bonuses import supply_of
from bot.games.houdinis_baggage.events import GameEvent
from bot.games.houdinis_baggage.picture.open_cards import (
    TableLayout,
    ranking_marks,
    table_backdrop,
    table_layout,
    table_marks,
)
from bot.games.houdinis_baggage.picture.pieces import ART_FOLDER, Highlights
from bot.games.houdinis_baggage.picture.row import (
    POSTER_HEIGHT,
    ROW_HEIGHT,
    choice_marks,
    row_backdrop,
    row_marks,
)
from bot.games.houdinis_baggage.picture.seats import Scene, seat_backdrop, seat_marks, seat_panels
from bot.games.houdinis_baggage.pieces import Phase, State
from bot.games.houdinis_baggage.placement import bank_moves, place_moves, shift_moves
from bot.games.houdinis_baggage.reading import describe_picture
from bot.games.houdinis_baggage.recent_events import newly_filled_spot
from bot.rules.picture import PICTURE_WIDTH, Mark, Picture, Rect, Sprite

_MARGIN = 10
_TWO_SEATS_MARGIN = 14
_POSTERS_TOP = 9

_STAGE = Sprite(f"{ART_FOLDER}/stage", Rect(0, 0, PICTURE_WIDTH, 880), may_overlap=True)
"""Scenery, higher than most pictures."""


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
