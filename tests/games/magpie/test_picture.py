"""What Magpie's picture shows."""

from collections.abc import Sequence

from bot.games.magpie import PACKAGE
from bot.games.magpie.picture import build_picture
from bot.games.magpie.pieces import GameEvent, MagpieOptions, State
from bot.pictures.renderer import Renderer
from bot.rules.picture import Box, ColourRole, Label, Picture, Rect, Sprite, Theme
from bot.rules.seat_rows import Badge
from tests.games.magpie.positions import PLAIN, at, make_finished_game, play_move
from tests.pictures.golden import make_painter
from tests.support.each_case import each_case
from tests.support.picture_checks import faces_of_dice, find_flaws


def draw_after(
    position: str, move: str, dice: str, options: MagpieOptions = PLAIN
) -> tuple[State, Sequence[GameEvent]]:
    return play_move(at(position, options), move, dice)


def magpie(drawn: Picture) -> dict[str, Rect]:
    """Return the parts of the magpie."""
    parts = (mark for mark in drawn.marks if isinstance(mark, Sprite) and mark.name.startswith("magpie/"))
    return {part.name.removeprefix("magpie/"): part.at for part in parts}


NEST = Rect(0, 0, 900, 306)


def sprites(drawn: Picture, name: str, within: Rect) -> list[Sprite]:
    return [mark for mark in drawn.marks if isinstance(mark, Sprite) and mark.name == name and within.contains(mark.at)]


def dice(drawn: Picture) -> list[Sprite]:
    found = sprites(drawn, "die", NEST)
    return sorted(found, key=lambda die: die.at.x)


def faces(drawn: Picture) -> list[str]:
    return [
        str(face)
        for die, face in sorted(faces_of_dice(drawn.marks), key=lambda found: found[0].at.x)
        if die in dice(drawn)
    ]


def bracketed_places(drawn: Picture) -> list[int]:
    """Return the places of the dice in brackets."""
    brackets = [mark for mark in drawn.marks if isinstance(mark, Sprite) and mark.name == "bracket"]
    return [
        place
        for place, die in enumerate(dice(drawn), 1)
        if sum(bracket.at.overlaps(die.at.inset(-9)) for bracket in brackets) == 4
    ]


def texts_on_gold(drawn: Picture) -> list[str]:
    """Return what is written on gold, from top to bottom and from left to right."""
    gold = [mark.at for mark in drawn.marks if isinstance(mark, Box) and mark.fill is ColourRole.GOLD]
    labels = [mark for mark in drawn.marks if isinstance(mark, Label) and any(each.contains(mark.at) for each in gold)]
    return [label.text for label in labels]


def labels(drawn: Picture) -> list[str]:
    return [mark.text for mark in drawn.iter_marks() if isinstance(mark, Label)]


def test_other_faces_change_three_bands_of_a_file() -> None:
    used = Renderer(make_painter(Theme.STANDARD), Theme.STANDARD)
    used.render(build_picture(at("61524 0/0 0 -"), ()))
    assert used.plan(build_picture(at("14632 0/0 0 -"), ())).bands.count(None) == 3


def test_before_the_first_roll_nothing_is_new_and_nothing_counts() -> None:
    drawn = build_picture(at("11162 0/0 0 -"), ())
    assert (bracketed_places(drawn), texts_on_gold(drawn)) == ([], [])


def test_rolled_dice_have_brackets_and_scoring_dice_gold() -> None:
    state, news = draw_after("11162 0/0 0 -", "roll 4 5", "16")
    drawn = build_picture(state, news)
    assert bracketed_places(drawn) == [4, 5]
    assert texts_on_gold(drawn) == ["1", "2", "3", "4", "2 × 7", "4 of a kind"]
    assert [die.colour for die in dice(drawn)] == [ColourRole.GOLD] * 4 + [ColourRole.PAPER_SHADE]
    assert "+14" in labels(drawn)


@each_case("position, rolled, holds", [("11162", "16", 3), ("26111", "16", 3), ("11216", "21", 3), ("66211", "16", 2)])
def test_the_magpie_holds_a_die_that_scores_and_hides_no_pip(position: str, rolled: str, holds: int) -> None:
    state, news = draw_after(f"{position} 0/0 0 -", "roll 4 5", rolled)
    drawn = build_picture(state, news)
    assert list(find_flaws(drawn)) == []
    wings, grip = magpie(drawn)["magpie-wings"], magpie(drawn)["magpie-grip"]
    assert [place for place, die in enumerate(dice(drawn), 1) if grip.overlaps(die.at)] == [holds]
    assert dice(drawn)[holds - 1].colour is ColourRole.GOLD
    assert not any(wings.overlaps(die.bounds) for die in dice(drawn))
    assert not any(grip.overlaps(pip.at) for pip in sprites(drawn, "pip", NEST))


def test_until_dice_score_the_magpie_waits_beside_them() -> None:
    drawn = build_picture(at("11162 0/0 0 -"), ())
    (waiting,) = magpie(drawn).values()
    assert not any(waiting.overlaps(each.at) for each in dice(drawn))


def test_mp_8_the_magpie_takes_five_equal_dice_from_the_nest() -> None:
    """MP-8."""
    state, news = draw_after("11112 0/0 0 -", "roll 5", "1 26354")
    drawn = build_picture(state, news)
    assert list(find_flaws(drawn)) == []
    loot = [(die.colour, face) for die, face in faces_of_dice(drawn.marks) if die not in dice(drawn)]
    assert loot == [(ColourRole.GOLD, 1)] * 5
    assert faces(drawn) == ["2", "6", "3", "5", "4"]


def test_in_the_end_the_magpie_has_dice_or_a_crown() -> None:
    state, news = draw_after("11162 99/0 1 0", "roll 4 5", "34")
    assert state.mover is None
    assert len(sprites(build_picture(state, news), "crown", Rect(800, 0, 200, 306))) == 1
    state, news = draw_after("11162 99/0 1 0", "roll 4 5", "16")
    assert "magpie-grip" in magpie(build_picture(state, news))


def test_a_roll_for_nothing_is_in_brackets_all_the_same() -> None:
    state, news = draw_after("11162 0/0 0 -", "roll 4 5", "34")
    drawn = build_picture(state, news)
    assert (bracketed_places(drawn), texts_on_gold(drawn)) == ([4, 5], [])
    assert not any(text.startswith("+") for text in labels(drawn))
    assert "last roll" not in drawn.description
    assert [die.colour for die in dice(drawn)] == [ColourRole.PAPER] * 5


def test_mp_8_fresh_dice_are_shown_with_the_points_of_the_old_ones() -> None:
    """MP-8."""
    state, news = draw_after("11112 0/0 0 -", "roll 5", "1 26354")
    drawn = build_picture(state, news)
    assert bracketed_places(drawn) == [1, 2, 3, 4, 5]
    assert texts_on_gold(drawn) == ["1 × 11", "5 of a kind"]
    assert {die.colour for die in dice(drawn)} == {ColourRole.PAPER}


@each_case("seats", range(2, 7))
def test_every_seat_has_its_token_and_its_score_and_the_one_to_roll_a_frame(seats: int) -> None:
    scores = tuple(range(11, 11 + seats))
    drawn = build_picture(at(f"12346 {'/'.join(map(str, scores))} {seats - 1} -"), ())
    tokens = [mark for mark in drawn.marks if isinstance(mark, Sprite) and mark.name.startswith("token-")]
    assert [token.name for token in tokens] == [f"token-{seat + 1}" for seat in range(seats)]
    assert set(map(str, scores)) <= set(labels(drawn))
    (frame,) = [mark for mark in drawn.marks if isinstance(mark, Box) and mark.border is ColourRole.MARK]
    assert [frame.at.contains(token.at) for token in tokens] == [False] * (seats - 1) + [True]
    assert drawn.size[1] <= PACKAGE.look.picture_height <= 800, "what messages leave room for"


def badges(drawn: Picture) -> list[tuple[str, int]]:
    """Return the badges with the seats that wear them."""
    below = Rect(0, 306, 1000, drawn.size[1] - 306)
    worn = [mark for badge in Badge for mark in sprites(drawn, badge.value, below)]
    tokens = [mark for mark in drawn.marks if isinstance(mark, Sprite) and mark.name.startswith("token-")]
    middle = [token.at.y + token.at.height // 2 for token in tokens]
    return [(mark.name, middle.index(mark.at.y + mark.at.height // 2)) for mark in worn]


def test_mp_9_the_trigger_has_a_flag_and_the_winner_a_crown() -> None:
    """MP-9 and MP-10."""
    assert badges(build_picture(at("12346 101/30/40 2 0"), ())) == [("flag", 0)]
    assert badges(build_picture(make_finished_game((101, 120, 40), 0), ())) == [("crown", 1)]
    assert badges(build_picture(make_finished_game((120, 120, 40), 0), ())) == [("crown", 0), ("crown", 1)]


def test_after_the_end_no_seat_is_framed() -> None:
    drawn = build_picture(make_finished_game((101, 120), 0), ())
    assert not any(isinstance(mark, Box) and mark.border is ColourRole.MARK for mark in drawn.marks)
