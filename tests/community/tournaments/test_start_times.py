"""Start times of tournaments: what can be typed, and what is refused."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.features.tournaments.model import TournamentReason
from bot.features.tournaments.start_times import START_AT_MOST, parse_start, suggest_starts
from bot.rules.refusals import Refusal
from tests.support.each_case import each_case

# The clocks of Berlin skip the hour from 02:00 on 29 March.
NOW, ZONE = datetime(2026, 3, 28, 12, tzinfo=UTC), "Europe/Berlin"

UNKNOWN = (
    *("31m", "soon", "20:00", "2026-4-1 20:00", "2026-04-31 20:00", "2026-03-29 02:30"),
    *("0000-01-01 00:00", "0001-01-01 00:00", "٢٠٢٦-٠٤-٠١ ٢٠:٠٠"),
)


@each_case(
    "text, minutes",
    [("30m", 30), ("1440m", 1440), ("2026-03-28 13:01", 1), (" 2026-03-29 03:00 ", 780), ("2026-05-27 14:00", 86400)],
)
def test_a_start_is_a_listed_delay_or_a_time_in_the_zone_of_the_server(text: str, minutes: int) -> None:
    assert parse_start(text, NOW, ZONE) == NOW + timedelta(minutes=minutes)
    (suggested,) = suggest_starts(text, NOW, ZONE)
    assert suggested.value == text


@each_case(
    "text, reason",
    [
        *((text, TournamentReason.UNKNOWN_START) for text in UNKNOWN),
        ("2026-03-28 13:00", TournamentReason.START_OUT_OF_RANGE),
        ("2026-05-27 14:01", TournamentReason.START_OUT_OF_RANGE),
    ],
)
def test_any_other_start_is_refused(text: str, reason: TournamentReason) -> None:
    with pytest.raises(Refusal) as refusal:
        parse_start(text, NOW, ZONE)
    assert refusal.value.reason is reason


def test_the_listed_delays_are_possible() -> None:
    for choice in suggest_starts("", NOW, "UTC"):
        assert NOW < parse_start(choice.value, NOW, "UTC") <= NOW + START_AT_MOST
