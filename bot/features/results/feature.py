"""Registers results."""

from bot.features.results.accounts import save_results
from bot.features.results.head_to_head import HeadToHead, name_rivals, rivals_line
from bot.features.results.messages import rating_line
from bot.features.results.milestones import Milestones, milestone_facts
from bot.features.results.service import RatingNews, ResultsService
from bot.tables.app import App, Feature
from bot.tables.events import Happened, Hook
from bot.tables.shown.links import escaped_seat_names
from bot.tables.shown.parts import FactPart, Place, TextPart
from bot.tables.table import Table


def register(app: App) -> Feature:
    """Register results."""
    rating_news, milestones = RatingNews(app.db), Milestones(app.db)

    scores = HeadToHead(app.db)

    def rating_lines(table: Table) -> tuple[str, ...]:
        return (rating_line(rating_news.known(table), escaped_seat_names(table), name_rivals(table)),)

    def rivals_lines(table: Table) -> tuple[str, ...]:
        return (rivals_line(scores.known(table), table),)

    return Feature(
        services=(ResultsService(app.db), rating_news, milestones),
        hooks=(Hook(Happened.ENDED, in_transaction=save_results),),
        lines=(
            TextPart(Place.RESULT_RATING, rating_lines, rating_news.load),
            TextPart(Place.RESULT_RATING, rivals_lines, scores.load),
        ),
        facts=(FactPart(lambda table: milestone_facts(milestones.known(table), table), milestones.load),),
        personal_caches=(rating_news.clear, milestones.clear, scores.clear),
    )
