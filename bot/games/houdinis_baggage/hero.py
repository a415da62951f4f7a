"""The best turn of a seat at the end of Mr. Houdini's Baggage: the assignments that it completed."""

from typing import Final

from bot.games.houdinis_baggage.picture_pieces import POSTER_HEIGHT, POSTER_WIDTH, poster_marks
from bot.games.houdinis_baggage.pieces import State, TurnPlayed
from bot.rules.game import Seat, find_newest
from bot.rules.hero import HERO_AREA, BestTurn, Hero
from bot.rules.picture import Mark
from bot.words import format_signed

_GAP: Final = 24
_MOST: Final = 4


def build_hero(_view: State, _seat: Seat, best_turn: BestTurn | None) -> Hero | None:
    """Lay out the assignments that a seat completed in its best turn, as posters with a stamp."""
    played = None if best_turn is None else find_newest(TurnPlayed, best_turn.events)
    if best_turn is None or played is None or not played.completed:
        return None
    posters = sorted(played.completed, key=lambda assignment: -assignment.points)[:_MOST]
    width = len(posters) * (POSTER_WIDTH + _GAP) - _GAP
    row = HERO_AREA._replace(height=POSTER_HEIGHT).center(width, POSTER_HEIGHT)
    marks: list[Mark] = []
    for poster, at in zip(posters, row.split_columns(len(posters), _GAP), strict=True):
        marks += poster_marks(poster, at, is_done=True)
    return Hero(tuple(marks), format_signed(best_turn.change))
