"""Applies legal moves."""

from collections.abc import Iterable
from typing import TypeVar

from bot.games.houdinis_baggage import events
from bot.games.houdinis_baggage.assignments import Assignment
from bot.games.houdinis_baggage.cards import EMPTY_PILE, FULL_PILE, Card, add_to_pile, card_at, remove_from_pile
from bot.games.houdinis_baggage.events import GameEvent
from bot.games.houdinis_baggage.moves import Bank, Keep, Place, Shift, Spot, Take
from bot.games.houdinis_baggage.pieces import (
    MAX_TASKS,
    ROW_SIZE,
    BaggageEnd,
    BaggageOptions,
    Phase,
    Player,
    State,
    Task,
)
from bot.rules.chance import Chance, draw
from bot.rules.game import Seat, Transition

T = TypeVar("T")

_STARTING_POINTS = (1, 2)


def deal(assignments: tuple[Assignment, ...], options: BaggageOptions, seats: int, chance: Chance) -> State:
    """Deal two assignments to every seat, open five, and choose the starting seat. Rule HB-1."""
    deck, hands = assignments, []
    for _ in range(seats):
        tasks = []
        for points in _STARTING_POINTS:
            chosen, _others = draw(chance, [each for each in deck if each.points == points])
            tasks.append(Task.empty(chosen))
            deck = _without(deck, chosen)
        hands.append(Player(tuple(tasks), (), ()))
    row, deck = _refill_row((), deck, chance)
    starter = chance.randbelow(seats)
    return State(
        options=options,
        players=tuple(hands),
        row=row,
        deck=deck,
        baggage=FULL_PILE,
        discards=EMPTY_PILE,
        open=(),
        phase=Phase.SEARCH,
        spent=(),
        mover=starter,
        starter=starter,
        end=None,
    )


def _without(items: tuple[T, ...], item: T) -> tuple[T, ...]:
    at = items.index(item)
    return (*items[:at], *items[at + 1 :])


def _refill_row(
    row: tuple[Assignment, ...], deck: tuple[Assignment, ...], chance: Chance
) -> tuple[tuple[Assignment, ...], tuple[Assignment, ...]]:
    """Open assignments until there are five or the deck is empty. Rules HB-1 and HB-10."""
    while len(row) < ROW_SIZE and deck:
        chosen, deck = draw(chance, deck)
        row = (*row, chosen)
    return row, deck


def open_card(state: State, seat: Seat, chance: Chance) -> Transition[State, GameEvent]:
    """Open a card, reshuffling the discards if the deck is empty. Rules HB-3, HB-4 and HB-5."""
    baggage, discards = state.baggage, state.discards
    left = sum(baggage)
    is_reshuffled = not left
    if is_reshuffled:
        baggage, discards = discards, EMPTY_PILE
        left = sum(baggage)
    card = card_at(baggage, chance.randbelow(left))
    baggage = remove_from_pile(baggage, card)
    if card in state.open:
        phase = Phase.TWIN
    elif left == 1 and not any(discards):
        phase = Phase.PLACE
    else:
        phase = Phase.SEARCH
    after = State(
        state.options,
        state.players,
        state.row,
        state.deck,
        baggage,
        discards,
        (*state.open, card),
        phase,
        state.spent,
        state.mover,
        state.starter,
        state.end,
    )
    return after, (events.CardOpened(seat, card, is_reshuffled),)


def end_search(state: State) -> State:
    """End the search. Rule HB-3."""
    return state._replace(phase=Phase.PLACE)


def keep_card(state: State, seat: Seat, move: Keep) -> Transition[State, GameEvent]:
    """Keep a card in the bank, discard the others, and pass the turn. Rule HB-4."""
    player = state.players[seat]
    lost = _without(state.open, move.card)
    bank = tuple(sorted((*player.bank, move.card)))
    players = _with(state.players, seat, Player(player.tasks, bank, player.completed))
    after = state._replace(players=players, discards=add_to_pile(state.discards, lost), open=())
    return _pass_turn(after, seat), (events.CardKept(seat, move.card, lost),)


def place_card(state: State, seat: Seat, move: Place) -> Transition[State, GameEvent]:
    """Put a card on an item and spend the bonuses used for it. Rules HB-6 and HB-12."""
    player = state.players[seat]
    tasks = set_item_card(player.tasks, move.spot, move.card)
    after = state._replace(
        players=_with(state.players, seat, Player(tasks, player.bank, player.completed)),
        open=_without(state.open, move.card),
        spent=(*state.spent, *[use.number for use in move.uses]) if move.uses else state.spent,
    )
    return after, (events.CardPlaced(seat, move.card, move.spot, move.uses),)


def add_from_bank(state: State, seat: Seat, move: Bank) -> Transition[State, GameEvent]:
    """Add a card from the bank to the open ones. Rule HB-7."""
    player = state.players[seat]
    less = Player(player.tasks, _without(player.bank, move.card), player.completed)
    after = state._replace(players=_with(state.players, seat, less), open=(*state.open, move.card))
    return after, (events.BankUsed(seat, move.card),)


def move_baggage(state: State, seat: Seat, move: Shift) -> Transition[State, GameEvent]:
    """Move baggage to another item and spend the bonus. Rule HB-B4."""
    player = state.players[seat]
    card = card_on(player.tasks, move.start)
    tasks = set_item_card(set_item_card(player.tasks, move.start, None), move.end, card)
    players = _with(state.players, seat, Player(tasks, player.bank, player.completed))
    after = state._replace(players=players, spent=(*state.spent, move.use.number))
    return after, (events.BaggageMoved(seat, card or 0, move.start, move.end, move.use),)


def card_on(tasks: Iterable[Task], spot: Spot) -> Card | None:
    """Return the card on an item, or None."""
    return next((task.cards[spot.at] for task in tasks if task.assignment.number == spot.number), None)


def set_item_card(tasks: tuple[Task, ...], spot: Spot, card: Card | None) -> tuple[Task, ...]:
    """Return the tasks with an item's card set, or removed (None)."""
    return tuple(
        [
            Task(task.assignment, (*task.cards[: spot.at], card, *task.cards[spot.at + 1 :]))
            if task.assignment.number == spot.number
            else task
            for task in tasks
        ]
    )


def _with(players: tuple[Player, ...], seat: Seat, player: Player) -> tuple[Player, ...]:
    return (*players[:seat], player, *players[seat + 1 :])


def end_placement(state: State, seat: Seat, chance: Chance) -> Transition[State, GameEvent]:
    """End the placement: complete filled assignments, and let the seat take new ones. Rules HB-8, HB-9 and HB-10."""
    after = state._replace(discards=add_to_pile(state.discards, state.open), open=())
    after, completed = _complete_assignments(after, seat)
    after, last_round = _start_last_round(after, seat) if completed else (after, ())
    after, passed = _choose_or_pass(after, seat, chance)
    return after, (events.TurnPlayed(seat, completed, state.open), *last_round, *passed)


def _complete_assignments(state: State, seat: Seat) -> tuple[State, tuple[Assignment, ...]]:
    """Return the filled assignments, and the state with them completed and their cards discarded. Rule HB-9."""
    player = state.players[seat]
    done = [task for task in player.tasks if task.is_filled]
    if not done:
        return state, ()
    completed = tuple([task.assignment for task in done])
    left = tuple([task for task in player.tasks if not task.is_filled])
    cards = tuple([card for task in done for card in task.cards if card is not None])
    players = _with(state.players, seat, Player(left, player.bank, player.completed + completed))
    return state._replace(players=players, discards=add_to_pile(state.discards, cards)), completed


def _start_last_round(state: State, seat: Seat) -> Transition[State, GameEvent]:
    """Start the last round if the target is reached. Rule HB-E1."""
    if state.end is None and state.players[seat].score >= state.options.target:
        return state._replace(end=BaggageEnd.TARGET_REACHED), (events.LastRound(seat, BaggageEnd.TARGET_REACHED),)
    return state, ()


def take_assignment(state: State, seat: Seat, move: Take, chance: Chance) -> Transition[State, GameEvent]:
    """Take an open assignment. Rule HB-10."""
    player = state.players[seat]
    chosen = next(each for each in state.row if each.number == move.number)
    more = Player((*player.tasks, Task.empty(chosen)), player.bank, player.completed)
    after = state._replace(players=_with(state.players, seat, more), row=_without(state.row, chosen))
    after, passed = _choose_or_pass(after, seat, chance)
    return after, (events.AssignmentTaken(seat, chosen), *passed)


def _choose_or_pass(state: State, seat: Seat, chance: Chance) -> Transition[State, GameEvent]:
    """Let the seat choose while it lacks assignments and some are open; then refill the row. Rule HB-10.

    In the last round no one chooses: there is no turn left to fill a new assignment.
    """
    if state.end is None and len(state.players[seat].tasks) < MAX_TASKS and state.row:
        return state._replace(phase=Phase.CHOOSE), ()
    after = state
    if len(state.row) < ROW_SIZE:
        row, deck = _refill_row(state.row, state.deck, chance)
        after = state._replace(row=row, deck=deck)
    if after.end is not None or after.row or any(player.tasks for player in after.players):
        return _pass_turn(after, seat), ()
    after = after._replace(end=BaggageEnd.NOTHING_LEFT)
    return _pass_turn(after, seat), (events.LastRound(seat, BaggageEnd.NOTHING_LEFT),)


def _pass_turn(state: State, seat: Seat) -> State:
    """Pass the turn; the last round ends before the starting seat. Rules HB-3, HB-4 and HB-E1."""
    next_seat = (seat + 1) % len(state.players)
    is_over = state.end is not None and next_seat == state.starter
    can_open = any(state.baggage) or any(state.discards)
    return state._replace(
        mover=None if is_over else next_seat,
        phase=Phase.SEARCH if can_open or is_over else Phase.PLACE,
        spent=(),
    )
