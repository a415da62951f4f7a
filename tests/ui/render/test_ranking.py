"""The picture of a ranking: players by place, resigned ones last, all of it legible."""

from collections.abc import Iterator
from itertools import chain, combinations, product

from bot.rules.outcome import Outcome
from bot.rules.picture import Label, Picture, Sprite
from bot.tables.control_entries import TableEndReason, rank_resigned_last
from bot.ui.render.ranking import ranking_picture
from tests.support.each_case import each_case
from tests.support.games import load_games_once
from tests.support.picture_checks import find_flaws

TITLES = [package.game.info.title for package in load_games_once().values()]


def draw(places: tuple[int, ...], *resigned: int) -> Picture:
    return ranking_picture("Magpie", Outcome(places, (0,) * len(places), TableEndReason.RESIGNED), resigned)


def texts(picture: Picture) -> list[str]:
    return [mark.text for mark in picture.marks if isinstance(mark, Label)]


def all_endings() -> Iterator[tuple[Outcome, frozenset[int]]]:
    """Yield every end that resignations give a table of two to six, and all places that few seats may have."""
    for seats in range(2, 7):
        for resigned in chain(*(combinations(range(seats), count) for count in range(1, seats))):
            yield rank_resigned_last(None, frozenset(resigned), seats), frozenset(resigned)
    for scores in product(range(3), repeat=3):
        places = tuple(1 + sum(other > score for other in scores) for score in scores)
        for gone in range(3):
            yield (
                rank_resigned_last(Outcome(places, scores, TableEndReason.RESIGNED), frozenset({gone}), 3),
                frozenset({gone}),
            )


@each_case("title", TITLES)
def test_every_ending_fits_into_the_picture(title: str) -> None:
    for outcome, resigned in all_endings():
        assert list(find_flaws(ranking_picture(title, outcome, resigned))) == []


def test_the_ranking_is_shown_and_described() -> None:
    picture = draw((4, 1, 2, 2), 0)
    seats = [mark.name for mark in picture.marks if isinstance(mark, Sprite)]
    assert seats == ["crown", "token-2", "token-3", "token-4", "token-1"]
    assert texts(picture) == ["Magpie", "final ranking", "2", "wins", "2.", "3", "2.", "4", "4.", "1", "resigned"]
    assert picture.description == (
        "The final ranking of Magpie: player 2 wins; player 3 takes place 2; player 4 takes place 2; "
        "player 1 has resigned and takes place 4."
    )


def test_every_winner_of_a_shared_win_has_a_crown() -> None:
    picture = draw((1, 3, 1), 1)
    assert texts(picture).count("shares the win") == 2
    assert "wins" not in texts(picture)
    assert [mark.name for mark in picture.marks if isinstance(mark, Sprite)].count("crown") == 2
    assert "player 1 shares the win; player 3 shares the win; player 2 has resigned" in picture.description


def test_a_player_who_plays_to_the_end_is_not_marked_as_resigned() -> None:
    assert texts(draw((2, 1, 3), 2)).count("resigned") == 1
    assert "resigned" not in texts(draw((2, 1)))
