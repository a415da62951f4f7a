"""Renders what is special about tables with a daily bag: their result, and what is shared of it."""

from collections.abc import Iterator

from bot.features.daily_bag.ids import DailyBagButton, DailyBagId
from bot.features.daily_bag.model import DailyScores, daily_end_of, find_streak
from bot.features.puzzles.streaks import format_days
from bot.platform.discord.content import Button
from bot.platform.places import name_of_day
from bot.tables.kinds import TIME_LIMIT
from bot.tables.shown.links import escape_name
from bot.tables.table import Table
from bot.words import format_number, gettext as _


def daily_bag_buttons(table: Table) -> tuple[Button, ...]:
    """Return the button of a finished daily bag that shows how its day stands."""
    if table.daily_day is None:
        return ()
    return (Button(_("Daily bag"), str(DailyBagId(DailyBagButton.SHOW, table.daily_day, 1))),)


def daily_lines(table: Table, scores: DailyScores | None) -> Iterator[str]:
    """Yield the place and the streak at the end of a daily bag, as far as they are known."""
    end = daily_end_of(table)
    if end is None:
        # An attempt that ends after its seed was published becomes practice.
        took = table.header.updated_at - table.header.created_at
        if table.daily_day is not None and table.outcome is not None and took >= TIME_LIMIT:
            yield _("⌛ Not finished within 24 hours, so it doesn't count.")
    elif end.score is not None and scores is not None:
        line = _("🔥 Streak: {days}")
        if table.header.location.guild_id is not None:
            yield _place_line(end.score, scores)
            line = _("🔥 Streak in this server: {days}")
        streak = find_streak(sorted({*scores.own_days, end.day}), end.day, scores.excused_days)
        yield line.format(days=format_days(streak.current))


def _place_line(score: int, scores: DailyScores) -> str:
    better = sum(people for other, people in scores.scores.items() if other > score)
    place, count = format_number(better + 1), format_number(1 + sum(scores.scores.values()))
    return _("🎒 Place {place} of {count} in this server so far").format(place=place, count=count)


def shared_daily_text(table: Table) -> str:
    """Return the text that is posted with the result of a daily bag; a code block, so that it is easy to copy."""
    day, outcome, summarize = table.daily_day, table.outcome, table.package.summarize
    if day is None or outcome is None or summarize is None:
        raise ValueError(f"table {table.id} has no daily bag to share")
    score = table.package.score_kind.format_score(outcome.scores[0])
    return _("**{name}** played the daily bag:\n```\nDaily bag {day}: {score}\n{summary}\n```").format(
        name=escape_name(table.seats[0].name), day=name_of_day(day), score=score, summary=summarize(table.state)
    )
