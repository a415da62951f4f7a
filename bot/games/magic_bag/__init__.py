"""The Magic Bag: a piecepack solitaire."""

from bot.games.magic_bag.guide import GUIDE, SENTENCES, describe_options
from bot.games.magic_bag.picture.composition import picture
from bot.games.magic_bag.reading import read_out
from bot.games.magic_bag.rules import MagicBag
from bot.games.magic_bag.screen import show
from bot.games.magic_bag.sheet import MagicBagContent
from bot.games.magic_bag.showcase import SCENES
from bot.games.magic_bag.strategy import best_expected_end
from bot.rules.package import GameKit, GamePackage, ScoreKind
from bot.words import points_told


def _build(content: MagicBagContent) -> GamePackage:
    return GamePackage(
        game=MagicBag(content.reference_sheet),
        screen=show,
        sentences=SENTENCES,
        guide=GUIDE,
        describe_options=describe_options,
        players={"sensible": best_expected_end},
        score=ScoreKind(points_told),
        picture=picture,
        reading=read_out,
        scenes=SCENES,
    )


PACKAGE = GameKit(MagicBagContent, _build)
