"""The rules of Fortune."""

from collections.abc import Sequence
from typing import assert_never

from bot.games.fortune.audit import find_faults
from bot.games.fortune.deck import CardKind, Deck, name_of
from bot.games.fortune.events import GameEvent
from bot.games.fortune.legality import why_not
from bot.games.fortune.move_lists import (
    ONLY_FIRST_ROLL,
    ONLY_STOP,
    island_moves,
    moves_with_chest,
    moves_with_spell,
    revive_moves,
    usual_moves,
)
from bot.games.fortune.moves import Move, Revive, Roll, Stop, parse_move
from bot.games.fortune.pieces import FACE_LETTERS, MOST_SEATS, FortuneEnd, FortuneOptions, State, Turn
from bot.games.fortune.scoring import places_of
from bot.games.fortune.turns import revive_skull, roll_dice, start_turn, stop, turn_up_card
from bot.rules.chance import Chance
from bot.rules.game import GameInfo, Seat, Transition
from bot.rules.outcome import Outcome
from bot.rules.refusals import Refusal
from bot.rules.turn_game import TurnGame
from bot.words import N_


class Fortune(TurnGame[State, Move, GameEvent]):
    """Fortune, for two to four seats. Rule FO-1."""

    info = GameInfo(
        key="fortune",
        title="Fortune",
        credits=N_("A dice and card game by Haim Shafir. How many cards there are of each kind is our choice."),
        least_seats=2,
        most_seats=MOST_SEATS,
        options=FortuneOptions,
        version=1,
        step_limit=200_000,
        minutes_per_seat=10,
    )

    def __init__(self, deck: Deck) -> None:
        self._cards = deck.all_cards()

    def start(self, options: FortuneOptions, seats: int, chance: Chance) -> State:
        """Choose the starting seat at random and turn up its card. Rule FO-1."""
        mover = chance.randbelow(seats)
        card, unseen, returned = turn_up_card(self._cards, (), chance)
        return State(options, (0,) * seats, mover, None, start_turn(card), unseen, returned)

    def seat_to_move(self, state: State) -> Seat | None:
        """Return the seat whose turn it is."""
        return state.mover

    def why_not(self, state: State, seat: Seat, move: Move) -> Refusal | None:
        """Refuse what the dice or the card do not allow. Rules FO-2 to FO-4, FO-9 and FO-C1 to FO-C9."""
        return why_not(state.turn, move)

    def legal_moves(self, state: State) -> Sequence[Move]:
        """Return the rolls, the uses of the Sorceress, and stopping."""
        return () if state.mover is None else _legal_moves(state.turn)

    def apply_move(self, state: State, seat: Seat, move: Move, chance: Chance) -> Transition[State, GameEvent]:
        """Roll or stop, and turn up the next card after a turn. Rules FO-1 to FO-10."""
        match move:
            case Roll():
                return roll_dice(state, seat, move, chance)
            case Revive():
                return revive_skull(state, seat, move, chance)
            case Stop():
                return stop(state, seat, chance)
            case _:
                assert_never(move)

    def outcome(self, state: State) -> Outcome | None:
        """Rank the seats by their scores, after a winner by nine of a kind. Rules FO-8, FO-E2 and FO-E3."""
        if state.mover is not None:
            return None
        reason = FortuneEnd.LINE_CROSSED if state.nine is None else FortuneEnd.NINE_OF_A_KIND
        return Outcome(places_of(state), state.scores, reason)

    def view(self, state: State, seat: Seat | None) -> State:
        """Return the state itself: the cards turned up reveal the rest of the pile."""
        return state

    def audit(self, state: State) -> tuple[str, ...]:
        """Return the faults in dice, cards, scores and turn."""
        return find_faults(state, self._cards)

    def encode_position(self, state: State) -> str:
        """Return scores, seat to move, seat that crossed the line, winner by nine, the turn and the returned cards.

        Such as `0/-300 1 - - captain GGMPSKDD 1 - - - gold+truce`. The turn has the card, the dice, the rolls,
        the chest, whether the Sorceress can help, and whether the player is on the Island.
        """
        scores = "/".join(map(str, state.scores))
        seats = " ".join("-" if seat is None else str(seat) for seat in (state.mover, state.crosser, state.nine))
        returned = "+".join(map(name_of, state.returned)) or "-"
        return f"{scores} {seats} {_encode_turn(state.turn)} {returned}"

    def parse_move(self, text: str) -> Move:
        """Parse a move such as `roll 1 3 5`, `roll 2 4 chest 1 6`, `sorceress 3 with 1 5` or `stop`."""
        return parse_move(text)


def _legal_moves(turn: Turn) -> Sequence[Move]:
    free = turn.free
    if not turn.faces:
        return ONLY_FIRST_ROLL
    if turn.island:
        return island_moves(free)
    if not turn.rolls_left:
        return ONLY_STOP
    if turn.spell:
        return revive_moves(free) if turn.is_in_doubt else moves_with_spell(free)
    return moves_with_chest(free) if turn.card.kind is CardKind.TREASURE_CHEST else usual_moves(free)


def _encode_turn(turn: Turn) -> str:
    faces = "".join(FACE_LETTERS[face] for face in turn.faces) or "-"
    chest = "".join(map(str, turn.chest)) or "-"
    return (
        f"{turn.card} {faces} {turn.rolls} {chest} {'spell' if turn.spell else '-'} {'island' if turn.island else '-'}"
    )
