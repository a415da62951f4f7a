"""Mr. Houdini's Baggage: a card game about packing.

The rules of the original are known, but of its cards only the number of assignments, and some names of colours and
shapes; `bot.tools.design` has made these. Where the rules leave a question open:

- Once the last round has begun nobody chooses assignments any more, because no turn is left to work on them.
- A set of bonuses is offered if no smaller set does the same; of several orders that work, one is offered.
"""

from bot.games.houdinis_baggage.cards import BaggageContent
from bot.games.houdinis_baggage.facts import find_forced_end
from bot.games.houdinis_baggage.guide import GUIDE
from bot.games.houdinis_baggage.minds.outlook import evaluate_outlook
from bot.games.houdinis_baggage.minds.plans import evaluate_plans
from bot.games.houdinis_baggage.news import NARRATION, SHOWN_MOVES
from bot.games.houdinis_baggage.picture import SURFACE, SYMBOLS, build_hero, build_picture, find_motion, shows_step
from bot.games.houdinis_baggage.pieces import BaggageOptions, GameEvent, Move, State
from bot.games.houdinis_baggage.reading import build_reading
from bot.games.houdinis_baggage.rewards import BADGES, find_feats
from bot.games.houdinis_baggage.rules import HoudinisBaggage, scores_of
from bot.games.houdinis_baggage.screen import build_abandoned_fields, build_screen
from bot.games.houdinis_baggage.study import HINTS, LESSON, describe_move, find_tips, key_of
from bot.games.houdinis_baggage.words import ERROR_MESSAGES, describe_goal, describe_options, estimate_minutes
from bot.rules.evaluation import BestMove, CarelessMove, Limit, Unit
from bot.rules.package import GameFactory, GamePackage, Look, Mind, Results, ScoreKind, Study, Words
from bot.rules.puzzle import PuzzleSource
from bot.words import format_points


def _build(content: BaggageContent) -> GamePackage[BaggageOptions, State, Move, GameEvent, State]:
    return GamePackage(
        game=HoudinisBaggage(content.assignments.build_deck()),
        words=Words(
            build_screen=build_screen,
            error_messages=ERROR_MESSAGES,
            describe_options=describe_options,
            describe_goal=describe_goal,
            estimate_minutes=estimate_minutes,
            build_abandoned_fields=build_abandoned_fields,
            build_reading=build_reading,
            narration=NARRATION,
            shown_moves=SHOWN_MOVES,
        ),
        look=Look(
            build_picture=build_picture,
            find_motion=find_motion,
            shows_step=shows_step,
            build_hero=build_hero,
            draws_moments=True,
            surface=SURFACE,
            cover="houdinis_baggage/cover",
            symbols=SYMBOLS,
        ),
        study=Study(
            guide=GUIDE,
            lesson=LESSON,
            find_tips=find_tips,
            describe_move=describe_move,
            hints=HINTS,
            puzzles=PuzzleSource(seats=(2,), margins={Unit.WINS: 0.02}),
        ),
        mind=Mind(
            strategies={
                "easy": CarelessMove(
                    evaluate_plans, usual_loss=0.2, largest_loss=0.9, limit=Limit(evaluate_outlook, {Unit.WINS: 0.15})
                ),
                "normal": BestMove(evaluate_plans),
                "strong": BestMove(evaluate_outlook),
            },
            evaluate=evaluate_outlook,
            key_of=key_of,
            easy_losses={Unit.WINS: 0.007},
            value_errors={Unit.WINS: 0.05},
            find_forced_end=find_forced_end,
        ),
        results=Results(
            score_kind=ScoreKind(format_points),
            scores_of=scores_of,
            find_feats=find_feats,
            badges=BADGES,
        ),
    )


PACKAGE = GameFactory(BaggageContent, _build)
