"""Magpie: a dice game for two to six."""

from bot.games.magpie.duration import minutes
from bot.games.magpie.guide import GUIDE, OPTION_WORDS, SENTENCES, describe_options
from bot.games.magpie.picture.composition import picture
from bot.games.magpie.reading import read_out
from bot.games.magpie.rules import Magpie
from bot.games.magpie.screen import at_rest, show
from bot.games.magpie.showcase import SCENES
from bot.games.magpie.strategy import best_expected_score
from bot.rules.package import GamePackage, ScoreKind
from bot.words import points_told

PACKAGE = GamePackage(
    game=Magpie(),
    screen=show,
    sentences=SENTENCES,
    guide=GUIDE,
    describe_options=describe_options,
    option_words=OPTION_WORDS,
    minutes=minutes,
    at_rest=at_rest,
    players={"sensible": best_expected_score},
    score=ScoreKind(points_told),
    picture=picture,
    reading=read_out,
    scenes=SCENES,
)
