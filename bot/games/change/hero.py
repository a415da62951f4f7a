"""The best turn of a seat at the end of Change: where it released its credits, and the dice behind it."""

from collections.abc import Iterator
from typing import Final

from bot.games.change.board import SpaceKind
from bot.games.change.board_picture import set_colour, space_sprite
from bot.games.change.pieces import Challenged, Landed, Released, View
from bot.rules.components import die_marks
from bot.rules.game import Seat
from bot.rules.hero import HERO_AREA, BestTurn, Hero
from bot.rules.picture import Box, ColourRole, Mark, Rect, Sprite
from bot.words import format_signed

_CARD, _DIE, _GAP = 164, 128, 18
_RAGZ, _ART, _CORNER_ART = (96, 128), (96, 96), (128, 96)
"""The sizes of the art."""
_MOST_SPACES, _MOST_DICE = 2, 3
_TILTS: Final = (-6, 5, -4)
"""Degrees by which the dice are turned."""


def build_hero(view: View, seat: Seat, best_turn: BestTurn | None) -> Hero | None:
    """Lay out the best turn of a seat: its Ragz, the spaces that released credits, and the dice."""
    if best_turn is None:
        return None
    spaces = list(dict.fromkeys(_find_spaces(seat, best_turn)))[:_MOST_SPACES]
    dice = _find_dice(seat, best_turn)[:_MOST_DICE]
    width = _RAGZ[0] + len(spaces) * (_CARD + _GAP) + len(dice) * (_DIE + _GAP)
    at = HERO_AREA._replace(height=_CARD + 16).center(width, _CARD)
    marks: list[Mark] = [Sprite(f"change/ragz-{seat + 1}", at._replace(width=_RAGZ[0]).center(*_RAGZ))]
    at = at._replace(x=at.x + _RAGZ[0] + _GAP, width=_CARD)
    board = view.public.board
    for space in spaces:
        entry = board.spaces[space]
        edge = ColourRole.GOLD if entry.set is None else set_colour(board, entry)
        size = _CORNER_ART if entry.kind is SpaceKind.CORNER else _ART
        marks += (Box(at, ColourRole.PAPER, edge, 28, 12), space_sprite(entry, at.center(*size), ColourRole.TEXT))
        at = at.shift(right=_CARD + _GAP)
    for face, tilt in zip(dice, _TILTS, strict=False):
        marks += die_marks(face, Rect(at.x, at.y, _DIE, _CARD).center(_DIE, _DIE), ColourRole.GOLD, tilt)
        at = at.shift(right=_DIE + _GAP)
    return Hero(tuple(marks), format_signed(best_turn.change))


def _find_spaces(seat: Seat, best_turn: BestTurn) -> Iterator[int]:
    """Yield the spaces that released credits of a seat."""
    for event in best_turn.events:
        match event:
            case Landed(space=space, changes=changes) if changes[seat] < 0:
                yield space
            case Released(releasing, _count, space) if releasing == seat:
                yield space
            case _:
                pass


def _find_dice(seat: Seat, best_turn: BestTurn) -> tuple[int, ...]:
    """Return the dice of a challenge or a corner that a seat rolled."""
    for event in best_turn.events:
        match event:
            case Challenged(challenged, _space, rolls) if challenged == seat:
                return tuple(map(max, rolls))
            case Released(releasing, _count, _space, dice) if releasing == seat and dice:
                return dice
            case _:
                pass
    return ()
