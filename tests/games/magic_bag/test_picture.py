"""What lies where in the picture of The Magic Bag; what is written there is proven by golden files."""

from collections.abc import Mapping, Sequence
from itertools import product

from bot.games.magic_bag.facts import coins_for, find_covered_tiles
from bot.games.magic_bag.picture import build_picture
from bot.games.magic_bag.pieces import PIECES, GameEvent, MagicBagOptions, State, Suit
from bot.games.magic_bag.scoring import artifact_grids, find_exact_tiles
from bot.rules.chance import FairChance
from bot.rules.picture import Box, ColourRole, Label, Mark, Picture, Rect, Sprite
from tests.games.magic_bag.positions import FAR, GAME, ROWS, SHEET, TREASURE, at, play_move, with_sheet
from tests.support.each_case import each_case
from tests.support.picture_checks import covered_area, find_flaws

ARTIFACTS = (Suit.SUN, Suit.MOON, Suit.ARMS)
ALL_COINS = " ".join(map(str, PIECES))
EDGE = 5
"""Pixels of the edge around a group."""


def draw(state: State, events: Sequence[GameEvent] = ()) -> Picture:
    made = build_picture(state, events)
    assert list(find_flaws(made)) == []
    return made


def sprites(made: Picture, *names: str) -> list[Sprite]:
    return [mark for mark in made.marks if isinstance(mark, Sprite) and mark.name.removeprefix("magic_bag/") in names]


def boxes(made: Picture, *, fill: ColourRole | None = None, edge: ColourRole | None = None) -> list[Rect]:
    found = [mark for mark in made.marks if isinstance(mark, Box)]
    return [box.at for box in found if box.fill is fill and box.border is edge]


def texts_within(made: Picture, at: Rect) -> list[str]:
    """Return what is written in a part of the picture, from left to right."""
    labels = [mark for mark in made.iter_marks() if isinstance(mark, Label) and at.contains(covered_area(mark))]
    return [label.text for label in sorted(labels, key=lambda each: each.at.x)]


def tiles(made: Picture) -> dict[str, Rect]:
    """Return where the tiles lie, by suit and value."""
    lying = [mark.at for mark in made.marks if isinstance(mark, Box) and mark.is_raised and _suit_within(made, mark.at)]
    return {f"{_suit_within(made, each)}-{texts_within(made, each)[0]}": each for each in lying}


def _suit_within(made: Picture, at: Rect) -> str:
    (*_, suit) = ("", *(sign.name for sign in sprites(made, *map(str, Suit)) if at.contains(sign.at)))
    return suit.removeprefix("magic_bag/")


def tiles_under(made: Picture, marks: Sequence[Mark]) -> list[str]:
    return sorted(tile for tile, at in tiles(made).items() for mark in marks if mark.at.overlaps(at))


def piece(each: object) -> str:
    return str(each).replace("null", "0").replace("ace", "1")


def test_a_deal_shows_every_tile_beside_the_number_of_its_row() -> None:
    """MB-1."""
    state = GAME.start(MagicBagOptions(), 1, FairChance(b"a deal", "drawn", 0))
    lying = tiles(draw(state))
    assert sorted(lying) == sorted(map(piece, PIECES))
    heights = [{lying[piece(tile)].y for tile in row} for row in state.layout.rows]
    assert all(len(each) == 1 for each in heights)
    assert heights == sorted(heights, key=min)


@each_case("dice, rolls, bag", [("1250", 1, None), ("5020", 0, None), ("5020", 0, "sun-2"), ("1111", 1, None)])
def test_rows_that_can_be_taken_are_framed_with_the_coins_they_bring(dice: str, rolls: int, bag: str | None) -> None:
    """MB-4, MB-6 and MB-7."""
    state = at(ROWS, dice, rolls=rolls, bag=bag, coins="")
    made = draw(state)
    frames = [texts_within(made, frame) for frame in boxes(made, edge=ColourRole.MARK)]
    assert [(texts[0], texts[-1]) for texts in frames] == [
        (str(at), f"+{coins_for(state, at)}") for at in state.matching
    ]


@each_case(
    "row, dice",
    [
        ("crown-2 crown-null sun-5", "2405"),
        ("crown-2 arms-2 sun-2", "2113"),  # the only two covers its equal
        ("crown-2 arms-2 sun-2", "1213"),
        ("sun-ace moon-null", "5432"),
    ],
)
def test_tiles_that_the_dice_cover_have_a_tick_and_equals_a_star(row: str, dice: str) -> None:
    """MB-4 and MB-6."""
    state = at({9: row}, dice)
    (tiles_of_row,) = filter(None, state.layout.rows)
    covered, exact = find_covered_tiles(tiles_of_row, state.faces), find_exact_tiles(tiles_of_row, state.faces)
    made = draw(state)
    assert tiles_under(made, sprites(made, "star")) == sorted(map(piece, exact))
    assert tiles_under(made, sprites(made, "tick")) == sorted(piece(each) for each in covered if each not in exact)


def test_tiles_that_may_go_are_framed_if_there_is_a_coin() -> None:
    """MB-8 and MB-9."""
    made, alone = draw(at(ROWS, "1140")), draw(at(ROWS, "1140", coins=""))
    frames = boxes(made, edge=ColourRole.MARK)
    assert sorted(tile for tile, at in tiles(made).items() if any(each.overlaps(at) for each in frames)) == [
        "arms-0",
        "crown-4",
    ]
    assert boxes(alone, edge=ColourRole.MARK) == []


def test_coins_that_were_drawn_burst() -> None:
    """MB-6."""
    made = draw(*play_move(at(ROWS, "5115"), "claim 2", 0, 20 - 1, "1111"))
    assert [texts_within(made, burst.at) for burst in sprites(made, "burst")] == [["0"], ["5"]]


@each_case("coins, size", [(24, 4), (19, 4), (18, 3), (12, 2), (6, 1), (1, 1), (0, 0)])
def test_the_bag_gets_smaller(coins: int, size: int) -> None:
    state = at(ROWS, "1111")
    made = draw(state._replace(layout=state.layout._replace(bag=PIECES[:coins])))
    assert len(sprites(made, f"sack-{size}")) == 1


def silhouette(made: Picture, suit: Suit) -> Rect:
    """Return where an artifact lies as a whole."""
    backdrop = (mark for mark in made.backdrop if isinstance(mark, Sprite))
    (whole,) = (mark.at for mark in backdrop if mark.name == f"magic_bag/{suit}-missing")
    return whole


def pieces_of(made: Picture, suit: Suit) -> list[Sprite]:
    """Return the pieces of an artifact that show its artwork."""
    prefix = f"magic_bag/{suit}-piece-"
    return [mark for mark in made.marks if isinstance(mark, Sprite) and mark.name.startswith(prefix)]


def values_at_places(made: Picture, suit: Suit) -> dict[tuple[int, int], int]:
    """Return the value on each piece of an artifact, by the row and column where it lies on the silhouette."""
    whole, found = silhouette(made, suit), {}
    for each in pieces_of(made, suit):
        down, beside = divmod(each.at.y - whole.y, each.at.height), divmod(each.at.x - whole.x, each.at.width)
        assert (down[1], beside[1]) == (0, 0)
        assert each.name.endswith(f"-piece-{down[0]}-{beside[0]}")
        (value,) = texts_within(made, each.at)
        found[down[0], beside[0]] = int(value)
    return found


@each_case("suit", ARTIFACTS)
def test_pieces_lie_where_the_sheet_has_them(suit: Suit) -> None:
    """MB-13."""
    grid = dict(artifact_grids(SHEET))[suit]
    expected = {(down, right): value for down, row in enumerate(grid) for right, value in enumerate(row)}
    assert values_at_places(draw(at(FAR, "1111", rolls=1, coins=ALL_COINS)), suit) == expected
    assert pieces_of(draw(at(FAR, "1111", rolls=1, coins="")), suit) == []


def test_a_sheet_in_another_order_has_the_same_artwork() -> None:
    """MB-13."""
    made = draw(with_sheet(TREASURE, suns=["0 1", "2 3", "4 5"], moons=["5", "4", "3 2 1 0"], arms=list("543210")))
    assert values_at_places(made, Suit.ARMS) == {(0, 0): 5, (2, 0): 3, (3, 0): 2, (4, 0): 1}
    assert pieces_of(made, Suit.MOON) == [], "there is none for another shape"


def pixels(areas: Sequence[Rect]) -> set[tuple[int, int]]:
    return {point for each in areas for point in product(range(each.x, each.right), range(each.y, each.bottom))}


@each_case("values", ["null 2 3", "null ace 4 5", "ace 2 3", "null ace 2 3 4 5"])
@each_case("suit", ARTIFACTS)
def test_an_edge_runs_around_each_group_and_nowhere_else(suit: Suit, values: str) -> None:
    """MB-11; while a coin is to be discarded, it is that of a choice."""
    state = at(FAR, "1111", rolls=1, coins=" ".join(f"{suit}-{value}" for value in values.split()))
    made, failed = draw(state), draw(state._replace(rolls_left=0))
    inside = pixels([each.at for each in pieces_of(made, suit)])
    around = [step for step in product((-EDGE, 0, EDGE), repeat=2) if step != (0, 0)]
    border = {(x, y) for x, y in inside if any((x + right, y + down) not in inside for right, down in around)}
    assert pixels(boxes(made, fill=ColourRole.SURFACE_TEXT)) == border
    assert pixels(boxes(failed, fill=ColourRole.MARK)) == border


@each_case(
    "artifacts",
    [
        {"suns": ["0 . 1", "2 3 4", "5 . ."]},
        {"suns": ["0", "1", "2", "3", "4", "5"], "moons": ["0", "1", "2", "3", "4", "5"]},
        {"arms": ["0 1 2", "3 4 5"], "moons": ["0 1 2", "3 4 5"], "suns": ["0 1 2", "3 4 5"]},
        {"arms": ["0 1 2 3", "4 . . 5"], "moons": ["0 1 2", "3 4 5"]},
    ],
)
def test_a_corrected_sheet_has_room(artifacts: Mapping[str, list[str]]) -> None:
    """MB-13: whatever the picture of the sheet turns out to be."""
    made = draw(with_sheet(TREASURE, **artifacts))
    assert len(sprites(made, "gone")) == len(PIECES) - len(TREASURE.layout.collected + TREASURE.layout.bag)
