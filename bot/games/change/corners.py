"""The corners: who does what they say, the decisions that takes, and how the turn goes on."""

from collections.abc import Sequence

from bot.games.change.board import CornerAction, Others, SpaceEntry, spaces_in
from bot.games.change.events import Chosen, NobodyAble
from bot.games.change.moves import Let, Swap, To
from bot.games.change.pieces import (
    MARKERS,
    Public,
    Stage,
)
from bot.games.change.turn_builder import Course
from bot.rules.chance import Chance, roll
from bot.rules.game import Seat


def can_follow(public: Public, corner: SpaceEntry, seat: Seat) -> bool:
    """Tell whether a seat is able to do what a corner says. Rule CH-C0."""
    return _can_follow(corner, public.held[seat], public.markers[seat])


def _can_follow(corner: SpaceEntry, held: int, markers: int) -> bool:
    match corner.action:
        case CornerAction.REPLACE:
            return held > 0
        case CornerAction.RETURN:
            return markers > 0
        case CornerAction.PLACE:
            return markers.bit_count() < MARKERS
        case _:
            return True


def corner_here(public: Public) -> SpaceEntry:
    """Return the corner that the seat whose turn it is stands on."""
    return public.board.spaces[public.squares[public.turn]]


def able_others(public: Public) -> tuple[Seat, ...]:
    """Return the others who may be chosen at this corner, by their numbers. Rule CH-C0."""
    corner = corner_here(public)
    seats = range(len(public.credits))
    return tuple([seat for seat in seats if seat != public.turn and can_follow(public, corner, seat)])


def arrive(course: Course, chance: Chance) -> None:
    """Ask the lander who does what the corner says, unless there is no choice. Rule CH-C0."""
    corner = course.board.spaces[course.square]
    able = [
        seat for seat in course.in_turn_order() if _can_follow(corner, len(course.hands[seat]), course.markers[seat])
    ]
    others = [seat for seat in able if seat != course.turn]
    if not able:
        course.events.append(NobodyAble(course.turn, course.square))
        free(course)
    elif not others:
        do_it(course, chance)
    elif len(able) == len(others) and (len(others) == 1 or corner.others is Others.ALL):
        _others_do_it(course, others, chance)
    else:
        course.stage, course.asked = Stage.CORNER, (course.turn,)


def do_it(course: Course, chance: Chance) -> None:
    """Let the lander do what the corner says. Rule CH-C0."""
    _act(course, [course.turn], chance)


def let_others(course: Course, move: Let, chance: Chance) -> None:
    """Let others do what the corner says, in turn order. Rules CH-C0 and CH-C2."""
    _others_do_it(course, [seat for seat in course.in_turn_order() if seat in move.seats], chance)


def _others_do_it(course: Course, seats: Sequence[Seat], chance: Chance) -> None:
    corner = course.board.spaces[course.square]
    course.draws = (corner.draws or 0) * (len(seats) if corner.others is Others.SEVERAL else 1)
    course.events.append(Chosen(course.turn, tuple(seats)))
    _act(course, seats, chance)


def _act(course: Course, seats: Sequence[Seat], chance: Chance) -> None:
    """Do what the corner says, or ask for the decisions that it takes. Rules CH-C1 to CH-C8."""
    corner = course.board.spaces[course.square]
    match corner.action:
        case CornerAction.REPLACE:
            course.stage, course.asked = Stage.SWAP, tuple(seats)
            _swap_while_forced(course)
        case CornerAction.RETURN:
            course.stage, course.asked = Stage.RETURN, tuple(seats)
            _return_if_forced(course, seats[0])
        case CornerAction.PLACE:
            course.stage, course.asked = Stage.PLACE, tuple(seats)
        case _:
            _release_all(course, seats, corner, chance)


def _release_all(course: Course, seats: Sequence[Seat], corner: SpaceEntry, chance: Chance) -> None:
    """Let seats release credits at the same moment. Rules CH-C1, CH-C3, CH-C4, CH-C6 and CH-C7."""
    for seat in seats:
        dice = roll(chance, 3) if corner.action is CornerAction.ROLL else ()
        course.release(seat, sum(dice) if dice else corner.credits or 0, dice)
    _go_on(course)


def _return_if_forced(course: Course, seat: Seat) -> None:
    spaces = spaces_in(course.markers[seat])
    if len(spaces) == 1:
        _return_to(course, seat, spaces[0])


def choose_space(course: Course, seat: Seat, move: To) -> None:
    """Go to a space with a marker and release its credits, or place a new one. Rules CH-C5, CH-C8 and CH-C9."""
    space = course.board.space_by_key[move.space]
    if course.stage is Stage.RETURN:
        _return_to(course, seat, space)
        return
    course.move(seat, space)
    course.place(seat, space)
    _go_on(course)


def _return_to(course: Course, seat: Seat, space: int) -> None:
    course.move(seat, space)
    course.release(seat, course.board.credits[space])
    _go_on(course)


def swap(course: Course, seat: Seat, move: Swap) -> None:
    """Replace a card. Rule CH-C2."""
    _swapped(course, seat, course.board.card_by_key[move.card])
    _swap_while_forced(course)


def _swap_while_forced(course: Course) -> None:
    """Go through those who hold a single card, which everybody can see; then ask, or go on."""
    while course.asked:
        hand = course.hands[course.asked[0]]
        if len(hand) > 1:
            return
        _swapped(course, course.asked[0], hand[0])
    _go_on(course)


def _swapped(course: Course, seat: Seat, card: int) -> None:
    course.put_under(seat, (card,))
    course.replace(seat, 1)
    course.asked = course.asked[1:]


def _go_on(course: Course) -> None:
    """Let the lander draw what the corner brings, and go on with their turn. Rule CH-C0."""
    course.end_if_won()
    if course.is_over:
        return
    draws, course.draws = course.draws, 0
    if draws:
        course.draw(course.turn, draws)
    free(course)


def free(course: Course) -> None:
    """Let the seat go on as it likes; the turn ends where nobody could do anything any more."""
    turn = course.turn
    course.stage, course.asked = Stage.FREE, (turn,)
    # Whoever holds cards is asked whatever they are: that nothing can be played would tell about them. An open
    # challenge is not looked for: whoever may take it on may make the option move as well.
    if not (course.hands[turn] or (course.may_travel and course.markers_left(turn))):
        next_turn(course)


def next_turn(course: Course) -> None:
    """Give the dice to the next seat."""
    course.turn = (course.turn + 1) % len(course.credits)
    course.stage, course.asked, course.draws = Stage.ROLL, (course.turn,), 0
    course.may_challenge, course.missing, course.may_travel = False, 0, True
