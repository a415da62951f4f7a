"""Change: a race around a board to be rid of one's Self Credits, for two to six."""

from operator import attrgetter

from bot.games.change.board import Board, ChangeContent
from bot.games.change.duration import minutes
from bot.games.change.guide import OPTION_WORDS, SENTENCES, credits_told, describe_options, guide
from bot.games.change.hand import show_hand
from bot.games.change.news import MOVES_TOLD
from bot.games.change.picture.composition import picture
from bot.games.change.picture.hand import hand_picture
from bot.games.change.reading import read_out
from bot.games.change.rules import Change
from bot.games.change.screen import at_rest, show
from bot.games.change.series import SERIES
from bot.games.change.showcase import SCENES
from bot.games.change.strategy import best_expected_turn
from bot.rules.package import GameKit, GamePackage, ScoreKind


def _build(content: ChangeContent) -> GamePackage:
    board = Board.of(content)
    return GamePackage(
        game=Change(board),
        screen=show,
        at_rest=at_rest,
        hand=show_hand,
        held=attrgetter("hand"),
        sentences=SENTENCES,
        guide=guide(board),
        describe_options=describe_options,
        option_words=OPTION_WORDS,
        players={"sensible": best_expected_turn},
        score=ScoreKind(credits_told, lower_is_better=True),
        series=SERIES,
        minutes=minutes,
        moves_told=MOVES_TOLD,
        picture=picture,
        hand_picture=hand_picture,
        reading=read_out,
        scenes=SCENES,
    )


PACKAGE = GameKit(ChangeContent, _build)
