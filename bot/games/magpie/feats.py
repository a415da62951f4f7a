"""The luckiest rolls of Magpie."""

from collections.abc import Iterator, Sequence

from bot.games.magpie.events import GameEvent, Rolled
from bot.games.magpie.guide import COMBINATION_NAMES
from bot.games.magpie.moves import Roll
from bot.games.magpie.pieces import State
from bot.games.magpie.roll_values import chance_of_points
from bot.rules.feats import Feat, FeatKind
from bot.words import gettext as _


def find_feats(before: State, events: Sequence[GameEvent], _after: State) -> Iterator[Feat]:
    """Yield a roll with a combination, by the chance of as many points or more."""
    for event in events:
        if isinstance(event, Rolled) and event.combination is not None:
            chance = chance_of_points(before.options, before.faces, Roll(event.dice), event.points)
            yield Feat(FeatKind.LUCK, event.seat, 1 - chance, _(COMBINATION_NAMES[event.combination]))
