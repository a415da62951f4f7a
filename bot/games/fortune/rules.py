"""The rules of Fortune: which moves are legal, and what they do."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations, product
from typing import assert_never

from bot.games.fortune.pieces import (
    ALL_PLACES,
    FACE_LETTERS,
    FACES,
    MAX_SKULLS,
    MIN_ROLLED_DICE,
    MOST_SEATS,
    SIDES,
    STOP,
    Card,
    CardKind,
    CardTurned,
    Deck,
    Ending,
    Faces,
    FortuneEnd,
    FortuneOptions,
    FortuneReason,
    GameEvent,
    LineCrossed,
    LineLost,
    Move,
    Places,
    Revive,
    Roll,
    Rolled,
    Sailed,
    State,
    Stop,
    Turn,
    TurnEnded,
    free_places,
    name_of,
)
from bot.games.fortune.scoring import is_nine_of_a_kind, points_of, rank_seats, toll_of
from bot.rules.chance import Chance, draw
from bot.rules.game import GameInfo, Outcome, Seat, Transition, TurnGame
from bot.rules.notation import Notation
from bot.rules.refusals import DieFacts, Refusal
from bot.words import N_

ROLL_ALL = Roll(ALL_PLACES)
"""All eight dice. Rule FO-2."""

ONLY_FIRST_ROLL: tuple[Move, ...] = (ROLL_ALL,)
ONLY_STOP: tuple[Move, ...] = (STOP,)


class Fortune(TurnGame[State, Move, GameEvent]):
    """Fortune, for two to four seats. Rule FO-1."""

    notation = Notation[Move](Roll, Revive, Stop)
    info = GameInfo(
        key="fortune",
        title=N_("Fortune"),
        credits=N_("A dice and card game by Haim Shafir. The number of cards of each kind is our choice."),
        least_seats=2,
        most_seats=MOST_SEATS,
        options=FortuneOptions,
        version=1,
        step_limit=200_000,
        minutes_per_seat=10,
    )

    def __init__(self, deck: Deck) -> None:
        self.cards = deck.all_cards()

    def start(self, options: FortuneOptions, seats: int, chance: Chance) -> State:
        """Choose the starting seat at random and turn up its card. Rule FO-1."""
        mover = chance.randbelow(seats)
        card, unseen, returned = turn_up_card(self.cards, (), chance)
        return State(options, (0,) * seats, mover, None, start_turn(card), unseen, returned)

    def seat_to_move(self, state: State) -> Seat | None:
        """Return the seat whose turn it is."""
        return state.mover

    def why_not(self, state: State, seat: Seat, move: Move) -> Refusal | None:
        """Refuse what the dice or the card do not allow. Rules FO-2 to FO-4, FO-9 and FO-C1 to FO-C9."""
        return why_not(state.turn, move)

    def legal_moves(self, state: State) -> Sequence[Move]:
        """Return the rolls, the uses of the Sorceress, and stopping."""
        return () if state.mover is None else _legal_moves(state.turn)

    def apply_move(self, state: State, seat: Seat, move: Move, chance: Chance) -> Transition[State, GameEvent]:
        """Roll or stop, and turn up the next card after a turn. Rules FO-1 to FO-10."""
        match move:
            case Roll():
                return roll_dice(state, seat, move, chance)
            case Revive():
                return revive_skull(state, seat, move, chance)
            case Stop():
                return stop(state, seat, chance)
            case _:
                assert_never(move)

    def outcome(self, state: State) -> Outcome | None:
        """Rank the seats by their scores, after a winner by nine of a kind. Rules FO-8, FO-E2 and FO-E3."""
        if state.mover is not None:
            return None
        reason = FortuneEnd.LINE_CROSSED if state.nine is None else FortuneEnd.NINE_OF_A_KIND
        return Outcome(rank_seats(state), state.scores, reason)

    def view(self, state: State, seat: Seat | None) -> State:
        """Return the state itself: the cards turned up reveal the rest of the pile."""
        return state

    def encode_position(self, state: State) -> str:
        """Return scores, seat to move, seat that crossed the line, winner by nine, the turn and the returned cards.

        Such as `0/-300 1 - - captain GGMPSKDD 1 - - - gold+truce`. The turn has the card, the dice, the rolls,
        the chest, whether the Sorceress can help, and whether the player is on the Island.
        """
        scores = "/".join(map(str, state.scores))
        seats = " ".join("-" if seat is None else str(seat) for seat in (state.mover, state.crosser, state.nine))
        returned = "+".join(map(name_of, state.returned)) or "-"
        return f"{scores} {seats} {_encode_turn(state.turn)} {returned}"


def _legal_moves(turn: Turn) -> Sequence[Move]:
    free = turn.free
    if not turn.faces:
        return ONLY_FIRST_ROLL
    if turn.island:
        return island_moves(free)
    if not turn.may_roll:
        return ONLY_STOP
    if turn.spell:
        return revive_moves(free) if turn.is_in_doubt else moves_with_spell(free)
    return moves_with_chest(free) if turn.card.kind is CardKind.TREASURE_CHEST else usual_moves(free)


def _encode_turn(turn: Turn) -> str:
    faces = "".join(FACE_LETTERS[face] for face in turn.faces) or "-"
    chest = "".join(map(str, turn.chest)) or "-"
    return (
        f"{turn.card} {faces} {turn.rolls} {chest} {'spell' if turn.spell else '-'} {'island' if turn.island else '-'}"
    )


def why_not(turn: Turn, move: Move) -> Refusal | None:
    """Return why a move is illegal, or None. Rules FO-2 to FO-4, FO-9, FO-C1, FO-C3 and FO-C8."""
    if not turn.faces:
        return None if move == ROLL_ALL else Refusal(FortuneReason.FIRST_ROLL)
    match move:
        case Roll():
            return _why_not_roll(turn, move)
        case Revive():
            return _why_not_revive(turn, move)
        case Stop():
            return None
        case _:
            assert_never(move)


def rollable_dice(turn: Turn) -> Places:
    """Return the dice that at least one legal move rolls. Rules FO-2, FO-4, FO-C3 and FO-C8."""
    if not turn.may_roll:
        return ()
    if turn.spell and not turn.island and len(turn.free) < len(ALL_PLACES):
        return ALL_PLACES
    return turn.free if len(turn.free) >= MIN_ROLLED_DICE else ()


def _why_not_roll(turn: Turn, move: Roll) -> Refusal | None:
    """Allow rolling two or more dice without skulls. Rules FO-2, FO-3, FO-9 and FO-C8."""
    if turn.is_in_doubt:
        return Refusal(FortuneReason.THIRD_SKULL)
    if not turn.may_roll:
        return Refusal(FortuneReason.NO_ROLLS_LEFT)
    if move.dice not in rolls_by_dice(turn.free):
        return _why_not_dice(turn, move.dice) or Refusal(FortuneReason.TOO_FEW_DICE)
    if turn.island and move.dice != turn.free:
        return Refusal(FortuneReason.WHOLE_CREW)
    return _why_not_chest(turn, move) if move.chest else None


def _why_not_dice(turn: Turn, dice: Places) -> Refusal | None:
    """Refuse places that are no choice of free dice."""
    if refusal := _why_not_places(dice):
        return refusal
    skulls = [place for place in dice if place not in turn.free]
    return Refusal(FortuneReason.SKULL_STAYS, DieFacts(skulls[0])) if skulls else None


def _why_not_places(places: Places) -> Refusal | None:
    """Refuse places out of range or named twice."""
    for place in places:
        if place not in ALL_PLACES:
            return Refusal(FortuneReason.NO_SUCH_DIE, DieFacts(place))
        if places.count(place) > 1:
            return Refusal(FortuneReason.DIE_TWICE, DieFacts(place))
    return None if places == tuple(sorted(places)) else Refusal(FortuneReason.OUT_OF_ORDER)


def _why_not_chest(turn: Turn, move: Roll) -> Refusal | None:
    """Allow dice in the chest that show no skull and are not rolled. Rule FO-C1."""
    if turn.card.kind is not CardKind.TREASURE_CHEST or turn.island:
        return Refusal(FortuneReason.NO_CHEST)
    if refusal := _why_not_places(move.chest):
        return refusal
    for place in move.chest:
        if place not in turn.free:
            return Refusal(FortuneReason.SKULL_IN_CHEST, DieFacts(place))
        if place in move.dice:
            return Refusal(FortuneReason.ROLLED_FROM_CHEST, DieFacts(place))
    return None


def _why_not_revive(turn: Turn, move: Revive) -> Refusal | None:
    """Allow the Sorceress to free one skull in a turn. Rule FO-C3."""
    if turn.card.kind is not CardKind.SORCERESS:
        return Refusal(FortuneReason.NO_SORCERESS)
    if turn.island:
        return Refusal(FortuneReason.NO_SPELL_ON_ISLAND)
    if not turn.spell:
        return Refusal(FortuneReason.SPELL_USED)
    return _why_not_skull(turn, move) or _why_not_dice(turn, move.dice)


def _why_not_skull(turn: Turn, move: Revive) -> Refusal | None:
    """Refuse a place that is no die with a skull."""
    if refusal := _why_not_places((move.skull,)):
        return refusal
    if move.skull in turn.free:
        return Refusal(FortuneReason.NOT_A_SKULL, DieFacts(move.skull))
    return Refusal(FortuneReason.DIE_TWICE, DieFacts(move.skull)) if move.skull in move.dice else None


def subsets(places: Places, least: int = 0) -> Iterator[Places]:
    """Return every choice of at least `least` places, fewest first."""
    return chain.from_iterable(combinations(places, count) for count in range(least, len(places) + 1))


# Saves 30 us of a click, and 20 us of a computer player's move; there are 256 choices of free dice.
@lru_cache(maxsize=256)
def rolls_by_dice(free: Places) -> dict[Places, Roll]:
    """Return the rolls of free dice, by the dice that they roll. Rule FO-2."""
    return {dice: Roll(dice) for dice in subsets(free, MIN_ROLLED_DICE)}


@lru_cache(maxsize=256)
def usual_moves(free: Places) -> tuple[Move, ...]:
    """Return the moves without a special card. Rules FO-2 and FO-4."""
    return (*rolls_by_dice(free).values(), STOP)


# Saves 0.6 ms of a computer player's move with a Treasure Chest.
@lru_cache(maxsize=256)
def moves_with_chest(free: Places) -> tuple[Move, ...]:
    """Return the moves with every way to fill the Treasure Chest, the fullest first. Rule FO-C1."""
    rolls = (
        Roll(dice, chest)
        for dice in rolls_by_dice(free)
        for chest in reversed([*subsets(tuple(place for place in free if place not in dice))])
    )
    return (*rolls, STOP)


@lru_cache(maxsize=256)
def moves_with_spell(free: Places) -> tuple[Move, ...]:
    """Return the moves with every way to free a skull. Rule FO-C3."""
    return (*rolls_by_dice(free).values(), *revive_moves(free))


# Saves 0.1 ms of a move with the Sorceress.
@lru_cache(maxsize=256)
def revive_moves(free: Places) -> tuple[Move, ...]:
    """Return every way to free a skull, and stopping. Rule FO-C3."""
    skulls = (place for place in ALL_PLACES if place not in free)
    return (*(Revive(skull, dice) for skull in skulls for dice in subsets(free)), STOP)


def island_moves(free: Places) -> tuple[Move, ...]:
    """Return the moves on the Island of Skulls. Rule FO-9."""
    return (Roll(free), STOP)


def distinct_moves(turn: Turn) -> Sequence[Move]:
    """Return the moves off the Island, one for each choice of faces to roll; the chest gets all other dice."""
    places = [tuple([place for place in turn.free if turn.faces[place - 1] is face]) for face in FACES[1:]]
    chosen = product(*[[each[:count] for count in range(len(each) + 1)] for each in places])
    choices = sorted([tuple(sorted(chain(*dice))) for dice in chosen], key=lambda dice: (len(dice), dice))
    moves: list[Move] = []
    if not turn.is_in_doubt:
        has_chest = turn.card.kind is CardKind.TREASURE_CHEST
        moves += [
            Roll(dice, tuple([place for place in turn.free if place not in dice]) if has_chest else ())
            for dice in choices
            if len(dice) >= MIN_ROLLED_DICE
        ]
    if turn.spell and len(turn.free) < len(ALL_PLACES):
        skull = next(place for place in ALL_PLACES if place not in turn.free)
        moves += [Revive(skull, dice) for dice in choices]
    return (*moves, STOP)


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
        return tuple([FACES[below(SIDES)] for _ in places])
    after = list(faces)
    for place in places:
        after[place - 1] = FACES[below(SIDES)]
    return tuple(after)


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
    if turn.skulls > state.turn.skulls and len(turn.free) >= MIN_ROLLED_DICE and turn.may_roll:
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


def find_forced_end(view: State) -> Stop | None:
    """Return Stop if no dice can be rolled any more: after the two rolls of a Storm. Rule FO-C8."""
    is_forced = view.mover is not None and view.turn.faces and not rollable_dice(view.turn)
    return STOP if is_forced else None
