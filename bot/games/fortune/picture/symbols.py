"""The symbols of texts with their art: the faces of the dice, and the cards."""

from typing import Final

from bot.games.fortune.deck import CardKind
from bot.games.fortune.guide import CARD_TEXTS, FACE_TEXTS
from bot.games.fortune.picture.signs import FACE_ART, die_marks
from bot.games.fortune.pieces import Face
from bot.rules.picture import Sprite
from bot.rules.symbols import SYMBOL_AREA, Symbol

_CARD_ART: Final = {
    CardKind.TREASURE_CHEST: "fortune/chest",
    CardKind.CAPTAIN: "fortune/card-captain",
    CardKind.SORCERESS: "fortune/card-sorceress",
    CardKind.SEA_BATTLE: "fortune/card-sea-battle",
    CardKind.STORM: "fortune/card-storm",
    CardKind.TRUCE: "fortune/card-truce",
}
"""The art of cards that have symbols of their own."""

_MONKEY_BUSINESS: Final = Symbol(
    "monkey_business",
    CARD_TEXTS[CardKind.MONKEY_BUSINESS].symbol,
    tuple(
        Sprite(FACE_ART[face], room)
        for face, room in zip((Face.MONKEY, Face.PARROT), SYMBOL_AREA.split_columns(2), strict=True)
    ),
)

SYMBOLS: Final = (
    *(Symbol(face.name.lower(), FACE_TEXTS[face].symbol, die_marks(face, SYMBOL_AREA)) for face in Face),
    *(
        Symbol(kind.name.lower(), CARD_TEXTS[kind].symbol, (Sprite(art, SYMBOL_AREA),))
        for kind, art in _CARD_ART.items()
    ),
    _MONKEY_BUSINESS,
    Symbol("island", "🏝️", (Sprite("fortune/island", SYMBOL_AREA),)),
)
