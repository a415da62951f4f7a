"""How to play The Magic Bag."""

from collections.abc import Iterator
from functools import partial

from bot.games.magic_bag.picture import how_to_play as pictures
from bot.games.magic_bag.pieces import MagicBagOptions
from bot.games.magic_bag.sheet import ReferenceSheet
from bot.rules.guide import Guide, GuidePage
from bot.words import N_, gettext as _


def build_guide(sheet: ReferenceSheet) -> Guide[MagicBagOptions]:
    """Return the guide with a reference sheet."""
    return Guide(
        summary=N_("A solitaire with four dice: match rows of tiles and draw coins from the bag."),
        build_pages=lambda _options: (*_turn_pages(), *_end_pages(sheet)),
    )


def _turn_pages() -> Iterator[GuidePage]:
    """Yield goal and turn. Rules MB-1 to MB-6."""
    yield GuidePage(
        _("The goal"),
        _(
            "You play alone. Take rows of tiles to draw coins from the bag. 👑 crowns are gold; ☀️ suns, 🌙 moons and "
            "🛡️ arms are pieces of three artifacts. Score as much as you can before the bag is empty, the board is "
            "cleared, or your luck runs out."
        ),
        pictures.draw_goal,
    )
    yield GuidePage(
        _("What's on the table"),
        _(
            "Each suit has a die, six tiles and six coins with the values 0 (null), 1 (ace), 2, 3, 4 and 5. The 24 "
            "tiles lie in nine rows. You start with the crowns 0, 1 and 2; the other 21 coins are in the bag."
        ),
        pictures.draw_pieces,
    )
    yield GuidePage(
        _("Your turn"),
        _(
            "Roll all four dice. Then you may tap the dice to keep and re-roll the others, twice at most; a die you "
            "kept can be rolled again later. You can stop early and take a row."
        ),
        pictures.draw_turn,
    )
    yield GuidePage(
        _("Taking a row"),
        _(
            "The dice match a row if each of its tiles has a die of its own with the same value. Suits don't matter "
            "for that, and extra dice are ignored. Tiles that a die covers have a tick. If several rows match, choose "
            "one; if any matches after your last roll, you must take one."
        ),
        pictures.draw_match,
    )
    yield GuidePage(
        _("Drawing coins"),
        _(
            "A row brings one coin from the bag, by chance. Each of its tiles that a die equals in suit *and* value "
            "(a star) brings one more. The row is gone then."
        ),
        pictures.draw_coins,
    )
    yield GuidePage(
        _("If no row matches"),
        _(
            "Finish the game, or discard one of your coins to play on. With the discard, you may also remove one tile "
            "that a die equals in suit and value, so that its row gets shorter."
        ),
        pictures.draw_failure,
    )


def _end_pages(sheet: ReferenceSheet) -> Iterator[GuidePage]:
    """Yield treasure and end. Rules MB-7 to MB-12."""
    yield GuidePage(
        _("Treasure"),
        _(
            "Crowns are gold and score their values. Pieces of an artifact that touch, side by side or one above the "
            "other, form a group. Groups of one to six pieces score 10, 30, 60, 100, 150 and 210 points."
        ),
        partial(pictures.draw_treasure, sheet),
    )
    yield GuidePage(
        _("The end"),
        _(
            "The game ends when you draw the last coin, clear the board, or finish, or if no row matches and you have "
            "no coin to discard. If the bag runs out while tiles are left, they score 10 times the sum of their "
            "values.\nRob LeGood invented the game in 2003 and holds its copyright."
        ),
        pictures.draw_end,
    )
