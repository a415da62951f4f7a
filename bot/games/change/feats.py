"""The luckiest challenges of Change."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

from bot.games.change.events import Challenged, GameEvent
from bot.games.change.pieces import CHALLENGE_TARGET
from bot.rules.feats import Feat, FeatKind
from bot.words import gettext as _

_SIDES = 6


def find_feats(_before: object, events: Sequence[GameEvent], _after: object) -> Iterator[Feat]:
    """Yield a challenge that succeeded by its dice, by the chance of its total or more. Rule CH-6."""
    for event in events:
        if isinstance(event, Challenged) and event.total >= CHALLENGE_TARGET:
            what = _("{total} in a challenge").format(total=event.total)
            yield Feat(FeatKind.LUCK, event.seat, 1 - chance_of_total(event.total), what)


# 80 us for each challenge; there are 16 totals.
@lru_cache(maxsize=64)
def chance_of_total(least: int) -> float:
    """Return the chance that the best of three dice, the best of two, and one more come to so much. Rule CH-6."""
    ways = Counter({0: 1})
    for dice in (3, 2, 1):
        best = Counter(map(max, product(range(1, _SIDES + 1), repeat=dice)))
        totals = Counter[int]()
        for (total, count), (face, more) in product(ways.items(), best.items()):
            totals[total + face] += count * more
        ways = totals
    return float(sum(count for total, count in ways.items() if total >= least) / sum(ways.values()))
