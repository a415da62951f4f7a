"""The rules of Mr. Houdini's Baggage."""

from collections.abc import Sequence
from typing import assert_never

from bot.games.houdinis_baggage.assignments import Assignment
from bot.games.houdinis_baggage.audit import faults_in
from bot.games.houdinis_baggage.bonuses import supply_of
from bot.games.houdinis_baggage.cards import NAMES, Card, Heap
from bot.games.houdinis_baggage.legality import as_offered, why_not
from bot.games.houdinis_baggage.moves import (
    DONE,
    OPEN,
    STOP,
    Bank,
    Done,
    Keep,
    Move,
    Open,
    Place,
    Shift,
    Stop,
    Take,
    parse,
)
from bot.games.houdinis_baggage.pieces import BaggageOptions, Phase, Player, State, Task
from bot.games.houdinis_baggage.placement import bank_cards, placements, shifts
from bot.games.houdinis_baggage.ranking import places_of
from bot.games.houdinis_baggage.turns import banked, dealt, finished, kept, opened, placed, searched, shifted, taken
from bot.rules.chance import Chance
from bot.rules.game import GameInfo, Seat, Step
from bot.rules.outcome import Outcome
from bot.rules.refusals import KernelReason, Refusal


class HoudinisBaggage:
    """Mr. Houdini's Baggage, for two to four seats. Rule HB-1."""

    info = GameInfo(
        key="houdinis_baggage",
        title="Mr. Houdini's Baggage",
        credits="A card game; its author is not named.",
        least_seats=2,
        most_seats=4,
        options=BaggageOptions,
        version=1,
        longest=200_000,
        minutes_per_seat=11,
        short_name="baggage",
    )

    def __init__(self, assignments: tuple[Assignment, ...]) -> None:
        self._assignments = assignments

    def start(self, options: BaggageOptions, seats: int, dice: Chance) -> State:
        """Deal the assignments and choose who starts. Rule HB-1."""
        return dealt(self._assignments, options, seats, dice)

    def to_move(self, state: State) -> Seat | None:
        """Return the seat whose turn it is."""
        return state.mover

    def check(self, state: State, seat: Seat, move: Move) -> Refusal | None:
        """Refuse what the phase, the cards or the bonuses do not allow. Rules HB-3 to HB-12."""
        if seat != state.mover:
            return Refusal(KernelReason.GAME_OVER if state.mover is None else KernelReason.NOT_TO_MOVE)
        return why_not(state, move)

    def moves(self, state: State) -> Sequence[Move]:
        """Return what the phase allows. Rules HB-3 to HB-12."""
        if state.mover is None:
            return ()
        match state.phase:
            case Phase.SEARCH:
                return _OPEN_OR_STOP if state.open else _OPEN
            case Phase.TWIN:
                return tuple(map(Keep, dict.fromkeys(state.open)))
            case Phase.PLACE:
                return _placing(state, state.players[state.mover])
            case Phase.CHOOSE:
                return tuple([Take(each.number) for each in state.row])
            case _:
                assert_never(state.phase)

    def play(self, state: State, seat: Seat, move: Move, dice: Chance) -> Step[State]:
        """Make a move. Rules HB-3 to HB-12."""
        if refusal := self.check(state, seat, move):
            raise refusal
        step: Step[State]
        match move:
            case Open():
                step = opened(state, seat, dice)
            case Stop():
                step = searched(state), ()
            case Keep():
                step = kept(state, seat, move)
            case Place():
                step = placed(state, seat, move if len(move.uses) < 2 else as_offered(state, move) or move)
            case Bank():
                step = banked(state, seat, move)
            case Shift():
                step = shifted(state, seat, move)
            case Done():
                step = finished(state, seat, dice)
            case Take():
                step = taken(state, seat, move, dice)
            case _:
                assert_never(move)
        return step

    def outcome(self, state: State) -> Outcome | None:
        """Rank the seats by points, and those with equal points by their dearest assignments. Rules HB-E1 and HB-E2."""
        if state.mover is not None or state.end is None:
            return None
        return Outcome(places_of(state.players), tuple(player.score for player in state.players), state.end)

    def view(self, state: State, seat: Seat | None) -> State:
        """Return the state itself: what can still come can be told from what has come."""
        return state

    def audit(self, state: State) -> tuple[str, ...]:
        """Return the faults in baggage and assignments, in the turn and in the end."""
        return faults_in(state, self._assignments)

    def position(self, state: State) -> str:
        """Return phase, mover, starter, open cards, spent bonuses, players, row, deck, heaps and the end.

        A player is unfinished assignments with their cards, the bank and the completed assignments, as in
        `3:red-star,-;12:-,-,-/blue-circle/7,9`; a heap is how often each look lies there.
        """
        mover = "-" if state.mover is None else str(state.mover)
        return " ".join(
            (
                state.phase.value,
                mover,
                str(state.starter),
                _cards(state.open),
                _listed(state.spent),
                *map(_player, state.players),
                _numbers(state.row),
                _numbers(state.deck),
                _heap(state.baggage),
                _heap(state.discards),
                state.end or "-",
            )
        )

    def parse(self, text: str) -> Move:
        """Read a move such as `open`, `place green-square on 17b with 4 9` or `take 5`."""
        return parse(text)


_OPEN: tuple[Move, ...] = (OPEN,)
_OPEN_OR_STOP: tuple[Move, ...] = (OPEN, STOP)


def _placing(state: State, player: Player) -> Sequence[Move]:
    """Return the moves of phase 2. Rules HB-6, HB-7 and HB-12."""
    supply = supply_of(state)
    found: tuple[Move, ...] = placements(state.open, player.tasks, supply)
    if player.bank:
        found = (*found, *bank_cards(state.open, player.bank))
    return (*found, *shifts(player.tasks, supply), DONE)


def _listed(items: Sequence[object]) -> str:
    return ",".join(map(str, items)) or "-"


def _cards(cards: Sequence[Card | None]) -> str:
    return ",".join(["-" if card is None else NAMES[card] for card in cards]) or "-"


def _numbers(assignments: Sequence[Assignment]) -> str:
    return _listed([each.number for each in assignments])


def _task(task: Task) -> str:
    return f"{task.assignment.number}:{_cards(task.cards)}"


def _player(player: Player) -> str:
    tasks = ";".join(map(_task, player.tasks)) or "-"
    return f"{tasks}/{_cards(player.bank)}/{_numbers(player.completed)}"


def _heap(heap: Heap) -> str:
    return "".join(map(str, heap))
