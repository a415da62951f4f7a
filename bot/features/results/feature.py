"""Registers results."""

from bot.features.profiles.service import ResultsService
from bot.features.results.accounts.ratings import save_results
from bot.features.results.best_scores import BestScores, best_score_lines, best_scores_buttons
from bot.features.results.rating_line import rating_line
from bot.features.results.rating_news import RatingNews
from bot.tables.app import App, Feature
from bot.tables.events import Happened, Hook
from bot.tables.shown.links import escaped_seat_names
from bot.tables.shown.parts import ButtonPart, Place, TextPart
from bot.tables.table import Table


def register(app: App) -> Feature:
    """Register results."""
    results = ResultsService(app.db)
    best_scores, rating_news = BestScores(app.db), RatingNews(results)

    def rating_lines(table: Table) -> tuple[str, ...]:
        return (rating_line(rating_news.known(table), escaped_seat_names(table)),)

    return Feature(
        services=(results, best_scores, rating_news),
        hooks=(Hook(Happened.ENDED, in_transaction=save_results),),
        follows=(best_scores.on_table_changed,),
        lines=(
            TextPart(Place.RESULT_FACT, lambda table: best_score_lines(table, best_scores.known(table))),
            TextPart(Place.RESULT_NEWS, rating_lines, rating_news.load),
        ),
        table_buttons=(ButtonPart(Place.BOARD_BUTTON, best_scores_buttons),),
        caches=(best_scores.clear, rating_news.clear),
        close=best_scores.close,
    )
