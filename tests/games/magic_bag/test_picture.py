"""What lies where in the picture of The Magic Bag; what is written there is proven by golden files."""

from collections.abc import Mapping, Sequence
from itertools import product

import pytest

from bot.games.magic_bag.advice import advise, find_tries, list_coins
from bot.games.magic_bag.facts import coins_for, find_covered_tiles
from bot.games.magic_bag.pieces import PIECES, VALUES, GameEvent, MagicBagOptions, Piece, State, Suit
from bot.games.magic_bag.scoring import artifact_grids, find_exact_tiles, points_of
from bot.games.magic_bag.sheet_picture import hero_marks
from bot.rules.chance import FairChance
from bot.rules.motion import Played
from bot.rules.picture import Box, ColourRole, Label, Picture, Rect, Sprite
from tests.games.magic_bag.positions import FAR, GAME, ROWS, SHEET, TREASURE, at, play_move, with_sheet
from tests.support.each_case import each_case
from tests.support.games import load_games_once
from tests.support.picture_checks import covered_area, find_flaws

PACKAGE = load_games_once()["magic_bag"]
ARTIFACTS = (Suit.SUN, Suit.MOON, Suit.ARMS)
EDGE = 6
"""Pixels of the edge around a group."""

COVERS = {ColourRole.PAPER_SHADE: "no die", ColourRole.PAPER: "value", ColourRole.GOLD: "suit and value"}
"""What the fill of a tile says."""


def draw(state: State, events: Sequence[GameEvent] = ()) -> Picture:
    assert PACKAGE.look.build_picture is not None
    made = PACKAGE.look.build_picture(state, events, ())
    assert list(find_flaws(made)) == []
    assert made.size == (1000, PACKAGE.look.picture_height)
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


def tiles(made: Picture) -> dict[str, Box]:
    """Return the tiles by suit and value."""
    lying = [mark for mark in made.marks if isinstance(mark, Box) and mark.fill in COVERS and _suit_within(made, mark)]
    return {
        f"{_suit_within(made, each)}-{texts_within(made, each.at)[0]}": each
        for each in lying
        if each.border is not ColourRole.GOLD
    }


def _suit_within(made: Picture, box: Box) -> str:
    (*_, suit) = ("", *(sign.name for sign in sprites(made, *map(str, Suit)) if box.at.contains(sign.at)))
    return suit.removeprefix("magic_bag/")


def framed_texts(made: Picture) -> list[list[str]]:
    """Return what is written in each frame around what can be done, from left to right."""
    frames = (mark for mark in made.marks if isinstance(mark, Box) and mark.border is ColourRole.MARK)
    return [texts_within(made, frame.at) for frame in frames]


def piece(each: object) -> str:
    return str(each).replace("null", "0").replace("ace", "1")


def test_a_deal_shows_every_tile_beside_the_number_of_its_row() -> None:
    """MB-1."""
    state = GAME.start(MagicBagOptions(), 1, FairChance(b"a deal", "drawn", 0))
    lying = tiles(draw(state))
    assert sorted(lying) == sorted(map(piece, PIECES))
    heights = [{lying[piece(tile)].at.y for tile in row} for row in state.layout.rows]
    assert all(len(each) == 1 for each in heights)
    assert heights == sorted(heights, key=min)


@each_case("dice, rolls, bag", [("1250", 1, None), ("5020", 0, None), ("5020", 0, "sun-2")])
def test_rows_that_can_be_taken_are_framed_with_the_coins_they_bring(dice: str, rolls: int, bag: str | None) -> None:
    """MB-4, MB-6 and MB-7."""
    state = at(ROWS, dice, rolls=rolls, bag=bag, coins="")
    assert [(texts[0], texts[-1]) for texts in framed_texts(draw(state))] == [
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
def test_tiles_tell_by_fill_and_edge_what_the_dice_cover(row: str, dice: str) -> None:
    """MB-4 and MB-6."""
    state = at({9: row}, dice)
    (tiles_of_row,) = filter(None, state.layout.rows)
    covered, exact = find_covered_tiles(tiles_of_row, state.faces), find_exact_tiles(tiles_of_row, state.faces)
    shown = tiles(draw(state))
    assert {tile: COVERS[box.fill] for tile, box in shown.items() if box.fill} == {
        piece(tile): "suit and value" if tile in exact else "value" if tile in covered else "no die"
        for tile in tiles_of_row
    }
    assert {tile for tile, box in shown.items() if box.border} == set(map(piece, exact))
    assert {tile for tile, box in shown.items() if box.is_raised} == set(map(piece, covered))


@each_case(
    "rows, dice, named",
    [
        ({7: "moon-2 arms-5"}, "2200", ["7"]),
        ({7: "sun-4 moon-3", 9: "arms-4 moon-5"}, "1401", ["7", "9"]),
        ({5: "sun-4 moon-3", 6: "moon-4 sun-5", 7: "crown-4 arms-2"}, "1401", []),
    ],
)
def test_while_no_row_fits_the_dice_of_the_safest_roll_and_its_rows_are_framed(
    rows: Mapping[int, str], dice: str, named: list[str]
) -> None:
    """MB-3: unless there are too many rows."""
    state = at(rows, dice, rolls=1)
    assert PACKAGE.mind.evaluate is not None
    roll = next(iter(find_tries(state, advise(PACKAGE.mind.evaluate, state))))
    framed = framed_texts(draw(state))
    assert framed[: len(roll.suits)] == [[str(state.faces[suit])] for suit in roll.suits]
    assert [texts[0] for texts in framed[len(roll.suits) :]] == named


@each_case("coins", ["crown-null crown-ace crown-2", "arms-ace arms-2 arms-3 sun-null moon-5"])
def test_after_a_failed_roll_the_three_coins_that_cost_least_are_ringed(coins: str) -> None:
    """MB-8."""
    state = at(ROWS, "1141", coins=coins)
    assert PACKAGE.mind.evaluate is not None
    cheapest = list_coins(state, advise(PACKAGE.mind.evaluate, state))[:3]
    assert sorted(text for (text,) in framed_texts(draw(state))) == sorted(str(coin.value) for coin in cheapest)


@each_case("rolls", [0, 1, 2])
def test_the_rolls_left_are_small_dice(rolls: int) -> None:
    """MB-3."""
    dice = [die.at.width for die in sprites(draw(at(ROWS, "5111", rolls=rolls)), "die")]
    assert dice.count(min(dice)) == (rolls or len(Suit))


def test_drawn_coins_lie_where_their_row_was() -> None:
    """MB-6."""
    before = at(ROWS, "5115")
    place = tiles(draw(before))["sun-5"].at
    made = draw(*play_move(before, "claim 2", 0, 20 - 1, "1111"))
    coins = boxes(made, fill=ColourRole.PAPER, edge=ColourRole.GOLD)
    assert [texts_within(made, coin) for coin in coins] == [["0"], ["5"]]
    assert {coin.y for coin in coins} == {place.y}


def test_coins_that_were_drawn_burst() -> None:
    """MB-6."""
    made = draw(*play_move(at(ROWS, "5115"), "claim 2", 0, 20 - 1, "1111"))
    assert [texts_within(made, burst.at) for burst in sprites(made, "burst")] == [["0"], ["5"]]


@each_case("coins, size", [(24, 4), (19, 4), (18, 3), (12, 2), (6, 1), (1, 1)])
def test_the_bag_gets_smaller(coins: int, size: int) -> None:
    state = at(ROWS, "5111")
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


def coins_of(suit: Suit, *values: int) -> str:
    return " ".join(str(Piece(suit, value)) for value in values)


@each_case("left_out", VALUES)
@each_case("suit", ARTIFACTS)
def test_pieces_lie_where_the_sheet_has_them(suit: Suit, left_out: int) -> None:
    """MB-13."""
    values = [value for value in VALUES if value != left_out]
    grid = dict(artifact_grids(SHEET))[suit]
    places = {(down, right): value for down, row in enumerate(grid) for right, value in enumerate(row)}
    made = draw(at(FAR, "1111", rolls=1, coins=coins_of(suit, *values)))
    assert values_at_places(made, suit) == {place: value for place, value in places.items() if value in values}


@each_case("suit", ARTIFACTS)
def test_an_artifact_that_is_complete_wakes_up(suit: Suit) -> None:
    """MB-11."""
    made = draw(at(FAR, "1111", rolls=1, coins=coins_of(suit, *VALUES)))
    assert [whole.at for whole in sprites(made, f"{suit}-whole")] == [silhouette(made, suit)]
    assert pieces_of(made, suit) == []


def test_the_dice_tumble_before_the_pieces_of_a_complete_artifact_glow_and_it_wakes_up() -> None:
    """MB-3 and MB-11."""
    before = at({1: "sun-5", **FAR}, "1511", coins=coins_of(Suit.ARMS, *VALUES[1:]), bag="arms-null moon-null")
    after, events = play_move(before, "claim 1", 0, "1234")
    assert PACKAGE.look.find_motion is not None
    motion = PACKAGE.look.find_motion(Played(before, (), after, events), ())
    assert motion is not None
    assert sprites(motion.before, "die") == []
    assert len(motion.pieces) == len(Suit)
    assert [len(framed_texts(staged)) for staged in motion.staging] == [2, 4, 6]
    assert [sprites(staged, "arms-whole") for staged in motion.staging] == [[], [], []]


@each_case("collected, seams", [((1, 3), 2), ((1,), 1), ((0, 4), 0), ((0, 1, 3, 4, 5), 0)])
def test_the_seams_of_a_new_piece_light_up(collected: tuple[int, ...], seams: int) -> None:
    """MB-11: between it and those it joins; if it completes the artifact, the whole lights up."""
    state = at({1: "sun-5", **FAR}, "1511", coins=coins_of(Suit.ARMS, *collected), bag="arms-2 moon-null")
    made = draw(*play_move(state, "claim 1", 0, "1111"))
    assert len(boxes(made, fill=ColourRole.NEW, edge=ColourRole.TEXT)) == seams


def test_a_sheet_in_another_order_has_the_same_artwork() -> None:
    """MB-13."""
    made = draw(with_sheet(TREASURE, suns=["0 1", "2 3", "4 5"], moons=["5", "4", "3 2 1 0"], arms=list("543210")))
    assert values_at_places(made, Suit.ARMS) == {(0, 0): 5, (2, 0): 3, (3, 0): 2, (4, 0): 1}
    assert pieces_of(made, Suit.MOON) == [], "there is none for another shape"


def pixels(areas: Sequence[Rect]) -> set[tuple[int, int]]:
    return {point for each in areas for point in product(range(each.x, each.right), range(each.y, each.bottom))}


@each_case(
    "suit, values", [*zip(ARTIFACTS, [(0, 2, 3), (0, 1, 4, 5), (1, 2, 3)], strict=True), (Suit.ARMS, (0, 2, 3, 4, 5))]
)
@pytest.mark.slow
def test_an_edge_runs_around_each_group_and_nowhere_else(suit: Suit, values: tuple[int, ...]) -> None:
    """MB-11."""
    made = draw(at(FAR, "1111", rolls=1, coins=coins_of(suit, *values)))
    inside = pixels([each.at for each in pieces_of(made, suit)])
    around = [step for step in product((-EDGE, 0, EDGE), repeat=2) if step != (0, 0)]
    border = {(x, y) for x, y in inside if any((x + right, y + down) not in inside for right, down in around)}
    assert pixels(boxes(made, fill=ColourRole.SURFACE_TEXT)) == border


@each_case("coins", ["", "sun-null sun-5 arms-2", " ".join(map(str, PIECES))])
def test_at_the_end_the_picture_has_the_score_and_the_artifacts_alone(coins: str) -> None:
    """MB-10 to MB-12."""
    state, _events = play_move(at(FAR, "1111", coins=f"{coins} crown-3".strip()), "finish")
    made = draw(state)
    assert texts_within(made, Rect(0, 0, *made.size)) == [str(points_of(state))]
    built = [mark.name for mark in hero_marks(state, Rect(0, 0, 900, 400)) if isinstance(mark, Sprite)]
    assert sorted(built) == sorted(mark.name for mark in made.marks if isinstance(mark, Sprite))
    assert all(f"magic_bag/{suit}-missing" in built for suit in ARTIFACTS)


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
