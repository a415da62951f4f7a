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
def test_every_roll_can_be_composed_by_ticking_what_it_keeps_or_what_it_rolls(dice: tuple[int, ...]) -> None:
    """MP-4."""
    ticked, others = (tick("12346 0/0 0 -", places) for places in (dice, sorted({*PLACES} - {*dice})))
    found = [screen.find_control(key) for screen, key in ((ticked, "only"), (others, "others"))]
    assert [each and each.effect for each in found] == [Play(" ".join(["roll", *map(str, dice)]))] * 2


@each_case("draft", [EMPTY_DRAFT, frozenset({0, 6, 16, 63}), frozenset(PLACES)])
def test_without_a_die_ticked_all_five_can_be_rolled(draft: Draft) -> None:
    rolls = draw(at("12346 0/0 0 -"), draft).controls[1]
    assert [(each.key, each.effect) for each in rolls] == [("roll", Play("roll 1 2 3 4 5"))]


@each_case(
    "faces, move",
    [
        ("13311", "roll 2 3"),
        ("24252", "roll 2 4"),
        ("66663", "roll 5"),
        ("54453", "roll 2 3 5"),
        ("12346", None),
        ("22222", None),
    ],
)
def test_one_button_keeps_equal_dice(faces: str, move: str | None) -> None:
    """MP-4."""
    keep = draw(at(f"{faces} 0/0 0 -")).find_control("keep")
    assert (keep and keep.effect) == (move and Play(move))
    assert tick(f"{faces} 0/0 0 -", (1,)).find_control("keep") is None


@each_case(
    "position, ticked, out",
    [
        ("12346 0/0 0 -", (), ["roll"]),  # nothing is worth keeping of five different dice
        ("11234 0/0 0 -", (), ["keep"]),
        ("11234 0/0 0 -", (1, 2), ["others"]),
        ("11234 0/0 0 -", (3, 4, 5), ["only"]),
        ("11234 0/0 0 -", (4, 5), []),
        ("11223 0/0 0 -", (), []),  # which of two pairs is all the same
        ("11111 0/0 0 -", (1, 2, 3), []),  # three equal dice are worth hardly more than two
        ("11234 40/100 0 1", (), []),  # in the last round the score to beat decides
    ],
)
def test_the_clearly_best_roll_stands_out(position: str, ticked: tuple[int, ...], out: list[str]) -> None:
    """MP-6 and MP-9."""
    assert [each.key for each in tick(position, ticked).iter_controls() if each.tone is Tone.MAIN] == out


def test_ticked_dice_stand_out_by_colour_and_label() -> None:
    before, after = (tick("12346 0/0 0 -", places).controls[0] for places in ((), (2, 5)))
    ticked = [False, True, False, False, True]
    assert [control.tone is Tone.CHOSEN for control in after] == ticked
    assert [old.label != new.label for old, new in zip(before, after, strict=True)] == ticked
