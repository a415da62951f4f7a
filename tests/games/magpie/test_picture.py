"""Magpie's picture, its description and the reading."""

from collections.abc import Sequence

from bot.games.magpie import PACKAGE
from bot.games.magpie.events import GameEvent
from bot.games.magpie.guide import COMBINATION_NAMES
from bot.games.magpie.picture.composition import build_picture
from bot.games.magpie.pieces import Combination, MagpieOptions, State
from bot.games.magpie.reading import build_reading
from bot.pictures.renderer import Renderer
from bot.rules.picture import Box, ColourRole, Label, Picture, Rect, Sprite, Theme
from bot.rules.seat_rows import Badge
from tests.games.magpie.naive import CHART
from tests.games.magpie.positions import PLAIN, V1, V1_V3, V2, at, make_finished_game, play_move
from tests.pictures.golden import make_painter
from tests.support.each_case import each_case
from tests.support.picture_checks import faces_of_dice, find_flaws
from tests.support.text_order import find_misplaced

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")


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


def test_the_dice_are_large_and_in_order() -> None:
    drawn = build_picture(at("61524 0/0 0 -"), ())
    assert faces(drawn) == ["6", "1", "5", "2", "4"]
    assert all(die.at.width >= 100 for die in dice(drawn))


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


def test_mp_v1_doubling_is_shown() -> None:
    """MP-V1."""
    state, news = draw_after("66651 0/0 0 -", "roll 1 2 3", "551", V1)
    assert "3 × 4 × 2" in texts_on_gold(build_picture(state, news))
    assert list(find_flaws(build_picture(state, news))) == []


@each_case("combination", Combination)
def test_mp_6_the_chart_shows_points_per_rolled_die(combination: Combination) -> None:
    """MP-6."""
    cells = [
        mark for mark in build_picture(at("12346 0/0 0 -"), ()).marks if isinstance(mark, Label) and mark.size == 38
    ]
    assert str(CHART[combination][0]) in [cell.text for cell in cells]


@each_case("seats", range(2, 7))
def test_every_seat_has_its_token_and_its_score_and_the_one_to_roll_a_frame(seats: int) -> None:
    scores = tuple(range(11, 11 + seats))
    drawn = build_picture(at(f"12346 {'/'.join(map(str, scores))} {seats - 1} -"), ())
    tokens = [mark for mark in drawn.marks if isinstance(mark, Sprite) and mark.name.startswith("token-")]
    assert [token.name for token in tokens] == [f"token-{seat + 1}" for seat in range(seats)]
    assert set(map(str, scores)) <= set(labels(drawn))
    (frame,) = [mark for mark in drawn.marks if isinstance(mark, Box) and mark.border is ColourRole.MARK]
    assert [frame.at.contains(token.at) for token in tokens] == [False] * (seats - 1) + [True]
    assert drawn.size[1] <= PACKAGE.picture_height <= 800, "what messages leave room for"


@each_case("target", [50, 100, 500])
def test_the_line_is_at_the_target(target: int) -> None:
    options = MagpieOptions(target=target)
    assert f"first to {target}" in labels(build_picture(at("12346 0/0 0 -", options), ()))


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


def test_the_description_tells_turn_dice_gain_and_scores() -> None:
    state, news = draw_after("11162 5/7 0 -", "roll 4 5", "16")
    description = build_picture(state, news).description
    for part in (
        "It's player 2's turn to roll",
        "1, 1, 1, 1, 6",
        "four of a kind",
        "14 points",
        "player 1 has 19",
        "player 2 has 7",
        "First to 100",
    ):
        assert part in description


@each_case(
    "scores, words",
    [((101, 30, 102), "over: player 3 wins"), ((101, 30, 101), "over: player 1 and player 3 share")],
)
def test_mp_10_the_description_names_the_winner(scores: tuple[int, ...], words: str) -> None:
    assert words in build_picture(make_finished_game(scores, 0), ()).description


def read_table(state: State) -> str:
    return build_reading(state, NAMES[: len(state.scores)])


def test_the_reading_explains_step_by_step() -> None:
    words = read_table(at("11163 5/101/9 0 1", V2))
    parts = [
        "Ada's turn to roll",
        "1, 1, 1, 6, 3",
        "(three of a kind)",
        "Ada has 5",
        "Ben has 101",
        "100 is reached. Everyone but Ben",
    ]
    assert find_misplaced(words, parts) == []


@each_case("combination", CHART)
def test_it_lists_the_points_of_each_combination(combination: Combination) -> None:
    assert f"{COMBINATION_NAMES[combination]} {CHART[combination][0]}" in read_table(at("11163 5/9 0 -"))


def test_options_other_than_the_defaults_are_named() -> None:
    assert "Options:" not in read_table(at("11163 5/9 0 -"))
    for text in PACKAGE.describe_options(V1_V3):
        assert text in read_table(at("11163 5/9 0 -", V1_V3))


@each_case("scores, words", [((101, 120), "Ben wins"), ((120, 120), "Ada and Ben share the win"), ((7, 3), "Ada wins")])
def test_after_the_end_the_winners_are_named(scores: tuple[int, ...], words: str) -> None:
    assert words in read_table(make_finished_game(scores, 0))
    assert "turn to roll" not in read_table(make_finished_game(scores, 0))
