"""Tips for people who are new to The Magic Bag."""

from collections.abc import Iterator, Sequence

from bot.games.magic_bag.events import GameEvent, RowTaken
from bot.games.magic_bag.guide import SUIT_NAMES, SUIT_SYMBOLS
from bot.games.magic_bag.pieces import EXTRA_ROLLS, State, Suit
from bot.games.magic_bag.scoring import GROUP_POINTS, TILE_BONUS, coins_for
from bot.rules.tips import Tip
from bot.words import gettext as _

_FEW_COINS = 5


def find_tips(view: State, events: Sequence[GameEvent]) -> Iterator[Tip]:
    """Yield the treasure that was just drawn, then what matters in the turn."""
    for event in reversed(events):
        if isinstance(event, RowTaken):
            yield from (_explain(coin.suit) for coin in event.coins)
            if event.exact_tiles:
                text = _("A die that equals a tile in suit and value brings one more coin.")
                yield Tip("exact", text, is_explanation=True)
    if view.has_failed:
        yield from _failure_tips(view)
    else:
        yield from _roll_tips(view)
    if 0 < len(view.layout.bag) <= _FEW_COINS:
        line = _("If you empty the bag, each tile left scores {points} times its value.")
        yield Tip("bag", line.format(points=TILE_BONUS))


def _explain(suit: Suit) -> Tip:
    name = f"{SUIT_SYMBOLS[suit]} {_(SUIT_NAMES[suit])}"
    line = _("{suit}: an artifact. Pieces that touch form a group: {least} to {most} points.")
    if suit is Suit.CROWN:
        line = _("{suit}: each crown scores its value.")
    text = line.format(suit=name, least=GROUP_POINTS[1], most=GROUP_POINTS[-1])
    return Tip(str(suit), text, is_explanation=True)


def _failure_tips(view: State) -> Iterator[Tip]:
    """Yield what to do if no row matches. Rules MB-8 and MB-9."""
    if view.removable and view.layout.collected:
        yield Tip("tile", _("With the discard you may remove a tile that a die shows: its row gets shorter."))
    if view.layout.collected:
        yield Tip("discard", _("Discard the coin that costs least and play on, while the bag is worth it."))


def _roll_tips(view: State) -> Iterator[Tip]:
    """Yield what to do with the dice. Rules MB-3 to MB-6."""
    if view.rolls_left:
        yield Tip("values", _("Only the values must match a row, in any order. Suits just bring more coins."))
    if view.matching and any(coins_for(view, row) > 1 for row in view.matching):
        yield Tip("stars", _("⭐ One more coin: the die has the tile's suit."))
    if view.matching and view.rolls_left:
        yield Tip("early", _("Take a row, or re-roll for more coins."))
    elif view.matching:
        yield Tip("must", _("After the last roll you must take a row that matches, if there is one."))
    if view.rolls_left == EXTRA_ROLLS and not view.matching:
        yield Tip("try", _("Each Row button keeps the dice that the row needs and rolls the others."))
    if view.rolls_left and not view.matching:
        yield Tip("keep", _("Tap the dice you keep, then roll the others: twice at most in a turn."))
