"""What a seat did best in a game, large on top of the picture of its result."""

from typing import Any, Final, NamedTuple, Protocol

from bot.rules.game import Event, Seat, ViewT_contra
from bot.rules.picture import Mark, Rect

HERO_AREA: Final = Rect(40, 40, 920, 290)
"""Where the marks of a hero lie; they begin at its top, and may take less of its height."""

BUILT_AREA: Final = Rect(0, 0, 920, 184)
"""Where the marks lie that show what was built in a solo game."""


class BestTurn(NamedTuple):
    """The turn in which a seat improved its score most."""

    change: int
    """How much the score changed; below zero where the lowest score wins."""
    events: tuple[Event, ...]
    """The events of the turn that everyone may see."""
    state: Any
    """The game's state after it."""


class Hero(NamedTuple):
    """What a seat did best."""

    marks: tuple[Mark, ...]
    """Marks within `HERO_AREA`."""
    gain: str = ""
    """What it brought, such as `+28`; empty for what a whole game has brought."""
    built: tuple[Mark, ...] = ()
    """What was built in a solo game, within `BUILT_AREA`; the card for sharing shows it in place of a rival."""


class HeroBuilder(Protocol[ViewT_contra]):
    """Lays out what a seat did best."""

    def __call__(self, view: ViewT_contra, seat: Seat, best_turn: BestTurn | None, /) -> Hero | None:
        """Lay it out from a spectator's view of the end; None leaves the place to the cover of the game."""
