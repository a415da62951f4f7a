"""How whoever is awaited goes on with a table: what they press, one after the other, until a move is made."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bot.rules.screen import EMPTY_DRAFT, Control, Draft, Play, Screen
from bot.ui.custom_ids import ControlId, InHandId, MenuId
from tests.fuzz.account import Account

MOST_DRAFTS = 2000
"""After so many drafts without a move nobody would find one."""

Look: TypeAlias = Callable[[Draft], Screen | None]


@dataclass(frozen=True, slots=True)
class Press:
    """A button that is pressed, or a line that is chosen in a menu."""

    custom_id: str
    values: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """A control that a screen offers for a draft, and the menu it is a line of."""

    draft: Draft
    control: Control
    menu: str | None

    def press(self, account: Account, *, in_hand: bool) -> Press:
        """Return how it is pressed at a table as it stands, in front of everybody or in a hand."""
        named = ControlId if self.menu is None else MenuId
        pressed = named(account.id, account.header.step, self.menu or self.control.key, self.draft)
        custom_id = str(InHandId(pressed) if in_hand else pressed)
        return Press(custom_id, None if self.menu is None else (self.control.key,))


def way_on(account: Account, seat: int) -> Sequence[Press]:
    """Return what the seat to move presses on the table, or else in its hand; nothing where that leads to no move."""
    public = _way(account.screen, account.drafts)
    if public:
        return [offer.press(account, in_hand=False) for offer in public]
    own = _way(lambda draft: account.hand(draft, seat), account.in_hand)
    return [offer.press(account, in_hand=True) for offer in own]


def _way(look: Look, drafts: Sequence[Draft]) -> Sequence[Offer]:
    """Return the fewest offers that lead from the draft as it is to a move."""
    begun = drafts[-1] if drafts else EMPTY_DRAFT
    seen, waiting = {begun}, deque[tuple[Draft, tuple[Offer, ...]]]([(begun, ())])
    while waiting and len(seen) < MOST_DRAFTS:
        draft, so_far = waiting.popleft()
        for offer in _offers(look(draft), draft):
            way = (*so_far, offer)
            if isinstance(offer.control.effect, Play):
                return way
            after = offer.control.effect.applied_to(draft)
            if after not in seen:
                seen.add(after)
                waiting.append((after, way))
    return ()


def _offers(screen: Screen | None, draft: Draft) -> Iterator[Offer]:
    if screen is None:
        return
    for row in screen.controls:
        yield from (Offer(draft, control, None) for control in row)
    for menu in screen.menus:
        yield from (Offer(draft, control, menu.key) for control in menu.controls)
