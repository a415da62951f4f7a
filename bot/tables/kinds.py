"""The kinds of tables: what lessons, daily bags and the pairings of a tournament do otherwise than any other game."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.rules.lesson import is_lesson
from bot.tables.daily import find_daily_day
from bot.tables.model import Header, Occupant, SeriesLinkKind


@dataclass(frozen=True, slots=True)
class TableKind:
    """What is different at the tables of a kind; the defaults are those of any other game."""

    counts: bool = True
    """Whether it is a game in earnest, whose end has a result; a further attempt at a daily bag has none either."""
    has_own_dice: bool = True
    """Whether its people contribute their clicks to the salt. Otherwise everyone has the same dice."""
    takes_back: bool = True
    """Whether a move that has revealed nothing can be taken back."""
    is_arranged: bool = False
    """Whether a tournament arranges it, decides how long its lobby waits, and opens it whatever else people play."""


GAME: Final = TableKind()
LESSON: Final = TableKind(counts=False, has_own_dice=False)
# With a way back its steps, and with them its dice, would not be the same for everyone.
DAILY: Final = TableKind(has_own_dice=False, takes_back=False)
PAIRING: Final = TableKind(is_arranged=True)


def kind_of(header: Header, seats: Sequence[Occupant]) -> TableKind:
    """Return the kind of a table, by its link or by what its first seat contributes to the salt."""
    if header.link is not None and header.link.kind is SeriesLinkKind.PAIRING:
        return PAIRING
    if not seats:
        return GAME
    if is_lesson(seats[0].contribution):
        return LESSON
    return GAME if find_daily_day(seats[0].contribution) is None else DAILY
