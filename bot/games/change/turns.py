"""The course of a turn: rolls, challenges, cards and corners."""

from collections.abc import Callable, Iterable, Sequence

from bot.games.change.board import (
    SPACE_COUNT,
    START,
    Card,
    CornerAction,
    Others,
    Space,
    SpaceEntry,
    SpaceKind,
    spaces_in,
)
from bot.games.change.moves import Add, Choose, Keep, Option, PickSpace, Replace, Swap, Travel
from bot.games.change.pieces import (
    CHALLENGE_TARGET,
    HUMILITY_CREDITS,
    MARKERS_PER_SEAT,
    MAX_HAND_SIZE,
    TRACK_DICE_COUNT,
    CardPlayed,
    CardsDrawn,
    CardsLost,
    CardsReplaced,
    CardsSeen,
    Challenged,
    Chosen,
    Dice,
    GameEvent,
    Landed,
    MarkerPlaced,
    Moved,
    PublicState,
    Received,
    Released,
    SpaceSkipped,
    Stage,
    State,
    TrackRolled,
    released_credits,
)
from bot.rules.chance import Chance, roll
from bot.rules.game import Seat, Transition


class TurnBuilder:
    """A position while a move is applied, and the events so far."""

    def __init__(self, state: State) -> None:
        public = state.public
        self.before = public
        self.board = public.board
        self.sets = public.options.sets
        self.credits, self.markers = list(public.credits), list(public.markers)
        self.ragz_spaces, self.hands, self.deck = list(public.ragz_spaces), list(state.hands), state.deck
        self.turn, self.stage, self.asked, self.draws = public.turn, public.stage, public.asked, public.draws
        self.may_challenge, self.missing, self.may_travel = public.may_challenge, public.missing, public.may_travel
        self.events: list[GameEvent] = []

    def build_transition(self) -> Transition[State, GameEvent]:
        """Return the position and the events."""
        before = self.before
        public = PublicState(
            self.board,
            before.options,
            before.roll_off,
            tuple(self.credits),
            tuple(self.markers),
            tuple(self.ragz_spaces),
            tuple(map(len, self.hands)),
            self.turn,
            self.stage,
            self.asked,
            self.draws,
            self.may_challenge,
            self.missing,
            self.may_travel,
        )
        return State(public, tuple(self.hands), self.deck), tuple(self.events)

    @property
    def is_over(self) -> bool:
        """Whether a seat has won."""
        return self.stage is Stage.OVER

    @property
    def ragz_space(self) -> Space:
        """The space of the Ragz whose turn it is."""
        return self.ragz_spaces[self.turn]

    def seats_in_turn_order(self) -> list[Seat]:
        """Return all seats, starting with the turn's."""
        seats = range(len(self.credits))
        return [*seats[self.turn :], *seats[: self.turn]]

    def markers_left(self, seat: Seat) -> int:
        """Return the number of unplaced challenge markers of a seat."""
        return MARKERS_PER_SEAT - self.markers[seat].bit_count()

    def land(self, space: Space) -> None:
        """Land on a challenge space: seats with a marker release, a lander without one receives, at once. Rule CH-5."""
        turn, left = self.turn, self.credits
        self.ragz_spaces[turn] = space
        changes = [0] * len(left)
        for seat, markers in enumerate(self.markers):
            if markers >> space & 1:
                changes[seat] = -min(left[seat], released_credits(self.board, markers, space, sets=self.sets))
            elif seat == turn:
                changes[seat] = self.board.credits[space]
            left[seat] += changes[seat]
        self.events.append(Landed(turn, space, tuple(changes)))
        self.end_if_won()

    def release(self, seat: Seat, count: int, dice: Dice = ()) -> None:
        """Release credits because of a space, but not below zero. Rule CH-10."""
        count = min(count, self.credits[seat])
        self.credits[seat] -= count
        self.events.append(Released(seat, count, self.ragz_space, dice))

    def end_if_won(self) -> None:
        """End the game if a seat has no credits left. Rule CH-12."""
        if 0 in self.credits:
            self.stage, self.asked, self.draws = Stage.OVER, (), 0
            self.may_challenge, self.missing, self.may_travel = False, 0, False

    def place_marker(self, seat: Seat, space: Space) -> None:
        """Place a marker. Rule CH-9."""
        markers = self.markers[seat] | 1 << space
        self.markers[seat] = markers
        whole = self.board.set_of[space]
        self.events.append(MarkerPlaced(seat, space, self.sets and markers & whole == whole))

    def move_to(self, seat: Seat, space: Space) -> None:
        """Move a Ragz to a space without landing there. Rules CH-C9 and CH-S2."""
        self.ragz_spaces[seat] = space
        self.events.append(Moved(seat, space))

    def put_under_deck(self, seat: Seat, cards: Iterable[Card]) -> None:
        """Put cards of a hand under the deck, in order. Rule CH-M1."""
        hand, deck = list(self.hands[seat]), list(self.deck)
        for card in cards:
            hand.remove(card)
            deck.append(card)
        self.hands[seat], self.deck = tuple(hand), tuple(deck)

    def play_card(self, seat: Seat, card: Card) -> None:
        """Play a card and put it under the deck. Rule CH-M2."""
        self.put_under_deck(seat, (card,))
        self.events.append(CardPlayed(seat, card))

    def draw_cards(self, seat: Seat, count: int) -> None:
        """Draw cards up to the hand limit. Rule CH-M1."""
        count = min(count, MAX_HAND_SIZE - len(self.hands[seat]))
        self.events.append(CardsDrawn(seat, count))
        if count:
            self._take_from_deck(seat, count)

    def draw_replacements(self, seat: Seat, count: int) -> None:
        """Draw cards for those that were replaced. Rules CH-C2 and CH-M3."""
        self.events.append(CardsReplaced(seat, count))
        self._take_from_deck(seat, count)

    def _take_from_deck(self, seat: Seat, count: int) -> None:
        drawn, self.deck = self.deck[:count], self.deck[count:]
        self.hands[seat] = tuple(sorted(self.hands[seat] + drawn))
        self.events.append(CardsSeen(seat, tuple(sorted(drawn))))


def can_act_at_corner(public: PublicState, corner: SpaceEntry, seat: Seat) -> bool:
    """Return whether a seat can follow a corner. Rule CH-C0."""
    return _can_act(corner, public.hand_sizes[seat], public.markers[seat])


def _can_act(corner: SpaceEntry, hand_size: int, markers: int) -> bool:
    match corner.action:
        case CornerAction.REPLACE:
            return hand_size > 0
        case CornerAction.RETURN:
            return markers > 0
        case CornerAction.PLACE:
            return markers.bit_count() < MARKERS_PER_SEAT
        case _:
            return True


def current_corner(public: PublicState) -> SpaceEntry:
    """Return the corner where the turn's Ragz is."""
    return public.board.spaces[public.ragz_spaces[public.turn]]


def eligible_others(public: PublicState) -> tuple[Seat, ...]:
    """Return the seats that the lander may choose at this corner. Rule CH-C0."""
    corner = current_corner(public)
    seats = range(len(public.credits))
    return tuple([seat for seat in seats if seat != public.turn and can_act_at_corner(public, corner, seat)])


def enter_corner(builder: TurnBuilder, chance: Chance) -> None:
    """Ask the lander who follows the corner, unless there is no choice. Rule CH-C0."""
    corner = builder.board.spaces[builder.ragz_space]
    able = [
        seat
        for seat in builder.seats_in_turn_order()
        if _can_act(corner, len(builder.hands[seat]), builder.markers[seat])
    ]
    others = [seat for seat in able if seat != builder.turn]
    if not able:
        builder.events.append(SpaceSkipped(builder.turn, builder.ragz_space))
        continue_turn(builder)
    elif not others:
        choose_myself(builder, chance)
    elif len(able) == len(others) and (len(others) == 1 or corner.others is Others.ALL):
        _act_by_others(builder, others, chance)
    else:
        builder.stage, builder.asked = Stage.CORNER, (builder.turn,)


def choose_myself(builder: TurnBuilder, chance: Chance) -> None:
    """Let the lander follow the corner. Rule CH-C0."""
    _run_corner_action(builder, [builder.turn], chance)


def choose_others(builder: TurnBuilder, move: Choose, chance: Chance) -> None:
    """Let others follow the corner, in turn order. Rules CH-C0 and CH-C2."""
    _act_by_others(builder, [seat for seat in builder.seats_in_turn_order() if seat in move.seats], chance)


def _act_by_others(builder: TurnBuilder, seats: Sequence[Seat], chance: Chance) -> None:
    corner = builder.board.spaces[builder.ragz_space]
    builder.draws = corner.draws_for(len(seats))
    builder.events.append(Chosen(builder.turn, tuple(seats)))
    _run_corner_action(builder, seats, chance)


def _run_corner_action(builder: TurnBuilder, seats: Sequence[Seat], chance: Chance) -> None:
    """Apply the corner to seats, or ask them for their decisions. Rules CH-C1 to CH-C8."""
    corner = builder.board.spaces[builder.ragz_space]
    match corner.action:
        case CornerAction.REPLACE:
            builder.stage, builder.asked = Stage.SWAP, tuple(seats)
            _swap_while_forced(builder)
        case CornerAction.RETURN:
            builder.stage, builder.asked = Stage.RETURN, tuple(seats)
            if len(spaces := spaces_in(builder.markers[seats[0]])) == 1:
                _return_to_marker(builder, seats[0], spaces[0])
        case CornerAction.PLACE:
            builder.stage, builder.asked = Stage.PLACE, tuple(seats)
        case _:
            for seat in seats:  # all at once
                dice = roll(chance, 3) if corner.action is CornerAction.ROLL else ()
                builder.release(seat, sum(dice) if dice else corner.credits or 0, dice)
            _finish_corner(builder)


def choose_space(builder: TurnBuilder, seat: Seat, move: PickSpace) -> None:
    """Go to a marker and release its credits, or place a new marker. Rules CH-C5, CH-C8 and CH-C9."""
    space = builder.board.space_by_key[move.space]
    if builder.stage is Stage.RETURN:
        _return_to_marker(builder, seat, space)
        return
    builder.move_to(seat, space)
    builder.place_marker(seat, space)
    _finish_corner(builder)


def _return_to_marker(builder: TurnBuilder, seat: Seat, space: int) -> None:
    builder.move_to(seat, space)
    builder.release(seat, builder.board.credits[space])
    _finish_corner(builder)


def swap_card(builder: TurnBuilder, seat: Seat, move: Swap) -> None:
    """Replace a card. Rule CH-C2."""
    _replace_card(builder, seat, builder.board.card_by_key[move.card])
    _swap_while_forced(builder)


def _swap_while_forced(builder: TurnBuilder) -> None:
    """Replace the card of each seat that has only one, until a seat has a choice."""
    while builder.asked:
        hand = builder.hands[builder.asked[0]]
        if len(hand) > 1:
            return
        _replace_card(builder, builder.asked[0], hand[0])
    _finish_corner(builder)


def _replace_card(builder: TurnBuilder, seat: Seat, card: int) -> None:
    builder.put_under_deck(seat, (card,))
    builder.draw_replacements(seat, 1)
    builder.asked = builder.asked[1:]


def _finish_corner(builder: TurnBuilder) -> None:
    """Let the lander draw the owed cards and continue. Rule CH-C0."""
    builder.end_if_won()
    if builder.is_over:
        return
    draws, builder.draws = builder.draws, 0
    if draws:
        builder.draw_cards(builder.turn, draws)
    continue_turn(builder)


def continue_turn(builder: TurnBuilder) -> None:
    """Continue the turn, or pass it if the seat could do nothing."""
    turn = builder.turn
    builder.stage, builder.asked = Stage.FREE, (turn,)
    # A seat with any card is asked: passing would reveal that none is playable. An open challenge needs no check of its
    # own, because then the option move is open, too.
    if not (builder.hands[turn] or (builder.may_travel and builder.markers_left(turn))):
        pass_turn(builder)


def pass_turn(builder: TurnBuilder) -> None:
    """Pass the turn to the next seat."""
    builder.turn = (builder.turn + 1) % len(builder.credits)
    builder.stage, builder.asked, builder.draws = Stage.ROLL, (builder.turn,), 0
    builder.may_challenge, builder.missing, builder.may_travel = False, 0, True


def roll_track(builder: TurnBuilder, chance: Chance) -> None:
    """Roll the track dice, move and act on the space; doubles end the turn on Start. Rules CH-3, CH-4 and CH-S3."""
    dice = roll(chance, TRACK_DICE_COUNT)
    turn, is_double = builder.turn, dice[0] == dice[1]
    space = START if is_double else (builder.ragz_spaces[turn] + sum(dice)) % SPACE_COUNT
    builder.ragz_spaces[turn] = space
    builder.events.append(TrackRolled(turn, dice, space))
    if is_double:
        _apply_start(builder, chance)
    else:
        _SPACE_ACTIONS[builder.board.spaces[space].kind](builder, chance)


def _apply_landing(builder: TurnBuilder, _chance: Chance) -> None:
    """Land on a challenge space, and open its challenge to a lander without a marker there. Rules CH-5 and CH-6."""
    turn, space = builder.turn, builder.ragz_space
    builder.land(space)
    if not builder.is_over:
        has_marker = builder.markers[turn] >> space & 1
        builder.may_challenge = not has_marker and builder.markers_left(turn) > 0
        continue_turn(builder)


def _apply_start(builder: TurnBuilder, _chance: Chance) -> None:
    """Draw a message card and end the turn. Rules CH-4 and CH-S1."""
    builder.draw_cards(builder.turn, 1)
    pass_turn(builder)


def _apply_take_a_rest(builder: TurnBuilder, chance: Chance) -> None:
    """Go to Start, draw a message card and end the turn. Rule CH-S2."""
    builder.move_to(builder.turn, START)
    _apply_start(builder, chance)


def _apply_humility(builder: TurnBuilder, _chance: Chance) -> None:
    """Let the seats with the most credits release 10. Rule CH-S4."""
    most = max(builder.credits)
    for seat in [seat for seat in builder.seats_in_turn_order() if builder.credits[seat] == most]:
        builder.release(seat, HUMILITY_CREDITS)
    builder.end_if_won()
    if not builder.is_over:
        continue_turn(builder)


def _apply_arrogance(builder: TurnBuilder, chance: Chance) -> None:
    """Let the seats with the fewest credits receive three dice. Rule CH-S5."""
    fewest = min(builder.credits)
    for seat in [seat for seat in builder.seats_in_turn_order() if builder.credits[seat] == fewest]:
        dice = roll(chance, 3)
        builder.credits[seat] += sum(dice)
        builder.events.append(Received(seat, builder.ragz_space, dice))
    continue_turn(builder)


def _apply_backslide(builder: TurnBuilder, _chance: Chance) -> None:
    """Ask which message card to keep, if there is a choice. Rule CH-S6."""
    if len(builder.hands[builder.turn]) > 1:
        builder.stage, builder.asked = Stage.KEEP, (builder.turn,)
    else:
        builder.events.append(SpaceSkipped(builder.turn, builder.ragz_space))
        continue_turn(builder)


_SPACE_ACTIONS: dict[SpaceKind, Callable[[TurnBuilder, Chance], None]] = {
    SpaceKind.CHALLENGE: _apply_landing,
    SpaceKind.CORNER: enter_corner,
    SpaceKind.START: _apply_start,
    SpaceKind.TAKE_A_REST: _apply_take_a_rest,
    SpaceKind.EMOTIONAL: roll_track,
    SpaceKind.HUMILITY: _apply_humility,
    SpaceKind.ARROGANCE: _apply_arrogance,
    SpaceKind.BACKSLIDE: _apply_backslide,
}


def roll_challenge(builder: TurnBuilder, chance: Chance) -> None:
    """Roll three, two and one die, and set the largest aside each time. Rule CH-6."""
    rolls = (roll(chance, 3), roll(chance, 2), roll(chance, 1))
    total = max(rolls[0]) + max(rolls[1]) + rolls[2][0]
    builder.may_challenge = False
    builder.events.append(Challenged(builder.turn, builder.ragz_space, rolls))
    if total >= CHALLENGE_TARGET:
        builder.place_marker(builder.turn, builder.ragz_space)
    else:
        builder.missing = CHALLENGE_TARGET - total
    continue_turn(builder)


def take_option(builder: TurnBuilder, move: Option, chance: Chance) -> None:
    """Make an option move and try the challenge. Rule CH-8."""
    _travel(builder, move.space)
    if not builder.is_over:
        roll_challenge(builder, chance)


def play_space_card(builder: TurnBuilder, move: Travel) -> None:
    """Go to the space of a card, and place a marker if the move says so. Rule CH-M4."""
    builder.play_card(builder.turn, builder.board.card_by_key[move.card])
    _travel(builder, move.space)
    if builder.is_over:
        return
    if move.places:
        builder.place_marker(builder.turn, builder.ragz_space)
    continue_turn(builder)


def _travel(builder: TurnBuilder, key: str) -> None:
    """Go to a challenge space, once a turn; an open or failed challenge is forgotten."""
    builder.may_challenge, builder.missing, builder.may_travel = False, 0, False
    builder.land(builder.board.space_by_key[key])


def add_points(builder: TurnBuilder, move: Add) -> None:
    """Add a card's points to the failed challenge. Rule CH-7."""
    card = builder.board.card_by_key[move.card]
    builder.play_card(builder.turn, card)
    builder.missing = max(0, builder.missing - builder.board.cards[card].amount)
    if not builder.missing:
        builder.place_marker(builder.turn, builder.ragz_space)
    continue_turn(builder)


def replace_cards(builder: TurnBuilder, move: Replace) -> None:
    """Put a Replace card and others under the deck, and draw as many as the others. Rule CH-M3."""
    cards = builder.board.card_by_key
    builder.may_challenge = False
    builder.play_card(builder.turn, cards[move.card])
    builder.put_under_deck(builder.turn, [cards[key] for key in move.others])
    builder.draw_replacements(builder.turn, len(move.others))
    continue_turn(builder)


def keep_card(builder: TurnBuilder, move: Keep) -> None:
    """Keep one card and put the rest under the deck. Rule CH-S6."""
    card = builder.board.card_by_key[move.card]
    others = list(builder.hands[builder.turn])
    others.remove(card)
    builder.put_under_deck(builder.turn, others)
    builder.events.append(CardsLost(builder.turn, len(others)))
    continue_turn(builder)
