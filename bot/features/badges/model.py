"""A person's finished games, and the rules of the badges that they earn."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple, TypeAlias

from bot.platform.places import Location
from bot.tables.model import Award, Company

OVERALL: Final = "overall"
"""Replaces the game in the keys of badges that belong to no game."""


def step_key(badge: str, number: int | None = None) -> str:
    """Return the full key of a step to a badge that takes several games, or the beginning of all its steps."""
    return f"{badge}/{'' if number is None else number}"


class PlayRecord(NamedTuple):
    """What a person has finished in one game and company."""

    game: str
    company: Company
    has_won: bool
    """Whether the person came first at least once without hints, alone or shared."""
    first_at: datetime
    last_at: datetime


PlayRecords: TypeAlias = Sequence[PlayRecord]


class ShownAward(NamedTuple):
    """An award, with the place of its table's message."""

    award: Award
    location: Location | None
    """None if the table is gone."""
    message_id: int | None


class Progress(NamedTuple):
    """How much of what a badge takes has been reached."""

    reached: int
    goal: int

    @property
    def is_earned(self) -> bool:
        """Whether all of it has."""
        return self.reached >= self.goal


def _days_of_friendship(records: PlayRecords) -> int:
    """Return the number of days between a person's first game against people and their newest one."""
    with_people = [record for record in records if record.company is Company.PEOPLE]
    if not with_people:
        return 0
    first_at, last_at = min(record.first_at for record in with_people), max(record.last_at for record in with_people)
    return (last_at - first_at).days


def _games_won(records: PlayRecords) -> int:
    """Return the number of games that the person has won at least once; a solo game can't be won."""
    return len({record.game for record in records if record.has_won and not record.company.is_solo})


RULES: Final[Mapping[str, Callable[[PlayRecords], Progress]]] = {
    "first_game": lambda records: Progress(len(records), 1),
    "first_win": lambda records: Progress(_games_won(records), 1),
    "grand_tour": lambda records: Progress(len({record.game for record in records}), 5),
    "all_rounder": lambda records: Progress(_games_won(records), 4),
    "old_friend": lambda records: Progress(_days_of_friendship(records), 100),
}
"""By key of a badge: how near a person with some records is to it."""


def earned_overall(records: PlayRecords) -> tuple[str, ...]:
    """Return the full keys of the overall badges that records earn."""
    return tuple(key for key, progress in overall_progress(records) if progress.is_earned)


def overall_progress(records: PlayRecords) -> Iterator[tuple[str, Progress]]:
    """Yield the full key of each overall badge, and how near a person with some records is to it."""
    yield from ((f"{OVERALL}/{key}", rule(records)) for key, rule in RULES.items())


def find_nearest(reached: Iterable[tuple[str, Progress]], earned: Collection[str]) -> tuple[str, Progress] | None:
    """Return the full key of the missing badge of which most is reached, and how much; None if nothing is.

    Args:
        reached: Badges by their full keys, with what the person has reached of each.
        earned: The full keys of the person's badges.
    """
    begun = [(key, progress) for key, progress in reached if key not in earned and 0 < progress.reached < progress.goal]
    return max(begun, key=lambda each: each[1].reached / each[1].goal, default=None)
