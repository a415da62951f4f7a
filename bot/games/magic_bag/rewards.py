"""The badges of The Magic Bag."""

from collections.abc import Iterator, Sequence
from typing import Final

from bot.games.magic_bag.facts import find_completed_artifacts
from bot.games.magic_bag.pieces import VALUES, GameEvent, MagicBagEnd, RowTaken, State, Suit
from bot.games.magic_bag.scoring import points_of, values_of
from bot.rules.game import Seat
from bot.rules.picture import ColourRole, Label, Mark, Sprite
from bot.rules.rewards import MEDAL_FACE, GameBadge, medal
from bot.words import N_

_SEAT: Final = 0
_HANDFUL: Final = 4
_FULL_PURSE: Final = 700


def _whole_again(_before: State, events: Sequence[GameEvent], after: State) -> Iterator[Seat]:
    """Rule MB-11."""
    if find_completed_artifacts(after, events):
        yield _SEAT


def _handful(_before: State, events: Sequence[GameEvent], _after: State) -> Iterator[Seat]:
    """Rule MB-6."""
    if any(isinstance(event, RowTaken) and len(event.coins) >= _HANDFUL for event in events):
        yield _SEAT


def _clean_sweep(_before: State, _events: Sequence[GameEvent], after: State) -> Iterator[Seat]:
    """Rule MB-7."""
    if after.end is MagicBagEnd.LAST_ROW:
        yield _SEAT


def _all_crowns(_before: State, _events: Sequence[GameEvent], after: State) -> Iterator[Seat]:
    """Rule MB-10."""
    if after.end is not None and len(values_of(Suit.CROWN, after.layout.collected)) == len(VALUES):
        yield _SEAT


def _full_purse(_before: State, _events: Sequence[GameEvent], after: State) -> Iterator[Seat]:
    """Rules MB-10 to MB-12."""
    if after.end is not None and points_of(after) >= _FULL_PURSE:
        yield _SEAT


def _medal(*motif: Mark) -> tuple[Mark, ...]:
    return medal(ColourRole.SEAT_3, *motif)


BADGES: Final = (
    GameBadge(
        "whole_again",
        N_("Whole Again"),
        N_("Complete an artifact."),
        _medal(Sprite("magic_bag/sun", MEDAL_FACE.center(72, 72))),
        _whole_again,
    ),
    GameBadge(
        "handful",
        N_("Handful"),
        N_("Draw four or more coins for a single row."),
        _medal(Label(f"{_HANDFUL}+", MEDAL_FACE, ColourRole.TEXT, 52, bold=True)),
        _handful,
    ),
    GameBadge(
        "clean_sweep",
        N_("Clean Sweep"),
        N_("Take the last row of tiles."),
        _medal(Sprite("magic_bag/star", MEDAL_FACE.center(64, 64))),
        _clean_sweep,
    ),
    GameBadge(
        "all_crowns",
        N_("All the Crowns"),
        N_("Finish a game with all six crowns."),
        _medal(Sprite("magic_bag/crown", MEDAL_FACE.center(72, 72))),
        _all_crowns,
    ),
    GameBadge(
        "full_purse",
        N_("Full Purse"),
        N_("Finish a game with 700 or more points."),
        _medal(Sprite("magic_bag/bag", MEDAL_FACE)),
        _full_purse,
        _FULL_PURSE,
    ),
)
