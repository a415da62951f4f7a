"""The words of The Magic Bag: names and symbols of suits and pieces, and error messages."""

from bot.games.magic_bag.pieces import MagicBagEnd, MagicBagReason, Piece, Suit
from bot.rules.refusals import RefusalReason
from bot.words import N_, gettext as _

SUIT_SYMBOLS = {Suit.SUN: "☀️", Suit.MOON: "🌙", Suit.CROWN: "👑", Suit.ARMS: "🛡️"}

SUIT_NAMES = {Suit.SUN: N_("Suns"), Suit.MOON: N_("Moons"), Suit.CROWN: N_("Gold"), Suit.ARMS: N_("Shield")}
"""The suits as treasure; crowns are gold."""

_PIECE_NAMES = {Suit.SUN: N_("sun"), Suit.MOON: N_("moon"), Suit.CROWN: N_("crown"), Suit.ARMS: N_("shield")}

END_MESSAGES = {
    MagicBagEnd.LAST_COIN: N_("That was the last coin: the bag is empty."),
    MagicBagEnd.LAST_ROW: N_("The board is cleared!"),
    MagicBagEnd.FINISHED: N_("No row fits: the game ends here."),
    MagicBagEnd.NO_COIN_TO_DISCARD: N_("No row fits, and there is no coin left to give up."),
}

ERROR_MESSAGES: dict[RefusalReason, str] = {
    MagicBagReason.NO_DICE: N_(
        "Leave at least one die to roll. To keep all four, take a row that fits, or stop if none does."
    ),
    MagicBagReason.DIE_TWICE: N_("You named the die `{suit}` twice. Name each die once."),
    MagicBagReason.OUT_OF_ORDER: N_("Name the dice in this order: sun, moon, crown, shield."),
    MagicBagReason.NO_ROLLS_LEFT: N_(
        "That was your last roll this turn. Take a row; if none fits, give up a coin or finish."
    ),
    MagicBagReason.ROLLS_LEFT: N_("You still have rolls left. Roll again, or keep all four dice to stop first."),
    MagicBagReason.NO_SUCH_ROW: N_("There's no row {row}. Choose one that's on the table."),
    MagicBagReason.ROW_NOT_MATCHED: N_(
        "Row {row} doesn't fit: each tile needs its own die of the same value. Take a row that fits, or play on "
        "without one."
    ),
    MagicBagReason.MUST_CLAIM: N_("A row fits, so you have to take one."),
    MagicBagReason.COIN_NOT_COLLECTED: N_("You don't have the coin `{coin}`. Give up a coin you've collected."),
    MagicBagReason.TILE_NOT_ON_BOARD: N_(
        "The tile `{tile}` is gone. Leave the tile out, or name one that's still there."
    ),
    MagicBagReason.TILE_NOT_ROLLED: N_(
        "You can't take the tile `{tile}` away: a die must show its suit and value. Leave the tile out, or name "
        "another."
    ),
}


def piece_text(piece: Piece) -> str:
    """Return a tile, a coin or a die with the symbol of its suit."""
    return f"{SUIT_SYMBOLS[piece.suit]}{piece.value}"


def piece_name(piece: Piece) -> str:
    """Return a tile, a coin or a die with the name of its suit."""
    return f"{suit_name(piece.suit)} {piece.value}"


def suit_name(suit: Suit) -> str:
    """Return the name of a suit, as of a die."""
    return _(_PIECE_NAMES[suit])
