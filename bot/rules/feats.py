"""Feats of chance: what the luckiest roll, the narrowest escape and the costliest bust of a game were."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from bot.rules.game import Seat


class FeatKind(Enum):
    """What is remarkable; a table keeps the greatest feat of each kind."""

    LUCK = "luck"
    """A roll that few would have made."""
    ESCAPE = "escape"
    """A risk that did not come true."""
    BUST = "bust"
    """A loss by bad luck."""


LEAST_SIZES: Final = {FeatKind.LUCK: 0.85, FeatKind.ESCAPE: 0.25, FeatKind.BUST: 0.0}
"""What is worth telling: luck of 15% at most, and a risk of 25% at least. Games tell only big busts."""


@dataclass(frozen=True, slots=True)
class Feat:
    """Something remarkable that chance did for a seat, or to it."""

    kind: FeatKind
    seat: Seat
    size: float
    """The exact chance that it would not have come so, or what it cost in the game's own measure."""
    what: str = ""
    """What was rolled or lost, such as `full house` or `900 lost`; empty for an escape."""


def with_feats(feats: tuple[Feat, ...], new: Iterable[Feat]) -> tuple[Feat, ...]:
    """Return the greatest feat of each kind; the first of equals stays."""
    for feat in new:
        known = next((each for each in feats if each.kind is feat.kind), None)
        if feat.size > (LEAST_SIZES[feat.kind] if known is None else known.size):
            feats = (*(each for each in feats if each is not known), feat)
    return feats
