"""What the picture of Mr. Houdini's Baggage shows."""

from collections.abc import Sequence
from random import Random
from string import ascii_letters

from bot.games.houdinis_baggage.cards import CARD_KEYS as LOOKS, Trait
from bot.games.houdinis_baggage.events import GameEvent, TurnPlayed
from bot.games.houdinis_baggage.picture.composition import build_picture
from bot.games.houdinis_baggage.picture.open_cards import table_layout
from bot.games.houdinis_baggage.picture.pieces import ITEM_SIZE
from bot.games.houdinis_baggage.pieces import BaggageEnd, Phase, State
from bot.rules.components import TIGHT_MARGIN
from bot.rules.picture import Box, ColourRole, Label, Mark, Picture, Rect, Sprite
from tests.games.houdinis_baggage.positions import GAME, at, parse_assignments, play_move, player
from tests.support.each_case import each_case
from tests.support.picture_checks import find_flaws, project_assets
from tests.support.text_order import find_misplaced

WORKED = "green-square yellow-triangle green-triangle red-triangle"
ART = "houdinis_baggage/"

HALF = 500
"""Seats with an even number have their things to the right of it."""

TABLE = table_layout()
HEAD = Rect(0, TABLE.bottom, HALF - 10, 56)
"""The first line of the first seat at a table of two."""


def draw(state: State, events: Sequence[GameEvent] = ()) -> Picture:
    shown = build_picture(GAME.view(state, None), events)
    assert list(find_flaws(shown)) == []
    return shown


def sprites(shown: Picture, *names: str) -> list[Sprite]:
    wanted = {ART + name for name in names}
    return [mark for mark in shown.iter_marks() if isinstance(mark, Sprite) and mark.name in wanted]


def cards(shown: Picture, within: Rect | None = None) -> list[str]:
    """Return the looks of the cards in a part of the picture, in the order in which they are drawn."""
    found = sprites(shown, *LOOKS)
    return [mark.name.removeprefix(ART) for mark in found if within is None or within.contains(mark.at)]


def open_cards(shown: Picture) -> list[Sprite]:
    """Return the open cards, which are the largest."""
    return [mark for mark in sprites(shown, *LOOKS) if TABLE.cards.contains(mark.at)]


def texts(shown: Picture, within: Rect) -> list[str]:
    return [mark.text for mark in shown.iter_marks() if isinstance(mark, Label) and within.contains(mark.at)]


def framed_boxes(shown: Picture, ink: ColourRole = ColourRole.MARK) -> list[Rect]:
    frames = (mark for mark in shown.marks if isinstance(mark, Box) and mark.fill is None and mark.border is ink)
    return [frame.at for frame in frames]


def random_scores(chance: Random, seats: int) -> tuple[State, list[GameEvent]]:
    """Return a position in which seats have any number of bank cards, and some have scored and reached the target."""
    numbers = chance.sample(range(1, 21), 16)
    completed = [numbers[4 * seat : 4 * seat + chance.randint(0, 4)] for seat in range(seats)]
    players = [
        player("", " ".join(map(str, earned)), " ".join(chance.sample(list(LOOKS), chance.randint(0, 8))))
        for earned in completed
    ]
    state = at(*players, phase=Phase.CHOOSE, target=chance.randint(10, 25), mover=chance.randrange(seats))
    if chance.random() < 0.3:
        state = state._replace(mover=None, end=BaggageEnd.TARGET_REACHED)
    scored = parse_assignments(" ".join(map(str, completed[0][-2:])))
    return state, [TurnPlayed(0, scored, ())] if scored else []


def is_framed(frames: Sequence[Rect], mark: Mark) -> bool:
    """Tell whether one of the frames is just about a mark."""
    return any(frame.contains(mark.at) and frame.width <= mark.at.width + 84 for frame in frames)


def tiles(shown: Picture, ink: ColourRole) -> list[Rect]:
    """Return the items of unfinished assignments that wait, on paper, or that are filled."""
    size = (ITEM_SIZE.width, ITEM_SIZE.height)
    boxes = [mark.at for mark in shown.marks if isinstance(mark, Box) and mark.fill is ink]
    return [at for at in boxes if (at.width, at.height) == size]


def bracketed_marks(shown: Picture) -> list[Rect]:
    """Return what stands in brackets."""
    corners = [mark.at for mark in shown.marks if isinstance(mark, Sprite) and mark.name == "bracket"]
    return [
        Rect(each[0].x, each[0].y, each[2].right - each[0].x, each[2].bottom - each[0].y)
        for each in (corners[first : first + 4] for first in range(0, len(corners), 4))
    ]


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


class TestSeats:
    @each_case("seats", [2, 3, 4])
    def test_every_seat_has_its_token_and_the_one_to_move_a_frame(self, seats: int) -> None:
        players = [player(tasks) for tasks in ("1; 2", "3; 4", "5; 6", "7; 8")[:seats]]
        shown = draw(at(*players, mover=seats - 1, phase=Phase.SEARCH))
        tokens = [mark for mark in shown.iter_marks() if isinstance(mark, Sprite) and mark.name.startswith("token-")]
        assert [token.name for token in tokens] == [f"token-{seat + 1}" for seat in range(seats)]
        panel = max(framed_boxes(shown), key=lambda frame: frame.width)
        assert [panel.contains(token.at) for token in tokens] == [False] * (seats - 1) + [True]

    def test_points_are_beside_the_target(self) -> None:
        """HB-9 and HB-O1."""
        shown = draw(at(player("1; 2", "14"), player("3; 4", "15 17"), target=20))
        heads = [texts(shown, HEAD.shift(x)) for x in (0, HALF)]
        assert [sorted(head) for head in heads] == [["/20", "1", "6"], ["/20", "12", "2"]]

    def test_items_show_their_requirement_or_their_card(self) -> None:
        """HB-11."""
        shown = draw(at(player("1 green-triangle - - -; 2"), player("3")))
        assert [cards(shown, tile) for tile in tiles(shown, ColourRole.GOOD)] == [["green-triangle"]]
        free = [(sprites(shown, *map(str, Trait)), tile) for tile in tiles(shown, ColourRole.PAPER)]
        asked = [
            f"{next(sign.name for sign in signs if tile.contains(sign.at)).removeprefix(ART)} {texts(shown, tile)[0]}"
            for signs, tile in free
        ]
        assert " ".join(asked[:6]) == "green 3 yellow 1 red 1 green 2 star 1 blue 2"
        assert " ".join(asked[6:]) == "square 2 circle 2 triangle 1"

    def test_items_that_can_be_filled_are_framed(self) -> None:
        """HB-6."""
        state = at(player("2"), opened="red-star green-circle yellow-circle")
        star = tiles(draw(state), ColourRole.PAPER)[1].inset(-TIGHT_MARGIN)
        assert star in framed_boxes(draw(state))
        searching = draw(state._replace(phase=Phase.SEARCH))
        assert (star in framed_boxes(searching), framed_boxes(searching, ColourRole.GOOD)) == (False, [star])

    def test_a_card_just_placed_is_in_brackets(self) -> None:
        """HB-6."""
        state, news = play_move(at(player("2"), opened="red-star green-circle"), "place red-star on 2b")
        (place,) = bracketed_marks(draw(state, news))
        assert [cards(draw(state, news), tile) for tile in tiles(draw(state, news), ColourRole.GOOD)] == [["red-star"]]
        assert place.contains(tiles(draw(state, news), ColourRole.GOOD)[0])

    def test_a_card_just_moved_is_in_brackets(self) -> None:
        """HB-B4."""
        state, news = play_move(at(player("4; 9 - - red-circle", "12")), "move 9c to 4a with 12")
        (place,) = bracketed_marks(draw(state, news))
        assert place.contains(tiles(draw(state, news), ColourRole.GOOD)[0])

    def test_baggage_that_can_be_moved_is_framed_with_its_destinations(self) -> None:
        """HB-B4."""
        shown = draw(at(player("9 red-circle - -")))
        assert tiles(shown, ColourRole.GOOD)[0].inset(-TIGHT_MARGIN) not in framed_boxes(shown)
        shown = draw(at(player("4; 9 - - red-circle", "12")))
        assert tiles(shown, ColourRole.GOOD)[0].inset(-TIGHT_MARGIN) in framed_boxes(shown)
        assert tiles(shown, ColourRole.PAPER)[0].inset(-TIGHT_MARGIN) in framed_boxes(shown)

    def test_used_bonuses_are_struck_out(self) -> None:
        """HB-12."""
        shown = draw(at(player("1; 2", "4 5"), player("3", "14"), spent=(5,)))
        (stroke,) = sprites(shown, "spent")
        covered = [mark for mark in sprites(shown, "plus-colour") if mark.at.overlaps(stroke.at)]
        assert len(covered) == 1
        assert not [mark for mark in sprites(shown, "red", "green") if mark.at.overlaps(stroke.at)]

    def test_every_bonus_of_a_long_game_is_shown(self) -> None:
        """HB-12."""
        shown = draw(at(player("1; 2", "4 5 6 7 8 9 10 11 12 13 14 15 16"), player("3")))
        # The strips of three unfinished assignments and the five of the row have one more each.
        chips = [mark for mark in shown.marks if isinstance(mark, Box) and mark.at.height == 33]
        assert len(chips) == 13

    @each_case("seats, highest", [(2, 590), (3, 810), (4, 810)])
    def test_with_fourteen_bonuses_for_every_seat_the_picture_is_not_too_high(self, seats: int, highest: int) -> None:
        """A phone should show it whole together with the words above it and the buttons below."""
        players = [player("1; 2", "4 5 6 7 8 9 10 11 12 13 14 15 16 17") for _ in range(seats)]
        assert draw(at(*players)).size[1] <= highest

    def test_the_bank_is_shown_and_its_usable_cards_framed(self) -> None:
        """HB-7."""
        shown = draw(at(player("1; 2", bank="red-star blue-star"), player("3", bank="red-star"), opened="blue-star"))
        bank = [mark for mark in sprites(shown, "red-star", "blue-star") if HEAD.contains(mark.at)]
        assert [(mark.name, is_framed(framed_boxes(shown), mark)) for mark in bank] == [
            (ART + "red-star", True),
            (ART + "blue-star", False),
        ]
        assert cards(shown, HEAD.shift(HALF)) == ["red-star"]

    def test_a_full_bank_counts_the_cards_that_have_no_room(self) -> None:
        """HB-7."""
        shown = draw(at(player("1; 2", bank="red-star blue-star red-circle blue-circle red-square blue-square")))
        assert len(cards(shown, HEAD)) == 3
        assert "+3" in texts(shown, HEAD)

    @each_case(
        "name, has_scored, shown_cards, count",
        [("Jo", False, 3, "+3"), ("mmmm", True, 1, "+5"), ("mmmmmmm", True, 0, "6")],
    )
    def test_a_long_name_leaves_room_for_fewer_bank_cards(
        self, name: str, has_scored: bool, shown_cards: int, count: str
    ) -> None:
        """HB-7. New points and a flag at once leave the least."""
        bank = "red-star blue-star red-circle blue-circle red-square blue-square"
        state = at(player("1; 2", "14 15", bank), player("3"), target=10)
        shown = build_picture(
            state, [TurnPlayed(0, parse_assignments("14 15"), ())] if has_scored else (), [name, "Jo"]
        )
        assert list(find_flaws(shown)) == []
        assert len(cards(shown, HEAD)) == shown_cards
        assert count in texts(shown, HEAD)

    @each_case("is_over", [False, True])
    @each_case("target", [10, 30])
    @each_case("kept", range(7))
    def test_a_bank_new_points_and_a_badge_have_room_side_by_side(self, kept: int, target: int, is_over: bool) -> None:
        """HB-4, HB-8 and HB-E1."""
        bank = ["red-star", "blue-star", "red-circle", "blue-circle", "red-square", "blue-square"][:kept]
        box = "14 15 16 17 18 19" if target == 30 else "14 15"
        state = at(player("1; 2", box, " ".join(bank)), player("3"), phase=Phase.CHOOSE, target=target)
        state = state._replace(end=BaggageEnd.TARGET_REACHED, mover=None if is_over else 0)
        shown = draw(state, [TurnPlayed(0, parse_assignments("14 15"), ())])
        badges = [mark for mark in shown.marks if isinstance(mark, Sprite) and mark.name in {"crown", "flag"}]
        assert len([mark for mark in badges if mark.at.y > TABLE.bottom]) == 1
        assert "+12" in texts(shown, Rect(0, TABLE.bottom, HALF, 200))

    @each_case("seats", [2, 3, 4])
    def test_no_name_of_up_to_eight_letters_is_cut_or_left_out(self, seats: int) -> None:
        chance = Random(seats)
        full_heads = 0
        for _ in range(100):
            state, news = random_scores(chance, seats)
            letters = chance.choice([ascii_letters, "mwMW", "HNOQ", "bdpq"])
            names = ["".join(chance.choices(letters, k=chance.randint(1, 8))) for _ in range(seats)]
            shown = build_picture(GAME.view(state, None), news, names)
            assert list(find_flaws(shown)) == []
            labels = [mark for mark in shown.marks if isinstance(mark, Label) and mark.is_name]
            below = [mark for mark in labels if mark.at.y > TABLE.bottom]
            assert [mark.text for mark in below] == names
            cut = [mark for mark in below if project_assets().text_bounds_of(mark).right > mark.at.right]
            assert cut == []
            full_heads += sum(len(one.bank) > 2 and len(names[seat]) > 6 for seat, one in enumerate(state.players))
        assert full_heads > 25

    def test_a_card_just_kept_is_in_brackets(self) -> None:
        """HB-4."""
        start = at(player("1; 2"), player("3"), opened="red-star blue-star red-star", phase=Phase.TWIN)
        state, news = play_move(start, "keep blue-star")
        (place,) = bracketed_marks(draw(state, news))
        assert cards(draw(state, news), place) == ["blue-star"]

    def test_new_points_and_new_assignments_are_marked(self) -> None:
        """HB-9 and HB-10."""
        state, done = play_move(at(player("4 red-circle blue-star; 2", "14"), player("3; 9")), "done")
        choosing = draw(state, done)
        (token,) = [mark for mark in choosing.iter_marks() if isinstance(mark, Sprite) and mark.name == "token-1"]
        assert "+1" in texts(choosing, HEAD._replace(y=token.at.y - 6))
        number = state.row[0].number
        state, taken = play_move(state, f"take {number}", 0)
        shown = draw(state, done + taken)
        assert "+1" in texts(shown, HEAD)
        (place,) = bracketed_marks(shown)
        assert str(number) in texts(shown, place)
        state, opening = play_move(state, "open", "blue-star")
        assert "+1" not in texts(draw(state, done + taken + opening), HEAD)


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
