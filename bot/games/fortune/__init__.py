"""Fortune: a dice game with cards for two to four."""

from functools import partial

from bot.games.fortune.deck import FortuneContent
from bot.games.fortune.duration import minutes
from bot.games.fortune.guide import OPTION_WORDS, SENTENCES, describe_options, guide_of
from bot.games.fortune.picture.composition import picture
from bot.games.fortune.reading import read_out
from bot.games.fortune.rules import Fortune
from bot.games.fortune.screen import at_rest, show
from bot.games.fortune.showcase import SCENES
from bot.games.fortune.strategy import best_expected_turn, prepare_advice
from bot.rules.package import GameKit, GamePackage, ScoreKind
from bot.words import points_told


def _build(content: FortuneContent) -> GamePackage:
    return GamePackage(
        game=Fortune(content.deck),
        screen=show,
        sentences=SENTENCES,
        guide=guide_of(content.deck),
        describe_options=describe_options,
        option_words=OPTION_WORDS,
        minutes=minutes,
        at_rest=at_rest,
        players={"sensible": best_expected_turn},
        score=ScoreKind(points_told),
        picture=picture,
        reading=read_out,
        scenes=SCENES,
        prepare=partial(prepare_advice, content.deck.all_cards()),
    )


PACKAGE = GameKit(FortuneContent, _build)
