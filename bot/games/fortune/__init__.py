"""Fortune: a dice game with cards for two to four."""

from functools import partial
from operator import attrgetter

from bot.games.fortune.advice import prepare_advice
from bot.games.fortune.badges import BADGES
from bot.games.fortune.deck import FortuneContent
from bot.games.fortune.duration import estimate_minutes
from bot.games.fortune.evaluation import RaceEvaluator, evaluate_turn
from bot.games.fortune.events import GameEvent
from bot.games.fortune.feats import find_feats
from bot.games.fortune.forced_ends import find_forced_end
from bot.games.fortune.guide import ERROR_MESSAGES, describe_options
from bot.games.fortune.hints import HINTS
from bot.games.fortune.how_to_play import build_guide
from bot.games.fortune.lesson import LESSON
from bot.games.fortune.move_texts import describe_move
from bot.games.fortune.moves import Move
from bot.games.fortune.narration import NARRATION, SHOWN_MOVES
from bot.games.fortune.picture.composition import build_picture
from bot.games.fortune.picture.surface import SURFACE
from bot.games.fortune.picture.symbols import SYMBOLS
from bot.games.fortune.pieces import FortuneOptions, State
from bot.games.fortune.race import load_race, train_race
from bot.games.fortune.reading import build_reading
from bot.games.fortune.rules import Fortune
from bot.games.fortune.screen import build_abandoned_fields, build_screen
from bot.games.fortune.showcase import SHOWCASES
from bot.games.fortune.tips import find_tips
from bot.rules.evaluation import BestMove, CarelessMove, Limit, Unit
from bot.rules.package import GameFactory, GamePackage, ScoreKind, Trainer
from bot.rules.puzzle import PuzzleSource
from bot.words import format_points


def _build(content: FortuneContent) -> GamePackage[FortuneOptions, State, Move, GameEvent, State]:
    return GamePackage(
        game=Fortune(content.deck),
        build_screen=build_screen,
        error_messages=ERROR_MESSAGES,
        guide=build_guide(content.deck),
        describe_options=describe_options,
        estimate_minutes=estimate_minutes,
        build_abandoned_fields=build_abandoned_fields,
        strategies={
            "easy": CarelessMove(
                evaluate_turn,
                usual_loss=80,
                largest_loss=250,
                limit=Limit(RaceEvaluator(content.race), {Unit.WINS: 0.06}),
            ),
            "normal": BestMove(evaluate_turn),
            "strong": BestMove(RaceEvaluator(content.race)),
        },
        evaluate=RaceEvaluator(content.race),
        easy_losses={Unit.WINS: 0.0042},
        value_errors={Unit.WINS: 0.03},
        describe_move=describe_move,
        hints=HINTS,
        puzzles=PuzzleSource(seats=(2,), margins={Unit.WINS: 0.02}),
        score_kind=ScoreKind(format_points),
        narration=NARRATION,
        shown_moves=SHOWN_MOVES,
        scores_of=attrgetter("scores"),
        build_picture=build_picture,
        surface=SURFACE,
        build_reading=build_reading,
        cover="fortune/cover",
        find_feats=find_feats,
        badges=BADGES,
        find_tips=find_tips,
        symbols=SYMBOLS,
        showcases=SHOWCASES,
        lesson=LESSON,
        find_forced_end=find_forced_end,
        trainer=Trainer("race", partial(train_race, content.deck.all_cards()), partial(load_race, content.race)),
        prepare=partial(prepare_advice, content.deck.all_cards()),
    )


PACKAGE = GameFactory(FortuneContent, _build)
