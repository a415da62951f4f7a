"""The picture of Mr. Houdini's Baggage: open cards, the seats, and open assignments."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from string import ascii_letters

from bot.games.houdinis_baggage.cards import CARD_KEYS
from bot.games.houdinis_baggage.picture import TABLE, build_picture
from bot.games.houdinis_baggage.picture_pieces import ITEM_SIZE
from bot.games.houdinis_baggage.pieces import BaggageEnd, GameEvent, Phase, State, TurnPlayed
from bot.rules.components import TIGHT_MARGIN, Nameplate
from bot.rules.picture import PICTURE_WIDTH, Box, ColourRole, Label, Picture, Rect, Sprite
from tests.games.houdinis_baggage.positions import at, parse_assignments, play_move, player
from tests.support.each_case import each_case
from tests.support.picture_checks import find_flaws, project_assets

ART = "houdinis_baggage/"
HEAD = Rect(0, TABLE.bottom, PICTURE_WIDTH // 2 - 10, 56)
"""The first line of the first seat; the second seat has its own to the right."""


def draw(state: State, events: Sequence[GameEvent] = (), names: Sequence[str] = ()) -> Picture:
    shown = build_picture(state, events, tuple(map(Nameplate, names)))
    assert list(find_flaws(shown)) == []
    return shown


def sprites(shown: Picture, *names: str, within: Rect | None = None) -> list[Sprite]:
    wanted = {ART + name for name in names or CARD_KEYS}
    found = [mark for mark in shown.iter_marks() if isinstance(mark, Sprite) and mark.name in wanted]
    return [mark for mark in found if within is None or within.contains(mark.at)]


def open_cards(shown: Picture) -> list[Sprite]:
    return sprites(shown, within=TABLE.cards)


def tokens(shown: Picture) -> list[Sprite]:
    return [mark for mark in shown.iter_marks() if isinstance(mark, Sprite) and mark.name.startswith("token-")]


def labels(shown: Picture, within: Rect) -> list[Label]:
    return [mark for mark in shown.iter_marks() if isinstance(mark, Label) and within.contains(mark.at)]


def texts(shown: Picture, within: Rect) -> list[str]:
    return [mark.text for mark in labels(shown, within)]


def frames(shown: Picture, ink: ColourRole = ColourRole.MARK) -> list[Rect]:
    return [mark.at for mark in shown.marks if isinstance(mark, Box) and mark.fill is None and mark.border is ink]


def is_framed(shown: Picture, at: Rect) -> bool:
    """Tell whether a frame is just about something."""
    return any(frame.contains(at) and frame.width <= at.width + 84 for frame in frames(shown))


def bracketed(shown: Picture) -> list[Rect]:
    """Return what stands in brackets."""
    corners = [mark.at for mark in shown.marks if isinstance(mark, Sprite) and mark.name == "bracket"]
    return [
        Rect(each[0].x, each[0].y, each[2].right - each[0].x, each[2].bottom - each[0].y)
        for each in (corners[first : first + 4] for first in range(0, len(corners), 4))
    ]


def tiles(shown: Picture, ink: ColourRole) -> list[Rect]:
    """Return the items of unfinished assignments that wait, on paper, or that are filled."""
    boxes = [mark.at for mark in shown.marks if isinstance(mark, Box) and mark.fill is ink]
    return [at for at in boxes if (at.width, at.height) == (ITEM_SIZE.width, ITEM_SIZE.height)]


class TestOpenCards:
    @each_case("count", range(1, 17))
    def test_every_open_card_is_visible_and_up_to_five_are_larger_than_assignments(self, count: int) -> None:
        """HB-3."""
        shown = draw(at(player("1; 2"), opened=" ".join(CARD_KEYS[:count]), phase=Phase.SEARCH))
        assert [mark.name for mark in open_cards(shown)] == [ART + name for name in CARD_KEYS[:count]]
        poster = sprites(shown, "poster")[0].at
        cards = [mark.at for mark in shown.marks if isinstance(mark, Box) and mark.at.height == TABLE.cards.height]
        assert len(cards) == count
        assert count > 5 or all(each.width >= poster.width and each.height >= poster.height for each in cards)

    @each_case("phase, is_offered", [(Phase.SEARCH, True), (Phase.PLACE, False)])
    def test_the_case_counts_its_cards_and_is_framed_while_one_may_be_opened(
        self, phase: Phase, is_offered: bool
    ) -> None:
        """HB-3."""
        shown, case = draw(at(player("1; 2"), opened="red-star", phase=phase)), TABLE.case.inset(-10)
        assert texts(shown, case) == ["63"]
        assert any(map(case.contains, frames(shown))) is is_offered

    @each_case(
        "opened, card, news",
        [("red-star", "blue-star", [False, True]), ("red-star blue-star", "red-star", [True, False, True])],
    )
    def test_the_newest_or_both_twins_are_in_brackets(self, opened: str, card: str, news: list[bool]) -> None:
        """HB-3 and HB-4: each open card can be kept after a twin."""
        state, events = play_move(at(player("1; 2"), opened=opened, phase=Phase.SEARCH), "open", card)
        shown = draw(state, events)
        assert [any(each.contains(mark.at) for each in bracketed(shown)) for mark in open_cards(shown)] == news
        assert {is_framed(shown, mark.at) for mark in open_cards(shown)} == {state.phase is Phase.TWIN}

    def test_what_can_be_placed_and_filled_is_framed(self) -> None:
        """HB-6: while searching, what could be filled has a fainter frame."""
        state = at(player("2"), opened="red-star green-circle yellow-circle")
        placing, searching = draw(state), draw(state._replace(phase=Phase.SEARCH))
        assert [is_framed(placing, mark.at) for mark in open_cards(placing)] == [True, False, False]
        star = tiles(placing, ColourRole.PAPER)[1].inset(-TIGHT_MARGIN)
        assert star in frames(placing)
        assert star not in frames(searching)
        assert frames(searching, ColourRole.GOOD) == [star]


class TestSeats:
    def test_the_panel_of_the_seat_to_move_is_framed(self) -> None:
        """HB-3."""
        shown = draw(at(player("1; 2"), player("3; 4"), player("5; 6"), mover=2, phase=Phase.SEARCH))
        panel = max(frames(shown), key=lambda frame: frame.width)
        assert [panel.contains(token.at) for token in tokens(shown)] == [False, False, True]

    def test_baggage_that_can_be_moved_is_framed_with_its_destinations_and_then_in_brackets(self) -> None:
        """HB-B4."""
        fixed = draw(at(player("9 red-circle - -")))
        assert tiles(fixed, ColourRole.GOOD)[0].inset(-TIGHT_MARGIN) not in frames(fixed)
        start = at(player("4; 9 - - red-circle", "12"))
        shown = draw(start)
        for ink in (ColourRole.GOOD, ColourRole.PAPER):
            assert tiles(shown, ink)[0].inset(-TIGHT_MARGIN) in frames(shown)
        moved = draw(*play_move(start, "move 9c to 4a with 12"))
        (place,) = bracketed(moved)
        assert place.contains(tiles(moved, ColourRole.GOOD)[0])

    @each_case("seats, highest", [(2, 590), (3, 810), (4, 810)])
    def test_every_bonus_of_a_long_game_is_shown_in_a_picture_that_a_phone_shows_whole(
        self, seats: int, highest: int
    ) -> None:
        """HB-12: together with the words above it and the buttons below."""
        bonuses = "4 5 6 7 8 9 10 11 12 13 14 15 16 17"
        shown = draw(at(*(player("1; 2", bonuses) for _ in range(seats))))
        assert shown.size[1] <= highest
        chips = [mark for mark in shown.marks if isinstance(mark, Box) and mark.at.height == 33]
        assert len(chips) == seats * len(bonuses.split())

    def test_the_bank_is_shown_and_its_usable_cards_framed(self) -> None:
        """HB-7."""
        shown = draw(at(player("1; 2", bank="red-star blue-star"), player("3", bank="red-star"), opened="blue-star"))
        bank = sprites(shown, within=HEAD)
        assert [(mark.name, is_framed(shown, mark.at)) for mark in bank] == [
            (ART + "red-star", True),
            (ART + "blue-star", False),
        ]
        assert [mark.name for mark in sprites(shown, within=HEAD.shift(PICTURE_WIDTH // 2))] == [ART + "red-star"]

    @each_case("name, has_scored", [("Jo", False), ("mmmm", True), ("mmmmmmm", True)])
    def test_bank_cards_without_room_are_counted(self, name: str, has_scored: bool) -> None:
        """HB-7: a long name, new points and a flag at once leave the least room."""
        bank = "red-star blue-star red-circle blue-circle red-square blue-square"
        state = at(player("1; 2", "14 15", bank), player("3"), target=10)
        news = [TurnPlayed(0, parse_assignments("14 15"), ())] if has_scored else []
        shown = draw(state, news, [name, "Jo"])
        cards = len(sprites(shown, within=HEAD))
        assert cards < len(bank.split())
        assert (f"+{6 - cards}" if cards else "6") in texts(shown, HEAD)

    @each_case("seats", [2, 3, 4])
    def test_names_points_badges_and_banks_have_room_side_by_side(self, seats: int) -> None:
        """HB-4, HB-8 and HB-E1: no name of up to eight letters is cut or left out."""
        chance, full_heads = Random(seats), 0
        for _ in range(100):
            state, news = make_scores(chance, seats)
            letters = chance.choice([ascii_letters, "mwMW", "HNOQ", "bdpq"])
            names = ["".join(chance.choices(letters, k=chance.randint(1, 8))) for _ in range(seats)]
            shown = draw(state, news, names)
            written = [mark for mark in shown.iter_marks() if isinstance(mark, Label) and mark.is_name]
            below = [mark for mark in written if mark.at.y > TABLE.bottom]
            assert [mark.text for mark in below] == names
            assert all(project_assets().text_bounds_of(mark).right <= mark.at.right for mark in below)
            full_heads += sum(len(one.bank) > 2 and len(names[seat]) > 6 for seat, one in enumerate(state.players))
        assert full_heads > 25

    def test_new_points_and_new_assignments_are_marked(self) -> None:
        """HB-9 and HB-10."""
        state, done = play_move(at(player("4 red-circle blue-star; 2", "14"), player("3; 9")), "done")
        choosing = draw(state, done)
        assert "+1" in texts(choosing, HEAD._replace(y=tokens(choosing)[0].at.y - 6))
        number = state.row[0].number
        state, taken = play_move(state, f"take {number}", 0)
        shown = draw(state, done + taken)
        assert "+1" in texts(shown, HEAD)
        (place,) = bracketed(shown)
        assert str(number) in texts(shown, place)
        state, opening = play_move(state, "open", "blue-star")
        assert "+1" not in texts(draw(state, done + taken + opening), HEAD)


def make_scores(chance: Random, seats: int) -> tuple[State, list[GameEvent]]:
    """Return a position in which seats have any number of bank cards, and some have scored and reached the target."""
    numbers = chance.sample(range(1, 21), 16)
    completed = [numbers[4 * seat : 4 * seat + chance.randint(0, 4)] for seat in range(seats)]
    players = [
        player("", " ".join(map(str, earned)), " ".join(chance.sample(list(CARD_KEYS), chance.randint(0, 8))))
        for earned in completed
    ]
    state = at(*players, phase=Phase.CHOOSE, target=chance.randint(10, 25), mover=chance.randrange(seats))
    if chance.random() < 0.3:
        state = state._replace(mover=None, end=BaggageEnd.TARGET_REACHED)
    scored = parse_assignments(" ".join(map(str, completed[0][-2:])))
    return state, [TurnPlayed(0, scored, ())] if scored else []


@each_case("seats", [2, 3, 4])
def test_while_an_assignment_is_chosen_they_are_framed_posters_on_the_stage(seats: int) -> None:
    """HB-10: larger than below the seats, in a picture that is no higher."""
    players = [player("1"), *(player("3; 4") for _ in range(seats - 1))]
    choosing, placing = (draw(at(*players, phase=phase)) for phase in (Phase.CHOOSE, Phase.PLACE))
    assert choosing.size == placing.size
    assert sprites(choosing, "poster") == []
    posters = [mark.at for mark in sprites(choosing, "poster-large")]
    assert len(posters) == 5
    assert all(poster.bottom < min(token.at.y for token in tokens(choosing)) for poster in posters)
    framed = sorted(frame for frame in frames(choosing) if any(map(frame.contains, posters)))
    assert len(framed) == 5
    assert min(after.x - before.right for before, after in pairwise(framed)) >= 8
    large = [label for poster in posters for label in labels(choosing, poster)]
    small = [label for mark in sprites(placing, "poster") for label in labels(placing, mark.at)]
    assert sorted(label.text for label in large) == sorted(label.text for label in small)
    assert min(label.size for label in large) > max(label.size for label in small)
