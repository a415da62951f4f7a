"""Applies the moves of a turn: the track roll and its space, challenges, option moves and message cards."""

from collections.abc import Callable

from bot.games.change.board import SPACE_COUNT, START, SpaceKind
from bot.games.change.corners import continue_turn, enter_corner, pass_turn
from bot.games.change.events import CardsLost, Challenged, Received, SpaceSkipped, TrackRolled
from bot.games.change.moves import Add, Keep, Option, Replace, Travel
from bot.games.change.pieces import CHALLENGE_TARGET, TRACK_DICE_COUNT, Stage
from bot.games.change.turn_builder import TurnBuilder
from bot.rules.chance import Chance, roll

_HUMILITY_CREDITS = 10
"""The credits that Humility releases. Rule CH-S4."""


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
        builder.release(seat, _HUMILITY_CREDITS)
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
