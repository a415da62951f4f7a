"""The guide to The Magic Bag, its error messages, and the names and symbols of its suits."""

from bot.games.magic_bag.pieces import MagicBagEnd, MagicBagReason, Piece, Suit
from bot.rules.package import Guide
from bot.rules.refusals import RefusalReason
from bot.rules.screen import make_fields
from bot.words import N_

SUIT_SYMBOLS = {Suit.SUN: "☀️", Suit.MOON: "🌙", Suit.CROWN: "👑", Suit.ARMS: "🛡️"}

SUIT_NAMES = {Suit.SUN: N_("Suns"), Suit.MOON: N_("Moons"), Suit.CROWN: N_("Gold"), Suit.ARMS: N_("Arms")}
"""The suits as treasure; crowns are gold."""

END_MESSAGES = {
    MagicBagEnd.LAST_COIN: N_("That was the last coin: the bag is empty."),
    MagicBagEnd.LAST_ROW: N_("{name} cleared the board!"),
    MagicBagEnd.FINISHED: N_("{name} finished the game."),
    MagicBagEnd.NO_COIN_TO_DISCARD: N_("No row matched, and there was no coin left to discard."),
}

ERROR_MESSAGES: dict[RefusalReason, str] = {
    MagicBagReason.NO_DICE: N_(
        "Leave at least one die to roll. To keep all four, take a row that matches, or stop if none does."
    ),
    MagicBagReason.DIE_TWICE: N_("You named the {suit} die twice. Name each die once."),
    MagicBagReason.OUT_OF_ORDER: N_("Name the dice in this order: sun, moon, crown, arms."),
    MagicBagReason.NO_ROLLS_LEFT: N_(
        "That was your last roll this turn. Take a row; if none matches, discard a coin or finish."
    ),
    MagicBagReason.ROLLS_LEFT: N_("You still have rolls left. Roll again, or keep all four dice to stop first."),
    MagicBagReason.NO_SUCH_ROW: N_("There's no row {row}. Choose one that's on the table."),
    MagicBagReason.ROW_NOT_MATCHED: N_(
        "The dice don't match row {row}: each tile needs its own die of the same value. Take a row that "
        "matches, or play on without one."
    ),
    MagicBagReason.MUST_CLAIM: N_("The dice match, so you have to take a row."),
    MagicBagReason.COIN_NOT_COLLECTED: N_("You don't have {coin}. Discard a coin you've collected."),
    MagicBagReason.TILE_NOT_ON_BOARD: N_(
        "The {tile} tile is gone. Leave the tile out, or name one that's still there."
    ),
    MagicBagReason.TILE_NOT_ROLLED: N_(
        "You can't remove the {tile} tile: a die must show its suit and value. Leave the tile out, or name another."
    ),
}

GUIDE = Guide(
    summary=N_("A solitaire with four dice: match rows of tiles, draw coins, and stop before your luck runs out."),
    sections=make_fields(
        {
            N_("Setup"): N_(
                "There are four suits: ☀️ suns, 🌙 moons, 👑 crowns and 🛡️ arms. Each has a die, six tiles and six "
                "coins with the values 0 (null), 1 (ace), 2, 3, 4 and 5. The tiles lie in nine rows. You start "
                "with crowns 0, 1 and 2; the other 21 coins are in the bag."
            ),
            N_("Your turn"): N_(
                "Roll all four dice, then re-roll any of them up to twice. The dice match a row if each of its "
                "tiles has its own die of the same value. Suits don't matter, and extra dice are ignored. Take "
                "one matching row and draw one coin, plus one more for each of its tiles that a die matches in "
                "suit, too (✨)."
            ),
            N_("If no row matches"): N_(
                "Finish the game, or discard one of your coins and play on. With the discard you may also remove "
                "one tile that a die matches in suit and value, which makes its row shorter."
            ),
            N_("Treasure"): N_(
                "Crowns are gold and score their values. Suns, moons and arms are pieces of the three artifacts "
                "shown on the table. Pieces that touch, side by side or one above the other, form a group. "
                "Groups of one to six pieces score 10, 30, 60, 100, 150 and 210 points."
            ),
            N_("The end"): N_(
                "The game ends when the bag is empty, when you clear the board, when you finish, or when no row "
                "matches and you have no coin to discard. If the bag runs out while tiles are left, they score "
                "10 times the sum of their values."
            ),
        }
    ),
)


def piece_text(piece: Piece) -> str:
    """Return a tile, a coin or a die with the symbol of its suit."""
    return f"{SUIT_SYMBOLS[piece.suit]}{piece.value}"
