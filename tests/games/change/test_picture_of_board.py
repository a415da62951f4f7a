"""What Change's picture shows on the board: the spaces, and the tokens and markers on them."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, product

from bot.games.change.board import SPACE_COUNT, SpaceKind
from bot.games.change.picture.board import MARKER_SIZE, MIDDLE, is_at_side, marker_areas, ragz_area, space_area
from bot.games.change.pieces import ChangeOptions, Stage
from bot.rules.picture import PICTURE_WIDTH, Box, ColourRole, Label, Picture, Rect, Sprite, Theme
from tests.games.change.pictures import draw_table, filled_boxes, sprites, texts, within
from tests.games.change.positions import BOARD, PLAIN, WITH_SETS, at, play_step
from tests.support.chromium import PHONE_PICTURE_WIDTH, PHONE_VIEWPORT
from tests.support.each_case import each_case
from tests.support.picture_checks import load_art

CHALLENGES = [space for space, entry in enumerate(BOARD.spaces) if entry.kind is SpaceKind.CHALLENGE]


def people(drawn: Picture, space: int) -> list[str]:
    return [each.name[-1] for each in sprites(within(drawn, ragz_area(BOARD, space)), "change/ragz")]


def seen_shares(places: Sequence[Rect]) -> list[float]:
    """Return the share of each area that later ones leave uncovered."""
    pixels = [set(product(range(at.x, at.right), range(at.y, at.bottom))) for at in places]
    return [len(own.difference(*pixels[nth + 1 :])) / len(own) for nth, own in enumerate(pixels)]


def seen_heads(ragz: Sequence[Sprite]) -> list[float]:
    """Return the share of each head, the upper half of a Ragz, that later Ragz leave uncovered."""
    bodies = [body_of(each) for each in ragz]
    heads = [
        {pixel for pixel in body if pixel[1] < each.at.y + each.at.height * 15 // 32}
        for each, body in zip(ragz, bodies, strict=True)
    ]
    return [len(head.difference(*bodies[nth + 1 :])) / len(head) for nth, head in enumerate(heads)]


def body_of(ragz: Sprite) -> set[tuple[int, int]]:
    """Return the pixels that a Ragz covers."""
    at = ragz.at
    drawn = solid_pixels(ragz.name, at.width, at.height)
    return {(at.x + x, at.y + y) for x, y in drawn}


@cache
def solid_pixels(name: str, width: int, height: int) -> tuple[tuple[int, int], ...]:
    alpha = load_art()[name].draw(Theme.STANDARD, None, (width, height)).getchannel("A").tobytes()
    return tuple((at % width, at // width) for at, value in enumerate(alpha) if value > 127)


class TestBoard:
    def test_the_spaces_lie_around_the_middle_side_by_side(self) -> None:
        places = [space_area(space) for space in range(SPACE_COUNT)]
        for space, place in enumerate(places):
            others = [other for other in places if other is not place]
            assert not any(place.overlaps(other) for other in (*others, MIDDLE))
            assert place.inset(-5).overlaps(places[(space + 1) % SPACE_COUNT])

    def test_sets_have_colours_of_their_own(self) -> None:
        drawn = draw_table(at("120@0", "120@0"))
        inks = {
            entry.set: next(
                mark.fill
                for mark in within(drawn, space_area(space).inset(-1))
                if isinstance(mark, Box) and mark.fill is not ColourRole.PAPER
            )
            for space, entry in enumerate(BOARD.spaces)
            if entry.set
        }
        assert len(set(inks.values())) == len(inks) == 6

    def test_tokens_overlap_nothing_else(self) -> None:
        rooms = [ragz_area(BOARD, space) for space in range(SPACE_COUNT)]
        for space, room in enumerate(rooms):
            slots = marker_areas(space, 6)
            is_challenge = BOARD.spaces[space].kind is SpaceKind.CHALLENGE
            others = [other for other in rooms if other is not room]
            assert not any(room.overlaps(other) for other in (*others, MIDDLE, *(slots if is_challenge else ())))


class TestPieces:
    @each_case("space", range(SPACE_COUNT))
    @each_case("seats", [2, 6])
    def test_every_space_has_room_for_all_tokens(self, space: int, seats: int) -> None:
        drawn = draw_table(at(*[f"120@{space}"] * seats, stage=Stage.FREE))
        assert people(drawn, space) == list("123456"[:seats])

    @each_case("space", range(SPACE_COUNT))
    @each_case("seats, least", [(2, 14), (3, 14), (4, 14), (5, 11), (6, 11)])
    def test_four_tokens_are_14_pixels_on_a_phone_and_more_are_11(self, space: int, seats: int, least: int) -> None:
        drawn = draw_table(at(*[f"120@{space}"] * seats, stage=Stage.FREE))
        ragz = sprites(within(drawn, ragz_area(BOARD, space)), "change/ragz")
        assert min(each.at.width for each in ragz) * PHONE_VIEWPORT["width"] / PICTURE_WIDTH > least
        assert min(seen_heads(ragz)) > 0.45

    @each_case("space", range(SPACE_COUNT))
    @each_case("seats", [2, 3, 4])
    def test_the_token_in_front_shows_its_number_and_three_in_a_row_do(self, space: int, seats: int) -> None:
        room = ragz_area(BOARD, space)
        shown = texts(within(draw_table(at(*[f"120@{space}"] * seats, stage=Stage.FREE)), room))
        assert shown[-1] == str(seats)
        if room.width > 80 and seats <= 3:
            assert shown == list("123"[:seats])

    @each_case("space", [0, 16])
    def test_six_tokens_in_a_corner_hide_no_icon_and_no_number(self, space: int) -> None:
        drawn = draw_table(at(*[f"120@{space}"] * 6, stage=Stage.FREE))
        (icon,) = sprites(within(drawn, space_area(space)), "change/space-")
        assert not any(each.at.overlaps(icon.at) for each in sprites(drawn.marks, "change/ragz"))
        assert texts(within(drawn, ragz_area(BOARD, space))) == list("123456")

    def test_a_single_token_shows_its_number(self) -> None:
        drawn = draw_table(at("120@7", "120@7", "120@8", stage=Stage.FREE))
        assert texts(within(drawn, ragz_area(BOARD, 8))) == ["3"]

    def test_markers_are_14_pixels_on_a_phone(self) -> None:
        for seat in range(6):
            drawn = load_art()[f"change/marker-{seat + 1}"].draw(Theme.STANDARD, None, (MARKER_SIZE, MARKER_SIZE))
            box = drawn.getchannel("A").point(lambda alpha: 255 if alpha > 99 else 0).getbbox()
            assert box is not None
            assert (box[2] - box[0]) * PHONE_PICTURE_WIDTH / PICTURE_WIDTH >= 14

    @each_case("space", CHALLENGES)
    def test_two_markers_lie_side_by_side_and_two_thirds_of_each_of_three_are_seen(self, space: int) -> None:
        one, other = marker_areas(space, 2)
        assert not one.overlaps(other)
        assert min(seen_shares(marker_areas(space, 3))) > 2 / 3

    @each_case("space", CHALLENGES)
    def test_markers_stay_on_their_space(self, space: int) -> None:
        # They may lie on its lower edge and in the gap below.
        assert all(space_area(space).inset(-2).contains(slot) for slot in marker_areas(space, 6))

    @each_case("space", CHALLENGES)
    def test_a_strip_of_every_marker_is_seen_where_all_six_stand(self, space: int) -> None:
        for one, other in combinations(marker_areas(space, 6), 2):
            assert max(abs(one.x - other.x), abs(one.y - other.y)) * PHONE_PICTURE_WIDTH / PICTURE_WIDTH >= 6

    def test_no_marker_covers_the_sign_of_another(self) -> None:
        drawn = draw_table(at("120@0 greed gossip envy", *["120@0 greed"] * 5, options=WITH_SETS))
        (sign,) = [sign for sign in filled_boxes(drawn, ColourRole.GOLD) if space_area(6).contains(sign)]
        (own, *others) = marker_areas(6, 6)
        assert own.contains(sign)
        assert not any(other.overlaps(sign) for other in others)

    @each_case("space", CHALLENGES)
    def test_markers_hide_no_name_no_set_and_no_number(self, space: int) -> None:
        board = draw_table(at("120@0", "120@0")).backdrop
        shown = [mark for mark in board if isinstance(mark, Label) and space_area(space).contains(mark.at)]
        assert len(shown) == 3
        assert not any(slot.overlaps(mark.at) for slot in marker_areas(space, 6) for mark in shown)

    @each_case("space", CHALLENGES)
    def test_two_markers_hide_no_icon(self, space: int) -> None:
        (icon,) = sprites(within(draw_table(at("120@0", "120@0")), space_area(space)), "change/space-")
        assert icon.name == f"change/space-{BOARD.spaces[space].name.lower()}"
        assert not any(slot.overlaps(icon.at) for slot in marker_areas(space, 2))

    @each_case("count", [3, 4, 6])
    @each_case("space", CHALLENGES)
    def test_three_markers_at_the_sides_leave_a_smaller_icon_and_more_replace_it(self, space: int, count: int) -> None:
        drawn = draw_table(at(*[f"120@0 {BOARD.keys[space]}"] * count))
        icon, *smaller = sprites(within(drawn, space_area(space)), "change/space-")
        covers = [room for room in filled_boxes(drawn, ColourRole.PAPER) if room.contains(icon.at)]
        assert len(covers) == is_at_side(space)
        assert [each.name for each in smaller] == [icon.name] * (is_at_side(space) and count == 3)
        shown = smaller or ([] if is_at_side(space) else [icon])
        assert not any(slot.overlaps(each.at) for slot in marker_areas(space, count) for each in shown)
        assert all(each.at.width * PHONE_PICTURE_WIDTH / PICTURE_WIDTH > 10.5 for each in shown)

    def test_pictures_of_habits_are_11_pixels_on_a_phone(self) -> None:
        board = draw_table(at("120@0", "120@0"))
        shown = {each.name: each.at for each in sprites(board.backdrop, "change/space-")}
        habits = [f"change/space-{BOARD.spaces[space].name.lower()}" for space in CHALLENGES]
        assert min(shown[habit].width for habit in habits) * PHONE_PICTURE_WIDTH / PICTURE_WIDTH > 10.5

    @each_case("options, doubles", [(WITH_SETS, 3), (PLAIN, 0)])
    def test_ch_11_markers_that_release_double_have_a_gold_sign(self, options: ChangeOptions, doubles: int) -> None:
        """CH-11."""
        state = at("120@0 greed gossip envy desires", "120@0 greed", options=options)
        assert len(filled_boxes(draw_table(state), ColourRole.GOLD)) == doubles

    def test_a_new_marker_and_where_its_owner_came_to_are_new(self) -> None:
        state, first = play_step(at("120@0", "120@0"), "roll", "41")
        state, second = play_step(state, "challenge", "512 43 4")
        drawn = draw_table(state, (*first, *second))
        new = filled_boxes(drawn, ColourRole.NEW)
        assert any(marker_areas(5, 1)[0].contains(sign) for sign in new)
        assert ragz_area(BOARD, 5) in new
        assert ragz_area(BOARD, 0) not in new
