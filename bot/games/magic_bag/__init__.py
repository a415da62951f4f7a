"""The Magic Bag: a piecepack solitaire."""

from bot.games.magic_bag.guide import ERROR_MESSAGES, GUIDE
from bot.games.magic_bag.moves import Move
from bot.games.magic_bag.picture.composition import build_picture
from bot.games.magic_bag.pieces import MagicBagOptions, State
from bot.games.magic_bag.reading import build_reading
from bot.games.magic_bag.rules import MagicBag
from bot.games.magic_bag.screen import build_screen
from bot.games.magic_bag.sheet import MagicBagContent
from bot.games.magic_bag.showcase import SHOWCASES
from bot.games.magic_bag.strategy import maximize_expected_final_score
from bot.rules.package import GameFactory, GamePackage, ScoreKind
from bot.words import format_points


def _build(content: MagicBagContent) -> GamePackage[MagicBagOptions, State, Move, State]:
    return GamePackage(
        game=MagicBag(content.reference_sheet),
        build_screen=build_screen,
        error_messages=ERROR_MESSAGES,
        guide=GUIDE,
        strategies={"sensible": maximize_expected_final_score},
        score_kind=ScoreKind(format_points),
        build_picture=build_picture,
        build_reading=build_reading,
        showcases=SHOWCASES,
    )


PACKAGE = GameFactory(MagicBagContent, _build)
