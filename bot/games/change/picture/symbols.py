"""The symbols of texts with their art: markers and message cards."""

from typing import Final

from bot.rules.picture import Sprite
from bot.rules.symbols import SYMBOL_AREA, Symbol

SYMBOLS: Final = (
    Symbol("marker", "☑️", (Sprite("change/marker", SYMBOL_AREA),)),
    Symbol("message_card", "🎴", (Sprite("change/card", SYMBOL_AREA),)),
)
