"""The Magic Bag explained, its signs, and the sentences for what its rules refuse."""

from bot.games.magic_bag.pieces import MagicBagEnd, MagicBagOptions, MagicBagReason, Piece, Suit
from bot.rules.package import Guide
from bot.rules.refusals import RefusalReason
from bot.rules.screen import Field
from bot.words import N_

SUIT_SYMBOLS = {Suit.SUN: "☀️", Suit.MOON: "🌙", Suit.CROWN: "👑", Suit.ARMS: "🛡️"}

SUIT_NAMES = {Suit.SUN: N_("Suns"), Suit.MOON: N_("Moons"), Suit.CROWN: N_("Gold"), Suit.ARMS: N_("Arms")}
"""The suits as treasure; the crowns are gold."""

END_MESSAGES = {
    MagicBagEnd.LAST_COIN: N_("The last coin is drawn: the bag is empty."),
    MagicBagEnd.LAST_ROW: N_("The last row is taken."),
    MagicBagEnd.FINISHED: N_("{name} has finished the game."),
    MagicBagEnd.NO_COIN_TO_DISCARD: N_("No row matched, and there was no coin left to discard."),
}

ERROR_MESSAGES: dict[RefusalReason, str] = {
    MagicBagReason.NO_DICE: N_(
        "Leave at least one die to roll; to keep all four, take a row that matches, or stop if none does."
    ),
    MagicBagReason.DIE_TWICE: N_("The {suit} die is named twice: name each die once."),
    MagicBagReason.OUT_OF_ORDER: N_("Name the dice in the order sun, moon, crown, arms."),
    MagicBagReason.NO_ROLLS_LEFT: N_(
        "That was the last roll of this turn. Take a row; if none matches, discard a coin or finish."
    ),
    MagicBagReason.ROLLS_LEFT: N_("This roll has not failed yet: roll again, or keep all four dice to stop first."),
    MagicBagReason.NO_SUCH_ROW: N_("Row {row} is not on the table: choose one of those that are shown."),
    MagicBagReason.ROW_NOT_MATCHED: N_(
        "The dice don't match row {row}: every tile needs a die of its own with the same value. Take a row that they "
        "match, or play on without one."
    ),
    MagicBagReason.MUST_CLAIM: N_("The dice match a row, so the turn can't end without one: take a row."),
    MagicBagReason.COIN_NOT_COLLECTED: N_("You don't have {coin}: discard a coin that you have collected."),
    MagicBagReason.TILE_NOT_ON_BOARD: N_(
        "The tile {tile} is not on the table any more: leave the tile out, or name one that is."
    ),
    MagicBagReason.TILE_NOT_ROLLED: N_(
        "The tile {tile} can't be removed: a die must show its suit and its value. Leave the tile out, or name another."
    ),
}

GUIDE = Guide(
    summary=N_("A solitaire with four dice: match rows of tiles to draw coins, and stop before your luck does."),
    sections=(
        Field(
            N_("What there is"),
            N_(
                "Four suits: ☀️ suns, 🌙 moons, 👑 crowns and 🛡️ arms. Each has a die, six tiles and six coins with the "
                "values 0 (called null), 1 (called ace), 2, 3, 4 and 5. The tiles lie in nine rows. You start with the "
                "crowns 0, 1 and 2; the other 21 coins are in the bag."
            ),
        ),
        Field(
            N_("Your turn"),
            N_(
                "All four dice are rolled. Then you may roll any of them again, twice at most; it doesn't matter which "
                "you kept before. The dice match a row if every tile of it has a die of its own with the same value. "
                "Suits don't matter for that, and neither do dice to spare. Take one row that matches: draw one coin, "
                "and one more for each of its tiles that a die equals in suit as well (✨)."
            ),
        ),
        Field(
            N_("If no row matches"),
            N_(
                "Finish the game, or discard one of your coins and play on. If you discard one, you may also remove a "
                "tile that a die equals in suit and value, which makes its row shorter."
            ),
        ),
        Field(
            N_("Treasure"),
            N_(
                "Crowns are gold and count their values. Suns, moons and arms are the pieces of three artifacts, which "
                "the table shows. Pieces that lie side by side or one above the other form a group; groups of one to "
                "six pieces count 10, 30, 60, 100, 150 and 210 points."
            ),
        ),
        Field(
            N_("The end"),
            N_(
                "The game is over when the bag is empty, when the last row is taken, when you finish, or when no row "
                "matches and you have no coin to discard. If the bag is empty while tiles are left, they bring 10 "
                "times the sum of their values."
            ),
        ),
    ),
)


def piece_text(piece: Piece) -> str:
    """Write a tile, a coin or a die with the sign of its suit."""
    return f"{SUIT_SYMBOLS[piece.suit]}{piece.value}"


def describe_options(_options: MagicBagOptions) -> tuple[str, ...]:
    """Name nothing: there are no options."""
    return ()
