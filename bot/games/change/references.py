"""Checks that a move names existing spaces and cards."""

from bot.games.change.board import Board, CardKind
from bot.games.change.moves import Add, Keep, Move, Option, PickSpace, Replace, Swap, Travel


def is_readable(board: Board, move: Move) -> bool:
    """Return whether the spaces exist, and the cards exist and suit the move."""
    match move:
        case Option(space) | PickSpace(space):
            return space in board.space_by_key
        case Swap(card) | Keep(card):
            return card in board.card_by_key
        case Add(card):
            return _kind_of(board, card) is CardKind.ADD
        case Replace(card, others):
            return _kind_of(board, card) is CardKind.REPLACE and board.card_by_key.keys() >= set(others)
        case Travel(card, space):
            kind = _kind_of(board, card)
            return space in board.space_by_key and (kind is CardKind.ANY or (kind is CardKind.SPACE and card == space))
        case _:
            return True


def _kind_of(board: Board, key: str) -> CardKind | None:
    card = board.card_by_key.get(key)
    return None if card is None else board.cards[card].kind
