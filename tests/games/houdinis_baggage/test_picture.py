"""What the picture of Mr. Houdini's Baggage shows beside the seats: open cards, open assignments and the end."""

from itertools import pairwise

from bot.games.houdinis_baggage.cards import CARD_KEYS as LOOKS, Trait
from bot.games.houdinis_baggage.pieces import BaggageEnd, Phase
from bot.rules.picture import Box, Label, Picture, Rect, Sprite
from tests.games.houdinis_baggage.pictures import (
    ART,
    TABLE,
    bracketed_marks,
    draw,
    framed_boxes,
    is_framed,
    sprites,
    texts,
)
from tests.games.houdinis_baggage.positions import at, play_move, player
from tests.support.each_case import each_case
from tests.support.text_order import find_misplaced

WORKED = "green-square yellow-triangle green-triangle red-triangle"


def open_cards(shown: Picture) -> list[Sprite]:
    """Return the open cards, which are the largest."""
    return [mark for mark in sprites(shown, *LOOKS) if TABLE.cards.contains(mark.at)]


class TestOpenCards:
    def test_open_cards_are_in_order_with_their_values(self) -> None:
        """HB-2."""
        shown = draw(at(player("1; 2"), opened=WORKED))
        assert [mark.name for mark in open_cards(shown)] == [ART + name for name in WORKED.split()]
        assert texts(shown, TABLE.plates) == ["1", "1", "2", "0", "3", "1", "0", "0"]

    def test_every_value_has_its_sign(self) -> None:
        """HB-2."""
        signs = [mark for mark in draw(at(player("1; 2"))).backdrop if isinstance(mark, Sprite)]
        plates = sorted((mark for mark in signs if TABLE.plates.contains(mark.at)), key=lambda mark: mark.at.x)
        assert [mark.name for mark in plates] == [f"{ART}{trait}" for trait in Trait]

    @each_case("count, width", [(1, 116), (5, 116), (6, 116), (8, 93), (9, 81), (12, 59), (16, 42)])
    def test_each_of_many_cards_is_visible(self, count: int, width: int) -> None:
        shown = draw(at(player("1; 2"), opened=" ".join(LOOKS[:count]), phase=Phase.SEARCH))
        assert len(open_cards(shown)) == count
        assert {mark.at.width for mark in open_cards(shown)} == {width}

    @each_case("count", range(1, 7))
    def test_open_cards_are_the_largest_things_on_the_stage(self, count: int) -> None:
        """Six are narrower than a poster, but cover more; more than six are only higher."""
        shown = draw(at(player("1; 2"), opened=" ".join(LOOKS[:count]), phase=Phase.SEARCH))
        poster = sprites(shown, "poster")[0].at
        cards = [mark.at for mark in shown.marks if isinstance(mark, Box) and mark.at.height == TABLE.cards.height]
        assert len(cards) == count
        assert all(card.width * card.height >= poster.width * poster.height for card in cards)
        if count < 6:
            assert all(card.width >= poster.width and card.height >= poster.height for card in cards)

    def test_with_no_card_open_the_trunk_is_on_the_stage(self) -> None:
        assert [len(sprites(draw(at(player("1; 2"), opened=opened)), "trunk")) for opened in ("", "red-star")] == [1, 0]

    def test_the_case_counts_its_cards_and_is_framed_while_one_may_be_opened(self) -> None:
        """HB-3. While none is open, the trunk is framed."""
        searching = draw(at(player("1; 2"), opened="red-star", phase=Phase.SEARCH))
        placing = draw(at(player("1; 2"), opened="red-star"))
        case = TABLE.case.inset(-10)
        assert texts(searching, case) == texts(placing, case) == ["63"]
        assert [any(case.contains(frame) for frame in framed_boxes(shown)) for shown in (searching, placing)] == [
            True,
            False,
        ]

    def test_the_trunk_is_framed_while_the_first_card_may_be_opened(self) -> None:
        """HB-3."""
        searching, placing = (draw(at(player("1; 2"), opened="", phase=phase)) for phase in (Phase.SEARCH, Phase.PLACE))
        assert [
            any(TABLE.cards.overlaps(frame) for frame in framed_boxes(shown)) for shown in (searching, placing)
        ] == [
            True,
            False,
        ]

    def test_the_newest_is_in_brackets(self) -> None:
        """HB-3."""
        state, news = play_move(at(player("1; 2"), opened="red-star", phase=Phase.SEARCH), "open", "blue-star")
        (place,) = bracketed_marks(draw(state, news))
        assert [place.contains(mark.at) for mark in open_cards(draw(state, news))] == [False, True]

    def test_both_twins_are_in_brackets_and_every_card_can_be_kept(self) -> None:
        """HB-4."""
        start = at(player("1; 2"), opened="red-star blue-star", phase=Phase.SEARCH)
        state, news = play_move(start, "open", "red-star")
        shown = draw(state, news)
        assert [any(each.contains(mark.at) for each in bracketed_marks(shown)) for mark in open_cards(shown)] == [
            True,
            False,
            True,
        ]
        assert all(is_framed(framed_boxes(shown), mark) for mark in open_cards(shown))

    def test_cards_that_can_be_placed_are_framed(self) -> None:
        """HB-6."""
        shown = draw(at(player("2"), opened="red-star green-circle yellow-circle"))
        assert [is_framed(framed_boxes(shown), mark) for mark in open_cards(shown)] == [True, False, False]


class TestAssignmentRow:
    def test_open_assignments_show_their_points_and_items(self) -> None:
        """HB-1."""
        state = at(player("1; 2"))
        shown = draw(state)
        row = Rect(0, shown.size[1] - 134, 1000, 134)
        found = texts(shown, row)
        expected = [
            text
            for each in state.row
            for text in (str(each.number), str(each.points), *(str(item.number) for item in each.items))
        ]
        assert found == expected

    def test_open_assignments_are_framed_while_one_is_chosen(self) -> None:
        """HB-10."""
        choosing, placing = (draw(at(player("1"), phase=phase)) for phase in (Phase.CHOOSE, Phase.PLACE))
        assert (len(framed_boxes(choosing)), len(framed_boxes(placing))) == (6, 1)

    def test_frames_of_adjacent_posters_are_apart(self) -> None:
        frames = sorted(box for box in framed_boxes(draw(at(player("1"), phase=Phase.CHOOSE))) if box.height > 300)
        assert len(frames) == 5
        assert min(after.x - before.right for before, after in pairwise(frames)) >= 8

    @each_case("seats", [2, 3, 4])
    def test_while_one_is_chosen_they_are_posters_on_the_stage(self, seats: int) -> None:
        """HB-10. They are half as large again as below the seats, and the picture is no higher."""
        players = [player("1"), *(player("3; 4") for _ in range(seats - 1))]
        choosing, placing = (draw(at(*players, phase=phase)) for phase in (Phase.CHOOSE, Phase.PLACE))
        assert choosing.size == placing.size
        assert sprites(choosing, "poster") == []
        posters = sprites(choosing, "poster-large")
        assert len(posters) == 5
        tokens = [mark.at.y for mark in choosing.iter_marks() if getattr(mark, "name", "").startswith("token-")]
        assert all(poster.at.bottom < min(tokens) for poster in posters)

        def numbers(shown: Picture, within: Rect) -> list[Label]:
            return [mark for mark in shown.marks if isinstance(mark, Label) and within.contains(mark.at)]

        below = Rect(0, placing.size[1] - 134, 1000, 134)
        large = [label for poster in posters for label in numbers(choosing, poster.at)]
        small = numbers(placing, below)
        assert sorted(label.text for label in large) == sorted(label.text for label in small)
        assert min(label.size for label in large) > max(label.size for label in small)

    def test_an_empty_row_shows_no_assignments(self) -> None:
        """HB-10."""
        shown = draw(at(player("1"), row="", deck=""))
        assert texts(shown, Rect(0, shown.size[1] - 134, 1000, 134)) == []


class TestEnd:
    def over(self, *completed: str) -> Picture:
        state = at(*(player("", each) for each in completed), end=BaggageEnd.TARGET_REACHED)
        return draw(state._replace(mover=None))

    @each_case(
        "completed, order, crowns",
        [
            (("13", "14 15"), ["token-2", "token-1"], 1),
            (("14 4", "15 5", "13"), ["token-1", "token-2", "token-3"], 2),
            (("4", "5 8", "13", "14"), ["token-4", "token-3", "token-2", "token-1"], 1),
        ],
    )
    def test_seats_are_in_the_order_of_their_places(
        self, completed: tuple[str, ...], order: list[str], crowns: int
    ) -> None:
        """HB-E1 and HB-E2."""
        lowest = TABLE.plates.y + 20
        top = [mark for mark in self.over(*completed).marks if isinstance(mark, Sprite) and mark.at.bottom < lowest]
        assert [mark.name for mark in top if mark.name.startswith("token-")] == order
        assert len([mark for mark in top if mark.name == "crown"]) == crowns

    @each_case("seats", [2, 3, 4])
    def test_each_seat_stands_on_a_pedestal_with_its_place_that_is_lower_the_worse_it_is(self, seats: int) -> None:
        """HB-E2."""
        shown = self.over(*("14 15", "13", "4 5", "4")[:seats])
        pedestals = [mark.at for mark in shown.marks if isinstance(mark, Box) and mark.is_raised and mark.at.y < 206]
        tokens = [mark.at for mark in shown.marks if isinstance(mark, Sprite) and mark.name.startswith("token-")]
        assert [texts(shown, at) for at in pedestals] == [[f"{place}."] for place in range(1, seats + 1)]
        assert [at.y for at in pedestals] == sorted({at.y for at in pedestals})
        assert all(0 <= below.y - token.bottom <= 4 for below, token in zip(pedestals, tokens, strict=False))
        (crown,) = (
            mark.at for mark in shown.marks if isinstance(mark, Sprite) and (mark.name, mark.at.width) == ("crown", 60)
        )
        assert 0 <= tokens[0].y - crown.bottom <= 4
        assert min(tokens[0].x, crown.x) >= 100  # clear of the curtain

    def test_no_seat_is_framed(self) -> None:
        assert framed_boxes(self.over("13", "14 15")) == []

    def test_the_description_names_the_winner(self) -> None:
        assert "player 2 wins" in self.over("13", "14 15").description


def test_the_description_of_a_choice_names_the_open_assignments_before_the_seats() -> None:
    """HB-10. They are above the seats then, and no card is open."""
    description = draw(at(player("1", "14"), player("3"), phase=Phase.CHOOSE)).description
    parts = ["player 1's turn", "posters at the top", "below are the players' assignments", "player 1 has 6"]
    assert find_misplaced(description, parts) == []
    assert "card" not in description


def test_the_description_names_turn_cards_values_and_points() -> None:
    description = draw(at(player("1; 2", "14"), player("3"), opened="red-star blue-star")).description
    for part in ("player 1's turn", "red star and blue star", "red 1", "star 2", "player 1 has 6", "player 2 has 0"):
        assert part in description
