"""The line about ratings at the end of a table."""

from bot.features.results.messages import rating_line
from bot.features.results.ratings import NotRated, Rating, RatingChange, Strength
from bot.features.results.service import RatingOutcome
from tests.support.each_case import each_case

NAMES = ("Robin", "Wren", "Jay", "Linnet")


def change(seat: int, before: float, after: float, games: int = 20) -> RatingChange:
    """Make a change between two shown numbers."""
    mean_before, mean_after = (3 + (shown - 1000) / 25 for shown in (before, after))
    return RatingChange(
        1, seat, seat, Rating(Strength(mean_before, 1.0), games - 1), Rating(Strength(mean_after, 1.0), games)
    )


@each_case("outcome", [NotRated.NO_SERVER, NotRated.NO_OPPONENT, None])
def test_what_surprises_nobody_is_not_told(outcome: RatingOutcome | None) -> None:
    assert rating_line(outcome, NAMES) == ""


def test_every_surprising_reason_has_words() -> None:
    unsurprising = {NotRated.NO_SERVER, NotRated.NO_OPPONENT}
    assert {reason for reason in NotRated if not rating_line(reason, NAMES)} == unsurprising
