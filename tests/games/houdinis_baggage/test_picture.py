"""What the picture of Mr. Houdini's Baggage shows beside the seats: open cards, open assignments and the end."""

from itertools import pairwise

from bot.games.houdinis_baggage.cards import CARD_KEYS as LOOKS
from bot.games.houdinis_baggage.pieces import Phase
from bot.rules.picture import Box, Label, Picture, Rect, Sprite
from tests.games.houdinis_baggage.pictures import (
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


def open_cards(shown: Picture) -> list[Sprite]:
    """Return the open cards, which are the largest."""
    return [mark for mark in sprites(shown, *LOOKS) if TABLE.cards.contains(mark.at)]


class TestOpenCards:
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
