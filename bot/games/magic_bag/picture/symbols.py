"""The symbols of texts with their art: suits on dice, the bag, what is discarded, and the star of an exact match."""

from typing import Final

from bot.games.magic_bag.guide import SUIT_SYMBOLS
from bot.games.magic_bag.picture.pieces import suit_sprite
from bot.rules.picture import Sprite
from bot.rules.symbols import SYMBOL_AREA, Symbol

_SUIT_AREA: Final = SYMBOL_AREA.center(96, 96).shift(down=-4)

SYMBOLS: Final = (
    *(
        Symbol(str(suit), symbol, (Sprite("die", SYMBOL_AREA), suit_sprite(suit, _SUIT_AREA)))
        for suit, symbol in SUIT_SYMBOLS.items()
    ),
    Symbol("bag", "👜", (Sprite("magic_bag/bag", SYMBOL_AREA),)),
    Symbol("discarded", "🗑️", (Sprite("magic_bag/bin", SYMBOL_AREA),)),
    Symbol("bonus_star", "⭐", (Sprite("magic_bag/star", SYMBOL_AREA),)),
)
