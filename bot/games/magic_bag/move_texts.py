"""The moves of The Magic Bag in words, before they are made."""

from bot.games.magic_bag.guide import piece_text
from bot.games.magic_bag.moves import Claim, Discard, Move, Roll, Stop
from bot.games.magic_bag.pieces import Piece, State, Suit
from bot.games.magic_bag.scoring import coins_for, points_of
from bot.words import format_points, gettext as _, ngettext


def describe_move(view: State, move: Move) -> str:
    """Describe a move."""
    match move:
        case Roll(suits):
            return _roll_text(view, suits)
        case Claim(row):
            coins = coins_for(view, row)
            line = ngettext("take row {row} for {count} coin", "take row {row} for {count} coins", coins)
            return line.format(row=row, count=coins)
        case Discard(coin, tile):
            line = _("discard {coin}") if tile is None else _("discard {coin} and remove the {tile} tile")
            return line.format(coin=piece_text(coin), tile=tile and piece_text(tile))
        case Stop():
            return _("stop rolling")
        case _:
            return _("finish with {points}").format(points=format_points(points_of(view)))


def _roll_text(view: State, suits: tuple[Suit, ...]) -> str:
    if len(suits) == len(Suit):
        return _("re-roll all four")
    dice = " ".join(piece_text(Piece(suit, view.faces[suit])) for suit in suits)
    return _("re-roll {dice}").format(dice=dice)
