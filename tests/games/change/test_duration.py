"""The lobby tells how long a game of Change takes."""

from bot.games.change.pieces import ChangeOptions
from bot.games.change.words import estimate_minutes
from tests.support.each_case import each_case


@each_case(
    "count, sets, seats, moves",
    [
        (120, True, 2, 124),
        (120, True, 6, 127),
        (50, True, 3, 103),
        (20, True, 6, 45),
        (300, True, 5, 179),
        (20, False, 2, 74),
        (120, False, 4, 206),
        (300, False, 2, 243),
    ],
)
def test_measured_settings_take_their_measured_time(count: int, sets: bool, seats: int, moves: int) -> None:
    assert estimate_minutes(ChangeOptions(credits=count, sets=sets), seats) == round(moves / 6)


def test_between_measured_settings_the_time_is_interpolated() -> None:
    """Half way from 120 credits to 200, and from 120 to 300 without sets."""
    assert estimate_minutes(ChangeOptions(credits=160), 2) == round((124 + 142) / 2 / 6)
    assert estimate_minutes(ChangeOptions(credits=210, sets=False), 2) == round((170 + 243) / 2 / 6)


@each_case("sets", [True, False])
@each_case("seats", [2, 3, 4, 5, 6])
def test_more_credits_never_take_less_time(seats: int, sets: bool) -> None:
    times = [estimate_minutes(ChangeOptions(credits=count, sets=sets), seats) for count in range(20, 301)]
    assert times == sorted(times)
    assert times[0] >= 1
