"""Applies legal moves."""

from itertools import compress

from bot.games.fortune.deck import Card, CardKind
from bot.games.fortune.events import CardTurned, GameEvent, LineCrossed, LineLost, Rolled, Sailed, TurnEnded
from bot.games.fortune.moves import Revive, Roll
from bot.games.fortune.pieces import ALL_PLACES, FACES, MAX_SKULLS, MIN_ROLLED_DICE, Ending, Faces, Places, State, Turn
from bot.games.fortune.scoring import is_nine_of_a_kind, points_of, toll_of
from bot.rules.chance import Chance, draw
from bot.rules.game import Seat, Transition

_SIDES = len(FACES)


def start_turn(card: Card) -> Turn:
    """Return a new turn with a card. Rule FO-1."""
    return Turn(card, spell=card.kind is CardKind.SORCERESS)


def roll_dice(state: State, seat: Seat, move: Roll, chance: Chance) -> Transition[State, GameEvent]:
    """Roll the dice of a move. Rules FO-2 and FO-C1."""
    turn = state.turn
    faces = _roll_at_places(turn.faces, move.dice, chance)
    free = free_places(faces)
    after = Turn(turn.card, faces, free, turn.rolls + 1, move.chest, turn.spell, turn.island)
    return _resolve_roll(state, seat, after, Rolled(seat, move.dice, faces), chance)


def revive_skull(state: State, seat: Seat, move: Revive, chance: Chance) -> Transition[State, GameEvent]:
    """Roll a skull that the Sorceress frees, perhaps with other dice. Rule FO-C3."""
    turn = state.turn
    places = tuple(sorted((move.skull, *move.dice)))
    faces = _roll_at_places(turn.faces, places, chance)
    after = Turn(turn.card, faces, free_places(faces), turn.rolls + 1)
    return _resolve_roll(state, seat, after, Rolled(seat, places, faces, move.skull), chance)


def _roll_at_places(faces: Faces, places: Places, chance: Chance) -> Faces:
    """Return all dice after rolling some."""
    below = chance.randbelow
    if len(places) == len(ALL_PLACES):
        return tuple([FACES[below(_SIDES)] for _ in places])
    after = list(faces)
    for place in places:
        after[place - 1] = FACES[below(_SIDES)]
    return tuple(after)


def free_places(faces: Faces) -> Places:
    """Return the places of the dice without a skull."""
    return tuple(compress(ALL_PLACES, faces))


def _resolve_roll(state: State, seat: Seat, turn: Turn, event: Rolled, chance: Chance) -> Transition[State, GameEvent]:
    """Apply the effect of a roll. Rules FO-3, FO-8, FO-9, FO-10 and FO-C3."""
    if state.options.nine_wins and is_nine_of_a_kind(turn.card, turn.faces):
        return _win_with_nine(state, seat, turn), (event,)
    if turn.island:
        return _continue_voyage(state, seat, turn, event, chance)
    skulls = turn.skulls
    if skulls <= MAX_SKULLS:
        return _replace_turn(state, turn), (event,)
    if turn.rolls == 1 and skulls > MAX_SKULLS + 1 and turn.card.kind is not CardKind.SEA_BATTLE:
        return _enter_island(state, seat, turn, event, chance)
    if turn.spell and skulls == MAX_SKULLS + 1:
        return _replace_turn(state, turn), (event,)
    return _end_turn(state, seat, turn, Ending.DISQUALIFIED, events=(event,), chance=chance)


def _replace_turn(state: State, turn: Turn) -> State:
    return State(state.options, state.scores, state.mover, state.crosser, turn, state.unseen, state.returned)


def _win_with_nine(state: State, winner: Seat, turn: Turn) -> State:
    """End the game; the dice still score. Rule FO-8."""
    points = points_of(turn, Ending.STOPPED)
    scores = tuple(score + points if seat == winner else score for seat, score in enumerate(state.scores))
    return state._replace(scores=scores, mover=None, turn=turn, nine=winner)


def _enter_island(state: State, seat: Seat, turn: Turn, event: Rolled, chance: Chance) -> Transition[State, GameEvent]:
    """Go to the Island; with too few free dice the turn ends immediately. Rule FO-9."""
    there = Turn(turn.card, turn.faces, turn.free, turn.rolls, island=True)
    events = (event, Sailed(seat, turn.skulls))
    if len(turn.free) < MIN_ROLLED_DICE:
        return _end_turn(state, seat, there, Ending.ISLAND, events=events, chance=chance)
    return _replace_turn(state, there), events


def _continue_voyage(
    state: State, seat: Seat, turn: Turn, event: Rolled, chance: Chance
) -> Transition[State, GameEvent]:
    """Stay on the Island while each roll shows a new skull. Rules FO-9 and FO-C8."""
    if turn.skulls > state.turn.skulls and len(turn.free) >= MIN_ROLLED_DICE and turn.rolls_left:
        return _replace_turn(state, turn), (event,)
    return _end_turn(state, seat, turn, Ending.ISLAND, events=(event,), chance=chance)


def stop(state: State, seat: Seat, chance: Chance) -> Transition[State, GameEvent]:
    """End the turn; with three skulls it is lost. Rules FO-4 and FO-C3."""
    turn = state.turn
    ending = Ending.ISLAND if turn.island else Ending.DISQUALIFIED if turn.is_in_doubt else Ending.STOPPED
    return _end_turn(state, seat, turn, ending, events=(), chance=chance)


def _end_turn(
    state: State, seat: Seat, turn: Turn, ending: Ending, *, events: tuple[GameEvent, ...], chance: Chance
) -> Transition[State, GameEvent]:
    """Score the turn, then start the next one or end the game. Rules FO-9, FO-E1 and FO-E2."""
    points, toll = points_of(turn, ending), toll_of(turn) if turn.island else 0
    scores = tuple([score + points if at == seat else score - toll for at, score in enumerate(state.scores)])
    events += (TurnEnded(seat, turn, ending, points, toll),)

    crosser, target = state.crosser, state.options.target
    if crosser is None and scores[seat] > target:
        crosser = seat
        events += (LineCrossed(seat),)
    following = (seat + 1) % len(scores)
    if following == crosser:
        if max(scores) > target:
            return State(state.options, scores, None, crosser, turn, state.unseen, state.returned), events
        crosser = None
        events += (LineLost(),)
    card, unseen, returned = turn_up_card(state.unseen, (*state.returned, turn.card), chance)
    after = State(state.options, scores, following, crosser, start_turn(card), unseen, returned)
    return after, (*events, CardTurned(following, card))


def turn_up_card(
    unseen: tuple[Card, ...], returned: tuple[Card, ...], chance: Chance
) -> tuple[Card, tuple[Card, ...], tuple[Card, ...]]:
    """Turn up the top card and return it with the rest of the pile.

    The pile was shuffled once: while there are unseen cards, any of them may be on top; after that, cards come
    in the order in which they were returned. Rule FO-1.
    """
    if unseen:
        card, left = draw(chance, unseen)
        return card, left, returned
    return returned[0], (), returned[1:]
