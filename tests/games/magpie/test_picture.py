"""What lies where in Magpie's picture; what is written there is proven by golden files."""

from bot.games.magpie import PACKAGE
from bot.games.magpie.picture import build_picture
from bot.pictures.renderer import Renderer
from bot.rules.picture import Box, ColourRole, Picture, Rect, Sprite, Theme
from bot.rules.seat_rows import Badge
from tests.games.magpie.positions import at, make_finished_game, play_move
from tests.pictures.golden import make_painter
from tests.support.each_case import each_case
from tests.support.picture_checks import faces_of_dice, find_flaws

NEST = Rect(0, 0, 900, 306)


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


def places_under(drawn: Picture, start: str) -> list[int]:
    """Return the places of the dice in the nest that a kind of sprite touches."""
    found = sprites(drawn, start)
    return [place for place, die in enumerate(dice(drawn), 1) if any(each.at.overlaps(die.at) for each in found)]


def framed(drawn: Picture) -> list[Rect]:
    return [mark.at for mark in drawn.marks if isinstance(mark, Box) and mark.border is ColourRole.MARK]


def test_other_faces_change_three_bands_of_a_file() -> None:
    used = Renderer(make_painter(Theme.STANDARD), Theme.STANDARD)
    used.render(build_picture(at("61524 0/0 0 -"), ()))
    assert used.plan(build_picture(at("14632 0/0 0 -"), ())).bands.count(None) == 3


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
    """MP-5: rolled dice are in brackets, those that score are gold."""
    drawn = draw_after(f"{position} 0/0 0 -", "roll 4 5", rolled)
    lying = dice(drawn)
    inner = [die.at.inset(-9) for die in lying]
    corners = [sum(bracket.at.overlaps(area) for bracket in sprites(drawn, "bracket")) for area in inner]
    assert [place for place, count in enumerate(corners, 1) if count == 4] == [4, 5]
    assert sum(die.colour is ColourRole.GOLD for die in lying) == gold
    assert places_under(drawn, "magpie/magpie-grip") == ([] if holds is None else [holds])
    assert holds is None or lying[holds - 1].colour is ColourRole.GOLD
    for wings in sprites(drawn, "magpie/magpie-wings"):
        assert not any(wings.at.overlaps(die.bounds) for die in lying)
    for grip in sprites(drawn, "magpie/magpie-grip"):
        assert not any(grip.at.overlaps(pip.at) for pip in sprites(drawn, "pip") if NEST.contains(pip.at))


def test_until_dice_score_the_magpie_waits_beside_them() -> None:
    drawn = build_picture(at("11162 0/0 0 -"), ())
    assert sprites(drawn, "magpie/") != []
    assert places_under(drawn, "magpie/") == places_under(drawn, "bracket") == []


def test_the_magpie_takes_five_equal_dice_from_the_nest() -> None:
    """MP-8."""
    drawn = draw_after("11112 0/0 0 -", "roll 5", "1 26354")
    found = sorted(faces_of_dice(drawn.marks), key=lambda each: each[0].at.x)
    fresh = dice(drawn)
    assert [(die.colour, face) for die, face in found if die not in fresh] == [(ColourRole.GOLD, 1)] * 5
    assert [(die.colour, face) for die, face in found if die in fresh] == [(ColourRole.PAPER, int(n)) for n in "26354"]


@each_case("rolled, has_crown", [("34", True), ("16", False)])
def test_in_the_end_the_magpie_has_dice_or_a_crown(rolled: str, has_crown: bool) -> None:
    drawn = draw_after("11162 99/0 1 0", "roll 4 5", rolled)
    assert any(crown.at.y < NEST.bottom for crown in sprites(drawn, "crown")) == has_crown
    assert bool(sprites(drawn, "magpie/magpie-grip")) != has_crown


@each_case("seats", range(2, 7))
def test_every_seat_has_its_token_and_the_one_to_roll_a_frame(seats: int) -> None:
    drawn = build_picture(at(f"12346 {'/'.join(['7'] * seats)} {seats - 1} -"), ())
    tokens = sprites(drawn, "token-")
    assert [token.name for token in tokens] == [f"token-{seat + 1}" for seat in range(seats)]
    (frame,) = framed(drawn)
    assert [frame.contains(token.at) for token in tokens] == [False] * (seats - 1) + [True]
    assert drawn.size[1] <= PACKAGE.look.picture_height <= 800, "what messages leave room for"


@each_case(
    "position, worn",
    [
        ("12346 101/30/40 2 0", [("flag", 0)]),
        ("12346 101/120/40 - 0", [("crown", 1)]),
        ("12346 101/100/40 - 0", [("crown", 0)]),
        ("12346 120/120/40 - 0", [("crown", 0), ("crown", 1)]),
    ],
)
def test_the_trigger_has_a_flag_and_the_winner_a_crown(position: str, worn: list[tuple[str, int]]) -> None:
    """MP-9 and MP-10."""
    drawn = build_picture(at(position), ())
    middles = [token.at.y + token.at.height // 2 for token in sprites(drawn, "token-")]
    badges = [mark for badge in Badge for mark in sprites(drawn, badge.value) if mark.at.y >= NEST.bottom]
    assert [(mark.name, middles.index(mark.at.y + mark.at.height // 2)) for mark in badges] == worn


def test_no_seat_is_framed_after_the_end() -> None:
    assert framed(build_picture(make_finished_game((101, 120), 0), ())) == []
