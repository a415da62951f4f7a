"""Change: a race around a board to get rid of all Self Credits.

The content is in `data/change`, which says what the source names and what was made for this edition. Where the original
rules leave a question open:

- The challenge of the space reached by the track roll stays open until the player does anything else, so skipping it
  costs no click.
- An Add card helps the challenge that failed last while the Ragz stays on that space, even after another card.
- A player with only one choice at a corner is not asked. A player who holds a card is asked at the end of their turn
  even if it can't be played; otherwise the end would reveal something about the hand.
- If several players roll at once (Fountain, Arrogance), they roll in turn order from the player who landed there.
"""

from functools import partial
from operator import attrgetter

from bot.games.change.board import Board, ChangeContent
from bot.games.change.board_picture import HEIGHT, build_hero
from bot.games.change.guide import build_guide
from bot.games.change.hand_screen import build_hand_screen, find_doubt, hand_contents
from bot.games.change.minds.credit_values import evaluate_turn
from bot.games.change.minds.win_chances import WinEvaluator, load_network, rank_moves
from bot.games.change.moves import Move
from bot.games.change.news import NARRATION, SHOWN_MOVES
from bot.games.change.picture import SURFACE, SYMBOLS, build_hand_picture, build_picture, find_motion, shows_step
from bot.games.change.pieces import ChangeOptions, GameEvent, State, View
from bot.games.change.reading import build_reading
from bot.games.change.rewards import BADGES, find_feats, name_roll
from bot.games.change.rules import SERIES, Change, find_forced_end
from bot.games.change.screen import build_abandoned_fields, build_screen
from bot.games.change.study import HINTS, LESSON, describe_move, find_tips, key_of
from bot.games.change.words import ERROR_MESSAGES, describe_goal, describe_options, estimate_minutes, format_credits
from bot.rules.evaluation import BestMove, CarelessMove, Limit, Unit
from bot.rules.package import GameFactory, GamePackage, Look, Mind, Results, ScoreKind, StoredArrays, Study, Words
from bot.rules.puzzle import PuzzleSource


def _build(content: ChangeContent) -> GamePackage[ChangeOptions, State, Move, GameEvent, View]:
    board, rank = Board.from_content(content), partial(rank_moves, content.network)
    return GamePackage(
        game=Change(board),
        words=Words(
            build_screen=partial(build_screen, rank),
            error_messages=ERROR_MESSAGES,
            describe_options=describe_options,
            describe_goal=describe_goal,
            estimate_minutes=estimate_minutes,
            build_abandoned_fields=build_abandoned_fields,
            build_hand_screen=partial(build_hand_screen, rank),
            hand_contents=hand_contents,
            find_doubt=find_doubt,
            build_reading=build_reading,
            narration=NARRATION,
            shown_moves=SHOWN_MOVES,
        ),
        look=Look(
            build_picture=build_picture,
            find_motion=find_motion,
            shows_step=shows_step,
            build_hero=build_hero,
            picture_height=HEIGHT,
            draws_moments=True,
            build_hand_picture=build_hand_picture,
            surface=SURFACE,
            cover="change/cover",
            symbols=SYMBOLS,
        ),
        study=Study(
            guide=build_guide(board),
            lesson=LESSON,
            find_tips=find_tips,
            describe_move=describe_move,
            hints=HINTS,
            puzzles=PuzzleSource(seats=(2, 3), margins={Unit.WINS: 0.02}),
        ),
        mind=Mind(
            strategies={
                "easy": CarelessMove(
                    evaluate_turn,
                    usual_loss=11,
                    largest_loss=32,
                    limit=Limit(WinEvaluator(content.network), {Unit.WINS: 0.15}),
                ),
                "normal": BestMove(evaluate_turn),
                "strong": BestMove(WinEvaluator(content.network)),
            },
            evaluate=WinEvaluator(content.network),
            key_of=key_of,
            easy_losses={Unit.WINS: 0.024},
            value_errors={Unit.WINS: 0.05},
            find_forced_end=find_forced_end,
            stored=StoredArrays("network", partial(load_network, content.network)),
        ),
        results=Results(
            score_kind=ScoreKind(format_credits, lower_is_better=True),
            scores_of=attrgetter("public.credits"),
            far_behind=1.0,
            series=SERIES,
            find_feats=find_feats,
            name_roll=name_roll,
            badges=BADGES,
        ),
    )


PACKAGE = GameFactory(ChangeContent, _build)
