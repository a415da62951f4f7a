"""Registers leaderboards."""

from bot.features.boards.commands import Boards, BoardsCog
from bot.features.boards.messages import (
    BoardId,
    BoardMenuId,
    LeaderboardId,
    best_scores_buttons,
)
from bot.features.boards.model import BOARD_ERROR_MESSAGES
from bot.features.results.service import ResultsService
from bot.tables.app import App, Feature
from bot.tables.shown.parts import ButtonPart, Place


def register(app: App) -> Feature:
    """Register leaderboards."""
    boards = Boards(app.db, app.tables, app.pictures, app.service(ResultsService))
    return Feature(
        services=(boards,),
        cogs=(BoardsCog(),),
        buttons=dict.fromkeys((LeaderboardId, BoardId, BoardMenuId), boards.press),
        refusals=(BOARD_ERROR_MESSAGES,),
        table_buttons=(ButtonPart(Place.BOARD_BUTTON, best_scores_buttons),),
    )
