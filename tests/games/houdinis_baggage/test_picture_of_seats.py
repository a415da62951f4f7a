"""What the picture of Mr. Houdini's Baggage shows of every seat."""

from random import Random
from string import ascii_letters

from bot.games.houdinis_baggage.cards import CARD_KEYS as LOOKS
from bot.games.houdinis_baggage.picture.composition import build_picture
from bot.games.houdinis_baggage.picture.pieces import ITEM_SIZE
from bot.games.houdinis_baggage.pieces import BaggageEnd, GameEvent, Phase, State, TurnPlayed
from bot.rules.components import TIGHT_MARGIN
from bot.rules.picture import Box, ColourRole, Label, Picture, Rect, Sprite
from tests.games.houdinis_baggage.pictures import (
    ART,
    TABLE,
    bracketed_marks,
    cards,
    draw,
    framed_boxes,
    is_framed,
    sprites,
    texts,
)
from tests.games.houdinis_baggage.positions import GAME, at, parse_assignments, play_move, player
from tests.support.each_case import each_case
from tests.support.picture_checks import find_flaws, project_assets

HALF = 500
"""Seats with an even number have their things to the right of it."""

HEAD = Rect(0, TABLE.bottom, HALF - 10, 56)
"""The first line of the first seat at a table of two."""


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


def tiles(shown: Picture, ink: ColourRole) -> list[Rect]:
    """Return the items of unfinished assignments that wait, on paper, or that are filled."""
    size = (ITEM_SIZE.width, ITEM_SIZE.height)
    boxes = [mark.at for mark in shown.marks if isinstance(mark, Box) and mark.fill is ink]
    return [at for at in boxes if (at.width, at.height) == size]


class TestSeats:
    @each_case("seats", [2, 3, 4])
    def test_every_seat_has_its_token_and_the_one_to_move_a_frame(self, seats: int) -> None:
        players = [player(tasks) for tasks in ("1; 2", "3; 4", "5; 6", "7; 8")[:seats]]
        shown = draw(at(*players, mover=seats - 1, phase=Phase.SEARCH))
        tokens = [mark for mark in shown.iter_marks() if isinstance(mark, Sprite) and mark.name.startswith("token-")]
        assert [token.name for token in tokens] == [f"token-{seat + 1}" for seat in range(seats)]
        panel = max(framed_boxes(shown), key=lambda frame: frame.width)
        assert [panel.contains(token.at) for token in tokens] == [False] * (seats - 1) + [True]

    def test_items_that_can_be_filled_are_framed(self) -> None:
        """HB-6."""
        state = at(player("2"), opened="red-star green-circle yellow-circle")
        star = tiles(draw(state), ColourRole.PAPER)[1].inset(-TIGHT_MARGIN)
        assert star in framed_boxes(draw(state))
        searching = draw(state._replace(phase=Phase.SEARCH))
        assert (star in framed_boxes(searching), framed_boxes(searching, ColourRole.GOOD)) == (False, [star])

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
