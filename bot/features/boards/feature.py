"""Registers leaderboards."""

from bot.features.boards.commands import Boards, BoardsCog
from bot.features.boards.messages import (
    BoardId,
    BoardMenuId,
    LeaderboardId,
    best_score_lines,
    best_scores_buttons,
    own_best_lines,
)
from bot.features.boards.model import BOARD_ERROR_MESSAGES
from bot.features.boards.service import BestScores
from bot.features.results.service import ResultsService
from bot.tables.app import App, Feature
from bot.tables.shown.parts import ButtonPart, Place, TextPart


def register(app: App) -> Feature:
    """Register leaderboards."""
    best_scores = BestScores(app.db)
    boards = Boards(app.db, app.tables, app.pictures, app.service(ResultsService))
    return Feature(
        services=(best_scores, boards),
        cogs=(BoardsCog(),),
        buttons=dict.fromkeys((LeaderboardId, BoardId, BoardMenuId), boards.press),
        refusals=(BOARD_ERROR_MESSAGES,),
        follows=(best_scores.on_table_changed,),
        lines=(
            TextPart(Place.RESULT_FACT, lambda table: own_best_lines(table, best_scores.known(table.id))),
            TextPart(Place.RESULT_DETAIL, lambda table: best_score_lines(table, best_scores.known(table.id))),
        ),
        table_buttons=(ButtonPart(Place.BOARD_BUTTON, best_scores_buttons),),
        personal_caches=(best_scores.clear,),
        close=best_scores.close,
    )
