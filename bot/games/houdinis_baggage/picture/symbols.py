"""The symbols of texts with their art: colours, shapes and cards."""

from typing import Final

from bot.games.houdinis_baggage.cards import CARD_KEYS, CARDS, Aspect, Trait
from bot.games.houdinis_baggage.guide import TRAIT_TEXTS, card_symbols
from bot.games.houdinis_baggage.picture.pieces import ART_FOLDER, card_sprite, trait_sprite
from bot.rules.picture import Mark, Sprite
from bot.rules.symbols import SYMBOL_AREA, Symbol


def _trait_marks(trait: Trait) -> tuple[Mark, ...]:
    """Return the swatch of a colour, or a shape on paper: plain shapes have the colour of text."""
    if trait.aspect is Aspect.COLOUR:
        return (trait_sprite(trait, SYMBOL_AREA),)
    return (Sprite("die", SYMBOL_AREA), trait_sprite(trait, SYMBOL_AREA.center(88, 88).shift(down=-4)))


SYMBOLS: Final = (
    *(Symbol(str(trait), text.symbol, _trait_marks(trait)) for trait, text in TRAIT_TEXTS.items()),
    *(
        Symbol(CARD_KEYS[card].replace("-", "_"), card_symbols(card), (card_sprite(card, SYMBOL_AREA),))
        for card in CARDS
    ),
    Symbol("bonus", "🎁", (Sprite(f"{ART_FOLDER}/gift", SYMBOL_AREA),)),
    Symbol("baggage", "🧳", (Sprite(f"{ART_FOLDER}/case", SYMBOL_AREA),)),
)
