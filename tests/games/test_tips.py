"""Which tips a position has, best first, and what of the news is explained."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bot.games.change.pieces import Stage, TrackRolled
from bot.games.houdinis_baggage.cards import CARD_BY_KEY
from bot.games.houdinis_baggage.pieces import BaggageEnd, CardKept, Phase, TurnPlayed
from bot.games.magic_bag.pieces import MagicBagOptions, RowTaken
from bot.games.magpie.minds.roll_values import expected_points, kept_dice
from bot.games.magpie.pieces import ROLLS, Combination, Faces, MagpieOptions, Rolled, State, TableCleared
from bot.rules.chance import FairChance
from bot.rules.game import Event
from tests.games.change import positions as change
from tests.games.fortune import positions as fortune
from tests.games.houdinis_baggage import positions as baggage
from tests.games.magic_bag import positions as bag
from tests.support.each_case import each_case
from tests.support.games import load_games_once

GAMES = load_games_once()


def tips(game: str, view: Any, events: Sequence[Event] = ()) -> tuple[str, str]:
    """Return the keys of a position's explanations and of its tips."""
    find_tips = GAMES[game].study.find_tips
    assert find_tips is not None
    found = list(find_tips(view, events))
    explained = " ".join(tip.key for tip in found if tip.is_explanation)
    return explained, " ".join(tip.key for tip in found if not tip.is_explanation)


def magpie(faces: str, *, trigger: int | None = None, options: MagpieOptions | None = None) -> State:
    lying: Faces = tuple(map(int, faces))
    return State(options or MagpieOptions(), (), lying, (9, 4), 0, trigger)


TWO_PAIRS = Rolled(0, (1, 2), (1, 2, 3, 4, 6), (3, 4, 3, 4, 6), Combination.TWO_PAIR, 2)
CLEARED = TableCleared(1, (1, 2, 3, 4, 6))


@each_case(
    "state, events, explained, tipped",
    [
        (magpie("12346"), (), "", "nothing count"),
        (magpie("11346"), (TWO_PAIRS,), "combination-1", "matches odds keep count"),
        (magpie("11336"), (TWO_PAIRS, CLEARED), "fresh combination-1", "two-pair count"),
        (magpie("11336"), (replace(TWO_PAIRS, combination=None),), "", "two-pair count"),
        (magpie("11336", options=MagpieOptions(five_dice_bonus=True)), (), "", "count"),
        (magpie("11333"), (), "", "matches count"),
        (magpie("33331"), (), "fours", "matches count"),
        (magpie("33331", trigger=1), (), "", "last matches count"),
        (magpie("12346", trigger=1), (), "", "last nothing count"),
        (magpie("12346", options=MagpieOptions(double_big_rolls=True)), (), "", "nothing count double"),
    ],
)
def test_magpie(state: State, events: tuple[Event, ...], explained: str, tipped: str) -> None:
    assert tips("magpie", state, events) == (explained, tipped)


BONUS = MagpieOptions(five_dice_bonus=True)


@each_case("faces", ["11335", "22446", "33556"])
def test_magpie_says_to_keep_one_of_two_pairs_where_that_is_the_best(faces: str) -> None:
    """Rules MP-6, MP-V1 and MP-V3."""
    for options in (MagpieOptions(), MagpieOptions(double_big_rolls=True), BONUS):
        view = magpie(faces, options=options)
        kept = [kept_dice(view.faces, move) for move in ROLLS]
        best = max(kept, key=lambda each: expected_points(options, each))
        is_one_pair = len(best) == 2 and len(set(best)) == 1
        assert ("two-pair" in tips("magpie", view)[1].split()) is is_one_pair


@each_case(
    "state, tipped",
    [
        (fortune.at("gold"), "sets"),
        (fortune.at("gold", "GGMMPPDS"), "sets keep average spare odds chest"),
        (fortune.at("skulls-1", "GGMMPPDK"), "sets keep skulls average spare odds"),
        (fortune.at("diamond", "GGMMPPKK"), "sets keep skulls average spare odds"),
        # Near the line, averages say little.
        (fortune.at("gold", "GGMMPPDS", scores="6000/0"), "sets keep spare odds chest"),
        # Cards that change what dice are worth keep their rule beside the picture.
        (fortune.at("captain", "GGMMPPDS"), ""),
        (fortune.at("storm", "GGMMPPDK"), ""),
        (fortune.at("sorceress", "GGMMPKKK"), "sorceress"),
        (fortune.at("captain", "GGMKKKKP", island=True), "island"),
        (fortune.at("captain", crosser=1, scores="0/6000"), "last"),
    ],
)
def test_fortune(state: Any, tipped: str) -> None:
    assert tips("fortune", state) == ("", tipped)


ROWS = {1: "sun-null moon-2", 2: "crown-5 arms-5"}
UNTOUCHED = bag.GAME.start(MagicBagOptions(), 1, FairChance(b"a deal", "drawn", 0))


@each_case(
    "state, tipped",
    [
        (UNTOUCHED, "goal values gold early odds"),
        (bag.at(ROWS, "3333", rolls=2), "values try keep odds"),
        (bag.at(ROWS, "3333", rolls=1), "values keep odds"),
        (bag.at(ROWS, "0200", rolls=1), "values gold early odds"),
        (bag.at(ROWS, "2033", rolls=1), "values early odds"),
        (bag.at(ROWS, "2033"), "must"),
        (bag.at(ROWS, "3333"), ""),
        (bag.at(ROWS, "3233"), ""),
        (bag.at(ROWS, "2033", bag="sun-3"), "must bag"),
        (bag.at(ROWS, "2033", bag="sun-3 sun-4 sun-5 moon-3 moon-4"), "must bag"),
        (bag.at(ROWS, "2033", bag="sun-3 sun-4 sun-5 moon-3 moon-4 moon-5"), "must"),
        (bag.at(ROWS, "2033", bag=""), "must"),
    ],
)
def test_the_magic_bag(state: Any, tipped: str) -> None:
    assert tips("magic_bag", state) == ("", tipped)


def test_the_magic_bag_explains_the_treasure_of_a_row() -> None:
    row = bag.pieces("sun-null moon-2")
    state = bag.at(ROWS, "3333", rolls=2)
    plain = RowTaken(1, row, (), bag.pieces("crown-3"))
    exact = RowTaken(1, row, bag.pieces("moon-2"), bag.pieces("sun-3 arms-2"))
    assert tips("magic_bag", state, [plain])[0] == "crown"
    assert tips("magic_bag", state, [plain, exact])[0] == "sun arms exact crown"


PLAYER, WITH_BONUS = baggage.player("1; 2"), baggage.player("1; 2", completed="6", bank="red-circle")


@each_case(
    "state, tipped",
    [
        (baggage.at(PLAYER, phase=Phase.SEARCH), "exact values"),
        (baggage.at(phase=Phase.SEARCH), "values"),
        (baggage.at(PLAYER, phase=Phase.SEARCH, opened="red-star"), "exact stop"),
        (
            baggage.at(PLAYER, phase=Phase.SEARCH, opened="red-star", end=BaggageEnd.TARGET_REACHED),
            "last exact stop",
        ),
        (baggage.at(phase=Phase.SEARCH, opened="red-star"), "stop"),
        (baggage.at(PLAYER, opened="red-star"), "order stay"),
        (
            baggage.at(baggage.player("1; 2", completed="6", bank="red-circle"), opened="green-circle"),
            "order bonus bank stay",
        ),
        (baggage.at(PLAYER, phase=Phase.TWIN, opened="red-star"), ""),
        (baggage.at(PLAYER, phase=Phase.CHOOSE), "choose"),
    ],
)
def test_mr_houdinis_baggage(state: Any, tipped: str) -> None:
    assert tips("houdinis_baggage", state) == ("", tipped)


def test_mr_houdinis_baggage_explains_new_bonuses_and_twins() -> None:
    news = (CardKept(1, CARD_BY_KEY["red-star"], ()), TurnPlayed(0, baggage.parse_assignments("1 5"), ()))
    assert tips("houdinis_baggage", baggage.at(PLAYER, phase=Phase.SEARCH), news)[0] == "move plus_colour twins"
    assert tips("houdinis_baggage", baggage.at(PLAYER, phase=Phase.TWIN, opened="red-star"), news) == ("", "")


SEATS = ("50@5", "50@7")


@each_case(
    "state, tipped",
    [
        (change.at(*SEATS), "goal"),
        (change.at(*SEATS, stage=Stage.FREE, challenge=True), "option"),
        (change.at(f"50@5 {change.ALL_PLACED}", "50@7", stage=Stage.FREE), ""),
        (change.at("50@3", "50@7", stage=Stage.CORNER), "corner"),
        (change.at("50@3", "50@7", stage=Stage.CORNER, hands=("any any any any add-1",)), "corner-full"),
        (change.at("50@19", "50@7 greed", "50@7 greed", stage=Stage.CORNER), ""),
        (change.at(*SEATS, stage=Stage.FREE, missing=1, hands=("any",)), "add cards"),
        (change.at(*SEATS, stage=Stage.FREE, missing=6, hands=("any",)), "cards"),
        (change.at(*SEATS, stage=Stage.FREE, missing=1), ""),
    ],
)
def test_change(state: Any, tipped: str) -> None:
    assert tips("change", change.GAME.view(state, 0)) == ("", tipped)


def test_change_speaks_of_challenges_before_the_first_one_and_explains_doubles_once_they_are_rolled() -> None:
    """Rules CH-4 and CH-6: a turn has one tip, and the first comes before its roll."""
    view = change.GAME.view(change.at(*SEATS), None)
    assert tips("change", view, [TrackRolled(0, (2, 2), 0)]) == ("doubles", "goal")
