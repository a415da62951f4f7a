"""What The Magic Bag's picture shows."""

from collections.abc import Mapping, Sequence
from functools import partial

from bot.games.magic_bag.events import GameEvent
from bot.games.magic_bag.picture.composition import build_picture
from bot.games.magic_bag.pieces import PIECES, MagicBagOptions, State
from bot.games.magic_bag.sheet import ReferenceSheet
from bot.rules.chance import FairChance
from bot.rules.picture import Box, ColourRole, Label, Mark, Picture, Rect, Sprite
from tests.games.magic_bag.positions import GAME, SHEET, at, play_move
from tests.support.each_case import each_case
from tests.support.picture_checks import covered_area, find_flaws

FAR: Mapping[int, str] = {9: "sun-4 moon-4 crown-4 arms-4"}
ROWS: Mapping[int, str] = {2: "sun-5", 3: "crown-2 arms-null", **FAR}
SUITS = ("sun", "moon", "crown", "arms")
SHEET_LEFT, SHEET_TOP = 540, 335
"""Where the sheet begins, with the plates of the artifacts."""


def draw(state: State, events: Sequence[GameEvent] = ()) -> Picture:
    made = build_picture(state, events)
    assert list(find_flaws(made)) == []
    return made


def draw_after(state: State, move: str, *script: int | str) -> Picture:
    """Draw the picture after a move."""
    return draw(*play_move(state, move, *script))


def sprites(made: Picture, *names: str) -> list[Sprite]:
    return [mark for mark in made.marks if isinstance(mark, Sprite) and mark.name.removeprefix("magic_bag/") in names]


def labels(made: Picture) -> list[Label]:
    return [mark for mark in made.iter_marks() if isinstance(mark, Label)]


def texts(made: Picture) -> list[str]:
    return [label.text for label in labels(made)]


def boxes(made: Picture, *, fill: ColourRole | None = None, edge: ColourRole | None = None) -> list[Rect]:
    found = [mark for mark in made.marks if isinstance(mark, Box)]
    return [box.at for box in found if box.fill is fill and box.border is edge]


def texts_within(made: Picture, at: Rect) -> list[str]:
    """Return what is written in a part of the picture, from left to right."""
    return [
        label.text for label in sorted(labels(made), key=lambda each: each.at.x) if at.contains(covered_area(label))
    ]


def pieces_within(made: Picture, at: Rect) -> list[str]:
    """Return the pieces that lie in a part of the picture, from left to right."""
    signs = sorted((sign for sign in sprites(made, *SUITS) if at.contains(sign.at)), key=lambda sign: sign.at.x)
    return [_texts_beside(made, sign) for sign in signs]


def _texts_beside(made: Picture, sign: Sprite) -> str:
    line = [label for label in labels(made) if label.at.x >= sign.at.right - 4 and _share_a_line(label, sign)]
    return f"{sign.name.removeprefix('magic_bag/')}-{min(line, key=lambda label: label.at.x).text}"


def _share_a_line(one: Mark, other: Mark) -> bool:
    return abs(one.at.y + one.at.height // 2 - other.at.y - other.at.height // 2) <= 3


def brackets(made: Picture) -> list[Rect]:
    """Return what is in brackets."""
    corners = sprites(made, "bracket")
    upper, lower = [each for each in corners if each.rotation == 0], [each for each in corners if each.rotation == 180]
    return [
        Rect(first.at.x, first.at.y, last.at.right - first.at.x, last.at.bottom - first.at.y)
        for first, last in zip(upper, lower, strict=True)
    ]


def bracketed_dice(made: Picture) -> list[str]:
    return [each for part in brackets(made) for each in pieces_within(made, part) if part.width > 130]


def dice(made: Picture) -> list[str]:
    return [each for die in sprites(made, "die") for each in pieces_within(made, die.at)]


def row(number: int) -> Rect:
    """Return the area of a row; the rows are from top to bottom."""
    return Rect(0, 14 + 78 * (number - 1), 540 if number > 4 else 360, 76)


def framed_rows(made: Picture) -> list[int]:
    frames = boxes(made, edge=ColourRole.MARK)
    return [number for number in range(1, 10) if any(row(number).contains(frame) for frame in frames)]


def sheet_marks(made: Picture) -> Rect:
    width, height = made.size
    return Rect(SHEET_LEFT, SHEET_TOP, width - SHEET_LEFT, height - SHEET_TOP)


def groups(made: Picture, edge: ColourRole = ColourRole.SURFACE_TEXT) -> list[str]:
    """Return the values in each group that is outlined on the sheet."""
    left = [box for box in boxes(made, fill=edge) if sheet_marks(made).contains(box)]
    found: list[str] = []
    while left:
        group = [left.pop()]
        while touching := [box for box in left if any(box.overlaps(other) for other in group)]:
            group += touching
            left = [box for box in left if box not in touching]
        values = {label.text for label in labels(made) if any(box.contains(covered_area(label)) for box in group)}
        found.append("".join(sorted(values)))
    return sorted(found)


class TestDice:
    def test_they_show_suit_and_value_in_the_order_of_their_buttons(self) -> None:
        assert dice(draw(at(ROWS, "2405"))) == ["sun-2", "moon-4", "crown-0", "arms-5"]

    def test_mb_3_rolled_dice_are_in_brackets(self) -> None:
        """MB-3."""
        assert bracketed_dice(draw_after(at(ROWS, "1111", rolls=1), "roll sun arms", "34")) == ["sun-3", "arms-4"]
        assert brackets(draw(at(ROWS, "1111", rolls=1))) == []

    def test_mb_3_a_turn_begins_with_all_four(self) -> None:
        """MB-3."""
        assert len(bracketed_dice(draw_after(at(ROWS, "1115"), "claim 2", 0, "1234"))) == 4

    @each_case("rolls, counter", [(2, "1 of 3"), (1, "2 of 3"), (0, "3 of 3")])
    def test_mb_3_the_rolls_are_counted(self, rolls: int, counter: str) -> None:
        """MB-3: the plate is framed as long as dice can be rolled."""
        made = draw(at(ROWS, "1111", rolls=rolls))
        (count,) = [label for label in labels(made) if label.text == counter]
        framed = boxes(made, fill=ColourRole.SURFACE_SHADE, edge=ColourRole.MARK)
        assert [box.contains(count.at) for box in framed] == [True] * (rolls > 0)


class TestRows:
    def test_mb_1_every_row_has_its_number_its_tiles_and_places_for_those_that_are_gone(self) -> None:
        """MB-1."""
        made = draw(at(ROWS, "1111"))
        assert [texts_within(made, row(number))[0] for number in range(1, 10)] == list("123456789")
        assert pieces_within(made, row(2)) == ["sun-5"]
        assert pieces_within(made, row(3)) == ["crown-2", "arms-0"]
        assert [pieces_within(made, row(number)) for number in (1, 4, 5, 6, 7, 8)] == [[]] * 6
        places = [mark.at for mark in made.backdrop if isinstance(mark, Box)]
        assert [sum(row(n).contains(place) for place in places) for n in range(1, 10)] == [1, 1, 2, 2, 3, 3, 4, 4, 4]

    def test_mb_4_rows_that_can_be_taken_are_framed(self) -> None:
        """MB-4."""
        assert framed_rows(draw(at(ROWS, "1250"))) == [2, 3]
        assert framed_rows(draw(at(ROWS, "1111"))) == []

    @each_case(
        "dice, bag, coins",
        [
            ("1025", None, {2: "+1", 3: "+2"}),
            ("5020", None, {2: "+2", 3: "+3"}),
            ("5020", "sun-2", {2: "+1", 3: "+1"}),
        ],
    )
    def test_mb_6_they_say_how_many_coins_they_bring(
        self, dice: str, bag: str | None, coins: Mapping[int, str]
    ) -> None:
        """MB-6 and MB-7."""
        made = draw(at(ROWS, dice, bag=bag))
        assert {number: texts_within(made, row(number))[-1] for number in coins} == coins

    @each_case(
        "tiles, dice, marks",
        [
            ("crown-2 crown-null sun-5", "2405", "vsv"),
            ("crown-2 arms-2 sun-2", "2113", "--s"),  # the only two covers its equal
            ("crown-2 arms-2 sun-2", "1213", "v--"),
            ("sun-ace moon-null", "5432", "--"),
        ],
    )
    def test_mb_6_tiles_that_the_dice_cover_have_a_tick_and_equals_a_star(
        self, tiles: str, dice: str, marks: str
    ) -> None:
        """MB-4 and MB-6; tiles that are not covered are shaded."""
        made = draw(at({9: tiles}, dice))
        here = [mark for mark in made.marks if isinstance(mark, Box) and row(9).contains(mark.at)]
        lying = [box for box in here if box.at.height == 60]
        assert "".join(self._mark(made, tile) for tile in sorted(lying, key=lambda tile: tile.at.x)) == marks
        assert [tile.fill is ColourRole.PAPER_SHADE for tile in lying] == [mark == "-" for mark in marks]

    @staticmethod
    def _mark(made: Picture, tile: Box) -> str:
        signs = {"tick": "v", "magic_bag/star": "s"}
        return (
            "".join(signs[badge.name] for badge in sprites(made, "tick", "star") if badge.at.overlaps(tile.at)) or "-"
        )

    def test_mb_6_a_row_that_was_taken_is_in_brackets(self) -> None:
        """MB-6."""
        made = draw_after(at(ROWS, "1025"), "claim 3", 0, 0, "1111")
        assert [part for part in brackets(made) if row(3).inset(-2).contains(part)] != []
        assert pieces_within(made, row(3)) == []

    def test_mb_9_tiles_that_may_go_are_framed_if_there_is_a_coin(self) -> None:
        """MB-8 and MB-9."""
        made = draw(at(ROWS, "1140"))
        framed = [pieces_within(made, box) for box in boxes(made, edge=ColourRole.MARK)]
        assert framed == [["arms-0"], ["crown-4"]]
        assert boxes(draw(at(ROWS, "1140", coins="")), edge=ColourRole.MARK) == []


class TestSheet:
    STATE = at(FAR, "1111", rolls=1, coins="arms-ace arms-2 arms-3 arms-5 crown-5 moon-null", bag="sun-5 moon-2")

    def test_mb_11_groups_are_outlined(self) -> None:
        """MB-11: gold does not join."""
        assert groups(draw(self.STATE)) == ["0", "123", "5", "5"]
        assert groups(draw(at(FAR, "1111", rolls=1))) == ["0", "1", "2"]

    def test_mb_8_coins_to_discard_are_framed(self) -> None:
        """MB-8."""
        made = draw(self.STATE._replace(rolls_left=0))
        assert (groups(made), groups(made, ColourRole.MARK)) == ([], ["0", "123", "5", "5"])

    def test_mb_10_every_part_has_its_points(self) -> None:
        """MB-10 and MB-11."""
        made = draw(self.STATE)
        emblems = sprites(made, "sun-missing", "moon-missing", "arms-missing")
        parts = {*map(partial(_texts_beside, made), emblems), *pieces_within(made, sheet_marks(made))}
        assert parts == {"sun-missing-0", "moon-missing-10", "arms-missing-70", "crown-5"}
        assert "85" in texts(made)

    def test_artifacts_are_assembled_from_the_coins(self) -> None:
        made = draw(self.STATE)
        pieces = [f"{suit}-piece-{value}" for suit in SUITS for value in range(6)]
        shown = [sprite.name.removeprefix("magic_bag/") for sprite in sprites(made, *pieces)]
        assert sorted(shown) == ["arms-piece-1", "arms-piece-2", "arms-piece-3", "arms-piece-5", "moon-piece-0"]

    def test_mb_13_coins_in_the_bag_have_a_ring_and_discarded_ones_a_cross(self) -> None:
        """MB-13."""
        made = draw(self.STATE)
        rings = [
            texts_within(made, box)
            for box in boxes(made, edge=ColourRole.SURFACE_LINE)
            if sheet_marks(made).contains(box)
        ]
        assert rings == [["5"], ["2"]]
        assert len(sprites(made, "gone")) == len(PIECES) - 6 - 2

    def test_mb_6_coins_that_were_drawn_burst(self) -> None:
        """MB-6."""
        made = draw_after(at(ROWS, "5115"), "claim 2", 0, 20 - 1, "1111")
        assert [texts_within(made, burst.at) for burst in sprites(made, "burst")] == [["0"], ["5"]]

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


class TestPlateTexts:
    def test_the_bag_is_counted(self) -> None:
        made = draw(at(ROWS, "1111"))
        (sack,) = sprites(made, "sack-4")
        assert texts_within(made, sack.at) == ["21"]

    @each_case("coins, size", [(24, 4), (19, 4), (18, 3), (12, 2), (6, 1), (1, 1), (0, 0)])
    def test_the_bag_gets_smaller(self, coins: int, size: int) -> None:
        state = at(ROWS, "1111")
        made = draw(state._replace(layout=state.layout._replace(bag=PIECES[:coins])))
        assert len(sprites(made, f"sack-{size}")) == 1

    def test_mb_6_the_coins_of_a_row_are_shown_with_their_points(self) -> None:
        """MB-6 and MB-11: two coins of two artifacts bring 20."""
        made = draw_after(at(ROWS, "5115"), "claim 2", 0, 20 - 1, "1111")
        assert {"row 2 brought", "+20"} <= set(texts(made))
        assert ["sun-0", "arms-5"] in [pieces_within(made, part) for part in brackets(made)]

    def test_mb_6_five_coins_have_room(self) -> None:
        """MB-6."""
        state = at({9: "sun-3 moon-4 crown-3 arms-3", 1: "sun-5"}, "3433")
        made = draw_after(state, "claim 9", 0, 0, 0, 0, 0, "5111")
        assert 5 in [len(pieces_within(made, part)) for part in brackets(made)]

    def test_mb_9_discarded_pieces_are_shown_with_their_points(self) -> None:
        """MB-8 and MB-9."""
        made = draw_after(at(ROWS, "1140"), "discard crown-2 tile arms-null", "1111")
        pieces = [pieces_within(made, part) for part in brackets(made)]
        assert ["crown-2"] in pieces
        assert ["arms-0"] in pieces
        assert {"discarded", "and the tile", "−2"} <= set(texts(made))

    @each_case(
        "dice, rolls, sentence",
        [
            ("5111", 1, "take a row, or roll again"),
            ("1111", 1, "no row yet: roll again"),
            ("5111", 0, "take a row"),
            ("1111", 0, "no row: discard a coin, or finish"),
        ],
    )
    def test_the_possible_moves_are_described(self, dice: str, rolls: int, sentence: str) -> None:
        assert sentence in texts(draw(at(ROWS, dice, rolls=rolls)))

    def test_mb_8_without_a_coin_nothing_can_be_discarded(self) -> None:
        """MB-8."""
        assert "no row: finish" in texts(draw(at(ROWS, "1111", coins="")))


class TestEnd:
    def test_mb_12_the_last_coin_puts_the_tiles_on_gold(self) -> None:
        """MB-7 and MB-12: 10 times 7."""
        state = at({1: "arms-5", 6: "sun-null crown-5 moon-2"}, "0005", coins="crown-3", bag="crown-4 sun-5")
        made = draw_after(state, "claim 1", 0, 0)
        gold = [box for box in boxes(made, fill=ColourRole.GOLD) if row(6).contains(box)]
        assert [pieces_within(made, box) for box in gold] == [["sun-0"], ["crown-5"], ["moon-2"]]
        assert {"87 points", "the bag is empty", "70", "10", "7"} <= set(texts(made))
        assert boxes(made, edge=ColourRole.MARK) == []
        assert sprites(made, "die", "tick", "star") == []

    @each_case(
        "position, move, script, sentence",
        [
            (at({9: "sun-5"}, "1115"), "claim 9", [0], "you cleared the board!"),
            (at({9: "sun-5"}, "1111"), "finish", [], "finished"),
            (at({9: "sun-5"}, "1111", rolls=1, coins=""), "stop", [], "no coin to discard"),
        ],
    )
    def test_mb_8_the_end_shows_its_reason_and_no_moves(
        self, position: State, move: str, script: list[int], sentence: str
    ) -> None:
        """MB-7 and MB-8."""
        made = draw_after(position, move, *script)
        assert sentence in texts(made)
        assert boxes(made, edge=ColourRole.MARK) == []
        assert not any("roll" in text for text in texts(made))

    def test_one_point_is_one_point(self) -> None:
        assert "1 point" in texts(draw_after(at(FAR, "1111", coins="crown-ace"), "finish"))


def test_the_description_tells_dice_rows_treasure_and_bag() -> None:
    description = draw(at(ROWS, "1025")).description
    parts = ["sun 1, moon 0, crown 2, and arms 5", "row 2 for 1 coin", "row 3 for 2 coins", "3 points", "21 coins"]
    assert [part for part in parts if part not in description] == []
    over = draw_after(at({9: "sun-5"}, "1111"), "finish").description
    assert "over" in over
    assert "3 points" in over


def test_a_deal_shows_every_piece() -> None:
    """MB-1: 24 tiles, and the three coins of the start."""
    state = GAME.start(MagicBagOptions(), 1, FairChance(b"a deal", "drawn", 0))
    made = draw(state)
    pieces = [piece for number in range(1, 10) for piece in pieces_within(made, row(number))]
    assert sorted(pieces) == sorted(f"{piece.suit}-{piece.value}" for piece in PIECES)
