"""What the features know about tables, and what they add to their messages."""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.features.badges.messages import award_line
from bot.features.daily_bag.result import daily_bag_buttons, daily_lines
from bot.features.daily_bag.standings import DailyStandings
from bot.features.fairness.dice_proof import check_dice_buttons
from bot.features.hints.messages import hint_buttons
from bot.features.lessons.messages import with_lesson
from bot.features.profiles.service import ResultsService
from bot.features.replays.messages import replay_buttons
from bot.features.results.best_scores import BestScores, best_score_lines, best_scores_buttons
from bot.features.results.rating_line import rating_line
from bot.features.results.rating_news import RatingNews
from bot.features.reviews.messages import review_buttons
from bot.features.settings.people import PeopleCache, PreferenceCache
from bot.features.sharing.handlers import share_buttons
from bot.features.tips.handlers import no_tips_button
from bot.features.tips.service import TipLines
from bot.platform.database.database import Database
from bot.platform.discord.content import Button
from bot.tables.shown.links import escaped_seat_names
from bot.tables.shown.parts import ButtonPart, Place, TableParts, TextPart, TipPart
from bot.tables.table import Table


@dataclass(frozen=True, slots=True)
class TableKnowledge:
    """What features know about tables besides their games, in memory."""

    preferences: PreferenceCache
    tip_lines: TipLines
    best_scores: BestScores
    daily_standings: DailyStandings
    rating_news: RatingNews


def make_table_knowledge(db: Database, preferences: PreferenceCache) -> TableKnowledge:
    """Return the knowledge of features about tables, which is loaded from a database when it is needed."""
    tip_lines = TipLines(PeopleCache(db), preferences)
    return TableKnowledge(preferences, tip_lines, BestScores(db), DailyStandings(db), RatingNews(ResultsService(db)))


def make_table_parts(known: TableKnowledge) -> TableParts:
    """Return the lines, buttons and tips that features add to the messages of tables."""

    def daily_facts(table: Table) -> Iterator[str]:
        # At a sealed table everyone reads the place and the streak in the public message.
        return daily_lines(table, None if table.is_sealed else known.daily_standings.known(table))

    def sealed_daily_news(table: Table) -> Iterator[str]:
        return daily_lines(table, known.daily_standings.known(table))

    def best_scores(table: Table) -> Iterator[str]:
        return best_score_lines(table, known.best_scores.known(table))

    def ratings(table: Table) -> tuple[str, ...]:
        return (rating_line(known.rating_news.known(table), escaped_seat_names(table)),)

    def hints(table: Table) -> tuple[Button, ...]:
        return hint_buttons(table, known.preferences.newest(table.header.location))

    return TableParts(
        (
            TextPart(Place.RESULT_FACT, daily_facts),
            TextPart(Place.SEALED_NEWS, sealed_daily_news),
            TextPart(Place.RESULT_FACT, best_scores),
            TextPart(Place.RESULT_NEWS, ratings, known.rating_news.load),
            TextPart(Place.RESULT_NEWS, lambda table: (award_line(table),)),
            TextPart(Place.SEALED_NEWS, lambda table: (award_line(table, overall_only=True),)),
        ),
        (
            ButtonPart(Place.CHOICE_BUTTON, hints),
            ButtonPart(Place.RESULT_BUTTON, share_buttons),
            ButtonPart(Place.RESULT_BUTTON, replay_buttons),
            ButtonPart(Place.RESULT_BUTTON, review_buttons),
            ButtonPart(Place.RESULT_BUTTON, best_scores_buttons),
            ButtonPart(Place.RESULT_BUTTON, daily_bag_buttons),
            ButtonPart(Place.PROOF_BUTTON, check_dice_buttons),
        ),
        TipPart(known.tip_lines.tip_for, known.tip_lines.note_shown, no_tips_button),
        with_lesson,
    )
