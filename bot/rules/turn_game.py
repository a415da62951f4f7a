"""Rules shared by all games: who may move, and that illegal moves are not applied."""

from abc import ABC, abstractmethod
from typing import Generic

from bot.rules.chance import Chance
from bot.rules.game import EventT, MoveT, Seat, StateT, Transition
from bot.rules.refusals import CommonReason, Refusal


class TurnGame(ABC, Generic[StateT, MoveT, EventT]):
    """Base of games in which one seat at a time moves; a subclass adds the rest of `bot.rules.game.Game`."""

    @abstractmethod
    def seat_to_move(self, state: StateT) -> Seat | None:
        """Return the seat to move, or None if the game is over."""

    @abstractmethod
    def why_not(self, state: StateT, seat: Seat, move: MoveT) -> Refusal | None:
        """Return why a move by the seat to move is illegal, or None if it is legal."""

    @abstractmethod
    def apply_move(self, state: StateT, seat: Seat, move: MoveT, chance: Chance) -> Transition[StateT, EventT]:
        """Apply a legal move."""

    def check(self, state: StateT, seat: Seat, move: MoveT) -> Refusal | None:
        """Return why a move is illegal, or None if it is legal."""
        mover = self.seat_to_move(state)
        if seat != mover:
            return Refusal(CommonReason.GAME_OVER if mover is None else CommonReason.NOT_TO_MOVE)
        return self.why_not(state, seat, move)

    def play(self, state: StateT, seat: Seat, move: MoveT, chance: Chance) -> Transition[StateT, EventT]:
        """Apply a move.

        Raises:
            Refusal: The move is illegal; no random number has been drawn.
        """
        if refusal := self.check(state, seat, move):
            raise refusal
        return self.apply_move(state, seat, move, chance)
