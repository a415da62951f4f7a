"""Streaks of challenges, by docs/daily.md: one missed day of each month is forgiven."""

from datetime import UTC, datetime

from bot.features.challenges.model import Streak, find_streak
from bot.platform.places import Day, day_of
from tests.support.each_case import each_case

MARCH: Day = day_of(datetime(2027, 3, 1, tzinfo=UTC)) - 1
"""The days of March are this and their number; February 2027 ends at 0."""


@each_case(
    "played, today, current, longest, has_forgiveness",
    [
        ([], 10, 0, 0, True),
        ([10], 10, 1, 1, True),
        ([8, 9], 10, 2, 2, True),  # today is not missed before it is over
        ([7, 8], 10, 2, 2, False),  # the 9th is forgiven, and adds nothing
        ([6, 7], 10, 0, 2, True),  # two days of a month are too many, and use up nothing
        ([1, 2, 4, 5], 5, 4, 4, False),
        ([1, 2, 4, 5, 7], 7, 1, 4, False),  # the second missed day of the month
        ([1, 2, 4, 5, 7, 8, 10], 10, 1, 4, False),  # which the next streak cannot have either
        ([-3, -2, -1, 2], 2, 4, 4, False),  # the last day of February and the first of March
        ([-3, -2, 1], 1, 1, 2, True),  # but not two of February
        ([-20, -18, 0, 1, 3], 3, 3, 3, False),
        ([30, 32, 33], 33, 3, 3, True),  # a new month forgives again
        ([1, 3, 20], 20, 1, 2, False),  # a long pause
    ],
)
def test_a_streak_forgives_one_missed_day_of_each_month(
    played: list[int], today: int, current: int, longest: int, has_forgiveness: bool
) -> None:
    streak = find_streak([MARCH + day for day in played], MARCH + today)
    assert streak == Streak(current, longest, has_forgiveness)


@each_case(
    "played, excused, current, has_forgiveness",
    [
        ([1, 4], {2, 3}, 2, True),  # nobody missed the days on which the bot did not run
        ([1, 5], {2, 3}, 2, False),  # but the 4th was missed
        ([1, 4, 6], {2, 3}, 3, False),
        ([1, 3, 6], {4, 5}, 3, False),
        ([1, 3, 6], {4}, 1, False),
        ([1, 2, 3], {2, 4, 5}, 3, True),
        ([-1, 33], set(range(1, 32)), 2, False),  # the ends of February and April, around it, are forgiven
    ],
)
def test_days_on_which_the_bot_did_not_run_are_not_missed(
    played: list[int], excused: set[int], current: int, has_forgiveness: bool
) -> None:
    today = MARCH + played[-1]
    streak = find_streak([MARCH + day for day in played], today, {MARCH + day for day in excused})
    assert (streak.current, streak.has_forgiveness) == (current, has_forgiveness)
