"""The part of the rules that every game has in common: who may move, and that nothing illegal is applied."""

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from bot.rules.chance import Chance
from bot.rules.game import Seat, Step
from bot.rules.refusals import CommonReason, Refusal

StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")


class TurnGame(ABC, Generic[StateT, MoveT]):
    """Base of games in which one seat at a time moves; a subclass adds the rest of `bot.rules.game.Game`."""

    @abstractmethod
    def seat_to_move(self, state: StateT) -> Seat | None:
        """Return the seat that must act now, or None when the game is over."""

    @abstractmethod
    def why_not(self, state: StateT, seat: Seat, move: MoveT) -> Refusal | None:
        """Return why the seat to move may not make the move, or None when it may."""

    @abstractmethod
    def apply_move(self, state: StateT, seat: Seat, move: MoveT, dice: Chance) -> Step[StateT]:
        """Return the state after a legal move and what happened."""

    def check(self, state: StateT, seat: Seat, move: MoveT) -> Refusal | None:
        """Refuse moves after the end and out of turn, and those that `why_not` refuses."""
        mover = self.seat_to_move(state)
        if seat != mover:
            return Refusal(CommonReason.GAME_OVER if mover is None else CommonReason.NOT_TO_MOVE)
        return self.why_not(state, seat, move)

    def play(self, state: StateT, seat: Seat, move: MoveT, dice: Chance) -> Step[StateT]:
        """Apply a move; raises the refusal of `check` before anything is rolled."""
        if refusal := self.check(state, seat, move):
            raise refusal
        return self.apply_move(state, seat, move, dice)
