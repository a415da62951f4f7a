"""What people earn: badges with a medal to show for them, and feats of chance."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, Generic, NamedTuple

from bot.rules.game import Event, EventT, Outcome, Seat, StateT
from bot.rules.picture import ColourRole, Mark, Rect, Sprite

BADGE_KEY: Final = re.compile("[a-z][a-z0-9_]{1,29}")
"""Keys of badges."""

MAX_BADGE_NAME, MAX_BADGE_SENTENCE = 18, 60
"""How many letters they may have, so that thirty of them fit into a message."""

MEDAL_AREA: Final = Rect(0, 0, 128, 128)
"""The area of a medal."""

MEDAL_FACE: Final = Rect(26, 26, 76, 76)
"""The part of a medal that shows what it was earned for."""


@dataclass(frozen=True, slots=True)
class Badge:
    """Something that a person can earn once."""

    key: str
    """Names it among those of its game; it is stored."""
    name: str
    """Two or three words."""
    sentence: str
    """What one has to do for it."""
    medal: tuple[Mark, ...]
    """Its art within `MEDAL_AREA`."""


@dataclass(frozen=True, slots=True)
class GameBadge(Badge, Generic[StateT, EventT]):
    """A badge that is earned by what happens in one game."""

    earned_by: Callable[[StateT, Sequence[EventT], StateT], Iterable[Seat]]
    """Returns the seats that a move earns it for, from the states before and after it, and its events."""
    score: int | None = None
    """The score at the end of a game that earns it, if it takes nothing else: people are told how near they came."""
    games: int = 1
    """In how many games it has to be done: people are told in how many they have."""


class SeatBadge(NamedTuple):
    """A badge that a seat has earned."""

    seat: Seat
    key: str


def find_earned(
    badges: Iterable[GameBadge[Any, Any]], before: object, events: Sequence[Event], after: object
) -> Iterator[SeatBadge]:
    """Yield the badges that a move has earned."""
    for badge in badges:
        for seat in badge.earned_by(before, events, after):
            yield SeatBadge(seat, badge.key)


def medal(colour: ColourRole, *motif: Mark) -> tuple[Mark, ...]:
    """Return a medal with a ring of a colour around a motif within `MEDAL_FACE`."""
    return (Sprite("badge", MEDAL_AREA, colour), *motif)


def sole_winner(outcome: Outcome | None) -> Seat | None:
    """Return the only winner of a game that is over, or None."""
    winners = () if outcome is None else outcome.winners
    return winners[0] if len(winners) == 1 else None


class FeatKind(Enum):
    """What is remarkable; a table keeps the greatest feat of each kind."""

    LUCK = "luck"
    """A roll that few would have made."""
    ESCAPE = "escape"
    """A risk that did not come true."""


LEAST_SIZES: Final = {FeatKind.LUCK: 0.85, FeatKind.ESCAPE: 0.25}
"""What is worth telling: luck of 15% at most, and a risk of 25% at least."""


@dataclass(frozen=True, slots=True)
class Feat:
    """Something remarkable that chance did for a seat."""

    kind: FeatKind
    seat: Seat
    size: float
    """The exact chance that it would not have come so."""
    rolled: int = 0
    """What was rolled: a number that `Results.name_roll` names; 0 for an escape."""


def with_feats(feats: tuple[Feat, ...], new: Iterable[Feat]) -> tuple[Feat, ...]:
    """Return the greatest feat of each kind; the first of equals stays."""
    for feat in new:
        known = next((each for each in feats if each.kind is feat.kind), None)
        if feat.size > (LEAST_SIZES[feat.kind] if known is None else known.size):
            feats = (*(each for each in feats if each is not known), feat)
    return feats
