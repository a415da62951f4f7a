"""Pages of long lists."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from math import ceil
from typing import TypeVar


@dataclass(frozen=True, slots=True)
class Page:
    """A page number from 1, and the number of pages; an empty list has one page."""

    number: int
    count: int


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Some rows of a long list."""

    total: int
    """How many rows the list has."""


ExcerptT = TypeVar("ExcerptT", bound=Excerpt)


def clamp_page(number: int, total: int, size: int) -> Page:
    """Return the page with a number, or the nearest existing page."""
    count = max(1, ceil(total / size))
    return Page(min(max(1, number), count), count)


async def fetch_page(fetch: Callable[[int, int], Awaitable[ExcerptT]], number: int, size: int) -> tuple[Page, ExcerptT]:
    """Fetch a page by offset and limit, or the nearest page if it does not exist."""
    # A forged button can name a page below 1, and databases refuse negative offsets.
    number = max(1, number)
    found = await fetch((number - 1) * size, size)
    page = clamp_page(number, found.total, size)
    if page.number != number:
        found = await fetch((page.number - 1) * size, size)
    return page, found
