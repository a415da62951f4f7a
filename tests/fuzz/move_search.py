"""Finds the clicks that lead to a move of the seat to move."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bot.rules.screen import EMPTY_DRAFT, Control, Draft, Play, Screen
from bot.tables.handlers.ids import ControlId, HandControlId, MenuId
from tests.fuzz.table_model import TableModel

MAX_DRAFTS = 2000
"""The number of drafts after which the search gives up."""

DrawScreen: TypeAlias = Callable[[Draft], Screen | None]


@dataclass(frozen=True, slots=True)
class ComponentPress:
    """A button that is pressed, or a line that is chosen in a menu."""

    custom_id: str
    values: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class OfferedControl:
    """A control that a screen offers for a draft, and the menu it is a line of."""

    draft: Draft
    control: Control
    menu: str | None

    def build_press(self, account: TableModel, *, in_hand: bool) -> ComponentPress:
        """Return how it is pressed at a table as it stands, in front of everyone or in a hand."""
        named = ControlId if self.menu is None else MenuId
        pressed = named(account.id, account.header.step, self.menu or self.control.key, self.draft)
        custom_id = str(HandControlId(pressed) if in_hand else pressed)
        return ComponentPress(custom_id, None if self.menu is None else (self.control.key,))


def find_presses(account: TableModel, seat: int) -> Sequence[ComponentPress]:
    """Return what the seat to move presses on the table, or else in its hand; nothing where that leads to no move."""
    public = _find_shortest_path(account.screen, account.drafts)
    if public:
        return [offer.build_press(account, in_hand=False) for offer in public]
    own = _find_shortest_path(lambda draft: account.hand(draft, seat), account.hand_drafts)
    return [offer.build_press(account, in_hand=True) for offer in own]


def _find_shortest_path(look: DrawScreen, drafts: Sequence[Draft]) -> Sequence[OfferedControl]:
    """Return the fewest offers that lead from the draft as it is to any move."""
    begun = drafts[-1] if drafts else EMPTY_DRAFT
    seen, waiting = {begun}, deque[tuple[Draft, tuple[OfferedControl, ...]]]([(begun, ())])
    while waiting and len(seen) < MAX_DRAFTS:
        draft, so_far = waiting.popleft()
        for offer in _offers(look(draft), draft):
            way = (*so_far, offer)
            if isinstance(offer.control.effect, Play):
                return way
            after = offer.control.effect.apply(draft)
            if after not in seen:
                seen.add(after)
                waiting.append((after, way))
    return ()


def _offers(screen: Screen | None, draft: Draft) -> Iterator[OfferedControl]:
    if screen is None:
        return
    for row in screen.rows:
        yield from (OfferedControl(draft, control, None) for control in row if not control.is_disabled)
    for menu in screen.menus:
        yield from (OfferedControl(draft, control, menu.key) for control in menu.controls)
