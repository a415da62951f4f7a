"""Who shares no table: people of whom one blocks the other."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from bot.tables.model import Occupant


@dataclass(frozen=True, slots=True, order=True)
class Block:
    """A person blocks another."""

    blocker_id: int
    blocked_id: int


class SeatBlocked(Exception):
    """People who are to share a table block each other."""

    def __init__(self, blocks: Collection[Block]) -> None:
        super().__init__()
        self.blocks = blocks


def without_blocked(seats: Iterable[Occupant], person_id: int, blocks: Collection[Block]) -> tuple[Occupant, ...]:
    """Return the occupants who can share a table with a person and with each other.

    Of two others who block each other, the one who does so is left out.
    """
    about_person = {each for each in blocks if person_id in (each.blocker_id, each.blocked_id)}
    left_out = {user_id for each in about_person for user_id in (each.blocker_id, each.blocked_id)} - {person_id}
    left_out |= {
        each.blocker_id for each in blocks if not {each.blocker_id, each.blocked_id} & (left_out | {person_id})
    }
    return tuple(each for each in seats if each.user_id not in left_out)
