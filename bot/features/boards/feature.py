"""Registers leaderboards."""

from bot.features.boards.commands import Boards, Leaderboard
from bot.features.boards.model import BOARD_ERROR_MESSAGES
from bot.features.profiles.service import ResultsService
from bot.features.results.ids import BoardId, BoardMenuId, LeaderboardId, SeasonId
from bot.features.seasons.service import Seasons
from bot.tables.app import App, Feature


def register(app: App) -> Feature:
    """Register leaderboards."""
    boards = Boards(app.service(ResultsService), app.service(Seasons), app.tables, app.pictures)
    return Feature(
        services=(boards,),
        cogs=(Leaderboard(),),
        buttons=dict.fromkeys((LeaderboardId, BoardId, BoardMenuId, SeasonId), boards.press),
        refusals=(BOARD_ERROR_MESSAGES,),
    )
