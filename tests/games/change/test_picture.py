"""What Change's pictures show, where it lies, and that it is legible."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product

from bot.games.change.board import SPACE_COUNT, SpaceKind
from bot.games.change.board_picture import MARKER_SIZE, MIDDLE, is_at_side, marker_areas, ragz_area, space_area
from bot.games.change.picture import build_hand_picture, build_picture
from bot.games.change.pieces import CardPlayed, CardsSeen, GameEvent, Moved, Stage, State
from bot.rules.picture import PICTURE_WIDTH, Box, ColourRole, Label, Mark, Picture, Rect, Sprite, Theme
from tests.games.change.positions import BOARD, GAME, at, cards, legal, play_step, read
from tests.support.chromium import PHONE_PICTURE_WIDTH, PHONE_VIEWPORT
from tests.support.each_case import each_case
from tests.support.picture_checks import faces_of_dice, find_flaws, load_art

CHALLENGES = [space for space, entry in enumerate(BOARD.spaces) if entry.kind is SpaceKind.CHALLENGE]
SPACES = range(SPACE_COUNT)


def draw_table(state: State, events: Sequence[GameEvent] = ()) -> Picture:
    drawn = build_picture(GAME.view(state, None), tuple(event for event in events if event.audience is None))
    assert list(find_flaws(drawn)) == []
    return drawn


def draw_after(position: str, move: str, dice: str = "") -> Picture:
    return draw_table(*play_step(read(position), move, dice))


def draw_hand(position: str, events: Sequence[GameEvent] = ()) -> Picture:
    drawn = build_hand_picture(GAME.view(read(position), 0), events)
    assert list(find_flaws(drawn)) == []
    return drawn


def within(drawn: Picture, room: Rect) -> list[Mark]:
    return [mark for mark in drawn.iter_marks() if room.contains(mark.at)]


def sprites(marks: Sequence[Mark], start: str) -> list[Sprite]:
    return [mark for mark in marks if isinstance(mark, Sprite) and mark.name.startswith(start)]


def texts(marks: Sequence[Mark]) -> list[str]:
    return [mark.text for mark in marks if isinstance(mark, Label)]


def filled(drawn: Picture, ink: ColourRole) -> list[Rect]:
    return [mark.at for mark in drawn.marks if isinstance(mark, Box) and mark.fill is ink]


def framed(drawn: Picture, ink: ColourRole = ColourRole.MARK) -> list[Rect]:
    return [mark.at for mark in drawn.marks if isinstance(mark, Box) and mark.border is ink]


@each_case(
    "position",
    [
        "120@0 greed/120@0",
        "120@6 greed/120@0 · 0 free",
        "120@5 greed/120@0 · 0 free challenge",
        "120@5 greed [add-1]/120@0 · 0 free missing 1 travelled",
        "120@19 greed fear/120@0 · 0 return",
        "120@28 greed fear/120@0 · 0 place",
    ],
)
def test_spaces_are_framed_that_a_move_leads_to_or_whose_challenge_is_open(position: str) -> None:
    """CH-6, CH-8, CH-C5 and CH-C8."""
    state = read(position)
    ways = {BOARD.space_by_key[move.split()[1]] for move in legal(state) if move.startswith(("option ", "choose "))}
    here = {state.public.ragz_spaces[0]} if "challenge" in legal(state) else set[int]()
    frames = framed(draw_table(state))
    assert {space for space in SPACES if any(at.contains(space_area(space)) for at in frames)} == ways | here


def test_ch_c0_the_seat_that_decides_is_framed() -> None:
    """CH-C0."""
    drawn = draw_after("120@16/120@0 greed fear/120@0", "roll", "12")
    plate = next(mark for mark in drawn.marks if isinstance(mark, Box) and mark.at.y == MIDDLE.y)
    assert [each.name for each in sprites(within(drawn, plate.at), "token-")] == ["token-2"]


def test_ch_12_the_winners_are_on_gold_and_nothing_is_framed_for_a_move() -> None:
    """CH-12."""
    drawn = draw_after("120@0/5@0 desires/5@0 desires", "roll", "41")
    assert sprites(drawn.marks, "crown")
    assert framed(drawn) == []
    owners = [[each.name for each in sprites(within(drawn, room), "token-")] for room in framed(drawn, ColourRole.GOLD)]
    assert owners == [["token-2", "token-3"], ["token-2"], ["token-3"]]


def test_the_dice_are_framed_when_they_can_be_rolled_and_in_brackets_once_they_are() -> None:
    """CH-3."""
    assert sprites(draw_table(read("120@0/120@0")).marks, "bracket") == []
    assert len(sprites(draw_after("120@0/120@0", "roll", "41").marks, "bracket")) == 8
    assert sprites(draw_table(read("120@3/120@0 · 0 free")).marks, "bracket") == [], "an unknown roll"


def test_ch_6_the_challenge_shows_what_was_set_aside_on_gold() -> None:
    """CH-6."""
    drawn = draw_after("125@5/120@0 · 0 free challenge", "challenge", "412 34 4")
    rolled = [(die.colour, face) for die, face in faces_of_dice(drawn.marks) if die.colour]
    assert [face for _, face in rolled] == [4, 2, 1, 4, 3, 4]
    assert [face for colour, face in rolled if colour is ColourRole.GOLD] == [4, 4, 4]
    assert (len(filled(drawn, ColourRole.BAD)), len(filled(drawn, ColourRole.GOOD))) == (1, 0)


@each_case("seats", range(2, 7))
def test_the_two_newest_played_cards_are_shown_beside_a_challenge(seats: int) -> None:
    """CH-7."""
    state, before = play_step(at(*["120@5"] * seats, stage=Stage.FREE, challenge=True), "challenge", "412 32 1")
    plain = texts(draw_table(state, before).marks)
    played = [CardPlayed(0, card) for card in cards("add-1 add-2 add-3")]
    assert len(texts(draw_table(state, (*before, *played)).marks)) >= len(plain) + 2


@each_case("space", SPACES)
def test_the_card_of_the_space_where_the_turn_has_led_is_shown(space: int) -> None:
    """CH-3."""
    room = Rect(MIDDLE.x, MIDDLE.y + 60, MIDDLE.width, 90)
    assert (
        texts(within(draw_table(at(f"120@{space}", "120@0"), (Moved(0, space),)), room))[0] == BOARD.spaces[space].name
    )


def test_ch_5_the_changes_of_a_landing_are_shown_beside_the_credits_of_every_seat() -> None:
    """CH-5."""

    def row(seat: int) -> list[str]:
        (token,) = (each for each in sprites(within(drawn, MIDDLE), f"token-{seat + 1}") if each.at.x == MIDDLE.x + 8)
        room = Rect(token.at.right, token.at.y - 8, MIDDLE.right - token.at.right, 60)
        return texts(sorted(within(drawn, room), key=lambda mark: mark.at.x))

    drawn = draw_after("120@0/120@0 desires/120@0", "roll", "41")
    assert [row(seat)[:2] for seat in range(3)] == [["125", "+5"], ["115", "−5"], ["120", "0"]]


@each_case(
    "position",
    [
        "120@0 [add-1 greed]/120@0",
        "120@0 [add-1 replace-1 greed any]/120@0 · 0 free",
        "120@5 [add-1 greed]/120@0 · 0 free missing 2",
        "120@5 [add-1 greed any]/120@0 · 0 free missing 2 travelled",
        "120@5 [replace-1]/120@0 · 0 free",
        "120@4 [add-1 greed]/120@0 · 0 swap",
        "120@22 [add-1 greed]/120@0 · 0 keep",
    ],
)
def test_cards_are_framed_that_can_be_played(position: str) -> None:
    """CH-7, CH-C2, CH-M2, CH-M3, CH-M4 and CH-S6."""
    state = read(position)
    ways = {word for move in legal(state) for word in move.split()[1:2] if move.split()[0] != "option"}
    assert len(framed(draw_hand(position))) == sum(BOARD.cards[card].key in ways for card in state.hands[0])


def test_out_of_turn_no_card_is_framed() -> None:
    assert framed(draw_hand("120@0 [add-1 greed]/120@5 · 1 free missing 3")) == []


def test_each_new_card_is_new_once() -> None:
    news = (CardsSeen(0, cards("add-1")), CardsSeen(1, cards("greed")))
    assert len(filled(draw_hand("120@0 [add-1 add-1 greed]/120@0", news), ColourRole.NEW)) == 1


def test_a_space_card_shows_the_effect_of_going_there() -> None:
    """CH-M4 and CH-11."""
    drawn = draw_hand("120@0 greed gossip envy [greed fear]/120@0 · sets")
    assert {"−20", "+20"} <= set(texts(drawn.marks))
    assert (len(filled(drawn, ColourRole.GOOD)), len(filled(drawn, ColourRole.BAD))) == (1, 1)


def test_the_spaces_lie_around_the_middle_side_by_side() -> None:
    places = [space_area(space) for space in SPACES]
    for space, place in enumerate(places):
        others = [other for other in places if other is not place]
        assert not any(place.overlaps(other) for other in (*others, MIDDLE))
        assert place.inset(-5).overlaps(places[(space + 1) % SPACE_COUNT])


def test_sets_have_colours_of_their_own() -> None:
    """CH-11."""
    drawn = draw_table(read("120@0/120@0"))
    inks = dict[str | None, set[object]]()
    for space in CHALLENGES:
        fills = {mark.fill for mark in within(drawn, space_area(space).inset(-1)) if isinstance(mark, Box)}
        inks.setdefault(BOARD.spaces[space].set, set()).update(fills - {ColourRole.PAPER})
    assert [len(own) for own in inks.values()] == [1] * 6
    assert len(set.union(*inks.values())) == 6


@each_case("options, doubles", [(" · sets", 3), ("", 0)])
def test_ch_11_markers_that_release_double_have_a_gold_sign(options: str, doubles: int) -> None:
    """CH-11."""
    state = read(f"120@0 greed gossip envy desires/120@0 greed{options}")
    assert len(filled(draw_table(state), ColourRole.GOLD)) == doubles


def test_a_new_marker_and_where_its_owner_came_to_are_new() -> None:
    state, first = play_step(read("120@0/120@0"), "roll", "41")
    state, second = play_step(state, "challenge", "512 43 4")
    new = filled(draw_table(state, (*first, *second)), ColourRole.NEW)
    assert any(marker_areas(5, 1)[0].contains(sign) for sign in new)
    assert ragz_area(BOARD, 5) in new
    assert ragz_area(BOARD, 0) not in new


def test_ragz_overlap_nothing_else() -> None:
    rooms = [ragz_area(BOARD, space) for space in SPACES]
    for space, room in enumerate(rooms):
        slots = marker_areas(space, 6) if space in CHALLENGES else ()
        assert not any(room.overlaps(other) for other in (*rooms[:space], *rooms[space + 1 :], MIDDLE, *slots))


def ragz_on(space: int, seats: int) -> tuple[list[Sprite], list[str]]:
    """Return the Ragz of so many seats on a space, and their numbers."""
    shown = within(draw_table(at(*[f"120@{space}"] * seats, stage=Stage.FREE)), ragz_area(BOARD, space))
    return sprites(shown, "change/ragz"), texts(shown)


@each_case("space, seats", product(SPACES, range(1, 7)))
def test_ragz_are_legible_on_every_space(space: int, seats: int) -> None:
    """Four are 14 pixels wide on a phone, and more 11; heads are seen, and the number of the one in front."""
    if seats == 1:
        drawn = draw_table(at(f"120@{space}", f"120@{(space + 1) % SPACE_COUNT}", stage=Stage.FREE))
        assert texts(within(drawn, ragz_area(BOARD, space))) == ["1"]
        return
    ragz, numbers = ragz_on(space, seats)
    assert [each.name[-1] for each in ragz] == list("123456"[:seats])
    width = min(each.at.width for each in ragz) * PHONE_VIEWPORT["width"] / PICTURE_WIDTH
    assert width > (14 if seats <= 4 else 11)
    assert min(seen_heads(ragz)) > 0.45
    if ragz_area(BOARD, space).width > 80 and seats <= 3:
        assert numbers == list("123"[:seats])
    elif seats <= 4:
        assert numbers[-1] == str(seats)


@each_case("space", [0, 16])
def test_six_ragz_in_a_corner_of_the_picture_hide_no_icon_and_no_number(space: int) -> None:
    ragz, numbers = ragz_on(space, 6)
    (icon,) = sprites(within(draw_table(read("120@1/120@1")), space_area(space)), "change/space-")
    assert not any(each.at.overlaps(icon.at) for each in ragz)
    assert numbers == list("123456")


def seen_heads(ragz: Sequence[Sprite]) -> Iterator[float]:
    """Yield the share of each head, the upper half of a Ragz, that later Ragz leave uncovered."""
    bodies = [
        {(each.at.x + x, each.at.y + y) for x, y in solid_pixels(each.name, each.at.width, each.at.height)}
        for each in ragz
    ]
    for nth, each in enumerate(ragz):
        head = {pixel for pixel in bodies[nth] if pixel[1] < each.at.y + each.at.height * 15 // 32}
        yield len(head.difference(*bodies[nth + 1 :])) / len(head)


@cache
def solid_pixels(name: str, width: int, height: int) -> tuple[tuple[int, int], ...]:
    alpha = load_art()[name].draw(Theme.STANDARD, None, (width, height)).getchannel("A").tobytes()
    return tuple((at % width, at // width) for at, value in enumerate(alpha) if value > 127)


def seen_shares(places: Sequence[Rect]) -> Iterator[float]:
    """Yield the share of each area that later ones leave uncovered."""
    pixels = [set(product(range(at.x, at.right), range(at.y, at.bottom))) for at in places]
    yield from (len(own.difference(*pixels[nth + 1 :])) / len(own) for nth, own in enumerate(pixels))


def test_markers_are_14_pixels_on_a_phone() -> None:
    for seat in range(6):
        drawn = load_art()[f"change/marker-{seat + 1}"].draw(Theme.STANDARD, None, (MARKER_SIZE, MARKER_SIZE))
        box = drawn.getchannel("A").point(lambda alpha: 255 if alpha > 99 else 0).getbbox()
        assert box is not None
        assert (box[2] - box[0]) * PHONE_PICTURE_WIDTH / PICTURE_WIDTH >= 14


@each_case("space", CHALLENGES)
def test_markers_are_legible_and_hide_nothing_that_is_printed(space: int) -> None:
    """They stay on their space, but for its lower edge and the gap below; two do not hide the icon either."""
    shown = within(draw_table(read("120@0/120@0")), space_area(space))
    labels = [mark for mark in shown if isinstance(mark, Label)]
    (icon,) = sprites(shown, "change/space-")
    one, other = marker_areas(space, 2)
    assert not any(slot.overlaps(each) for slot, each in ((one, other), (one, icon.at), (other, icon.at)))
    assert min(seen_shares(marker_areas(space, 3))) > 2 / 3
    six = marker_areas(space, 6)
    assert len(labels) == 3
    assert not any(slot.overlaps(label.at) for slot in six for label in labels)
    assert all(space_area(space).inset(-2).contains(slot) for slot in six)
    least = min(max(abs(one.x - other.x), abs(one.y - other.y)) for one, other in combinations(six, 2))
    assert least * PHONE_PICTURE_WIDTH / PICTURE_WIDTH >= 6


def test_no_marker_covers_the_sign_of_another() -> None:
    """CH-11."""
    drawn = draw_table(read(f"120@0 greed gossip envy{'/120@0 greed' * 5} · sets"))
    (sign,) = (sign for sign in filled(drawn, ColourRole.GOLD) if space_area(6).contains(sign))
    own, *others = marker_areas(6, 6)
    assert own.contains(sign)
    assert not any(other.overlaps(sign) for other in others)


@each_case("space, count", product(CHALLENGES, [0, 3, 4, 6]))
def test_pictures_of_habits_give_way_to_markers_at_the_sides(space: int, count: int) -> None:
    """Three leave room for a smaller one, and more for none; whatever is shown is 10.5 pixels wide on a phone."""
    drawn = draw_table(at(*[f"120@0 {BOARD.keys[space]}"] * count) if count else read("120@0/120@0"))
    icon, *smaller = sprites(within(drawn, space_area(space)), "change/space-")
    gives_way = is_at_side(space) and count > 0
    assert len([room for room in filled(drawn, ColourRole.PAPER) if room.contains(icon.at)]) == gives_way
    assert [each.name for each in smaller] == [icon.name] * (gives_way and count == 3)
    shown = smaller if gives_way else [icon]
    assert not any(slot.overlaps(each.at) for slot in marker_areas(space, count) for each in shown)
    assert all(each.at.width * PHONE_PICTURE_WIDTH / PICTURE_WIDTH > 10.5 for each in shown)
