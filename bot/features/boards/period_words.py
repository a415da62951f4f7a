"""Names of the periods of leaderboards."""

from datetime import datetime, timedelta

from babel.dates import format_date

from bot.features.boards.model import Span
from bot.features.results.periods import ALL_TIME, bounds_of, month_of, season_of, week_of
from bot.features.settings.preferences import SeasonLength
from bot.words import LOCALE, N_, gettext as _

_SPANS = {
    Span.ALL: N_("all time"),
    Span.SEASON: N_("this season"),
    Span.MONTH: N_("this month"),
    Span.WEEK: N_("this week"),
}

_QUARTER, _WEEK = "Q", "W"


def spans_of(length: SeasonLength) -> tuple[Span, ...]:
    """Return what the boards of a server can be about; a season of a month is no choice of its own."""
    others = (Span.MONTH,) if length is not SeasonLength.MONTH else ()
    season = (Span.SEASON,) if length is not SeasonLength.OFF else ()
    return (Span.ALL, *season, *others, Span.WEEK)


def period_at(span: str, length: SeasonLength, moment: datetime) -> str:
    """Return the period that a span means at a time; the period of a past season is itself."""
    match span:
        case Span.ALL:
            return ALL_TIME
        case Span.SEASON:
            return season_of(length, moment) or ALL_TIME
        case Span.MONTH:
            return month_of(moment)
        case Span.WEEK:
            return week_of(moment)
        case _:
            return span


def span_name(span: str) -> str:
    """Return the name of a span, or of the period of a past season."""
    return _(_SPANS[Span(span)]) if span in tuple(Span) else period_name(span)


def period_name(period: str) -> str:
    """Return the name of all time, or of a week, month, quarter or year; it stays true."""
    if period == ALL_TIME:
        return _(_SPANS[Span.ALL])
    first, after = bounds_of(period)
    last = after - timedelta(days=1)
    year, _dash, part = period.partition("-")
    if not part:
        return year
    if part.startswith(_WEEK):
        return _("week of {date}").format(date=format_date(first, "long", LOCALE))
    begin, end = (format_date(day, "MMMM", LOCALE) for day in (first, last))
    if not part.startswith(_QUARTER):
        return _("{month} {year}").format(month=begin, year=year)
    return _("{first} to {last} {year}").format(first=begin, last=end, year=year)
