"""Periods begin and end at midnight UTC."""

from datetime import UTC, datetime, timedelta, timezone

from bot.features.results.model import bounds_of, periods_at, season_of
from bot.features.settings.choices import SeasonLength
from tests.support.each_case import each_case

TICK = timedelta(microseconds=1)


@each_case(
    "moment, periods",
    [
        (datetime(2026, 12, 31, 23, 59, tzinfo=UTC), ("all", "2026", "2026-Q4", "2026-12", "2026-W53")),
        (datetime(2027, 1, 3, 23, 59, tzinfo=UTC), ("all", "2027", "2027-Q1", "2027-01", "2026-W53")),
        (datetime(2024, 12, 30, tzinfo=UTC), ("all", "2024", "2024-Q4", "2024-12", "2025-W01")),
        # Still Sunday in UTC.
        (
            datetime(2026, 3, 2, 1, tzinfo=timezone(timedelta(hours=2))),
            ("all", "2026", "2026-Q1", "2026-03", "2026-W09"),
        ),
    ],
)
def test_a_result_counts_in_the_periods_of_its_time(moment: datetime, periods: tuple[str, ...]) -> None:
    assert periods_at(moment) == periods


def test_a_period_lasts_from_its_first_moment_until_the_next_one_begins() -> None:
    for period in ("2026", "2026-Q1", "2026-Q4", "2026-12", "2026-02", "2026-W01", "2026-W53"):
        begin, end = bounds_of(period)
        assert period in periods_at(begin)
        assert period in periods_at(end - TICK)
        assert period not in periods_at(begin - TICK)
        assert period not in periods_at(end)


def test_a_season_is_a_period_of_its_length() -> None:
    moment = datetime(2026, 11, 25, tzinfo=UTC)
    assert [season_of(length, moment) for length in SeasonLength] == [None, "2026-11", "2026-Q4", "2026"]
