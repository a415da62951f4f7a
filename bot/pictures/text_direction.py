"""In which direction the letters of a text run, by Unicode's bidirectional algorithm (UAX #9).

In a sentence each name is laid out by itself. Brackets are signs like others: the library's rules, step by step, lack
the one for brackets, and its complete function does not tell the levels.
"""

from collections.abc import Sequence
from typing import Final
from unicodedata import bidirectional

from bidi import algorithm as bidi  # type: ignore[import-untyped]  # it has no types

_TO_THE_LEFT: Final = frozenset({"R", "AL", "AN"})

_FOLLOWERS: Final = frozenset({"BN", "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
"""Joiners, which belong to the letter before as marks do, and controls, which names lose."""


def levels_of(text: str, base: int | None = None) -> list[int]:
    """Return the level of each character: letters of even levels run to the right, those of odd ones to the left.

    Args:
        text: The text.
        base: The level of the whole text; by default the level of its first letter.
    """
    if not base and _TO_THE_LEFT.isdisjoint(map(bidirectional, text)):
        return [0] * len(text)
    storage = bidi.get_empty_storage()
    storage["base_level"] = bidi.get_base_level(text) if base is None else base
    bidi.get_embedding_levels(text, storage)
    characters = list(storage["chars"])
    for character in characters:
        if character["type"] in _FOLLOWERS:
            character["type"] = "NSM"
    bidi.calc_level_runs(storage)
    bidi.resolve_weak_types(storage)
    bidi.resolve_neutral_types(storage, debug=False)
    bidi.resolve_implicit_levels(storage, debug=False)
    # Spaces at the end get the level of the text only here.
    bidi.reorder_resolved_levels(storage, debug=False)
    return [character["level"] for character in characters]


def order_runs(levels: Sequence[int]) -> list[int]:
    """Return the places of runs from left to right, by their levels in the order in which they are read."""
    runs = [{"level": level, "place": place} for place, level in enumerate(levels)]
    bidi.reverse_contiguous_sequence(runs, 0, len(runs) - 1, max(levels, default=0), 1)
    return [run["place"] for run in runs]
