"""Fortune: a dice game with cards for two to four.

`pieces` names everything on the table, `rules` and `scoring` decide what happens, and `minds` what moves are worth.
`facts` decides what a position says and what a turn brought; `screen`, `reading`, `news` and `picture` each have tables
of words for these facts, filled in by `words`. `card_picture`, `dice_picture` and `scene_picture` draw parts of the
picture. `guide`, `study` and `rewards` are for learners and collectors.
"""

from functools import partial
from operator import attrgetter

from bot.games.fortune.guide import build_guide
from bot.games.fortune.minds.evaluation import RaceEvaluator, evaluate_points, prepare_advice
from bot.games.fortune.minds.race import load_race
from bot.games.fortune.news import NARRATION, SHOWN_MOVES
from bot.games.fortune.picture import SURFACE, SYMBOLS, build_hero, build_picture, find_motion, shows_step
from bot.games.fortune.pieces import FortuneContent, FortuneOptions, GameEvent, Move, State
from bot.games.fortune.reading import build_reading
from bot.games.fortune.rewards import BADGES, find_feats, name_roll
from bot.games.fortune.rules import Fortune, find_forced_end
from bot.games.fortune.screen import build_abandoned_fields, build_screen
from bot.games.fortune.study import HINTS, LESSON, describe_move, find_tips, key_of
from bot.games.fortune.words import ERROR_MESSAGES, describe_goal, describe_options, estimate_minutes
from bot.rules.evaluation import BestMove, CarelessMove, Limit, Unit
from bot.rules.package import GameFactory, GamePackage, Look, Mind, Results, ScoreKind, StoredArrays, Study, Words
from bot.rules.puzzle import PuzzleSource
from bot.words import format_points


def _build(content: FortuneContent) -> GamePackage[FortuneOptions, State, Move, GameEvent, State]:
    evaluate = RaceEvaluator(content.race)
    return GamePackage(
        game=Fortune(content.deck),
        words=Words(
            build_screen=partial(build_screen, evaluate=evaluate),
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
            build_picture=partial(build_picture, evaluate=evaluate),
            find_motion=partial(find_motion, evaluate=evaluate),
            shows_step=shows_step,
            picture_height=842,
            draws_moments=True,
            build_hero=build_hero,
            surface=SURFACE,
            cover="fortune/cover",
            symbols=SYMBOLS,
        ),
        study=Study(
            guide=build_guide(content.deck),
            lesson=LESSON,
            find_tips=find_tips,
            describe_move=describe_move,
            hints=HINTS,
            puzzles=PuzzleSource(seats=(2,), margins={Unit.WINS: 0.02}),
        ),
        mind=Mind(
            strategies={
                "easy": CarelessMove(
                    evaluate_points,
                    usual_loss=80,
                    largest_loss=250,
                    limit=Limit(evaluate, {Unit.WINS: 0.06}),
                ),
                "normal": BestMove(evaluate_points),
                "strong": BestMove(evaluate),
            },
            evaluate=evaluate,
            key_of=key_of,
            easy_losses={Unit.WINS: 0.0042},
            value_errors={Unit.WINS: 0.03},
            find_forced_end=find_forced_end,
            stored=StoredArrays("race", partial(load_race, content.race)),
            prepare=partial(prepare_advice, content.deck.all_cards(), content.race),
        ),
        results=Results(
            score_kind=ScoreKind(format_points),
            scores_of=attrgetter("scores"),
            find_feats=find_feats,
            name_roll=name_roll,
            badges=BADGES,
        ),
    )


PACKAGE = GameFactory(FortuneContent, _build)
