"""Clicks per move on a table as shown: one for a button, two for a menu line."""

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from itertools import count
from typing import Final

from bot.rules.screen import EMPTY_DRAFT, Control, Draft, Play, Screen, Toggle

BUTTON_CLICKS: Final = 1
MENU_CLICKS: Final = 2
"""A menu has to be opened before something is chosen in it."""


def count_clicks(move: str, look: Callable[[Draft], Screen]) -> int | None:
    """Return the fewest clicks that make a move, from a screen on which nothing is picked; None where none do."""
    order = count()
    waiting: list[tuple[int, int, Draft]] = [(0, next(order), EMPTY_DRAFT)]
    done, found = set[Draft](), list[int]()
    while waiting and not (found and min(found) <= waiting[0][0]):
        clicks, _, draft = heappop(waiting)
        if draft in done:
            continue
        done.add(draft)
        for control, more in _offers(look(draft)):
            if control.effect == Play(move):
                found.append(clicks + more)
            elif isinstance(control.effect, Toggle):
                heappush(waiting, (clicks + more, next(order), control.effect.apply(draft)))
    return min(found, default=None)


def _offers(screen: Screen) -> Iterator[tuple[Control, int]]:
    for row in screen.rows:
        yield from ((control, BUTTON_CLICKS) for control in row if not control.is_disabled)
    for menu in screen.menus:
        yield from ((control, MENU_CLICKS) for control in menu.controls)
