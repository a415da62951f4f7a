"""Pages of long lists."""

from dataclasses import dataclass
from math import ceil


@dataclass(frozen=True, slots=True)
class Page:
    """A page number, from 1, and the number of pages; an empty list has one page."""

    number: int
    count: int


def clamp_page(number: int, total: int, size: int) -> Page:
    """Return the page with a number, or the nearest existing one."""
    count = max(1, ceil(total / size))
    return Page(min(max(1, number), count), count)
