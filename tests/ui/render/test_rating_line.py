"""The line about ratings at the end of a table."""

from bot.features.results.messages import rating_line
from bot.features.results.ratings import NEW, NotRated, Rating, RatingChange, Strength
from bot.features.results.service import RatingOutcome
from tests.support.each_case import each_case

NAMES = ("Robin", "Wren", "Jay", "Linnet")


def change(seat: int, before: float, after: float, games: int = 20) -> RatingChange:
    """Make a change between two shown numbers."""
    mean_before, mean_after = (3 + (shown - 1000) / 25 for shown in (before, after))
    return RatingChange(
        1, seat, seat, Rating(Strength(mean_before, 1.0), games - 1), Rating(Strength(mean_after, 1.0), games)
    )


@each_case(
    "outcome, line",
    [
        (
            (change(0, 1498, 1512), change(1, 1502, 1488)),
            "📊 Ratings: Robin 1,512 (+14), Wren 1,488 (−14)",
        ),
        ((change(0, 1000, 1000), change(2, 990, 1010, games=9)), "📊 Ratings: Robin 1,000 (±0), Jay 1,010? (+20)"),
        (
            tuple(change(seat, 1000, 1010 - seat * 5) for seat in range(4)),
            "📊 Ratings: Robin +10, Wren +5, Jay ±0, Linnet −5",
        ),
        (NotRated.HINTS, "📊 Ratings unchanged: hints were used"),
        (NotRated.REPEATED_PAIR, "📊 Ratings unchanged: only 5 games a day count for the same two people"),
        (NotRated.NO_SERVER, ""),
        (NotRated.NO_OPPONENT, ""),
        (None, ""),
    ],
)
def test_a_table_tells_what_it_did_to_ratings_or_why_it_did_nothing(outcome: RatingOutcome | None, line: str) -> None:
    assert rating_line(outcome, NAMES) == line


def test_every_surprising_reason_has_words() -> None:
    unsurprising = {NotRated.NO_SERVER, NotRated.NO_OPPONENT}
    assert {reason for reason in NotRated if not rating_line(reason, NAMES)} == unsurprising


def test_the_first_rating_is_seen_as_a_change_from_that_of_a_new_player() -> None:
    first = RatingChange(1, 0, 0, NEW, Rating(Strength(27.0, 8.0), 1))
    assert rating_line((first,), NAMES) == "📊 Ratings: Robin 1,075? (+75)"
