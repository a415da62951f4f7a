"""Mr. Houdini's Baggage: a card game about packing."""

from bot.games.houdinis_baggage.assignments import BaggageContent
from bot.games.houdinis_baggage.badges import BADGES
from bot.games.houdinis_baggage.balance import tally
from bot.games.houdinis_baggage.duration import estimate_minutes
from bot.games.houdinis_baggage.evaluation import evaluate_plans
from bot.games.houdinis_baggage.events import GameEvent
from bot.games.houdinis_baggage.feats import find_feats
from bot.games.houdinis_baggage.forced_ends import find_forced_end
from bot.games.houdinis_baggage.guide import ERROR_MESSAGES, describe_options
from bot.games.houdinis_baggage.hints import HINTS
from bot.games.houdinis_baggage.how_to_play import GUIDE
from bot.games.houdinis_baggage.lesson import LESSON
from bot.games.houdinis_baggage.move_texts import describe_move
from bot.games.houdinis_baggage.moves import Move
from bot.games.houdinis_baggage.narration import NARRATION, SHOWN_MOVES
from bot.games.houdinis_baggage.outlook import evaluate_outlook
from bot.games.houdinis_baggage.picture.composition import build_picture
from bot.games.houdinis_baggage.picture.surface import SURFACE
from bot.games.houdinis_baggage.picture.symbols import SYMBOLS
from bot.games.houdinis_baggage.pieces import BaggageOptions, State
from bot.games.houdinis_baggage.ranking import scores_of
from bot.games.houdinis_baggage.reading import build_reading
from bot.games.houdinis_baggage.rules import HoudinisBaggage
from bot.games.houdinis_baggage.screen import build_abandoned_fields, build_screen
from bot.games.houdinis_baggage.showcase import SHOWCASES
from bot.games.houdinis_baggage.tips import find_tips
from bot.rules.evaluation import BestMove, CarelessMove, Limit, Unit
from bot.rules.package import GameFactory, GamePackage, ScoreKind
from bot.rules.puzzle import PuzzleSource
from bot.words import format_points


def _build(content: BaggageContent) -> GamePackage[BaggageOptions, State, Move, GameEvent, State]:
    return GamePackage(
        game=HoudinisBaggage(content.assignments.build_deck()),
        build_screen=build_screen,
        error_messages=ERROR_MESSAGES,
        guide=GUIDE,
        describe_options=describe_options,
        estimate_minutes=estimate_minutes,
        strategies={
            "easy": CarelessMove(
                evaluate_plans, usual_loss=0.2, largest_loss=0.9, limit=Limit(evaluate_outlook, {Unit.WINS: 0.15})
            ),
            "normal": BestMove(evaluate_plans),
            "strong": BestMove(evaluate_outlook),
        },
        evaluate=evaluate_outlook,
        easy_losses={Unit.WINS: 0.007},
        value_errors={Unit.WINS: 0.05},
        describe_move=describe_move,
        hints=HINTS,
        puzzles=PuzzleSource(seats=(2,), margins={Unit.WINS: 0.02}),
        score_kind=ScoreKind(format_points),
        scores_of=scores_of,
        build_abandoned_fields=build_abandoned_fields,
        tally=tally,
        narration=NARRATION,
        build_picture=build_picture,
        surface=SURFACE,
        build_reading=build_reading,
        cover="houdinis_baggage/cover",
        find_feats=find_feats,
        badges=BADGES,
        find_tips=find_tips,
        symbols=SYMBOLS,
        showcases=SHOWCASES,
        lesson=LESSON,
        shown_moves=SHOWN_MOVES,
        find_forced_end=find_forced_end,
    )


PACKAGE = GameFactory(BaggageContent, _build)
