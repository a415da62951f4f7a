"""What can be pressed on Magpie's screen."""

from collections.abc import Iterable

from bot.games.magpie.pieces import DICE_COUNT, State
from bot.games.magpie.screen import build_screen
from bot.rules.screen import EMPTY_DRAFT, Draft, Play, Screen, Toggle, Tone
from bot.tools.contract.screen_checks import NAMES as ESCAPED_NAMES, find_excess
from tests.games.magpie.naive import PLACES, ROLLS
from tests.games.magpie.positions import at, make_finished_game
from tests.support.each_case import each_case

LONGEST_NAMES = tuple(letter * 32 for letter in "abcdef")


def draw(state: State, draft: Draft = EMPTY_DRAFT) -> Screen:
    return build_screen(state, (), LONGEST_NAMES[: len(state.scores)], draft)


def tick(position: str, places: Iterable[int]) -> Screen:
    """Draw the screen after ticking some dice."""
    state, draft = at(position), EMPTY_DRAFT
    for place in places:
        control = draw(state, draft).find_control(f"keep{place}")
        assert control is not None
        assert isinstance(control.effect, Toggle)
        draft = control.effect.apply(draft)
    return draw(state, draft)


@each_case("names", [LONGEST_NAMES, ESCAPED_NAMES])
def test_the_longest_names_fit_when_all_share_the_win(names: tuple[str, ...]) -> None:
    """MP-10."""
    assert list(find_excess(build_screen(make_finished_game((100,) * 6, 0), (), names, EMPTY_DRAFT))) == []


@each_case("dice", [dice for dice in ROLLS if len(dice) < DICE_COUNT])
def test_every_roll_can_be_composed_by_ticking_what_it_keeps(dice: tuple[int, ...]) -> None:
    """MP-4."""
    composed = tick("12346 0/0 0 -", sorted({*PLACES} - {*dice})).find_control("others")
    assert composed is not None
    assert composed.effect == Play(" ".join(["roll", *map(str, dice)]))
    assert composed.tone is Tone.CHOSEN


@each_case("draft", [EMPTY_DRAFT, frozenset({0, 6, 16, 63}), frozenset(PLACES)])
def test_without_a_die_to_keep_and_one_to_roll_the_best_rolls_are_offered(draft: Draft) -> None:
    rolls = draw(at("12346 0/0 0 -"), draft).shortcuts
    assert [(control.key, control.effect) for control in rolls] == [("roll", Play("roll 1 2 3 4 5"))]


@each_case(
    "faces, kept",
    [
        ("12346", [0]),
        ("11234", [2, 0]),
        ("11223", [2, 0]),
        ("13311", [2, 0, 3]),
        ("24252", [2, 0, 3]),
        ("66663", [2, 0, 3]),
        ("22222", [2, 0, 3]),
    ],
)
def test_shortcuts_keep_equal_dice_from_the_safest_roll_to_the_boldest_but_never_four(
    faces: str, kept: list[int]
) -> None:
    """MP-4 and MP-6: keeping four of a kind scores least often."""
    moves = [control.effect for control in draw(at(f"{faces} 0/0 0 -")).shortcuts]
    assert [DICE_COUNT + 1 - len(move.move.split()) for move in moves if isinstance(move, Play)] == kept


@each_case(
    "position, ticked, best, next_step",
    [
        ("12346 0/0 0 -", (), ["roll"], []),  # nothing is worth keeping of five different dice
        ("11234 0/0 0 -", (), ["roll"], []),
        ("11234 0/0 0 -", (1, 2), [], ["others"]),
        ("11223 0/0 0 -", (), [], ["roll"]),  # which of two pairs is all the same
        ("11234 40/100 0 1", (), [], ["roll"]),  # in the last round the score to beat decides
    ],
)
def test_the_best_roll_stands_out_only_if_it_is_clear(
    position: str, ticked: tuple[int, ...], best: list[str], next_step: list[str]
) -> None:
    """MP-6 and MP-9."""
    controls = list(tick(position, ticked).iter_controls())
    assert [control.key for control in controls if control.tone is Tone.MAIN] == best
    assert [control.key for control in controls if control.tone is Tone.CHOSEN] == next_step


def test_ticked_dice_are_marked_by_their_labels() -> None:
    before, after = (tick("12346 0/0 0 -", places).controls[-1] for places in ((), (2, 5)))
    ticked = [old.label != new.label for old, new in zip(before, after, strict=True)]
    assert ticked == [False, True, False, False, True]
