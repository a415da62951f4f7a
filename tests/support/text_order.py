"""The order of parts in a text."""

from collections.abc import Iterable


def find_misplaced(text: str, parts: Iterable[str]) -> list[str]:
    """Return the parts that a text lacks, or has before a part that should come first."""
    found, latest = [], 0
    for part in parts:
        place = text.find(part)
        if place < latest:
            found.append(part)
        latest = max(latest, place)
    return found
