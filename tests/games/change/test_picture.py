"""What Change's pictures show, where it lies, and that it is legible."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

from bot.games.change.board import SPACE_COUNT, SpaceKind
from bot.games.change.board_picture import MIDDLE, marker_areas, ragz_area, space_area
from bot.games.change.picture import build_hand_picture, build_picture, find_motion, shows_step
from bot.games.change.pieces import CHALLENGE_TARGET, CardPlayed, CardsSeen, GameEvent, Moved, Stage, State
from bot.rules.components import Nameplate
from bot.rules.motion import Played
from bot.rules.picture import Box, ColourRole, Label, Mark, Picture, Rect, Sprite, Theme
from bot.tools.contract.picture_checks import find_illegible_labels
from tests.games.change.positions import BOARD, GAME, at, cards, legal, play_step, read
from tests.support.each_case import each_case
from tests.support.picture_checks import faces_of_dice, find_flaws, load_art

CHALLENGES = [space for space, entry in enumerate(BOARD.spaces) if entry.kind is SpaceKind.CHALLENGE]
SPACES = range(SPACE_COUNT)


def draw_table(state: State, events: Sequence[GameEvent] = (), names: Sequence[str] = ()) -> Picture:
    public = tuple(event for event in events if event.audience is None)
    drawn = build_picture(GAME.view(state, None), public, tuple(map(Nameplate, names)))
    assert list(find_flaws(drawn)) == []
    assert list(find_illegible_labels(drawn, names)) == []
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
def test_spaces_are_framed_that_have_to_be_chosen_or_whose_challenge_is_open(position: str) -> None:
    """CH-6, CH-C5 and CH-C8."""
    state = read(position)
    ways = {BOARD.space_by_key[move.split()[1]] for move in legal(state) if move.startswith("choose ")}
    here = {state.public.ragz_spaces[0]} if "challenge" in legal(state) else set[int]()
    frames = framed(draw_table(state))
    assert {space for space in SPACES if any(at.contains(space_area(space)) for at in frames)} == ways | here


def test_ch_c0_the_row_of_the_seat_that_decides_is_framed() -> None:
    """CH-C0."""
    drawn = draw_after("120@16/120@0 greed fear/120@0", "roll", "12")
    (row,) = (room for room in framed(drawn) if room.width == MIDDLE.width)
    assert [each.name for each in sprites(within(drawn, row), "token-")] == ["token-2"]


def test_ch_12_at_the_end_the_butterfly_opens_and_the_winners_are_on_gold() -> None:
    """CH-12."""
    drawn = draw_after("120@0/5@0 desires/5@0 desires", "roll", "41")
    assert sprites(drawn.marks, "change/butterfly")
    assert framed(drawn) == []
    owners = [[each.name for each in sprites(within(drawn, room), "token-")] for room in framed(drawn, ColourRole.GOLD)]
    assert owners == [["token-2"], ["token-3"]]


def test_the_dice_are_framed_when_they_can_be_rolled_and_in_brackets_once_they_are() -> None:
    """CH-3."""
    assert sprites(draw_table(read("120@0/120@0")).marks, "bracket") == []
    assert len(sprites(draw_after("120@0/120@0", "roll", "41").marks, "bracket")) == 8
    assert sprites(draw_table(read("120@3/120@0 · 0 free")).marks, "bracket") == [], "an unknown roll"


@each_case(
    "dice, total, fill",
    [("312 21 1", 6, ColourRole.BAD), ("512 63 6", 17, ColourRole.GOOD)],
)
def test_ch_6_the_challenge_shows_the_dice_that_count_against_the_number(
    dice: str, total: int, fill: ColourRole
) -> None:
    """CH-6."""
    drawn = draw_after("125@5/120@0 · 0 free challenge", "challenge", dice)
    faces = [face for die, face in faces_of_dice(drawn.marks) if die.colour is ColourRole.GOLD]
    assert faces == [max(map(int, roll)) for roll in dice.split()]
    assert f"{total}/{CHALLENGE_TARGET}" in texts(within(drawn, MIDDLE))
    assert len(filled(drawn, fill)) == 1


@each_case("seats", range(2, 7))
def test_ch_7_played_cards_are_shown_beside_the_challenge_and_added(seats: int) -> None:
    """CH-7."""
    state, before = play_step(at(*["120@5"] * seats, stage=Stage.FREE, challenge=True), "challenge", "412 32 1")
    played = [CardPlayed(0, card) for card in cards("add-1 add-2")]
    shown = texts(within(draw_table(state, (*before, *played)), MIDDLE))
    assert {"+1", "+2", f"11/{CHALLENGE_TARGET}"} <= set(shown)


def test_an_open_challenge_shows_the_number_to_reach() -> None:
    """CH-6."""
    assert f"{CHALLENGE_TARGET}+" in texts(draw_table(read("120@5/120@0 · 0 free challenge")).marks)


def test_doubles_are_gold() -> None:
    """CH-4."""
    drawn = draw_after("120@5/120@0", "roll", "33")
    assert [face for die, face in faces_of_dice(within(drawn, MIDDLE)) if die.colour is ColourRole.GOLD] == [3, 3]


def test_the_spaces_of_a_set_that_releases_double_light_up() -> None:
    """CH-11."""
    drawn = draw_after("120@0/120@0 greed gossip envy · sets", "roll", "42")
    lit = [space for space in SPACES if any(at.contains(space_area(space)) for at in framed(drawn, ColourRole.NEW))]
    assert [BOARD.keys[space] for space in lit] == ["greed", "gossip", "envy"]
    assert "−20" in texts(within(drawn, MIDDLE))


@each_case("space", SPACES)
def test_the_sign_of_the_space_where_the_turn_has_led_is_shown(space: int) -> None:
    """CH-3."""
    drawn = draw_table(at(f"120@{space}", "120@0"), (Moved(0, space),))
    on_board = sprites(within(drawn, space_area(space)), "change/")[0].name
    assert on_board in [each.name for each in sprites(within(drawn, MIDDLE), "change/")]


def test_ch_5_a_row_tells_what_its_seats_turn_changed_and_frames_what_another_one_did() -> None:
    """CH-5."""

    def row(seat: int) -> list[str]:
        (token,) = sprites(within(drawn, MIDDLE), f"token-{seat + 1}")
        room = Rect(token.at.right, token.at.y - 20, MIDDLE.right - token.at.right, 100)
        return texts(sorted(within(drawn, room), key=lambda mark: mark.at.x))

    drawn = draw_after("120@0/120@0 desires/120@0", "roll", "41")
    assert [row(seat)[:2] for seat in range(3)] == [["125", "+5"], ["115"], ["120"]]
    (label,) = [mark for mark in within(drawn, MIDDLE) if isinstance(mark, Label) and mark.text == "115"]
    (frame,) = [at for at in framed(drawn, ColourRole.NEW) if MIDDLE.contains(at)]
    assert frame.contains(label.at)


def test_a_long_name_gets_room_from_the_rest_of_its_row() -> None:
    def widths(name: str) -> list[int]:
        drawn = draw_table(*play_step(read("120@0/120@0 desires/120@0"), "roll", "41"), ("Jay", name, "Wren"))
        return [mark.at.width for mark in within(drawn, MIDDLE) if isinstance(mark, Label) and mark.is_name]

    assert all(short < long for short, long in zip(widths("Robin"), widths("Maximiliane Hofe"), strict=True))


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
    assert len(sprites(draw_hand("120@0 [add-1 add-1 greed]/120@0", news).marks, "bracket")) == 4


def test_a_space_card_shows_the_effect_of_going_there() -> None:
    """CH-M4 and CH-11."""
    drawn = draw_hand("120@0 greed gossip envy [greed fear]/120@0 · sets")
    assert {"−20", "+20"} <= set(texts(drawn.marks))
    assert len(filled(drawn, ColourRole.NEW)) == 1


def test_the_spaces_lie_around_the_middle_side_by_side() -> None:
    places = [space_area(space) for space in SPACES]
    for space, place in enumerate(places):
        others = [other for other in places if other is not place]
        assert not any(place.overlaps(other) for other in (*others, MIDDLE))
        assert place.inset(-5).overlaps(places[(space + 1) % SPACE_COUNT])


def test_ch_11_the_bands_of_sets_differ_in_colour_and_in_their_dots() -> None:
    """CH-11."""
    drawn = draw_table(read("120@0/120@0"))
    bands = dict[str | None, set[tuple[ColourRole | None, int]]]()
    for space in CHALLENGES:
        boxes = [mark for mark in within(drawn, space_area(space).inset(-1)) if isinstance(mark, Box)][1:]
        bands.setdefault(BOARD.spaces[space].set, set()).add((boxes[0].fill, len(boxes) - 1))
    assert [len(own) for own in bands.values()] == [1] * 6
    assert sorted(dots for own in bands.values() for _fill, dots in own) == [1, 2, 3, 4, 5, 6]


def test_ch_5_every_challenge_space_shows_its_sign_and_what_it_costs() -> None:
    """CH-5."""
    drawn = draw_table(read("120@0/120@0"))
    for space in CHALLENGES:
        shown = within(drawn, space_area(space))
        assert texts(shown) == [str(BOARD.credits[space])]
        assert [each.name for each in sprites(shown, "change/space")] == [f"change/space-{BOARD.keys[space]}"]


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
    assert ragz_area(5) in new
    assert ragz_area(0) not in new


def test_ragz_have_rooms_of_their_own() -> None:
    rooms = [ragz_area(space) for space in SPACES]
    for space, room in enumerate(rooms):
        assert not any(room.overlaps(other) for other in (*rooms[:space], *rooms[space + 1 :], MIDDLE))


@each_case("space, seats", product(SPACES, range(1, 7)))
def test_ragz_are_seen_on_every_space(space: int, seats: int) -> None:
    """The head of each is seen, whose shape says whose it is."""
    others = [f"120@{(space + 1) % SPACE_COUNT}"] * (2 - seats)
    drawn = draw_table(at(*[f"120@{space}"] * seats, *others, stage=Stage.FREE))
    shown = within(drawn, ragz_area(space))
    ragz = sprites(shown, "change/ragz")
    assert [each.name[-1] for each in ragz] == list("123456"[:seats])
    assert min(seen_heads(ragz)) > 0.4


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


@each_case(
    "position, move, dice, resting, is_moment",
    [
        ("120@0/120@0", "roll", "41", [4, 1], False),
        ("125@5/120@0 · 0 free challenge", "challenge", "662313", [6, 3, 3], True),
    ],
)
def test_dice_rest_plain_before_anything_tells_what_they_brought(
    position: str, move: str, dice: str, resting: list[int], is_moment: bool
) -> None:
    before = read(position)
    after, events = play_step(before, move, dice)
    played = Played(GAME.view(before, None), (), GAME.view(after, None), events)
    motion = find_motion(played)
    assert motion is not None
    assert [face for piece in motion.pieces for _, face in faces_of_dice(piece.rest)] == resting
    assert motion.is_moment is is_moment
    assert sprites(motion.before.marks, "change/ragz") == sprites(draw_table(before).marks, "change/ragz")
    assert f"{CHALLENGE_TARGET}+" in texts(motion.before.marks) or not is_moment


def test_dice_rest_where_a_card_that_helped_them_unseen_leaves_room_for_them() -> None:
    """CH-7."""
    before = read("125@5 [add-3]/120@0 · 0 free challenge")
    middle, unseen = play_step(before, "challenge", "441211")
    after, newest = play_step(middle, "card add-3")
    events = (*unseen, *newest)
    motion = find_motion(Played(GAME.view(before, None), (), GAME.view(after, None), events))
    assert motion is not None
    resting, shown = (
        [(die.at, face) for die, face in faces_of_dice(marks)]
        for marks in ([mark for piece in motion.pieces for mark in piece.rest], draw_table(after, events).marks)
    )
    assert resting == shown[-len(motion.pieces) :]


@each_case(
    "moves, seen",
    [
        ("roll: 41, done", ""),
        ("roll: 41, challenge: 662313, done", "roll"),
        ("roll: 41, challenge: 111111, option greed: 662313, done", "roll challenge"),
        ("roll: 41, challenge: 111111, card any greed place, done", "roll challenge"),
        ("roll: 41, challenge: 441212, card add-3, done", "roll"),
        ("roll: 41, challenge: 441212, card add-3, option greed: 662313, done", "roll card"),
        ("roll: 41, card greed place, done", "roll"),
    ],
)
def test_of_a_computer_players_turn_people_see_what_its_next_dice_or_space_hide(moves: str, seen: str) -> None:
    state, names, turn = read("120@0 [any add-3 greed]/120@0"), list[str](), list[Sequence[GameEvent]]()
    for move in moves.split(", "):
        state, events = play_step(state, *move.split(": "))
        names.append(move.partition(":")[0].partition(" ")[0])
        turn.append([event for event in events if event.audience is None])
    assert [name for at, name in enumerate(names[:-1], 1) if shows_step(turn[:at], turn[at])] == seen.split()


@each_case("space, count", product(CHALLENGES, range(1, 7)))
def test_markers_stay_on_their_space_hide_neither_sign_nor_cost_and_no_ragz_covers_them(space: int, count: int) -> None:
    shown = within(draw_table(read("120@0/120@0")), space_area(space))
    printed = [
        *(mark.at for mark in shown if isinstance(mark, Label)),
        *(each.at for each in sprites(shown, "change/")),
    ]
    slots = marker_areas(space, count)
    assert all(space_area(space).contains(slot) for slot in slots)
    assert not any(slot.overlaps(each) for slot in slots for each in (*printed, *map(ragz_area, SPACES)))
    assert len(set(slots)) == count
    assert min(slot.width for slot in slots) >= 34
