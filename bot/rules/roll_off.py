"""The roll-off for who starts: the highest total wins, and ties roll again."""

from dataclasses import dataclass
from typing import TypeAlias

from bot.rules.chance import Chance, roll
from bot.rules.game import Seat

Dice: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RollOffRound:
    """The dice of each seat still in the roll-off."""

    rolls: tuple[tuple[Seat, Dice], ...]

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """The seats with the highest total."""
        best = max(sum(dice) for _, dice in self.rolls)
        return tuple(seat for seat, dice in self.rolls if sum(dice) == best)


def roll_off(seats: int, dice: int, chance: Chance) -> tuple[RollOffRound, ...]:
    """Roll dice for all seats, then for those that tie, until one seat leads."""
    rounds: list[RollOffRound] = []
    contenders: tuple[Seat, ...] = tuple(range(seats))
    while len(contenders) > 1:
        rounds.append(RollOffRound(tuple((seat, roll(chance, dice)) for seat in contenders)))
        contenders = rounds[-1].leaders
    return tuple(rounds)
