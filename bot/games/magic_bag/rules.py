"""The rules of The Magic Bag: which moves are legal, and what they do."""

from collections.abc import Sequence
from itertools import accumulate, pairwise, starmap
from operator import itemgetter
from typing import TypeVar, assert_never

from bot.games.magic_bag.pieces import (
    CLAIMS,
    DISCARDS,
    EXTRA_ROLLS,
    FINISH,
    PIECES,
    ROLLS,
    ROW_SIZES,
    STARTING_COINS,
    STOP,
    TAKEN_ROW,
    VALUES,
    Claim,
    CoinDiscarded,
    CoinFacts,
    Discard,
    Faces,
    Finish,
    GameEvent,
    Layout,
    MagicBagEnd,
    MagicBagOptions,
    MagicBagReason,
    Move,
    Piece,
    ReferenceSheet,
    Roll,
    Rolled,
    RowFacts,
    RowTaken,
    State,
    Stop,
    Suit,
    SuitFacts,
    TileFacts,
    needed_values,
)
from bot.games.magic_bag.scoring import find_exact_tiles, find_matching_rows, points_of
from bot.rules.chance import Chance, shuffle
from bot.rules.game import GameInfo, Outcome, Seat, Transition, TurnGame
from bot.rules.notation import Notation
from bot.rules.refusals import Refusal, unreadable
from bot.words import N_

_SEAT = 0
_ROLLS_AND_STOP: tuple[Move, ...] = (*ROLLS, STOP)

# A turn has at most two re-rolls and a move that ends it: nine rows, a discard for each coin, and the last turn.
_STEP_LIMIT = (EXTRA_ROLLS + 1) * (len(ROW_SIZES) + len(PIECES) + 1)

_LEGAL_SUITS = {roll.suits for roll in ROLLS}
_COINS = frozenset(PIECES)
_TILES = frozenset((None, *PIECES))
T = TypeVar("T")
_ALL_DICE = tuple(Suit)
_SIDES = len(VALUES)
_STARTING_BAG = tuple(coin for coin in PIECES if coin not in STARTING_COINS)


class MagicBag(TurnGame[State, Move, GameEvent]):
    """The Magic Bag, for one seat; the first roll of a turn needs no move. Rule MB-1."""

    notation = Notation[Move](Roll, Stop, Claim, Discard, Finish)
    info = GameInfo(
        key="magic_bag",
        title=N_("The Magic Bag"),
        # Translators: `Rob LeGood` is a name.
        credits=N_("A piecepack solitaire by Rob LeGood, 2003."),
        least_seats=1,
        most_seats=1,
        options=MagicBagOptions,
        version=1,
        step_limit=_STEP_LIMIT,
        minutes_per_seat=15,
    )

    def __init__(self, sheet: ReferenceSheet) -> None:
        self.sheet = sheet

    def start(self, options: MagicBagOptions, seats: int, chance: Chance) -> State:
        """Deal the tiles, fill the bag and roll for the first turn. Rules MB-1, MB-2 and MB-3."""
        return start_turn(deal_layout(self.sheet, chance), chance)

    def seat_to_move(self, state: State) -> Seat | None:
        """Return the only seat, or None once the game is over."""
        return _SEAT if state.end is None else None

    def turn_of(self, state: State) -> Layout:
        """Return the tiles and coins, which every turn changes."""
        return state.layout

    def why_not(self, state: State, seat: Seat, move: Move) -> Refusal | None:
        """Refuse what the dice, the rows or the coins do not allow. Rules MB-3 to MB-9."""
        return why_not(state, move)

    def legal_moves(self, state: State) -> Sequence[Move]:
        """Return the matching rows and re-rolls, or the discards and the end after a failed roll."""
        if state.end is not None:
            return ()
        if state.matching:
            claims = [CLAIMS[row - 1] for row in state.matching]
            return (*claims, *ROLLS) if state.rolls_left else claims
        if state.rolls_left:
            return _ROLLS_AND_STOP
        coins = state.layout.collected
        chosen: list[Move] = []
        for tile in (None, *state.removable):
            chosen += map(DISCARDS[tile].__getitem__, coins)
        chosen.append(FINISH)
        return chosen

    def apply_move(self, state: State, seat: Seat, move: Move, chance: Chance) -> Transition[State, GameEvent]:
        """Re-roll, or end the turn and roll for the next one. Rules MB-3 to MB-9."""
        match move:
            case Roll():
                return reroll(state, move, chance)
            case Stop():
                return stop(state), ()
            case Claim():
                return claim_row(state, move, chance)
            case Discard():
                return discard_coin(state, move, chance)
            case Finish():
                return end_game(state.layout, state.faces, MagicBagEnd.FINISHED), ()
            case _:
                assert_never(move)

    def outcome(self, state: State) -> Outcome | None:
        """Score the game. Rules MB-10, MB-11 and MB-12."""
        if state.end is None:
            return None
        return Outcome((1,), (points_of(state),), state.end)

    def view(self, state: State, seat: Seat | None) -> State:
        """Return the state itself: the coins outside the bag reveal its content."""
        return state

    def encode_position(self, state: State) -> str:
        """Return rows, dice, rolls left, coins collected and discarded, and the end.

        Such as `sun-5/-/moon-ace+crown-2/... 5204 2 crown-null+crown-2 - -`, with the dice in the order of the suits.
        """
        layout = state.layout
        rows = "/".join(map(_encode_pieces, layout.rows))
        faces = "".join(map(str, state.faces))
        coins = f"{_encode_pieces(layout.collected)} {_encode_pieces(layout.discarded)}"
        return f"{rows} {faces} {state.rolls_left} {coins} {state.end or '-'}"


def _encode_pieces(pieces: Sequence[Piece]) -> str:
    return "+".join(map(str, pieces)) or "-"


def why_not(state: State, move: Move) -> Refusal | None:
    """Return why a move is illegal, or None. Rules MB-3 to MB-9."""
    match move:
        case Roll():
            return _why_not_roll(state, move)
        case Stop():
            return _why_not_stop(state)
        case Claim():
            return _why_not_claim(state, move)
        case Discard():
            return _why_not_after_failure(state) or _why_not_discard(state, move)
        case Finish():
            return _why_not_after_failure(state)
        case _:
            assert_never(move)


def _why_not_roll(state: State, move: Roll) -> Refusal | None:
    """Allow any choice of dice while rolls are left. Rule MB-3."""
    if not state.rolls_left:
        return Refusal(MagicBagReason.NO_ROLLS_LEFT)
    if move.suits in _LEGAL_SUITS:
        return None
    twice = [suit for suit in move.suits if move.suits.count(suit) > 1]
    if twice:
        return Refusal(MagicBagReason.DIE_TWICE, SuitFacts(twice[0]))
    return Refusal(MagicBagReason.OUT_OF_ORDER if move.suits else MagicBagReason.NO_DICE)


def _why_not_stop(state: State) -> Refusal | None:
    """Allow stopping if no row matches and rolls are left. Rules MB-3 and MB-5."""
    if state.matching:
        return Refusal(MagicBagReason.MUST_CLAIM)
    return None if state.rolls_left else Refusal(MagicBagReason.NO_ROLLS_LEFT)


def _why_not_claim(state: State, move: Claim) -> Refusal | None:
    """Allow rows that the dice match. Rules MB-4 and MB-5."""
    if move.row in state.matching:
        return None
    rows = state.layout.rows
    if not 1 <= move.row <= len(rows) or rows[move.row - 1] == TAKEN_ROW:
        return Refusal(MagicBagReason.NO_SUCH_ROW, RowFacts(move.row))
    return Refusal(MagicBagReason.ROW_NOT_MATCHED, RowFacts(move.row))


def _why_not_after_failure(state: State) -> Refusal | None:
    """Refuse if the roll has not failed: a row matches, or rolls are left. Rules MB-5 and MB-8."""
    if state.matching:
        return Refusal(MagicBagReason.MUST_CLAIM)
    return Refusal(MagicBagReason.ROLLS_LEFT) if state.rolls_left else None


def _why_not_discard(state: State, move: Discard) -> Refusal | None:
    """Allow collected coins, and tiles that equal a die. Rules MB-8 and MB-9."""
    if move.coin not in _COINS or move.tile not in _TILES:
        return unreadable(repr(move))
    if move.coin not in state.layout.collected:
        return Refusal(MagicBagReason.COIN_NOT_COLLECTED, CoinFacts(move.coin))
    if move.tile is None:
        return None
    if state.layout.find_row(move.tile) is None:
        return Refusal(MagicBagReason.TILE_NOT_ON_BOARD, TileFacts(move.tile))
    if state.faces[move.tile.suit] != move.tile.value:
        return Refusal(MagicBagReason.TILE_NOT_ROLLED, TileFacts(move.tile))
    return None


_cut_into_rows = itemgetter(*starmap(slice, pairwise((0, *accumulate(ROW_SIZES)))))
"""Cuts the shuffled tiles, or their values, into nine rows."""


def deal_layout(sheet: ReferenceSheet, chance: Chance) -> Layout:
    """Deal the tiles and fill the bag. Rules MB-1 and MB-2."""
    tiles = shuffle(chance, PIECES)
    rows, needs = _cut_into_rows(tiles), _cut_into_rows(needed_values(tiles))
    return Layout(sheet, rows, needs, _STARTING_BAG, STARTING_COINS, ())


def start_turn(layout: Layout, chance: Chance) -> State:
    """Roll all four dice. Rule MB-3."""
    below = chance.randbelow
    faces = below(_SIDES), below(_SIDES), below(_SIDES), below(_SIDES)
    return State(layout, faces, EXTRA_ROLLS, find_matching_rows(layout.needs, faces), None)


def reroll(state: State, move: Roll, chance: Chance) -> Transition[State, GameEvent]:
    """Roll some dice. Rules MB-3 and MB-4."""
    faces = _reroll_dice(state.faces, move.suits, chance)
    after = _continue_turn(state.layout, faces, state.rolls_left - 1, find_matching_rows(state.layout.needs, faces))
    return after, (Rolled(move.suits, faces),)


def _reroll_dice(faces: Faces, suits: tuple[Suit, ...], chance: Chance) -> Faces:
    """Return all four dice after rolling some of them, in the order of the suits."""
    after, below = list(faces), chance.randbelow
    for suit in suits:
        after[suit] = below(_SIDES)
    return tuple(after)


def stop(state: State) -> State:
    """Keep all four dice, which match no row. Rule MB-3."""
    return _continue_turn(state.layout, state.faces, 0, ())


def _continue_turn(layout: Layout, faces: Faces, rolls_left: int, matching: tuple[int, ...]) -> State:
    """Return the position; a failed roll without coins ends the game. Rule MB-8."""
    can_go_on = matching or rolls_left or layout.collected
    return State(layout, faces, rolls_left, matching, None if can_go_on else MagicBagEnd.NO_COIN_TO_DISCARD)


def claim_row(state: State, move: Claim, chance: Chance) -> Transition[State, GameEvent]:
    """Take the row and draw its coins; the last coin or the last row ends the game. Rules MB-6 and MB-7."""
    before = state.layout
    row = before.rows[move.row - 1]
    exact = find_exact_tiles(row, state.faces)
    drawn, bag = _draw_coins(before.bag, 1 + len(exact), chance)
    taken = RowTaken(move.row, row, exact, drawn)
    rows, needs = _replace_row(before.rows, move.row, TAKEN_ROW), _replace_row(before.needs, move.row, ())
    layout = Layout(before.sheet, rows, needs, bag, before.collected + drawn, before.discarded)
    if not any(rows):
        return end_game(layout, state.faces, MagicBagEnd.LAST_ROW), (taken,)
    if not bag:
        return end_game(layout, state.faces, MagicBagEnd.LAST_COIN), (taken,)
    after = start_turn(layout, chance)
    return after, (taken, Rolled(_ALL_DICE, after.faces))


def _draw_coins(bag: tuple[Piece, ...], owed: int, chance: Chance) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Draw coins while the bag has any; return them and the rest of the bag. Rule MB-7."""
    left, below = list(bag), chance.randbelow
    coins = [left.pop(below(len(left))) for _ in range(min(owed, len(bag)))]
    return tuple(coins), tuple(left)


def discard_coin(state: State, move: Discard, chance: Chance) -> Transition[State, GameEvent]:
    """Remove a coin, and the tile if there is one, and start the next turn. Rules MB-8 and MB-9."""
    row = None if move.tile is None else state.layout.find_row(move.tile)
    after = start_turn(remove_pieces(state.layout, move.coin, move.tile), chance)
    return after, (CoinDiscarded(move.coin, move.tile, row), Rolled(_ALL_DICE, after.faces))


def remove_pieces(layout: Layout, coin: Piece, tile: Piece | None) -> Layout:
    """Return the layout without a coin, and without a tile if one is named. Rules MB-8 and MB-9."""
    rows, needs = layout.rows, layout.needs
    if tile is not None and (number := layout.find_row(tile)) is not None:
        row = tuple([each for each in rows[number - 1] if each != tile])
        rows, needs = _replace_row(rows, number, row), _replace_row(needs, number, needed_values(row))
    collected = list(layout.collected)
    collected.remove(coin)
    return Layout(layout.sheet, rows, needs, layout.bag, tuple(collected), (*layout.discarded, coin))


def _replace_row(rows: tuple[T, ...], number: int, row: T) -> tuple[T, ...]:
    """Return the rows with one replaced, counted from 1."""
    after = list(rows)
    after[number - 1] = row
    return tuple(after)


def end_game(layout: Layout, faces: Faces, end: MagicBagEnd) -> State:
    """Return the final position, with the dice as they are."""
    return State(layout, faces, 0, (), end)
