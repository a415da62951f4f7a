"""Which moves the news of a table keeps: whole turns, and enough of them."""

from bot.tables.table import MoveNews, add_news
from tests.support.each_case import each_case


@each_case(
    "moves, turns, least_moves, kept",
    [
        # A capital letter ends a turn.
        ("a", 1, 0, "a"),
        ("aB", 1, 0, "aB"),
        ("aBc", 1, 0, "aBc"),
        ("aBcD", 1, 0, "cD"),
        ("aBcDe", 1, 0, "cDe"),
        ("aBcDeF", 2, 0, "cDeF"),
        ("ABC", 5, 0, "ABC"),
        ("ABC", 1, 5, "ABC"),
        ("ABCD", 1, 3, "BCD"),
        ("aBcDeF", 1, 3, "cDeF"),
        ("aBcD", 1, 3, "aBcD"),
    ],
)
def test_older_turns_are_dropped_once_a_turn_ends(moves: str, turns: int, least_moves: int, kept: str) -> None:
    news: tuple[MoveNews, ...] = ()
    for number, letter in enumerate(moves):
        news = add_news(news, MoveNews(number, (), ends_turn=letter.isupper()), turns=turns, moves=least_moves)
    assert "".join(moves[move.seat] for move in news) == kept
