"""Tables with scripted chance: the rolls of a step are written before the step is made."""

from collections.abc import Iterable

import pytest

from bot.rules.chance import Chance, ScriptedChance
from bot.tables import table as tables
from bot.tables.model import Header

_fair_chance_of = tables.chance_of


class ChanceScript:
    """The numbers of some steps; the others are fair. A step that was scripted is the same when it is replayed."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._steps: dict[int, tuple[int, ...]] = {}
        patch.setattr(tables, "chance_of", self._chance_of)

    def set_step(self, step: int, numbers: Iterable[int]) -> None:
        """Write down what chance gives at a step; step 0 is the set-up."""
        self._steps[step] = tuple(numbers)

    def _chance_of(self, header: Header, step: int) -> Chance:
        return ScriptedChance(self._steps[step]) if step in self._steps else _fair_chance_of(header, step)
