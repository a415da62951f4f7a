"""The link from a table to the series or the tournament that it belongs to."""

from dataclasses import dataclass
from enum import StrEnum


class SeriesLinkKind(StrEnum):
    """Why a table follows another."""

    TOURNAMENT = "tournament"
    TIE_BREAK = "tie_break"
    PAIRING = "pairing"
    """It belongs to a tournament over many tables, which pairs its players."""


@dataclass(frozen=True, slots=True)
class SeriesLink:
    """The link from a later table of a series to the first one, or from a table to its tournament."""

    first_id: int
    """The id of the first table, or of the tournament."""
    kind: SeriesLinkKind
    part: int
    """The table's number in the series; the first is 1. A pairing's number has a meaning of its own."""
    carried: tuple[int, ...] = ()
    """Each seat's score from the earlier games of a tournament."""
