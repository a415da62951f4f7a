"""What lies where in Magpie's picture."""

from dataclasses import replace

from bot.games.magpie import PACKAGE
from bot.games.magpie.facts import square_of
from bot.games.magpie.picture import build_picture, find_motion
from bot.games.magpie.pieces import Combination, GameEvent
from bot.pictures.renderer import Renderer
from bot.rules.motion import Motion, Played
from bot.rules.picture import Box, ColourRole, Label, Picture, Rect, Sprite, Theme
from bot.rules.seat_rows import SeatSign
from tests.games.magpie.positions import at, make_finished_game, play_move
from tests.pictures.golden import make_painter
from tests.support.each_case import each_case
from tests.support.picture_checks import faces_of_dice, find_flaws

NEST = Rect(0, 98, 1000, 196)


def draw_after(position: str, move: str, dice: str) -> Picture:
    state, events = play_move(at(position), move, dice)
    drawn = build_picture(state, events)
    assert list(find_flaws(drawn)) == []
    return drawn


def sprites(drawn: Picture, start: str) -> list[Sprite]:
    return [mark for mark in drawn.marks if isinstance(mark, Sprite) and mark.name.startswith(start)]


def dice(drawn: Picture) -> list[Sprite]:
    """Return the dice in the nest, from left to right."""
    return sorted((die for die in sprites(drawn, "die") if NEST.contains(die.at)), key=lambda die: die.at.x)


def worn_by(drawn: Picture, seat: int) -> list[str]:
    """Return the badges that touch a seat's token."""
    (token,) = sprites(drawn, f"token-{seat + 1}")
    return [mark.name for badge in SeatSign for mark in sprites(drawn, badge.value) if mark.at.overlaps(token.at)]


def row_dice(drawn: Picture, seat: int) -> list[tuple[int, bool]]:
    """Return the dice in a seat's row, from left to right, and whether each is gold."""
    (token,) = sprites(drawn, f"token-{seat + 1}")
    found = [
        (die, face)
        for die, face in faces_of_dice(drawn.marks)
        if token.at.y < die.at.bottom and die.at.y < token.at.bottom
    ]
    return [(face, die.colour is ColourRole.GOLD) for die, face in sorted(found, key=lambda each: each[0].at.x)]


def places_under(drawn: Picture, start: str) -> list[int]:
    """Return the places of the dice in the nest that a kind of sprite touches."""
    found = sprites(drawn, start)
    return [place for place, die in enumerate(dice(drawn), 1) if any(each.at.overlaps(die.at) for each in found)]


def framed(drawn: Picture) -> list[Rect]:
    return [mark.at for mark in drawn.marks if isinstance(mark, Box) and mark.border is ColourRole.MARK]


def test_other_faces_change_only_the_bands_of_their_pips() -> None:
    used = Renderer(make_painter(Theme.STANDARD), Theme.STANDARD)
    used.render(build_picture(at("61524 0/0 0 -"), ()))
    assert used.plan(build_picture(at("14632 0/0 0 -"), ())).bands.count(None) == 4


@each_case(
    "position, rolled, gold, holds",
    [
        ("11162", "16", 4, 3),
        ("26111", "16", 4, 3),
        ("11216", "21", 5, 3),
        ("66211", "16", 3, 2),
        ("11162", "34", 0, None),
    ],
)
def test_the_magpie_holds_a_die_that_scores_and_hides_no_pip(
    position: str, rolled: str, gold: int, holds: int | None
) -> None:
    """MP-5: the dice that score are gold."""
    drawn = draw_after(f"{position} 0/0 0 -", "roll 4 5", rolled)
    lying = dice(drawn)
    assert sum(die.colour is ColourRole.GOLD for die in lying) == gold
    assert places_under(drawn, "magpie/magpie-grip") == ([] if holds is None else [holds])
    assert holds is None or lying[holds - 1].colour is ColourRole.GOLD
    for grip in sprites(drawn, "magpie/magpie-grip"):
        assert not any(grip.at.overlaps(pip.at) for pip in sprites(drawn, "pip") if NEST.contains(pip.at))


def test_until_dice_score_the_magpie_waits_beside_them() -> None:
    drawn = build_picture(at("11162 0/0 0 -"), ())
    assert [mark.name for mark in sprites(drawn, "magpie/")] == ["magpie/magpie"]
    assert places_under(drawn, "magpie/") == []


@each_case(
    "position, moves, is_sulking",
    [
        ("41162 0/0 0 -", [("roll 4", "5"), ("roll 4", "3")], True),
        ("41162 0/0 0 -", [("roll 4", "1"), ("roll 4", "3")], False),
        ("41162 0/0 0 -", [("roll 4", "5")], False),
    ],
)
def test_the_magpie_turns_its_back_after_two_turns_without_points(
    position: str, moves: list[tuple[str, str]], is_sulking: bool
) -> None:
    state, events = at(position), list[GameEvent]()
    for move, dice_rolled in moves:
        state, new = play_move(state, move, dice_rolled)
        events += new
    drawn = build_picture(state, events)
    assert [mark.name == "magpie/magpie-back" for mark in sprites(drawn, "magpie/")] == [is_sulking]


def test_where_the_flag_leaves_no_room_for_wings_the_magpie_sits_on_the_die() -> None:
    drawn = draw_after("41344 0/0 0 -", "roll 1", "4")
    assert [mark.name for mark in sprites(drawn, "magpie/")] == ["magpie/magpie"]
    assert places_under(drawn, "magpie/") == [4]


def test_a_row_keeps_the_dice_and_the_points_of_its_seats_last_roll() -> None:
    state, first = play_move(at("44163 23/21/5 0 -"), "roll 3 4", "44")
    state, second = play_move(state, "roll 4 5", "21")
    drawn = build_picture(state, (*first, *second))
    assert row_dice(drawn, 0) == [(4, True), (4, True), (4, True), (4, True), (3, False)]
    assert row_dice(drawn, 1) == [(4, False), (4, False), (4, False), (2, False), (1, False)]
    assert row_dice(drawn, 2) == []
    texts = [mark.text for mark in drawn.marks if isinstance(mark, Label)]
    assert {f"+{2 * Combination.FOUR_OF_A_KIND}", "+0"} <= set(texts)
    assert len([text for text in texts if text.startswith("+")]) == 2


def test_the_magpie_takes_five_equal_dice_from_the_nest() -> None:
    """MP-8."""
    drawn = draw_after("11112 0/0 0 -", "roll 5", "1 26354")
    found = sorted(faces_of_dice(drawn.marks), key=lambda each: each[0].at.x)
    fresh = dice(drawn)
    assert [(die.colour, face) for die, face in found if die.at.bottom < NEST.y] == [(ColourRole.GOLD, 1)] * 5
    assert [(die.colour, face) for die, face in found if die in fresh] == [(ColourRole.PAPER, int(n)) for n in "26354"]


@each_case("rolled, has_crown", [("34", True), ("16", False)])
def test_in_the_end_the_magpie_has_dice_or_a_crown(rolled: str, has_crown: bool) -> None:
    drawn = draw_after("11162 99/0 1 0", "roll 4 5", rolled)
    assert any(crown.at.y < NEST.y for crown in sprites(drawn, "crown")) == has_crown
    assert bool(sprites(drawn, "magpie/magpie-grip")) != has_crown


@each_case("seats", range(2, 7))
def test_every_seat_has_its_token_and_the_one_to_roll_a_frame(seats: int) -> None:
    drawn = build_picture(at(f"12346 {'/'.join(['7'] * seats)} {seats - 1} -"), ())
    tokens = sprites(drawn, "token-")
    assert [token.name for token in tokens] == [f"token-{seat + 1}" for seat in range(seats)]
    (frame,) = framed(drawn)
    assert [frame.contains(token.at) for token in tokens] == [False] * (seats - 1) + [True]
    assert drawn.size[1] == {2: 620, 3: 720, 4: 740, 5: 820, 6: 900}[seats] <= PACKAGE.look.picture_height


@each_case(
    "position, worn",
    [
        ("12346 99/30/40 2 -", []),
        ("12346 101/30/40 2 0", [("flag", 0)]),
        ("12346 101/120/40 2 0", [("flag", 1)]),
        ("12346 101/120/40 - 0", [("crown", 1)]),
        ("12346 101/100/40 - 0", [("crown", 0)]),
        ("12346 120/120/40 - 0", [("crown", 0), ("crown", 1)]),
    ],
)
def test_the_score_to_beat_has_a_flag_and_the_winner_a_crown(position: str, worn: list[tuple[str, int]]) -> None:
    """MP-9 and MP-10."""
    drawn = build_picture(at(position), ())
    assert [(name, seat) for seat in range(3) for name in worn_by(drawn, seat)] == worn


def test_no_seat_is_framed_after_the_end() -> None:
    assert framed(build_picture(make_finished_game((101, 120), 0), ())) == []


def roll_in_motion(position: str, move: str, dice: str) -> Motion:
    before = at(position)
    after, events = play_move(before, move, dice)
    motion = find_motion(Played(before, (), after, events), ())
    assert motion is not None
    return motion


def test_before_a_roll_rests_the_kept_dice_lie_plain_and_nothing_counts() -> None:
    motion = roll_in_motion("33412 5/10 1 -", "roll 3 4 5", "321")
    before = motion.before
    assert [die.colour for die in dice(before)] == [ColourRole.PAPER] * 2
    assert [places_under(replace(before, marks=piece.rest), "die") for piece in motion.pieces] == [[1], [1], [1]]
    assert sprites(before, "magpie/magpie-wings") == []
    assert not any(isinstance(mark, Sprite) and mark.name == "magpie/shine" for mark in before.backdrop)
    assert [mark for mark in before.marks if isinstance(mark, Box) and mark.fill is ColourRole.GOLD] == []
    rested = [face for piece in motion.pieces for _, face in faces_of_dice(piece.rest)]
    assert rested == [3, 2, 1]


def test_the_shine_under_a_big_roll_is_scenery_which_high_contrast_is_without() -> None:
    (staged,) = roll_in_motion("33412 5/10 1 -", "roll 3 4 5", "331").staging
    assert [mark.name for mark in staged.scenery if isinstance(mark, Sprite)].count("magpie/shine") == 1
    assert sprites(staged, "magpie/shine") == []


@each_case("points, square", [(0, 0), (1, 1), (5, 1), (6, 2), (13, 2), (14, 3), (27, 3), (28, 4), (120, 4)])
def test_mp_s1_a_roll_of_a_seat_alone_has_the_square_of_its_points(points: int, square: int) -> None:
    """MP-S1."""
    assert square_of(points) == square


def test_at_a_big_roll_the_magpie_waits_until_the_dice_have_scored() -> None:
    assert roll_in_motion("33412 5/10 1 -", "roll 3 4 5", "321").staging == ()
    (staged,) = roll_in_motion("33412 5/10 1 -", "roll 3 4 5", "331").staging
    assert not sprites(staged, "magpie/magpie-wings")
    assert sum(die.colour is ColourRole.GOLD for die in dice(staged)) == 4


def test_five_equal_dice_lie_there_before_they_are_taken_away() -> None:
    *_, taken = roll_in_motion("33412 5/10 1 -", "roll 3 4 5", "33352264").staging
    assert sprites(taken, "magpie/magpie-wings")
    assert [die.colour for die in dice(taken)] == [ColourRole.GOLD] * 5
