"""Mr. Houdini's Baggage: a card game about packing."""

from bot.games.houdinis_baggage.assignments import BaggageContent
from bot.games.houdinis_baggage.balance import tally
from bot.games.houdinis_baggage.guide import GUIDE, OPTION_WORDS, SENTENCES, describe_options
from bot.games.houdinis_baggage.picture.composition import picture
from bot.games.houdinis_baggage.reading import read_out
from bot.games.houdinis_baggage.rules import HoudinisBaggage
from bot.games.houdinis_baggage.screen import at_rest, show
from bot.games.houdinis_baggage.showcase import SCENES
from bot.games.houdinis_baggage.strategy import sensible
from bot.rules.package import GameKit, GamePackage, ScoreKind
from bot.words import points_told

_MOVES_TOLD = 4
"""A turn ends with up to three moves: the placement is over, and two assignments are chosen."""


def _build(content: BaggageContent) -> GamePackage:
    return GamePackage(
        game=HoudinisBaggage(content.assignments.deck()),
        screen=show,
        sentences=SENTENCES,
        guide=GUIDE,
        describe_options=describe_options,
        players={"sensible": sensible},
        score=ScoreKind(points_told),
        option_words=OPTION_WORDS,
        at_rest=at_rest,
        tally=tally,
        picture=picture,
        reading=read_out,
        scenes=SCENES,
        moves_told=_MOVES_TOLD,
    )


PACKAGE = GameKit(BaggageContent, _build)
