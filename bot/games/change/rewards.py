"""The badges of Change, and its luckiest challenges."""

from collections.abc import Iterator, Sequence
from typing import Final

from bot.games.change.facts import chance_of_total
from bot.games.change.pieces import Challenged, GameEvent, Landed, MarkerPlaced, Stage, State
from bot.rules.components import die_marks
from bot.rules.game import Seat
from bot.rules.picture import ColourRole, Label, Mark, Rect, Sprite
from bot.rules.rewards import MEDAL_FACE, Feat, FeatKind, GameBadge, medal
from bot.words import N_, gettext as _

_LOAD: Final = 50
_HIGHEST_TOTAL: Final = 18


def _whole_set(_before: State, events: Sequence[GameEvent], after: State) -> Iterator[Seat]:
    """Rule CH-11, but also where sets release nothing more."""
    for event in events:
        if isinstance(event, MarkerPlaced):
            whole = after.public.board.set_of[event.space]
            if after.public.markers[event.seat] & whole == whole:
                yield event.seat


def _eighteen(_before: State, events: Sequence[GameEvent], _after: State) -> Iterator[Seat]:
    """Rule CH-6."""
    for event in events:
        if isinstance(event, Challenged) and event.total == _HIGHEST_TOTAL:
            yield event.seat


def _load_off(_before: State, events: Sequence[GameEvent], _after: State) -> Iterator[Seat]:
    """Rules CH-5 and CH-11."""
    for event in events:
        if isinstance(event, Landed):
            yield from (seat for seat, change in enumerate(event.changes) if -change >= _LOAD)


def _everywhere(_before: State, events: Sequence[GameEvent], after: State) -> Iterator[Seat]:
    """Rule CH-9."""
    for event in events:
        if isinstance(event, MarkerPlaced) and after.public.markers_left(event.seat) == 0:
            yield event.seat


def _new_leaf(_before: State, _events: Sequence[GameEvent], after: State) -> Iterator[Seat]:
    """Rule CH-12."""
    public = after.public
    if public.stage is Stage.OVER:
        half = public.options.credits / 2
        others = [seat for seat, left in enumerate(public.credits) if left]
        if len(others) == len(public.credits) - 1 and all(public.credits[seat] >= half for seat in others):
            yield public.credits.index(0)


def _medal(*motif: Mark) -> tuple[Mark, ...]:
    return medal(ColourRole.SEAT_5, *motif)


BADGES: Final = (
    GameBadge(
        "whole_set",
        N_("Whole Set"),
        N_("Place markers on all three spaces of a set."),
        _medal(
            Sprite("change/marker-1", Rect(MEDAL_FACE.x + 22, MEDAL_FACE.y + 4, 32, 32)),
            Sprite("change/marker-1", Rect(MEDAL_FACE.x + 4, MEDAL_FACE.y + 38, 32, 32)),
            Sprite("change/marker-1", Rect(MEDAL_FACE.x + 40, MEDAL_FACE.y + 38, 32, 32)),
        ),
        _whole_set,
    ),
    GameBadge(
        "eighteen",
        N_("Eighteen"),
        N_("Roll 18, the highest possible total, in a challenge."),
        _medal(*die_marks(6, MEDAL_FACE.inset(8), ColourRole.GOLD)),
        _eighteen,
    ),
    GameBadge(
        "load_off",
        N_("A Load Off"),
        N_("Release 50 or more credits in a single landing."),
        _medal(Label("−50", MEDAL_FACE, ColourRole.TEXT, 40, bold=True)),
        _load_off,
    ),
    GameBadge(
        "everywhere",
        N_("Everywhere"),
        N_("Place all twelve of your markers."),
        _medal(Label("12", MEDAL_FACE, ColourRole.TEXT, 52, bold=True)),
        _everywhere,
    ),
    GameBadge(
        "new_leaf",
        N_("New Leaf"),
        N_("Win while all others still have at least half their credits."),
        _medal(Sprite("change/ragz-1", MEDAL_FACE.center(54, 72))),
        _new_leaf,
    ),
)


def find_feats(_before: object, events: Sequence[GameEvent], _after: object) -> Iterator[Feat]:
    """Yield a challenge that succeeded by its dice, by the chance of its total or more. Rule CH-6."""
    for event in events:
        if isinstance(event, Challenged) and event.has_succeeded:
            yield Feat(FeatKind.LUCK, event.seat, 1 - chance_of_total(event.total), event.total)


def name_roll(total: int) -> str:
    """Return the total of a challenge."""
    return _("{total} in a challenge").format(total=total)
