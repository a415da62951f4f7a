"""Every badge of a game is earned by playing: at the move that does it, not before, and not by a near miss."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from bot.games.change.pieces import Stage
from bot.games.houdinis_baggage.pieces import Phase
from bot.rules.game import Seat
from tests.games.badge_play import Scene, Step, play_scene, seats_with
from tests.games.change import positions as change
from tests.games.fortune import positions as fortune
from tests.games.houdinis_baggage import positions as baggage
from tests.games.magic_bag import positions as bag
from tests.games.magpie import positions as magpie
from tests.support.games import load_games_once

GAMES = load_games_once()


class Case(NamedTuple):
    """How a seat earns a badge with the last move of a scene, and scenes that are near misses."""

    seat: Seat
    earned: Scene
    misses: Sequence[Scene]


def magpie_scene(position: str, *steps: tuple[str, str]) -> Scene:
    return Scene(magpie.at(position), [(f"roll {move}", [int(face) - 1 for face in dice]) for move, dice in steps])


def fortune_scene(card: str, *steps: tuple[str, str]) -> Scene:
    return Scene(fortune.at(card), [(move, list(map(int, fortune.dice(dice)))) for move, dice in steps])


def bag_scene(position: Any, *steps: Step) -> Scene:
    return Scene(position, steps)


def baggage_scene(position: Any, *moves: str, opens: str = "") -> Scene:
    """Build a scene whose first move may open a card."""
    numbers = [baggage.place_of(position.baggage, opens)] if opens else []
    return Scene(position, [(move, numbers if at == 0 else ()) for at, move in enumerate(moves)], baggage.GAME)


def change_scene(position: Any, *steps: tuple[str, str]) -> Scene:
    return Scene(position, [(move, [int(face) - 1 for face in dice if face != " "]) for move, dice in steps])


def challenge_at(space: int, markers: str, dice: str, options: Any = change.WITH_SETS) -> Scene:
    seat = f"100@{space} {markers}"
    position = change.at(seat, "100@0", stage=Stage.FREE, challenge=True, options=options)
    return change_scene(position, ("challenge", dice))


ALL_FIVE = "1 2 3 4 5"
FULL_HOUSE_OF_FIVE = (ALL_FIVE, "33355")
TWO_PAIR = (ALL_FIVE, "11226")

MAGPIE = {
    "shining_five": Case(
        1,
        magpie_scene("11122 0/0 0 -", ("5", "1"), ("4", "1")),
        [magpie_scene("11122 0/0 0 -", ("5", "1"), ("4", "3"))],
    ),
    "full_nest": Case(
        1,
        magpie_scene("12346 0/0 0 -", ("1 2 3 4", "2255"), (ALL_FIVE, "22555")),
        [magpie_scene("11346 0/0 0 -", ("3 4 5", "222")), magpie_scene("11346 0/0 0 -", (ALL_FIVE, "22223"))],
    ),
    "one_is_enough": Case(
        1, magpie_scene("11134 0/0 0 -", ("4", "6"), ("5", "1")), [magpie_scene("11134 0/0 0 -", ("4 5", "15"))]
    ),
    "by_a_feather": Case(
        0,
        magpie_scene("12346 98/96 0 -", TWO_PAIR, ("5", "1")),
        [
            magpie_scene("12346 98/95 0 -", TWO_PAIR, ("5", "1")),
            magpie_scene("12346 98/99 0 -", TWO_PAIR, ("5", "1")),
        ],
    ),
    "snatched": Case(
        1,
        magpie_scene("12346 98/96 0 -", TWO_PAIR, FULL_HOUSE_OF_FIVE),
        [magpie_scene("12346 98/96 0 -", TWO_PAIR, ("5", "1")), magpie_scene("12346 98/99 0 -", TWO_PAIR, ("5", "1"))],
    ),
}

FORTUNE = {
    "full_chest": Case(
        0,
        fortune_scene("captain", (fortune.ALL, "PPPMMMMG"), ("stop", "")),
        [
            fortune_scene("captain", (fortune.ALL, "PPPMMMMS"), ("stop", "")),
            fortune_scene("captain", (fortune.ALL, "PPPMMMKK"), ("roll 1 2", "KG")),
        ],
    ),
    "treasure_fleet": Case(
        0,
        fortune_scene("sea-battle-4-1000", (fortune.ALL, "MSSSSSSS"), ("stop", "")),
        [fortune_scene("sea-battle-2-300", (fortune.ALL, "SSSSSSSG"), ("stop", ""))],
    ),
    "admiral": Case(
        0,
        fortune_scene("sea-battle-4-1000", (fortune.ALL, "SSSSMPGG"), ("stop", "")),
        [
            fortune_scene("sea-battle-4-1000", (fortune.ALL, "SSSMPGGD"), ("stop", "")),
            fortune_scene("sea-battle-3-500", (fortune.ALL, "SSSSMPGG"), ("stop", "")),
            fortune_scene("gold", (fortune.ALL, "SSSSMPGG"), ("stop", "")),
        ],
    ),
    "castaway": Case(
        0,
        fortune_scene("gold", (fortune.ALL, "KKKKKMPG"), ("roll 6 7 8", "KMP"), ("stop", "")),
        [fortune_scene("gold", (fortune.ALL, "KKKKKMPG"), ("roll 6 7 8", "GMP"))],
    ),
    "spellbound": Case(
        0,
        fortune_scene("sorceress", (fortune.ALL, "KKKMPGDS"), ("sorceress 3", "G")),
        [
            fortune_scene("sorceress", (fortune.ALL, "KKKMPGDS"), ("sorceress 3", "K")),
            fortune_scene("sorceress", (fortune.ALL, "KKMMPGDS"), ("sorceress 2", "G")),
        ],
    ),
}

SUNS, MOONS, ARMS, CROWNS = (
    " ".join(f"{suit}-{value}" for value in ("null", "ace", "2", "3", "4", "5"))
    for suit in ("sun", "moon", "arms", "crown")
)
FIVE_SUNS = SUNS.removesuffix(" sun-5")
TWO_ROWS = {1: "moon-ace", 2: "moon-2"}
NEXT_TWO = (2, 0, 0, 0)
"""The dice of a turn that match the second of them."""


def last_coin(rows: dict[int, str]) -> Scene:
    coins = f"{bag.GOLD} {SUNS} {MOONS} {ARMS.removesuffix(' arms-5')}"
    return bag_scene(bag.at({1: "moon-ace", **rows}, "1345", coins=coins, bag="arms-5"), ("claim 1", [0]))


MAGIC_BAG = {
    "whole_again": Case(
        0,
        bag_scene(
            bag.at(TWO_ROWS, "1345", coins=FIVE_SUNS, bag="sun-5 arms-null arms-ace"),
            ("claim 1", (1, *NEXT_TWO)),
            ("claim 2", [0]),
        ),
        [
            bag_scene(
                bag.at(TWO_ROWS, "1345", coins=FIVE_SUNS, bag="sun-5 arms-null arms-ace"),
                ("claim 1", (1, *NEXT_TWO)),
                ("claim 2", [1]),
            ),
        ],
    ),
    "handful": Case(
        0,
        bag_scene(bag.at({5: "sun-ace moon-2 crown-3", 9: "arms-5"}, "1230"), ("claim 5", [0])),
        [
            bag_scene(bag.at({5: "sun-ace moon-2 sun-3", 9: "arms-5"}, "1230"), ("claim 5", [0])),
            bag_scene(
                bag.at({5: "sun-ace moon-2 crown-3", 9: "arms-5"}, "1230", bag="arms-5 arms-4 arms-3"), ("claim 5", [0])
            ),
        ],
    ),
    "clean_sweep": Case(
        0,
        bag_scene(bag.at(TWO_ROWS, "1345"), ("claim 1", (0, *NEXT_TWO)), ("claim 2", [0])),
        [bag_scene(bag.at(TWO_ROWS, "1345", bag="arms-5"), ("claim 1", [0]))],
    ),
    "all_crowns": Case(
        0,
        bag_scene(bag.at({1: "moon-ace"}, "2345", coins=CROWNS), ("finish", ())),
        [bag_scene(bag.at({1: "moon-ace"}, "2345", coins=CROWNS.removesuffix(" crown-5")), ("finish", ()))],
    ),
    "full_purse": Case(0, last_coin({9: "sun-5 moon-2"}), [last_coin({9: "sun-5"})]),
}

SEVEN_OPEN = "red-star blue-star green-star yellow-star red-circle blue-circle green-circle"
SEARCHING = baggage.at(baggage.player("1; 2"), opened=SEVEN_OPEN, phase=Phase.SEARCH)
TWO_TO_FILL = baggage.at(baggage.player("5 blue-star -; 6 yellow-star -"), opened="red-circle red-triangle")

HOUDINIS_BAGGAGE = {
    "steady_hands": Case(
        0,
        baggage_scene(SEARCHING, "open", "stop", opens="yellow-circle"),
        [
            baggage_scene(SEARCHING, "stop"),
            baggage_scene(SEARCHING, "open", "keep red-star", opens="red-star"),
        ],
    ),
    "grand_finale": Case(
        0,
        baggage_scene(
            baggage.at(baggage.player("17 red-square green-square blue-square yellow-star -"), opened="yellow-circle"),
            "place yellow-circle on 17e",
            "done",
        ),
        [
            baggage_scene(
                baggage.at(baggage.player("19 red-square green-square yellow-star -"), opened="yellow-circle"),
                "place yellow-circle on 19d",
                "done",
            )
        ],
    ),
    "double_act": Case(
        0,
        baggage_scene(TWO_TO_FILL, "place red-circle on 5b", "place red-triangle on 6b", "done"),
        [baggage_scene(TWO_TO_FILL, "place red-circle on 5b", "done")],
    ),
    "sleight_of_hand": Case(
        0,
        baggage_scene(
            baggage.at(baggage.player("2", "4 7 5"), opened="yellow-circle"), "place yellow-circle on 2a with 7 4 5"
        ),
        [
            baggage_scene(
                baggage.at(baggage.player("2", "4 7"), opened="yellow-circle green-circle"),
                "place yellow-circle on 2a with 7 4",
            )
        ],
    ),
    "borrowed_trick": Case(
        0,
        baggage_scene(
            baggage.at(baggage.player("2", "3"), baggage.player("", "4"), opened="red-star red-circle"),
            "place red-star on 2a with 3:4",
        ),
        [
            baggage_scene(
                baggage.at(baggage.player("2", "4"), opened="red-star red-circle"), "place red-star on 2a with 4"
            )
        ],
    ),
}

ELEVEN = change.ALL_PLACED.removesuffix(" fear")
SUCCESS, FAILURE = "544 54 4", "111 11 1"


def rolling_four(first: str, second: str) -> Scene:
    return change_scene(change.at(first, second, options=change.WITH_SETS), ("roll", "13"))


CHANGE = {
    "whole_set": Case(
        0,
        challenge_at(5, "habits excuses", SUCCESS),
        [challenge_at(5, "habits excuses", FAILURE), challenge_at(5, "habits greed", SUCCESS)],
    ),
    "eighteen": Case(0, challenge_at(5, "", "665 61 6"), [challenge_at(5, "", "665 61 5")]),
    "load_off": Case(
        1,
        rolling_four("120@25", "120@0 denial control selfishness"),
        [
            rolling_four("120@21", "120@0 resentment blame grudges"),
            rolling_four("120@25", "120@0 denial control"),
            rolling_four("20@25 denial", "120@0"),
        ],
    ),
    "everywhere": Case(
        0,
        challenge_at(21, ELEVEN, SUCCESS),
        [challenge_at(21, ELEVEN, FAILURE), challenge_at(21, ELEVEN.removeprefix("habits "), SUCCESS)],
    ),
    "new_leaf": Case(
        0,
        rolling_four("20@25 denial", "60@0"),
        [
            rolling_four("20@25 denial", "59@0"),
            rolling_four("20@25 denial", "20@0 denial"),
            rolling_four("26@25 denial", "60@0"),
        ],
    ),
}

CASES = {
    "change": CHANGE,
    "fortune": FORTUNE,
    "houdinis_baggage": HOUDINIS_BAGGAGE,
    "magic_bag": MAGIC_BAG,
    "magpie": MAGPIE,
}


def test_every_badge_has_a_case() -> None:
    assert {
        game: [badge.key for badge in package.results.badges]
        for game, package in GAMES.items()
        if package.results.badges
    } == {game: list(cases) for game, cases in CASES.items()}


@pytest.mark.parametrize("game", CASES)
async def test_badges_are_earned_by_their_moves_and_not_before(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for key, case in CASES[game].items():
        *before, after = await play_scene(GAMES[game], case.earned, monkeypatch)
        assert (key, [seats_with(table, key) for table in before]) == (key, [[] for _ in before])
        assert (key, seats_with(after, key)) == (key, [case.seat])


@pytest.mark.parametrize("game", CASES)
async def test_a_near_miss_earns_nothing(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for key, case in CASES[game].items():
        for scene in case.misses:
            *_, after = await play_scene(GAMES[game], scene, monkeypatch)
            assert (key, seats_with(after, key)) == (key, [])
