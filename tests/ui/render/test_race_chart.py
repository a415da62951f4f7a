"""The chart of a race: each line leads to its token, and equal lines are all seen."""

from itertools import combinations, pairwise
from random import Random

from bot.pictures.art import read_art
from bot.pictures.painter import Painter
from bot.pictures.sprite_cache import SpriteCache
from bot.pictures.themes import colour_of
from bot.platform.content import DATA
from bot.rules.game import Seat
from bot.rules.picture import Box, Mark, Picture, Rect, Sprite, Theme, seat_colour
from bot.rules.race import Race
from bot.tables.shown.race_chart import HEADING_HEIGHT, chart_height, chart_marks
from tests.support.each_case import each_case
from tests.support.picture_checks import find_flaws

LEADER_WIDTH = 4
LOW = Rect(0, 100, 584, 278)
"""As on the card that is shared, where six tokens are higher than the chart."""


def usual(seats: int) -> Rect:
    """Return the place of a chart on a picture of the result."""
    return Rect(0, 100, 960, HEADING_HEIGHT + chart_height(seats))


def random_race(chance: Random, seats: int) -> Race:
    """Return a race whose ends lie at least eight pixels apart on the lowest chart."""
    ends = chance.sample(range(22), seats)
    return tuple(tuple(turn * end for end in ends) for turn in range(7))


def draw(race: Race, winners: tuple[Seat, ...], area: Rect) -> list[Mark]:
    return list(chart_marks(race, winners, area, lower_is_better=False))


def tokens(marks: list[Mark]) -> dict[Seat, Rect]:
    """Return the place of each seat's token."""
    return {int(mark.name.removeprefix("token-")) - 1: mark.at for mark in marks if isinstance(mark, Sprite)}


def boxes(marks: list[Mark], seat: Seat) -> list[Rect]:
    return [mark.at for mark in marks if isinstance(mark, Box) and mark.fill is seat_colour(seat)]


def leaders(marks: list[Mark], seat: Seat) -> list[Rect]:
    """Return the parts of the thin line that leads to a seat's token: along, up or down, and along."""
    parts = boxes(marks, seat)[-3:]
    assert [min(at.width, at.height) for at in parts] == [LEADER_WIDTH] * 3
    return parts


def line_end(race: Race, seat: Seat, marks: list[Mark]) -> int:
    """Return how far down a line ends, from the chart's frame."""
    frame = next(mark.at for mark in marks if isinstance(mark, Box)).inset(14)
    best = max(max(row) for row in race)
    return frame.y + (best - race[-1][seat]) * frame.height // max(best, 1)


@each_case("seats", range(1, 7))
def test_the_tokens_are_in_the_order_of_the_ends_and_a_thin_line_leads_to_each(seats: int) -> None:
    chance = Random(seats)
    for _ in range(50):
        race = random_race(chance, seats)
        for area in (usual(seats), LOW):
            marks = draw(race, (), area)
            places = tokens(marks)
            assert sorted(places, key=lambda seat: places[seat].y) == sorted(
                range(seats), key=lambda seat: -race[-1][seat]
            )
            for seat, at in places.items():
                parts = leaders(marks, seat)
                assert parts[0].y + LEADER_WIDTH // 2 == line_end(race, seat, marks)
                assert all(one.overlaps(next_one) for one, next_one in pairwise(parts))
                assert (parts[-1].right, parts[-1].y + LEADER_WIDTH // 2) == (at.x, at.y + at.height // 2)


def test_tokens_of_equal_scores_lie_below_one_another_and_fit() -> None:
    for area in (usual(6), LOW):
        marks = draw(tuple((turn,) * 6 for turn in range(5)), tuple(range(6)), area)
        assert list(find_flaws(Picture((1000, 600), (), tuple(marks), "."))) == []
        assert len({at.y for at in tokens(marks).values()}) == 6


@each_case("winners", [(), (0,), (1,), (0, 1)])
def test_of_two_equal_lines_both_are_seen(winners: tuple[int, ...]) -> None:
    """Each pair of seats in turn is equal, and the winners among them are its first, its second or both."""
    painter = Painter(Theme.STANDARD, SpriteCache(read_art(DATA), Theme.STANDARD, None))
    area = usual(6)
    for pair in combinations(range(6), 2):
        race = tuple(tuple(turn if seat in pair else 0 for seat in range(6)) for turn in range(9))
        marks = draw(race, tuple(pair[winner] for winner in winners), area)
        lines = Picture((area.right, area.bottom), (), tuple(marks), ".")
        # The right two thirds of the chart without the tokens: the others lie at its bottom.
        drawn = painter.paint(lines).convert("RGB").crop((400, 100, 840, area.bottom - 60))
        seen = {colour: count for count, colour in drawn.getcolors(drawn.width * drawn.height) or ()}
        for seat in pair:
            assert seen.get(colour_of(Theme.STANDARD, seat_colour(seat)), 0) > 300
