"""The rules of Mr. Houdini's Baggage."""

from collections.abc import Sequence
from typing import assert_never

from bot.games.houdinis_baggage import moves, turns
from bot.games.houdinis_baggage.assignments import Assignment
from bot.games.houdinis_baggage.audit import find_faults
from bot.games.houdinis_baggage.bonuses import supply_of
from bot.games.houdinis_baggage.cards import CARD_KEYS, Card, Pile
from bot.games.houdinis_baggage.events import GameEvent
from bot.games.houdinis_baggage.legality import find_legal_placement, why_not
from bot.games.houdinis_baggage.pieces import MOST_SEATS, BaggageOptions, Phase, Player, State
from bot.games.houdinis_baggage.placement import bank_moves, place_moves, shift_moves
from bot.games.houdinis_baggage.ranking import places_of, scores_of
from bot.rules.chance import Chance
from bot.rules.game import GameInfo, Seat, Transition
from bot.rules.outcome import Outcome
from bot.rules.refusals import Refusal
from bot.rules.turn_game import TurnGame
from bot.words import N_


class HoudinisBaggage(TurnGame[State, moves.Move, GameEvent]):
    """Mr. Houdini's Baggage, for two to four seats. Rule HB-1."""

    info = GameInfo(
        key="houdinis_baggage",
        title="Mr. Houdini's Baggage",
        credits=N_("A card game; author unknown."),
        least_seats=2,
        most_seats=MOST_SEATS,
        options=BaggageOptions,
        version=1,
        step_limit=200_000,
        minutes_per_seat=11,
        short_name="baggage",
    )

    def __init__(self, assignments: tuple[Assignment, ...]) -> None:
        self._assignments = assignments

    def start(self, options: BaggageOptions, seats: int, chance: Chance) -> State:
        """Deal the assignments and choose the starting seat. Rule HB-1."""
        return turns.deal(self._assignments, options, seats, chance)

    def seat_to_move(self, state: State) -> Seat | None:
        """Return the seat whose turn it is."""
        return state.mover

    def why_not(self, state: State, seat: Seat, move: moves.Move) -> Refusal | None:
        """Return why a move is illegal, or None. Rules HB-3 to HB-12."""
        return why_not(state, move)

    def legal_moves(self, state: State) -> Sequence[moves.Move]:
        """Return the moves of the current phase. Rules HB-3 to HB-12."""
        if state.mover is None:
            return ()
        match state.phase:
            case Phase.SEARCH:
                return _OPEN_OR_STOP if state.open else _ONLY_OPEN
            case Phase.TWIN:
                return tuple(map(moves.Keep, dict.fromkeys(state.open)))
            case Phase.PLACE:
                return _place_phase_moves(state, state.players[state.mover])
            case Phase.CHOOSE:
                return tuple([moves.Take(each.number) for each in state.row])
            case _:
                assert_never(state.phase)

    def apply_move(self, state: State, seat: Seat, move: moves.Move, chance: Chance) -> Transition[State, GameEvent]:
        """Apply a move. Rules HB-3 to HB-12."""
        transition: Transition[State, GameEvent]
        match move:
            case moves.Open():
                transition = turns.open_card(state, seat, chance)
            case moves.Stop():
                transition = turns.end_search(state), ()
            case moves.Keep():
                transition = turns.keep_card(state, seat, move)
            case moves.Place():
                transition = turns.place_card(
                    state, seat, move if len(move.uses) < 2 else find_legal_placement(state, move) or move
                )
            case moves.Bank():
                transition = turns.add_from_bank(state, seat, move)
            case moves.Shift():
                transition = turns.move_baggage(state, seat, move)
            case moves.Done():
                transition = turns.end_placement(state, seat, chance)
            case moves.Take():
                transition = turns.take_assignment(state, seat, move, chance)
            case _:
                assert_never(move)
        return transition

    def outcome(self, state: State) -> Outcome | None:
        """Rank the seats by points, then by their most valuable assignments. Rules HB-E1 and HB-E2."""
        if state.mover is not None or state.end is None:
            return None
        return Outcome(places_of(state.players), scores_of(state), state.end)

    def view(self, state: State, seat: Seat | None) -> State:
        """Return the state itself: nothing is secret, as the unseen cards follow from the seen ones."""
        return state

    def audit(self, state: State) -> tuple[str, ...]:
        """Return the faults of a position."""
        return find_faults(state, self._assignments)

    def encode_position(self, state: State) -> str:
        """Return phase, mover, starter, open cards, spent bonuses, players, row, deck, piles and the end.

        A player is written as tasks, bank and completed assignments: `3:red-star,-;12:-,-,-/blue-circle/7,9`. A pile
        is written as the number of copies of each card.
        """
        mover = "-" if state.mover is None else str(state.mover)
        return " ".join(
            (
                state.phase.value,
                mover,
                str(state.starter),
                _encode_cards(state.open),
                _join(state.spent),
                *map(_encode_player, state.players),
                _encode_numbers(state.row),
                _encode_numbers(state.deck),
                _encode_pile(state.baggage),
                _encode_pile(state.discards),
                state.end or "-",
            )
        )

    def parse_move(self, text: str) -> moves.Move:
        """Parse a move such as `open`, `place green-square on 17b with 4 9` or `take 5`."""
        return moves.parse_move(text)


_ONLY_OPEN: tuple[moves.Move, ...] = (moves.OPEN,)
_OPEN_OR_STOP: tuple[moves.Move, ...] = (moves.OPEN, moves.STOP)


def _place_phase_moves(state: State, player: Player) -> Sequence[moves.Move]:
    """Return the moves of phase 2. Rules HB-6, HB-7 and HB-12."""
    supply = supply_of(state)
    found: tuple[moves.Move, ...] = place_moves(state.open, player.tasks, supply)
    if player.bank:
        found = (*found, *bank_moves(state.open, player.bank))
    return (*found, *shift_moves(player.tasks, supply), moves.DONE)


def _join(items: Sequence[object]) -> str:
    return ",".join(map(str, items)) or "-"


def _encode_cards(cards: Sequence[Card | None]) -> str:
    return ",".join(["-" if card is None else CARD_KEYS[card] for card in cards]) or "-"


def _encode_numbers(assignments: Sequence[Assignment]) -> str:
    return _join([each.number for each in assignments])


def _encode_player(player: Player) -> str:
    tasks = ";".join(f"{task.assignment.number}:{_encode_cards(task.cards)}" for task in player.tasks) or "-"
    return f"{tasks}/{_encode_cards(player.bank)}/{_encode_numbers(player.completed)}"


def _encode_pile(pile: Pile) -> str:
    return "".join(map(str, pile))
