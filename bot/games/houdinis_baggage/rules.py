"""The rules of Mr. Houdini's Baggage: the course of a turn, and the ranking."""

from collections.abc import Iterable, Sequence
from typing import TypeVar, assert_never

from bot.games.houdinis_baggage.cards import (
    CARD_KEYS,
    EMPTY_PILE,
    FULL_PILE,
    MAX_POINTS,
    Assignment,
    Card,
    Pile,
    add_to_pile,
    card_at,
    remove_from_pile,
)
from bot.games.houdinis_baggage.legality import find_legal_placement, ways_of, why_not
from bot.games.houdinis_baggage.pieces import (
    DONE,
    MAX_TASKS,
    MOST_SEATS,
    OPEN,
    ROW_SIZE,
    STOP,
    AssignmentTaken,
    BaggageEnd,
    BaggageMoved,
    BaggageOptions,
    Bank,
    BankUsed,
    CardKept,
    CardOpened,
    CardPlaced,
    Done,
    GameEvent,
    Keep,
    LastRound,
    Move,
    Open,
    Phase,
    Place,
    Player,
    Shift,
    Spot,
    State,
    Stop,
    Take,
    Task,
    TurnPlayed,
)
from bot.rules.chance import Chance, draw
from bot.rules.game import GameInfo, Outcome, Seat, Transition, TurnGame, places_by_score
from bot.rules.notation import Notation
from bot.rules.refusals import Refusal
from bot.words import N_

_ONLY_OPEN: tuple[Move, ...] = (OPEN,)
_OPEN_OR_STOP: tuple[Move, ...] = (OPEN, STOP)
T = TypeVar("T")
_STARTING_POINTS = (1, 2)


class HoudinisBaggage(TurnGame[State, Move, GameEvent]):
    """Mr. Houdini's Baggage, for two to four seats. Rule HB-1."""

    notation = Notation[Move](Open, Stop, Keep, Place, Bank, Shift, Done, Take)
    info = GameInfo(
        key="houdinis_baggage",
        title=N_("Mr. Houdini's Baggage"),
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
        self.assignments = assignments

    def start(self, options: BaggageOptions, seats: int, chance: Chance) -> State:
        """Deal the assignments and choose the starting seat. Rule HB-1."""
        return deal(self.assignments, options, seats, chance)

    def seat_to_move(self, state: State) -> Seat | None:
        """Return the seat whose turn it is."""
        return state.mover

    def why_not(self, state: State, seat: Seat, move: Move) -> Refusal | None:
        """Return why a move is illegal, or None. Rules HB-3 to HB-12."""
        return why_not(state, move)

    def legal_moves(self, state: State) -> Sequence[Move]:
        """Return the moves of the current phase. Rules HB-3 to HB-12."""
        if state.mover is None:
            return ()
        match state.phase:
            case Phase.SEARCH:
                return _OPEN_OR_STOP if state.open else _ONLY_OPEN
            case Phase.TWIN:
                return tuple(map(Keep, dict.fromkeys(state.open)))
            case Phase.PLACE:
                places, banks, shifts = ways_of(state)
                return (*places, *banks, *shifts, DONE)
            case Phase.CHOOSE:
                return tuple([Take(each.number) for each in state.row])
            case _:
                assert_never(state.phase)

    def apply_move(self, state: State, seat: Seat, move: Move, chance: Chance) -> Transition[State, GameEvent]:
        """Apply a move. Rules HB-3 to HB-12."""
        transition: Transition[State, GameEvent]
        match move:
            case Open():
                transition = open_card(state, seat, chance)
            case Stop():
                transition = end_search(state), ()
            case Keep():
                transition = keep_card(state, seat, move)
            case Place():
                transition = place_card(
                    state, seat, move if len(move.uses) < 2 else find_legal_placement(state, move) or move
                )
            case Bank():
                transition = add_from_bank(state, seat, move)
            case Shift():
                transition = move_baggage(state, seat, move)
            case Done():
                transition = end_placement(state, seat, chance)
            case Take():
                transition = take_assignment(state, seat, move, chance)
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
    return after, (CardOpened(seat, card, is_reshuffled),)


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
    return _pass_turn(after, seat), (CardKept(seat, move.card, lost),)


def place_card(state: State, seat: Seat, move: Place) -> Transition[State, GameEvent]:
    """Put a card on an item and spend the bonuses used for it. Rules HB-6 and HB-12."""
    player = state.players[seat]
    tasks = set_item_card(player.tasks, move.spot, move.card)
    after = state._replace(
        players=_with(state.players, seat, Player(tasks, player.bank, player.completed)),
        open=_without(state.open, move.card),
        spent=(*state.spent, *[use.number for use in move.uses]) if move.uses else state.spent,
    )
    return after, (CardPlaced(seat, move.card, move.spot, move.uses),)


def add_from_bank(state: State, seat: Seat, move: Bank) -> Transition[State, GameEvent]:
    """Add a card from the bank to the open ones. Rule HB-7."""
    player = state.players[seat]
    less = Player(player.tasks, _without(player.bank, move.card), player.completed)
    after = state._replace(players=_with(state.players, seat, less), open=(*state.open, move.card))
    return after, (BankUsed(seat, move.card),)


def move_baggage(state: State, seat: Seat, move: Shift) -> Transition[State, GameEvent]:
    """Move baggage to another item and spend the bonus. Rule HB-B4."""
    player = state.players[seat]
    card = card_on(player.tasks, move.start)
    tasks = set_item_card(set_item_card(player.tasks, move.start, None), move.end, card)
    players = _with(state.players, seat, Player(tasks, player.bank, player.completed))
    after = state._replace(players=players, spent=(*state.spent, move.use.number))
    return after, (BaggageMoved(seat, card or 0, move.start, move.end, move.use),)


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
    """End the placement: complete assignments, perhaps start the last round, and let the seat choose new ones.

    Rules HB-8, HB-9, HB-10 and HB-E1.
    """
    after = state._replace(discards=add_to_pile(state.discards, state.open), open=())
    after, completed = _complete_assignments(after, seat)
    events: tuple[GameEvent, ...] = (TurnPlayed(seat, completed, state.open),)
    if after.end is None and after.players[seat].score >= after.options.target:
        after = after._replace(end=BaggageEnd.TARGET_REACHED)
        events += (LastRound(seat, BaggageEnd.TARGET_REACHED),)
    after, passed = _choose_or_pass(after, seat, chance)
    return after, events + passed


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


def take_assignment(state: State, seat: Seat, move: Take, chance: Chance) -> Transition[State, GameEvent]:
    """Take an open assignment. Rule HB-10."""
    player = state.players[seat]
    chosen = next(each for each in state.row if each.number == move.number)
    more = Player((*player.tasks, Task.empty(chosen)), player.bank, player.completed)
    after = state._replace(players=_with(state.players, seat, more), row=_without(state.row, chosen))
    after, passed = _choose_or_pass(after, seat, chance)
    return after, (AssignmentTaken(seat, chosen), *passed)


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
    return _pass_turn(after, seat), (LastRound(seat, BaggageEnd.NOTHING_LEFT),)


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


def ranking_key_of(player: Player) -> tuple[int, ...]:
    """Return the points, then the number of completed assignments of each value, highest first. Rule HB-E2."""
    points = [each.points for each in player.completed]
    return (player.score, *(points.count(value) for value in range(MAX_POINTS, 0, -1)))


def scores_of(state: State) -> tuple[int, ...]:
    """Return the points of each seat. Rule HB-E1."""
    return tuple([player.score for player in state.players])


def places_of(players: Sequence[Player]) -> tuple[int, ...]:
    """Return the place of each seat; full ties share one. Rules HB-E1 and HB-E2."""
    return places_by_score(list(map(ranking_key_of, players)))
