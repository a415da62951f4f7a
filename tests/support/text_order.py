"""Whether a text tells things in the right order."""

from collections.abc import Iterable


def find_misplaced(text: str, parts: Iterable[str]) -> list[str]:
    """Return the parts that a text does not tell, or tells before another that should come first."""
    found, latest = [], 0
    for part in parts:
        place = text.find(part)
        if place < latest:
            found.append(part)
        latest = max(latest, place)
    return found
