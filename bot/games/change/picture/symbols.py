"""The symbols of texts with their art: markers and message cards, and their replacement."""

from typing import Final

from bot.rules.picture import Sprite
from bot.rules.symbols import SYMBOL_AREA, Symbol

_ON_PAPER: Final = SYMBOL_AREA.center(88, 88).shift(down=-4)

SYMBOLS: Final = (
    Symbol("marker", "☑️", (Sprite("change/marker", SYMBOL_AREA),)),
    Symbol("message_card", "🎴", (Sprite("change/card", SYMBOL_AREA),)),
    Symbol("replaced", "🔄", (Sprite("die", SYMBOL_AREA), Sprite("change/replace", _ON_PAPER))),
)
