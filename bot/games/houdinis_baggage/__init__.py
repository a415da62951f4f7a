"""Mr. Houdini's Baggage: a card game about packing."""

from bot.games.houdinis_baggage.assignments import BaggageContent
from bot.games.houdinis_baggage.guide import GUIDE, OPTION_WORDS, SENTENCES, describe_options
from bot.games.houdinis_baggage.rules import HoudinisBaggage
from bot.games.houdinis_baggage.screen import at_rest, show
from bot.games.houdinis_baggage.strategy import sensible
from bot.games.houdinis_baggage.tally import tally
from bot.rules.package import GameKit, GamePackage


def _build(content: BaggageContent) -> GamePackage:
    return GamePackage(
        game=HoudinisBaggage(content.assignments.deck()),
        screen=show,
        sentences=SENTENCES,
        guide=GUIDE,
        describe_options=describe_options,
        players={"sensible": sensible},
        option_words=OPTION_WORDS,
        at_rest=at_rest,
        tally=tally,
    )


PACKAGE = GameKit(BaggageContent, _build)
