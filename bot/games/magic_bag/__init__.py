"""The Magic Bag: a piecepack solitaire."""

from functools import partial

from bot.games.magic_bag.facts import key_of
from bot.games.magic_bag.guide import build_guide
from bot.games.magic_bag.minds.evaluation import (
    VALUE_ERROR,
    OutlookEvaluator,
    evaluate_final_score,
    evaluate_for_screen,
    load_network,
)
from bot.games.magic_bag.news import NARRATION, summarize
from bot.games.magic_bag.picture import PICTURE_HEIGHT, SURFACE, SYMBOLS, build_picture, find_motion
from bot.games.magic_bag.pieces import GameEvent, MagicBagContent, MagicBagOptions, Move, State
from bot.games.magic_bag.reading import build_reading
from bot.games.magic_bag.rewards import BADGES
from bot.games.magic_bag.rules import MagicBag
from bot.games.magic_bag.scoring import points_of
from bot.games.magic_bag.screen import build_screen
from bot.games.magic_bag.sheet_picture import build_hero
from bot.games.magic_bag.study import HINTS, LESSON, describe_move, find_tips
from bot.games.magic_bag.words import ERROR_MESSAGES
from bot.rules.evaluation import BestMove, CarelessMove, Limit, Unit
from bot.rules.package import GameFactory, GamePackage, Look, Mind, Results, ScoreKind, StoredArrays, Study, Words
from bot.rules.puzzle import PuzzleSource
from bot.words import format_points


def _build(content: MagicBagContent) -> GamePackage[MagicBagOptions, State, Move, GameEvent, State]:
    evaluate = partial(evaluate_for_screen, content.outlook)
    return GamePackage(
        game=MagicBag(content.reference_sheet),
        words=Words(
            build_screen=partial(build_screen, evaluate),
            error_messages=ERROR_MESSAGES,
            build_reading=build_reading,
            narration=NARRATION,
        ),
        look=Look(
            build_picture=partial(build_picture, evaluate),
            find_motion=find_motion,
            build_hero=build_hero,
            picture_height=PICTURE_HEIGHT,
            draws_moments=True,
            surface=SURFACE,
            cover="magic_bag/cover",
            symbols=SYMBOLS,
        ),
        study=Study(
            guide=build_guide(content.reference_sheet),
            lesson=LESSON,
            find_tips=find_tips,
            describe_move=describe_move,
            hints=HINTS,
            puzzles=PuzzleSource(seats=(1,), margins={Unit.FINAL_POINTS: 3}),
        ),
        mind=Mind(
            strategies={
                "easy": CarelessMove(
                    evaluate_final_score,
                    usual_loss=3.5,
                    largest_loss=20,
                    limit=Limit(OutlookEvaluator(content.outlook), {Unit.FINAL_POINTS: 25}),
                ),
                "normal": BestMove(evaluate_final_score),
                "strong": BestMove(OutlookEvaluator(content.outlook)),
            },
            evaluate=OutlookEvaluator(content.outlook),
            key_of=key_of,
            easy_losses={Unit.FINAL_POINTS: 2.6},
            value_errors={Unit.FINAL_POINTS: VALUE_ERROR},
            stored=StoredArrays("outlook", partial(load_network, content.outlook)),
        ),
        results=Results(
            score_kind=ScoreKind(format_points),
            scores_of=lambda state: (points_of(state),),
            grades=content.grades,
            summarize=summarize,
            badges=BADGES,
        ),
    )


PACKAGE = GameFactory(MagicBagContent, _build)
