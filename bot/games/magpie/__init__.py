"""Magpie: a dice game for two to six."""

from operator import attrgetter

from bot.games.magpie.guide import GUIDE
from bot.games.magpie.minds.evaluation import evaluate_last_turn, evaluate_points, evaluate_wins, prepare_advice
from bot.games.magpie.news import NARRATION
from bot.games.magpie.picture import SURFACE, build_hero, build_picture, find_motion
from bot.games.magpie.pieces import GameEvent, MagpieOptions, Roll, State
from bot.games.magpie.reading import build_reading
from bot.games.magpie.rewards import BADGES, find_feats, name_roll
from bot.games.magpie.rules import Magpie
from bot.games.magpie.screen import build_abandoned_fields, build_screen
from bot.games.magpie.study import HINTS, LESSON, describe_move, find_tips, key_of
from bot.games.magpie.words import ERROR_MESSAGES, describe_goal, describe_options, estimate_minutes, summarize
from bot.rules.evaluation import BestMove, CarelessMove, Limit, Unit
from bot.rules.package import GamePackage, Look, Mind, Results, ScoreKind, Study, Words
from bot.rules.puzzle import PuzzleSource
from bot.words import format_points

PACKAGE: GamePackage[MagpieOptions, State, Roll, GameEvent, State] = GamePackage(
    game=Magpie(),
    words=Words(
        build_screen=build_screen,
        error_messages=ERROR_MESSAGES,
        describe_options=describe_options,
        describe_goal=describe_goal,
        estimate_minutes=estimate_minutes,
        build_abandoned_fields=build_abandoned_fields,
        build_reading=build_reading,
        narration=NARRATION,
    ),
    look=Look(
        build_picture=build_picture,
        find_motion=find_motion,
        build_hero=build_hero,
        picture_height=900,
        draws_moments=True,
        surface=SURFACE,
        cover="magpie/cover",
    ),
    study=Study(
        guide=GUIDE,
        lesson=LESSON,
        find_tips=find_tips,
        describe_move=describe_move,
        hints=HINTS,
        puzzles=PuzzleSource(seats=(2,), margins={Unit.WINS: 0.02}, is_exact=True),
    ),
    mind=Mind(
        strategies={
            "easy": CarelessMove(
                evaluate_points, usual_loss=1.6, largest_loss=3, limit=Limit(evaluate_last_turn, {Unit.WINS: 0.06})
            ),
            "normal": BestMove(evaluate_points),
            "strong": BestMove(evaluate_wins),
        },
        evaluate=evaluate_wins,
        key_of=key_of,
        easy_losses={Unit.WINS: 0.008, Unit.POINTS: 0.75},
        prepare=prepare_advice,
    ),
    results=Results(
        score_kind=ScoreKind(format_points),
        scores_of=attrgetter("scores"),
        summarize=summarize,
        find_feats=find_feats,
        name_roll=name_roll,
        badges=BADGES,
    ),
)
