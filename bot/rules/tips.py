"""Tips for people who are new to a game."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from bot.rules.game import EventT_contra, ViewT_contra

MAX_TIP_LENGTH: Final = 90
"""The most characters of a tip, which is plain text: two lines on a phone."""

TIP_KEY_PATTERN: Final = re.compile("[a-z0-9_-]{1,32}")


@dataclass(frozen=True, slots=True)
class Tip:
    """A sentence that helps a beginner in a position."""

    key: str
    """Tips with the same key say the same thing."""
    text: str
    """One line, without Markdown."""
    is_explanation: bool = False
    """Whether it explains a piece that has just appeared, to the whole table and once.

    Other tips are for the player to move.
    """


class TipFinder(Protocol[ViewT_contra, EventT_contra]):
    """Finds the tips that matter in a position."""

    def __call__(self, view: ViewT_contra, events: Sequence[EventT_contra]) -> Iterable[Tip]:
        """Return explanations and then tips, each the most important first.

        Args:
            view: A spectator's view, since everyone reads the tips.
            events: The newest public events, oldest first.
        """
