"""Checks of a position that must always hold."""

from collections import Counter
from collections.abc import Sequence

from bot.games.houdinis_baggage.cards import CARDS, COPIES_PER_CARD, FULL_PILE, Assignment
from bot.games.houdinis_baggage.pieces import MAX_TASKS, ROW_SIZE, BaggageEnd, Phase, Player, State
from bot.games.houdinis_baggage.rules import HoudinisBaggage

_FULL_DECK = dict.fromkeys(CARDS, COPIES_PER_CARD)


def find_faults(game: HoudinisBaggage, state: State) -> tuple[str, ...]:
    """Return the faults of a position; empty if it is sound."""
    checks = _check_cards(state) | _check_assignments(state, game.assignments) | _check_turn(state) | _check_end(state)
    return tuple(fault for fault, holds in checks.items() if not holds)


def _mover(state: State) -> Player | None:
    """Return the player to move, or None."""
    seat = state.mover
    return state.players[seat] if seat is not None and 0 <= seat < len(state.players) else None


def _check_cards(state: State) -> dict[str, bool]:
    """Check the baggage. Rules HB-1, HB-4 and HB-7."""
    counts = Counter(state.open)
    for card in CARDS:
        counts[card] += state.baggage[card] + state.discards[card]
    for player in state.players:
        counts.update(player.bank)
        counts.update(card for task in player.tasks for card in task.cards if card is not None)
    twins = len(state.open) - len(set(state.open))
    return {
        "not four copies of each card": dict(counts) == _FULL_DECK,
        "a pile has an impossible count": all(
            0 <= count <= COPIES_PER_CARD for count in state.baggage + state.discards
        ),
        "a pile does not count every card": len(state.baggage) == len(state.discards) == len(FULL_PILE),
        "open cards look alike": twins == (1 if state.phase is Phase.TWIN else 0),
        "a bank is not sorted": all(list(player.bank) == sorted(player.bank) for player in state.players),
    }


def _check_assignments(state: State, assignments: Sequence[Assignment]) -> dict[str, bool]:
    """Check the assignments. Rules HB-1, HB-9, HB-10 and HB-11."""
    tasks = [task for player in state.players for task in player.tasks]
    completed = [each for player in state.players for each in player.completed]
    found = sorted(each.number for each in (*state.row, *state.deck, *completed, *(task.assignment for task in tasks)))
    is_filling = state.phase is Phase.PLACE
    idle = (player for seat, player in enumerate(state.players) if not (is_filling and seat == state.mover))
    choosing = _mover(state) if state.phase is Phase.CHOOSE else None
    return {
        "not every assignment once": found == [each.number for each in assignments],
        "items and cards differ in number": all(len(task.cards) == len(task.assignment.items) for task in tasks),
        "a filled assignment is not completed": not any(task.is_filled for player in idle for task in player.tasks),
        "a seat has more than two unfinished assignments": all(len(each.tasks) <= MAX_TASKS for each in state.players),
        "the row is not refilled": len(state.row) == ROW_SIZE or not state.deck or choosing is not None,
        "a seat chooses but can't": choosing is None or (len(choosing.tasks) < MAX_TASKS and state.row != ()),
    }


def _check_turn(state: State) -> dict[str, bool]:
    """Check the mover and the spent bonuses. Rules HB-3 and HB-12."""
    mover = _mover(state)
    numbers = [each.number for each in mover.completed] if mover else []
    return {
        "the seat to move is not at the table": state.mover is None or mover is not None,
        "a bonus was used twice": len(set(state.spent)) == len(state.spent),
        "a bonus was used that the mover lacks": set(state.spent) <= set(numbers),
        "cards are open after the end": state.mover is not None or not state.open,
        "nothing can be opened": state.phase is not Phase.SEARCH
        or state.mover is None
        or any(state.baggage)
        or any(state.discards),
    }


def _check_end(state: State) -> dict[str, bool]:
    """Check the start of the last round. Rules HB-E1 and HB-10."""
    reached = any(player.score >= state.options.target for player in state.players)
    left = bool(state.row or state.deck or any(player.tasks for player in state.players))
    return {
        "the target is reached, but the game goes on": not reached or state.end is not None,
        "the target is not reached": state.end is not BaggageEnd.TARGET_REACHED or reached,
        "there are assignments left": state.end is not BaggageEnd.NOTHING_LEFT or not left,
        "there is no seat to move, but the game goes on": state.mover is not None or state.end is not None,
    }
