"""Registers puzzles."""

from bot.features.puzzles.commands import Puzzles, PuzzlesCog
from bot.features.puzzles.messages import DailyPuzzleId, NextPuzzleId, PuzzleChoiceId
from bot.features.puzzles.model import PUZZLE_ERROR_MESSAGES, PuzzleReason
from bot.features.puzzles.service import PuzzleService
from bot.features.settings.service import ServerRules
from bot.platform.content import PuzzleFiles
from bot.tables.app import App, Feature


def register(app: App) -> Feature:
    """Register puzzles."""
    versions = {
        key: package.game.info.version for key, package in app.games.items() if package.study.puzzles is not None
    }
    service = PuzzleService(app.db, PuzzleFiles(), versions, app.clock)
    puzzles = Puzzles(
        service,
        app.tables,
        app.host.thinker,
        app.pictures,
        ephemeral_messages=app.ephemeral_messages,
        rules=app.service(ServerRules),
    )
    return Feature(
        services=(service, puzzles),
        cogs=(PuzzlesCog(),),
        buttons=dict.fromkeys((PuzzleChoiceId, NextPuzzleId, DailyPuzzleId), puzzles.press),
        refusals=(PUZZLE_ERROR_MESSAGES,),
        ending_reasons=(PuzzleReason.UNKNOWN_PUZZLE,),
        personal_caches=(puzzles.clear,),
    )
