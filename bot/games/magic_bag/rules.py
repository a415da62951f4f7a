"""The rules of The Magic Bag."""

from collections.abc import Sequence
from typing import assert_never

from bot.games.magic_bag import moves
from bot.games.magic_bag.audit import find_faults
from bot.games.magic_bag.events import GameEvent
from bot.games.magic_bag.legality import why_not
from bot.games.magic_bag.pieces import EXTRA_ROLLS, PIECES, ROW_SIZES, MagicBagEnd, MagicBagOptions, Piece, State
from bot.games.magic_bag.scoring import points_of
from bot.games.magic_bag.sheet import ReferenceSheet
from bot.games.magic_bag.turns import claim_row, deal_layout, discard_coin, end_game, reroll, start_turn, stop
from bot.rules.chance import Chance
from bot.rules.game import GameInfo, Seat, Transition
from bot.rules.outcome import Outcome
from bot.rules.refusals import Refusal
from bot.rules.turn_game import TurnGame
from bot.words import N_

_SEAT = 0
_ROLLS_AND_STOP: tuple[moves.Move, ...] = (*moves.ROLLS, moves.STOP)

# A turn has at most two re-rolls and a move that ends it: nine rows, a discard for each coin, and the last turn.
_STEP_LIMIT = (EXTRA_ROLLS + 1) * (len(ROW_SIZES) + len(PIECES) + 1)


class MagicBag(TurnGame[State, moves.Move, GameEvent]):
    """The Magic Bag, for one seat; the first roll of a turn needs no move. Rule MB-1."""

    info = GameInfo(
        key="magic_bag",
        title="The Magic Bag",
        credits=N_("A piecepack solitaire by Rob LeGood, 2003."),
        least_seats=1,
        most_seats=1,
        options=MagicBagOptions,
        version=1,
        step_limit=_STEP_LIMIT,
        minutes_per_seat=15,
    )

    def __init__(self, sheet: ReferenceSheet) -> None:
        self._sheet = sheet

    def start(self, options: MagicBagOptions, seats: int, chance: Chance) -> State:
        """Deal the tiles, fill the bag and roll for the first turn. Rules MB-1, MB-2 and MB-3."""
        return start_turn(deal_layout(self._sheet, chance), chance)

    def seat_to_move(self, state: State) -> Seat | None:
        """Return the only seat, or None once the game is over."""
        return _SEAT if state.end is None else None

    def why_not(self, state: State, seat: Seat, move: moves.Move) -> Refusal | None:
        """Refuse what the dice, the rows or the coins do not allow. Rules MB-3 to MB-9."""
        return why_not(state, move)

    def legal_moves(self, state: State) -> Sequence[moves.Move]:
        """Return the matching rows and re-rolls, or the discards and the end after a failed roll."""
        if state.end is not None:
            return ()
        if state.matching:
            claims = [moves.CLAIMS[row - 1] for row in state.matching]
            return (*claims, *moves.ROLLS) if state.rolls_left else claims
        if state.rolls_left:
            return _ROLLS_AND_STOP
        coins = state.layout.collected
        chosen: list[moves.Move] = []
        for tile in (None, *state.removable):
            chosen += map(moves.DISCARDS[tile].__getitem__, coins)
        chosen.append(moves.FINISH)
        return chosen

    def apply_move(self, state: State, seat: Seat, move: moves.Move, chance: Chance) -> Transition[State, GameEvent]:
        """Re-roll, or end the turn and roll for the next one. Rules MB-3 to MB-9."""
        match move:
            case moves.Roll():
                return reroll(state, move, chance)
            case moves.Stop():
                return stop(state), ()
            case moves.Claim():
                return claim_row(state, move, chance)
            case moves.Discard():
                return discard_coin(state, move, chance)
            case moves.Finish():
                return end_game(state.layout, state.faces, MagicBagEnd.FINISHED), ()
            case _:
                assert_never(move)

    def outcome(self, state: State) -> Outcome | None:
        """Score the game. Rules MB-10, MB-11 and MB-12."""
        if state.end is None:
            return None
        return Outcome((1,), (points_of(state),), state.end)

    def view(self, state: State, seat: Seat | None) -> State:
        """Return the state itself: the coins outside the bag reveal its content."""
        return state

    def audit(self, state: State) -> tuple[str, ...]:
        """Return the faults in tiles, coins, dice and the end."""
        return find_faults(state)

    def encode_position(self, state: State) -> str:
        """Return rows, dice, rolls left, coins collected and discarded, and the end.

        Such as `sun-5/-/moon-ace+crown-2/... 5204 2 crown-null+crown-2 - -`, with the dice in the order of the suits.
        """
        layout = state.layout
        rows = "/".join(map(_encode_pieces, layout.rows))
        faces = "".join(map(str, state.faces))
        coins = f"{_encode_pieces(layout.collected)} {_encode_pieces(layout.discarded)}"
        return f"{rows} {faces} {state.rolls_left} {coins} {state.end or '-'}"

    def parse_move(self, text: str) -> moves.Move:
        """Parse a move such as `roll sun moon`, `claim 4` or `discard crown-2 tile arms-5`."""
        return moves.parse_move(text)


def _encode_pieces(pieces: Sequence[Piece]) -> str:
    return "+".join(map(str, pieces)) or "-"
