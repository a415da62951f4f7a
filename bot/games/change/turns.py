"""What moves lead to: the track roll and its space, challenges, travels, cards, and the end of a turn."""

from collections.abc import Callable

from bot.games.change.board import SPACES, START, SpaceKind
from bot.games.change.corners import arrive, free, next_turn
from bot.games.change.events import CardsLost, Challenged, Received, TrackRolled
from bot.games.change.moves import Add, Keep, Option, Replace, Travel
from bot.games.change.pieces import ENOUGH, TRACK_DICE, Stage
from bot.games.change.turn_builder import Course
from bot.rules.chance import Chance, roll

_HUMBLE = 10
"""What the trailing players release. Rule CH-S4."""


def roll_track(course: Course, chance: Chance) -> None:
    """Roll the track dice, move and act on the space; doubles end the turn on Start. Rules CH-3, CH-4 and CH-S3."""
    dice = roll(chance, TRACK_DICE)
    is_double = dice[0] == dice[1]
    space = START if is_double else (course.square + sum(dice)) % SPACES
    course.squares[course.turn] = space
    course.events.append(TrackRolled(course.turn, dice, space))
    if is_double:
        _rest(course, chance)
    else:
        _ACTS[course.board.spaces[space].kind](course, chance)


def _land(course: Course, _chance: Chance) -> None:
    """Land by the track roll: the challenge is open to whoever has no marker there. Rules CH-5 and CH-6."""
    course.land(course.square)
    if not course.is_over:
        has_marker = course.markers[course.turn] >> course.square & 1
        course.may_challenge = not has_marker and course.markers_left(course.turn) > 0
        free(course)


def _rest(course: Course, _chance: Chance) -> None:
    """Draw a message card on Start, and end the turn. Rules CH-4 and CH-S1."""
    course.draw(course.turn, 1)
    next_turn(course)


def _take_a_rest(course: Course, chance: Chance) -> None:
    """Go to Start and rest there. Rule CH-S2."""
    course.move(course.turn, START)
    _rest(course, chance)


def _be_humble(course: Course, _chance: Chance) -> None:
    """Let whoever has the most credits release some. Rule CH-S4."""
    most = max(course.credits)
    for seat in [seat for seat in course.in_turn_order() if course.credits[seat] == most]:
        course.release(seat, _HUMBLE)
    course.end_if_won()
    if not course.is_over:
        free(course)


def _be_arrogant(course: Course, chance: Chance) -> None:
    """Let whoever has the fewest credits receive some. Rule CH-S5."""
    fewest = min(course.credits)
    for seat in [seat for seat in course.in_turn_order() if course.credits[seat] == fewest]:
        dice = roll(chance, 3)
        course.credits[seat] += sum(dice)
        course.events.append(Received(seat, dice))
    free(course)


def _slide_back(course: Course, _chance: Chance) -> None:
    """Ask which message card is kept, if there is a choice. Rule CH-S6."""
    if len(course.hands[course.turn]) > 1:
        course.stage, course.asked = Stage.KEEP, (course.turn,)
    else:
        free(course)


_ACTS: dict[SpaceKind, Callable[[Course, Chance], None]] = {
    SpaceKind.CHALLENGE: _land,
    SpaceKind.CORNER: arrive,
    SpaceKind.START: _rest,
    SpaceKind.TAKE_A_REST: _take_a_rest,
    SpaceKind.EMOTIONAL: roll_track,
    SpaceKind.HUMILITY: _be_humble,
    SpaceKind.ARROGANCE: _be_arrogant,
    SpaceKind.BACKSLIDE: _slide_back,
}


def challenge(course: Course, chance: Chance) -> None:
    """Roll three, two and one die, and set the largest aside each time. Rule CH-6."""
    rolls = (roll(chance, 3), roll(chance, 2), roll(chance, 1))
    total = max(rolls[0]) + max(rolls[1]) + rolls[2][0]
    course.may_challenge = False
    course.events.append(Challenged(course.turn, course.square, rolls))
    if total >= ENOUGH:
        course.place(course.turn, course.square)
    else:
        course.missing = ENOUGH - total
    free(course)


def take_option(course: Course, move: Option, chance: Chance) -> None:
    """Go to another challenge space and try its challenge. Rule CH-8."""
    _travel(course, move.space)
    if not course.is_over:
        challenge(course, chance)


def play_space_card(course: Course, move: Travel) -> None:
    """Go to the space of a card, and place a marker if that is wanted. Rule CH-M4."""
    course.show(course.turn, course.board.card_by_key[move.card])
    _travel(course, move.space)
    if course.is_over:
        return
    if move.places:
        course.place(course.turn, course.square)
    free(course)


def _travel(course: Course, key: str) -> None:
    """Leave the track for a challenge space, once in a turn; what was left open behind stays so."""
    course.may_challenge, course.missing, course.may_travel = False, 0, False
    course.land(course.board.space_by_key[key])


def add(course: Course, move: Add) -> None:
    """Add a card's points to the failed challenge. Rule CH-7."""
    card = course.board.card_by_key[move.card]
    course.show(course.turn, card)
    course.missing = max(0, course.missing - course.board.cards[card].amount)
    if not course.missing:
        course.place(course.turn, course.square)
    free(course)


def replace_cards(course: Course, move: Replace) -> None:
    """Put a Replace card and others under the deck, and draw as many as the others were. Rule CH-M3."""
    cards = course.board.card_by_key
    course.may_challenge = False
    course.show(course.turn, cards[move.card])
    course.put_under(course.turn, [cards[key] for key in move.others])
    course.replace(course.turn, len(move.others))
    free(course)


def keep(course: Course, move: Keep) -> None:
    """Keep one card and put the others under the deck. Rule CH-S6."""
    card = course.board.card_by_key[move.card]
    others = list(course.hands[course.turn])
    others.remove(card)
    course.put_under(course.turn, others)
    course.events.append(CardsLost(course.turn, len(others)))
    free(course)
