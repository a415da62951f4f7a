"""The corners: who follows them, the decisions they ask for, and how the turn goes on."""

from collections.abc import Sequence

from bot.games.change.board import CornerAction, Others, SpaceEntry, spaces_in
from bot.games.change.events import Chosen, SpaceSkipped
from bot.games.change.moves import Choose, PickSpace, Swap
from bot.games.change.pieces import MARKERS_PER_SEAT, PublicState, Stage
from bot.games.change.turn_builder import TurnBuilder
from bot.rules.chance import Chance, roll
from bot.rules.game import Seat


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
    builder.draws = (corner.draws or 0) * (len(seats) if corner.others is Others.SEVERAL else 1)
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
            _return_if_forced(builder, seats[0])
        case CornerAction.PLACE:
            builder.stage, builder.asked = Stage.PLACE, tuple(seats)
        case _:
            _release_all(builder, seats, corner, chance)


def _release_all(builder: TurnBuilder, seats: Sequence[Seat], corner: SpaceEntry, chance: Chance) -> None:
    """Let seats release credits at once. Rules CH-C1, CH-C3, CH-C4, CH-C6 and CH-C7."""
    for seat in seats:
        dice = roll(chance, 3) if corner.action is CornerAction.ROLL else ()
        builder.release(seat, sum(dice) if dice else corner.credits or 0, dice)
    _finish_corner(builder)


def _return_if_forced(builder: TurnBuilder, seat: Seat) -> None:
    spaces = spaces_in(builder.markers[seat])
    if len(spaces) == 1:
        _return_to_marker(builder, seat, spaces[0])


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
