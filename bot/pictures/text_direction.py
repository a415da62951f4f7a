"""In which direction the letters of a text run, by Unicode's bidirectional algorithm (UAX #9).

Texts have no controls for it: names lose those that they bring, and in a sentence each name is laid out by itself.
Brackets are signs like others.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby, takewhile
from typing import Final
from unicodedata import bidirectional

_WEAK_FROM: Final = {"ES": ("EN",), "CS": ("EN", "AN")}
"""Between which numbers a separator belongs to the number."""

_FOLLOWERS: Final = frozenset({"NSM", "BN"})
"""Marks, joiners and other characters without a direction of their own."""

_DIRECTED: Final = frozenset({"L", "R", "EN", "AN"})
"""Letters and numbers; everything else follows those around it."""


def levels_of(text: str, base: int | None = None) -> list[int]:
    """Return the level of each character: letters of even levels run to the right, those of odd ones to the left.

    Args:
        text: The text.
        base: The level of the whole text; without it that of its first letter.
    """
    own = list(map(bidirectional, text))
    if not any(kind in {"R", "AL", "AN"} for kind in own) and not base:
        return [0] * len(text)
    if base is None:
        base = 0 if next((kind for kind in own if kind in {"L", "R", "AL"}), "L") == "L" else 1
    kinds = _resolve_neutrals(_resolve_numbers(own, _direction_of(base)), base)
    levels = [_raise(base, kind) for kind in kinds]
    ends = sum(1 for _kind in takewhile({"WS", "S", "B", "BN"}.__contains__, reversed(own)))
    return [*levels[: len(levels) - ends], *[base] * ends]


def order_runs(levels: Sequence[int]) -> list[int]:
    """Return the places of runs from left to right, by their levels in the order in which they are read (L2)."""
    order = list(range(len(levels)))
    for level in range(max(levels, default=0), 0, -1):
        end = 0
        for is_turned, run in groupby([levels[place] >= level for place in order]):
            start, end = end, end + len(list(run))
            if is_turned:
                order[start:end] = reversed(order[start:end])
    return order


def _direction_of(level: int) -> str:
    return "R" if level % 2 else "L"


def _raise(base: int, kind: str) -> int:
    """Return the level of a letter or number in a text (I1, I2)."""
    if kind in {"EN", "AN"}:
        return base + 2 - base % 2
    return base + (kind != _direction_of(base))


def _resolve_numbers(own: Sequence[str], start: str) -> list[str]:
    """Return kinds without marks and without signs that belong to numbers (W1 to W7)."""
    kinds: list[str] = []
    letter = start
    for kind in own:
        resolved = (kinds[-1] if kinds else start) if kind in _FOLLOWERS else kind
        if kind in {"L", "R", "AL"}:
            letter = kind
        # Digits after an Arabic letter are Arabic numbers.
        kinds.append("AN" if resolved == "EN" and letter == "AL" else resolved)
    kinds = ["R" if kind == "AL" else kind for kind in kinds]
    for at in range(1, len(kinds) - 1):
        if kinds[at - 1] == kinds[at + 1] and kinds[at - 1] in _WEAK_FROM.get(kinds[at], ()):
            kinds[at] = kinds[at - 1]
    kinds = list(_join_terminators(kinds))
    letter = start
    for at, kind in enumerate(kinds):
        letter = kind if kind in {"L", "R"} else letter
        if kind == "EN" and letter == "L":
            kinds[at] = "L"
    return kinds


def _join_terminators(kinds: Sequence[str]) -> Iterator[str]:
    """Yield kinds in which signs beside a number, such as that of a currency, belong to it (W5)."""
    groups = [(kind, len(list(group))) for kind, group in groupby(kinds)]
    for at, (kind, length) in enumerate(groups):
        beside = {groups[other][0] for other in (at - 1, at + 1) if 0 <= other < len(groups)}
        yield from ["EN" if kind == "ET" and "EN" in beside else kind] * length


def _resolve_neutrals(kinds: Sequence[str], base: int) -> list[str]:
    """Return kinds in which signs between letters of one direction have it too, others that of the text (N1, N2)."""
    around = _direction_of(base)
    groups = [(is_directed, list(group)) for is_directed, group in groupby(kinds, _DIRECTED.__contains__)]
    resolved: list[str] = []
    for at, (is_directed, group) in enumerate(groups):
        if is_directed:
            resolved += group
            continue
        before = _side(groups[at - 1][1][-1]) if at else around
        after = _side(groups[at + 1][1][0]) if at + 1 < len(groups) else around
        resolved += [before if before == after else around] * len(group)
    return resolved


def _side(kind: str) -> str:
    """Return the direction that a letter or number has for the signs beside it."""
    return "L" if kind == "L" else "R"
