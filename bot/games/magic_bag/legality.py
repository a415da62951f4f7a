"""Decides which moves are legal."""

from typing import assert_never

from bot.games.magic_bag.moves import ROLLS, Claim, Discard, Finish, Move, Roll, Stop
from bot.games.magic_bag.pieces import (
    PIECES,
    TAKEN_ROW,
    CoinFacts,
    MagicBagReason,
    RowFacts,
    State,
    SuitFacts,
    TileFacts,
)
from bot.rules.refusals import Refusal, unreadable

_LEGAL_SUITS = {roll.suits for roll in ROLLS}
_COINS = frozenset(PIECES)
_TILES = frozenset((None, *PIECES))


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
