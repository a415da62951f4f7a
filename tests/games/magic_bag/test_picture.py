"""What The Magic Bag's picture shows."""

from collections.abc import Mapping

from bot.games.magic_bag.pieces import PIECES, MagicBagOptions
from bot.rules.chance import FairChance
from bot.rules.picture import Box, ColourRole, Picture
from tests.games.magic_bag.picture_helpers import (
    FAR,
    ROWS,
    boxes,
    brackets,
    draw,
    draw_after,
    framed_rows,
    pieces_within,
    row,
    sprites,
    texts,
    texts_within,
)
from tests.games.magic_bag.positions import GAME, at
from tests.support.each_case import each_case


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


class TestPlateTexts:
    @each_case("coins, size", [(24, 4), (19, 4), (18, 3), (12, 2), (6, 1), (1, 1), (0, 0)])
    def test_the_bag_gets_smaller(self, coins: int, size: int) -> None:
        state = at(ROWS, "1111")
        made = draw(state._replace(layout=state.layout._replace(bag=PIECES[:coins])))
        assert len(sprites(made, f"sack-{size}")) == 1

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

    def test_one_point_is_one_point(self) -> None:
        assert "1 point" in texts(draw_after(at(FAR, "1111", coins="crown-ace"), "finish"))


def test_a_deal_shows_every_piece() -> None:
    """MB-1: 24 tiles, and the three coins of the start."""
    state = GAME.start(MagicBagOptions(), 1, FairChance(b"a deal", "drawn", 0))
    made = draw(state)
    pieces = [piece for number in range(1, 10) for piece in pieces_within(made, row(number))]
    assert sorted(pieces) == sorted(f"{piece.suit}-{piece.value}" for piece in PIECES)
