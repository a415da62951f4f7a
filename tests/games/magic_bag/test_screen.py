"""What can be pressed on the screen of The Magic Bag."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random

import pytest

from bot.games.magic_bag.advice import advise, find_aim
from bot.games.magic_bag.minds.evaluation import VALUE_ERROR, OutlookEvaluator, evaluate_for_screen
from bot.games.magic_bag.minds.turn_values import expect_coins
from bot.games.magic_bag.pieces import PIECES, Claim, MagicBagOptions, Roll, State, Suit
from bot.games.magic_bag.scoring import points_of
from bot.platform.content import DATA, NpzTables
from bot.rules.chance import FastChance
from bot.rules.playout import random_move
from bot.rules.screen import EMPTY_DRAFT, Draft, Play, Screen, Toggle, Tone, find_coloured_control
from bot.tools.contract.screen_checks import find_excess
from tests.games.magic_bag.positions import FAR, GAME, ROWS, at, play_move
from tests.support.each_case import each_case
from tests.support.games import load_games_once

build_screen = load_games_once()["magic_bag"].words.build_screen

NINE_ROWS = {f"row{number}" for number in range(1, 10)}
MOST_BUTTONS = 10 - len(("More …", "How to play"))
LONGEST_LABEL = 44
"""The characters of a button that names two dice, with its emoji; most have at most 34."""


def look(state: State, draft: Draft = EMPTY_DRAFT) -> Screen:
    return build_screen(state, (), ("Ada",), draft)


def press(state: State, *keys: str) -> Screen:
    """Press toggles one after another and return the screen."""
    draft = EMPTY_DRAFT
    for key in keys:
        control = look(state, draft).find_control(key)
        assert control is not None, key
        assert isinstance(control.effect, Toggle)
        draft = control.effect.apply(draft)
    return look(state, draft)


def moves(screen: Screen) -> dict[str, str]:
    """Return what can be played by the keys of controls: menus first, then buttons."""
    enabled = (control for control in screen.iter_controls() if not control.is_disabled)
    return {control.key: control.effect.move for control in enabled if isinstance(control.effect, Play)}


def keys_with(screen: Screen, tone: Tone) -> list[str]:
    return [control.key for control in screen.iter_controls() if control.tone is tone]


def play_positions(seed: int) -> Iterator[State]:
    """Yield the positions of one game after another, in which every second move is the best."""
    chance = FastChance(Random(seed))
    best = load_games_once()["magic_bag"].mind.strategies["strong"]
    while True:
        state = GAME.start(MagicBagOptions(), 1, chance)
        while state.end is None:
            yield state
            legal = GAME.legal_moves(state)
            move = best(state, legal, chance) if chance.randbelow(2) else random_move(legal, chance)
            state, _ = GAME.play(state, 0, move, chance)


def test_shortcuts_work_one_time_in_ten_and_labels_are_short(is_long: bool) -> None:
    offered = 0
    for state in islice(play_positions(1), 2000 if is_long else 200):
        screen = look(state)
        moves = [GAME.parse_move(each.effect.move) for each in screen.shortcuts if isinstance(each.effect, Play)]
        chances = [find_aim(state, move).chance for move in moves if isinstance(move, Roll)]
        assert len(chances) == 1 or all(chance >= 0.1 for chance in chances)
        assert chances == sorted(chances, reverse=True), "the safest first"
        assert sum(map(len, screen.rows)) <= MOST_BUTTONS
        assert max(len(control.label) for row in screen.rows for control in row) <= LONGEST_LABEL
        assert sum(keys_with(screen, tone) != [] for tone in (Tone.MAIN, Tone.CHOSEN)) > 0
        offered += len(chances)
    assert offered > 150


def test_a_row_that_fits_always_has_a_button_and_the_others_a_line() -> None:
    for state in islice(play_positions(2), 200):
        shown = {move for key, move in moves(look(state)).items() if key.startswith("row")}
        assert shown == {f"claim {row}" for row in state.matching}
        assert bool(state.matching) == any(control.key.startswith("row") for row in look(state).rows for control in row)


def test_every_step_has_one_coloured_button_for_beginners_and_others() -> None:
    for state in islice(play_positions(4), 150):
        drafts = [EMPTY_DRAFT]
        for draft in drafts:
            screen = look(state, draft)
            buttons = [control for row in screen.rows for control in row]
            for is_beginner in (True, False):
                coloured = find_coloured_control(screen, is_beginner=is_beginner)
                assert coloured is not None
                assert coloured in buttons
                assert coloured.tone is not Tone.QUIET
            if state.has_failed:
                toggles = [control.effect for control in buttons if isinstance(control.effect, Toggle)]
                drafts += {toggle.apply(draft) for toggle in toggles} - set(drafts)


def test_every_choice_of_dice_can_be_composed() -> None:
    """MB-3: what is chosen is the next step."""
    state, found = at(ROWS, "1111", rolls=1), []
    for mask in range(16):
        keys = [f"keep_{suit}" for suit in Suit if mask >> suit & 1]
        screen = press(state, *keys)
        key = screen.shortcuts[0].key if keys else "roll_sun_moon_crown_arms"
        assert not keys or keys_with(screen, Tone.CHOSEN) == [key]
        found.append(moves(screen)[key])
    assert sorted(found) == sorted(map(str, GAME.legal_moves(state)))


@each_case(
    "rows, dice, roll, chance, fitting, is_safe",
    [
        ({7: "moon-2 arms-5"}, "2200", "sun crown arms", 91 / 216, (7,), False),
        ({7: "sun-4 moon-4 sun-2"}, "4400", "crown arms", 11 / 36, (7,), False),
        ({7: "sun-4 moon-3", 9: "arms-4 moon-5"}, "1401", "sun crown arms", 1 - (4 / 6) ** 3, (7, 9), False),
        ({7: "sun-4", 9: "arms-5"}, "4111", "moon crown arms", 1, (7,), True),  # row 7 is kept
        ({1: "crown-4", 7: "sun-4"}, "4111", "moon crown arms", 1, (7,), True),  # whose sun brings one coin more
        ({9: "sun-4 moon-4", 1: "sun-2"}, "1111", "sun", 1 / 6, (1,), False),  # row 9 needs two dice
        ({9: "sun-5 moon-5 crown-5 arms-5", 1: "sun-2"}, "5111", "moon crown arms", 92 / 216, (1, 9), False),
    ],
)
def test_a_roll_is_for_all_rows_that_may_fit_after_it(
    rows: Mapping[int, str], dice: str, roll: str, chance: float, fitting: tuple[int, ...], is_safe: bool
) -> None:
    """MB-3 and MB-4: but for the row that stays, if one does."""
    move = GAME.parse_move(f"roll {roll}")
    assert isinstance(move, Roll)
    aim = find_aim(at(rows, dice, rolls=1), move)
    assert (aim.rows, aim.is_safe) == (fitting, is_safe)
    assert aim.chance == pytest.approx(chance)


@each_case(
    "dice, bag, chance, coins",
    [
        ((Suit.SUN, Suit.MOON), None, 11 / 36, (6 * 3 + 5 * 2) / 11),  # the sun's 4 brings a third coin
        ((Suit.MOON,), None, 1 / 6, 2),
        ((Suit.SUN, Suit.MOON), "sun-2", 11 / 36, 1),  # no more than the bag has
    ],
)
def test_a_roll_tells_the_coins_it_brings_on_average(
    dice: tuple[Suit, ...], bag: str | None, chance: float, coins: float
) -> None:
    """MB-6 and MB-7: the crown equals its tile already."""
    state = at({5: "crown-2 sun-4"}, "1121", rolls=1, bag=bag)
    assert expect_coins(state.layout, dice, state.faces) == pytest.approx((chance, coins))


def test_keeping_all_four_leaves_the_rows_that_match() -> None:
    """MB-5."""
    screen = press(at(ROWS, "5111", rolls=1), *[f"keep_{suit}" for suit in Suit])
    assert [control.key for control in screen.controls[0] if not control.is_disabled] == ["row2"]
    assert keys_with(screen, Tone.CHOSEN) == ["row2"]


@each_case(
    "dice, rolls, best, next_step",
    [
        ("5111", 0, ["row2"], []),  # nothing else is left to do
        ("5020", 0, ["row3"], []),  # three coins instead of two
        ("4444", 1, [], ["row9"]),
        ("1111", 1, ["stop"], ["try1"]),  # the crown 0 is free to give up, and then all dice are rolled
    ],
)
def test_the_best_move_stands_out_only_if_it_is_clear(
    dice: str, rolls: int, best: list[str], next_step: list[str]
) -> None:
    """MB-5 and MB-6."""
    screen = look(at(ROWS, dice, rolls=rolls))
    assert (keys_with(screen, Tone.MAIN), keys_with(screen, Tone.CHOSEN)) == (best, next_step)


def test_the_next_step_never_risks_a_row_that_fits_and_is_the_safest_roll_without_one() -> None:
    """MB-3 and MB-5: a row is worth taking if no roll is better by more than estimates are off."""
    evaluate, found = load_games_once()["magic_bag"].mind.evaluate, Counter[str]()
    assert evaluate is not None
    for state in islice(play_positions(3), 300):
        screen, legal = look(state), GAME.legal_moves(state)
        next_step = [screen.find_control(key) for key in keys_with(screen, Tone.CHOSEN)]
        advice = advise(evaluate, state)
        if state.rolls_left and any(isinstance(move, Claim) for move in advice.best):
            # Beginners see in colour what rows are for.
            assert all(key.startswith("row") for key in keys_with(screen, Tone.MAIN))
            if isinstance(advice.clear, Roll):
                found["a row comes before a roll"] += 1
        if not state.rolls_left or not next_step:
            continue
        assert next_step[0] is not None
        assert isinstance(next_step[0].effect, Play)
        move = GAME.parse_move(next_step[0].effect.move)
        offered = [GAME.parse_move(each.effect.move) for each in screen.shortcuts if isinstance(each.effect, Play)]
        if isinstance(move, Roll) and state.matching:
            values = dict(zip(legal, evaluate(state, legal).values, strict=True))
            lead = max(values.values()) - max(worth for each, worth in values.items() if isinstance(each, Claim))
            assert lead > VALUE_ERROR
            assert find_aim(state, move).is_safe
            found["a row stays"] += 1
        elif isinstance(move, Roll):
            chances = [find_aim(state, each).chance for each in offered if isinstance(each, Roll)]
            assert find_aim(state, move).chance >= max(chances, default=0)
            found["no row fits"] += 1
        else:
            found["a row is taken"] += isinstance(move, Claim)
    assert len(found) == 4


def test_of_nine_rows_that_fit_most_are_in_the_menu() -> None:
    for rolls, buttons in ((1, ["row1"]), (0, ["row1", "row2", "row3"])):
        screen = look(at(dict.fromkeys(range(1, 10), "sun-ace"), "0101", rolls=rolls))
        assert list(find_excess(screen)) == []
        rows = (screen.controls[0], screen.menus[0].controls)
        shown, others = ([each.key for each in row if each.key in NINE_ROWS] for row in rows)
        assert shown == buttons
        assert len(shown) + len(others) == 9


def test_the_coins_that_cost_least_come_first() -> None:
    """MB-8 and MB-11: three of them are buttons."""
    state = at(FAR, "1111", coins="arms-ace arms-2 arms-3 crown-null crown-5 moon-3")
    screen, points = look(state), points_of(state)
    buttons, menu = screen.controls[0], screen.menus[0].controls
    discards = [moves(screen)[control.key] for control in (*buttons, *menu)]
    costs = [points - points_of(play_move(state, move, "1111")[0]) for move in discards]
    assert costs == sorted(costs)
    assert costs[0] < costs[-1]
    assert len(buttons) == 3
    assert buttons[0].tone is not Tone.QUIET


def test_a_tile_may_go_after_the_coin() -> None:
    """MB-9: another coin may be chosen instead."""
    state = at(ROWS, "1140", coins="crown-2 sun-3")
    assert not any(key.startswith("coin") for key in moves(look(state)))
    screen = press(state, "coin_crown_2")
    assert moves(screen) == {
        "tile_crown": "discard crown-2 tile crown-4",
        "tile_arms": "discard crown-2 tile arms-null",
        "no_tile": "discard crown-2",
    }
    assert screen.title != look(state).title
    assert press(state, "coin_crown_2", "another_coin") == look(state)


def test_without_a_tile_to_take_the_coin_is_given_up_at_once() -> None:
    """MB-8 and MB-9."""
    assert moves(look(at(ROWS, "1111", coins="crown-2")))["coin_crown_2"] == "discard crown-2"
    assert moves(look(at(ROWS, "1140", coins=""))) == {"finish": "finish"}


RICH = "sun-null sun-ace sun-2 sun-3 sun-4 sun-5 moon-null moon-ace moon-2 moon-3 moon-4 moon-5 arms-2"


def test_finishing_is_asked_about_once_while_playing_on_promises_much_more() -> None:
    """MB-8."""
    state = at(ROWS, "1111")
    question = press(state, "finish")
    assert moves(question) == {"finish": "finish"}
    assert keys_with(question, Tone.CHOSEN) == ["play_on"]
    assert press(state, "finish", "play_on") == look(state)


def test_finishing_is_not_asked_about_if_little_can_be_won() -> None:
    """MB-8: the last coin would bring a point, and costs more."""
    assert moves(look(at(FAR, "1111", coins=RICH, bag="crown-ace")))["finish"] == "finish"


@each_case("dice", ["1111", "1440"])
def test_every_way_to_go_on_can_be_pressed_however_many_coins_there_are(dice: str) -> None:
    """MB-8 and MB-9: with 24 coins and up to three tiles."""
    state, found = at({3: "sun-5 arms-null", **FAR}, dice, coins=" ".join(map(str, PIECES))), set()
    drafts = [EMPTY_DRAFT]
    for draft in drafts:
        screen = look(state, draft)
        assert list(find_excess(screen)) == []
        found |= set(moves(screen).values())
        toggles = [control.effect for control in screen.iter_controls() if isinstance(control.effect, Toggle)]
        drafts += {toggle.apply(draft) for toggle in toggles} - set(drafts)
    assert found == set(map(str, GAME.legal_moves(state)))


def test_without_the_stored_network_screens_advise_as_normal_does() -> None:
    state = at(ROWS, "5020", rolls=1)
    legal = GAME.legal_moves(state)
    missing, stored = NpzTables(DATA / "magic_bag" / "missing.npz"), NpzTables(DATA / "magic_bag" / "outlook.npz")
    normal = load_games_once()["magic_bag"].mind.strategies["normal"]
    found = evaluate_for_screen(missing, state, legal).values
    assert legal[found.index(max(found))] == normal(state, legal, FastChance(Random(0)))
    assert evaluate_for_screen(stored, state, legal).values == OutlookEvaluator(stored)(state, legal).values != found
