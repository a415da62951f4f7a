"""Magpie: a dice game for two to six."""

from operator import attrgetter

from bot.games.magpie.advice import prepare_advice
from bot.games.magpie.badges import BADGES
from bot.games.magpie.duration import estimate_minutes
from bot.games.magpie.evaluation import evaluate_last_turn, evaluate_points, evaluate_wins
from bot.games.magpie.feats import find_feats
from bot.games.magpie.guide import ERROR_MESSAGES, describe_options
from bot.games.magpie.hints import HINTS
from bot.games.magpie.how_to_play import GUIDE
from bot.games.magpie.lesson import LESSON
from bot.games.magpie.move_texts import describe_move
from bot.games.magpie.narration import NARRATION
from bot.games.magpie.picture.composition import build_picture
from bot.games.magpie.picture.surface import SURFACE
from bot.games.magpie.reading import build_reading
from bot.games.magpie.rules import Magpie
from bot.games.magpie.screen import build_abandoned_fields, build_screen
from bot.games.magpie.showcase import SHOWCASES
from bot.games.magpie.tips import find_tips
from bot.rules.evaluation import BestMove, CarelessMove, Limit, Unit
from bot.rules.package import GamePackage, ScoreKind
from bot.rules.puzzle import PuzzleSource
from bot.words import format_points

PACKAGE = GamePackage(
    game=Magpie(),
    build_screen=build_screen,
    error_messages=ERROR_MESSAGES,
    guide=GUIDE,
    describe_options=describe_options,
    estimate_minutes=estimate_minutes,
    build_abandoned_fields=build_abandoned_fields,
    strategies={
        "easy": CarelessMove(
            evaluate_points, usual_loss=1.6, largest_loss=3, limit=Limit(evaluate_last_turn, {Unit.WINS: 0.06})
        ),
        "normal": BestMove(evaluate_points),
        "strong": BestMove(evaluate_wins),
    },
    evaluate=evaluate_wins,
    easy_losses={Unit.WINS: 0.008, Unit.POINTS: 0.75},
    describe_move=describe_move,
    hints=HINTS,
    puzzles=PuzzleSource(seats=(2,), margins={Unit.WINS: 0.02}, is_exact=True),
    score_kind=ScoreKind(format_points),
    narration=NARRATION,
    scores_of=attrgetter("scores"),
    build_picture=build_picture,
    picture_height=786,
    surface=SURFACE,
    build_reading=build_reading,
    cover="magpie/cover",
    find_feats=find_feats,
    badges=BADGES,
    find_tips=find_tips,
    showcases=SHOWCASES,
    lesson=LESSON,
    prepare=prepare_advice,
)
