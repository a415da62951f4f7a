"""What The Magic Bag's picture shows of the reference sheet: the artifacts, the gold, and their values."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from bot.games.magic_bag.pieces import PIECES, ReferenceSheet, Suit
from bot.games.magic_bag.scoring import artifact_grids
from bot.rules.picture import ColourRole, Picture, Rect, Sprite
from tests.games.magic_bag.picture_helpers import (
    FAR,
    ROWS,
    boxes,
    draw,
    draw_after,
    labels,
    pieces_within,
    sprites,
    texts,
    texts_within,
)
from tests.games.magic_bag.positions import SHEET, at
from tests.support.each_case import each_case
from tests.support.picture_checks import covered_area

ALL = " ".join(map(str, PIECES))
ARTIFACTS = (Suit.SUN, Suit.MOON, Suit.ARMS)
EDGE = 5
"""Pixels of the edge around a group."""


def silhouette(made: Picture, suit: Suit) -> Rect:
    """Return where an artifact lies as a whole."""
    (whole,) = (
        mark.at for mark in made.backdrop if isinstance(mark, Sprite) and mark.name == f"magic_bag/{suit}-missing"
    )
    return whole


def pieces_of(made: Picture, suit: Suit) -> list[Sprite]:
    """Return the pieces of an artifact that show its artwork."""
    prefix = f"magic_bag/{suit}-piece-"
    return [mark for mark in made.marks if isinstance(mark, Sprite) and mark.name.startswith(prefix)]


def values_at_places(made: Picture, suit: Suit) -> dict[tuple[int, int], str]:
    """Return the value on each piece of an artifact, by the row and column where it lies on the silhouette."""
    whole = silhouette(made, suit)
    found = {}
    for piece in pieces_of(made, suit):
        down, beside = divmod(piece.at.y - whole.y, piece.at.height), divmod(piece.at.x - whole.x, piece.at.width)
        assert (down[1], beside[1]) == (0, 0)
        assert piece.name.endswith(f"-piece-{down[0]}-{beside[0]}")
        (found[down[0], beside[0]],) = texts_within(made, piece.at)
    return found


def cells(made: Picture, edge: ColourRole) -> list[Rect]:
    """Return the cells of collected coins: pieces with artwork, and crowns."""
    artwork = [piece.at for suit in ARTIFACTS for piece in pieces_of(made, suit)]
    return [*artwork, *boxes(made, fill=ColourRole.GOLD, edge=edge)]


def groups(made: Picture, edge: ColourRole = ColourRole.SURFACE_TEXT) -> list[str]:
    """Return the values in each group of cells that no edge parts."""
    bars, left, found = boxes(made, fill=edge), cells(made, edge), []
    while left:
        group = [left.pop()]
        while joined := [cell for cell in left if any(join(cell, other, bars) for other in group)]:
            group += joined
            left = [cell for cell in left if cell not in joined]
        found.append("".join(sorted("".join(texts_within(made, cell)) for cell in group)))
    return sorted(found)


def join(one: Rect, other: Rect, bars: Sequence[Rect]) -> bool:
    """Return whether two cells share a side without an edge along it."""
    both = Rect(
        min(one.x, other.x),
        min(one.y, other.y),
        max(one.right, other.right) - min(one.x, other.x),
        max(one.bottom, other.bottom) - min(one.y, other.y),
    )
    touch = both.width * both.height == one.width * one.height + other.width * other.height
    return touch and not any(both.inset(EDGE).overlaps(bar) for bar in bars)


def pixels(areas: Sequence[Rect]) -> set[tuple[int, int]]:
    return {point for each in areas for point in product(range(each.x, each.right), range(each.y, each.bottom))}


def border(inside: set[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the points of an area that are nearer to its outside than an edge is wide."""
    around = [step for step in product((-EDGE, 0, EDGE), repeat=2) if step != (0, 0)]
    for x, y in inside:
        if any((x + right, y + down) not in inside for right, down in around):
            yield x, y


class TestSheet:
    STATE = at(FAR, "1111", rolls=1, coins="arms-ace arms-2 arms-3 arms-5 crown-5 moon-null", bag="sun-5 moon-2")

    def test_mb_11_groups_are_outlined(self) -> None:
        """MB-11: gold does not join."""
        assert groups(draw(self.STATE)) == ["0", "123", "5", "5"]
        assert groups(draw(at(FAR, "1111", rolls=1))) == ["0", "1", "2"]

    def test_mb_8_coins_to_discard_are_framed(self) -> None:
        """MB-8."""
        made = draw(self.STATE._replace(rolls_left=0))
        assert groups(made, ColourRole.MARK) == ["0", "123", "5", "5"]
        assert boxes(made, fill=ColourRole.SURFACE_TEXT) == boxes(made, edge=ColourRole.SURFACE_TEXT) == []

    @each_case("values", ["null 2 3", "null ace 4 5", "ace 2 3", "null ace 2 3 4 5"])
    @each_case("suit", ARTIFACTS)
    def test_mb_11_an_edge_runs_around_each_group_and_nowhere_else(self, suit: Suit, values: str) -> None:
        """MB-11."""
        made = draw(at(FAR, "1111", rolls=1, coins=" ".join(f"{suit}-{value}" for value in values.split())))
        inside = pixels([piece.at for piece in pieces_of(made, suit)])
        assert pixels(boxes(made, fill=ColourRole.SURFACE_TEXT)) == set(border(inside))

    def test_mb_10_every_part_has_its_points(self) -> None:
        """MB-10 and MB-11."""
        made = draw(self.STATE)
        sun, moon, arms = (silhouette(made, suit) for suit in ARTIFACTS)
        assert texts_within(made, Rect(sun.right, sun.y, 90, sun.height)) == ["0"]
        assert texts_within(made, Rect(moon.x + moon.width // 3, moon.bottom - 60, 160, 70)) == ["10"]
        assert texts_within(made, arms._replace(y=arms.y - 48, height=48)) == ["70"]
        assert pieces_within(made, Rect(440, 335, 560, 393)) == ["crown-5"]
        assert "85" in texts(made)

    @each_case("suit", ARTIFACTS)
    def test_mb_13_pieces_lie_where_the_sheet_has_them(self, suit: Suit) -> None:
        """MB-13."""
        grid = dict(artifact_grids(SHEET))[suit]
        expected = {(down, right): str(value) for down, row in enumerate(grid) for right, value in enumerate(row)}
        assert values_at_places(draw(at(FAR, "1111", rolls=1, coins=ALL)), suit) == expected

    def test_artifacts_are_assembled_from_the_coins(self) -> None:
        made = draw(self.STATE)
        shown = [values_at_places(made, suit) for suit in ARTIFACTS]
        assert shown == [{}, {(0, 0): "0"}, {(1, 0): "1", (2, 0): "2", (3, 0): "3", (5, 0): "5"}]

    def test_a_sheet_in_another_order_has_the_same_artwork(self) -> None:
        sheet = ReferenceSheet.model_validate(
            {"suns": ["0 1", "2 3", "4 5"], "moons": ["5", "4", "3 2 1 0"], "arms": list("543210")}
        )
        state = self.STATE._replace(layout=self.STATE.layout._replace(sheet=sheet))
        made = draw(state)
        assert values_at_places(made, Suit.ARMS) == {(0, 0): "5", (2, 0): "3", (3, 0): "2", (4, 0): "1"}
        assert pieces_of(made, Suit.MOON) == []

    def test_mb_13_coins_in_the_bag_have_a_ring_and_discarded_ones_a_cross(self) -> None:
        """MB-13."""
        made = draw(self.STATE)
        rings = boxes(made, fill=ColourRole.SURFACE_SHADE, edge=ColourRole.SURFACE_LINE)
        assert [texts_within(made, ring) for ring in rings] == [["5"], ["2"]]
        for suit, ring in zip(ARTIFACTS, rings, strict=False):
            assert silhouette(made, suit).contains(ring)
        assert len(sprites(made, "gone")) == len(PIECES) - 6 - 2

    def test_mb_6_coins_that_were_drawn_burst(self) -> None:
        """MB-6."""
        made = draw_after(at(ROWS, "5115"), "claim 2", 0, 20 - 1, "1111")
        assert [texts_within(made, burst.at) for burst in sprites(made, "burst")] == [["0"], ["5"]]

    @each_case("coins", ["", ALL])
    def test_values_are_high_enough_to_be_read_on_a_phone(self, coins: str) -> None:
        made = draw(at(FAR, "1111", rolls=1, coins=coins))
        wholes = [silhouette(made, suit) for suit in ARTIFACTS]
        values = [label for label in labels(made) if any(whole.contains(label.at) for whole in wholes)]
        on_pieces = [label for label in values if len(label.text) == 1]
        assert len(on_pieces) >= 3 * 6
        assert min(covered_area(label).height for label in on_pieces) >= 22

    @each_case(
        "rows",
        [
            {"suns": ["0 . 1", "2 3 4", "5 . ."]},
            {"suns": ["0", "1", "2", "3", "4", "5"], "moons": ["0", "1", "2", "3", "4", "5"]},
            {"arms": ["0 1 2", "3 4 5"], "moons": ["0 1 2", "3 4 5"], "suns": ["0 1 2", "3 4 5"]},
            {"arms": ["0 1 2 3", "4 . . 5"], "moons": ["0 1 2", "3 4 5"]},
        ],
    )
    def test_mb_13_a_corrected_sheet_has_room(self, rows: Mapping[str, Sequence[str]]) -> None:
        """MB-13: whatever the picture of the sheet turns out to be."""
        pieces = {
            key: [" ".join("." if cell is None else str(cell) for cell in line) for line in grid]
            for key, grid in SHEET.model_dump().items()
        }
        sheet = ReferenceSheet.model_validate({**pieces, **rows})
        state = self.STATE._replace(layout=self.STATE.layout._replace(sheet=sheet))
        assert len(sprites(draw(state), "gone")) == len(PIECES) - 6 - 2

    @each_case("coins", ["", " ".join(map(str, PIECES))])
    def test_the_emptiest_and_the_fullest_sheet(self, coins: str) -> None:
        made = draw(at(ROWS, "1111", rolls=1, coins=coins))
        assert ("210" in texts(made)) == bool(coins)
