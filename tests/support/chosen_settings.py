"""What was chosen, as tests write it."""

from collections.abc import Mapping
from typing import Any

from bot.features.settings.kinds import Chosen, Setting


def chosen(values: Mapping[Setting[Any], Any]) -> Chosen:
    """Return some values of settings, and the defaults of all others."""
    result = Chosen()
    for setting, value in values.items():
        result = result.with_value(setting, value)
    return result
