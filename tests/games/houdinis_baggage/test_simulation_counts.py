"""The counts of a simulation, on which the figures about balance rest."""

from collections import Counter

from bot.games.houdinis_baggage.pieces import BaggageEnd, Phase, State
from bot.tools.tallies.houdinis_baggage import tally
from tests.games.houdinis_baggage.positions import at, play_move, player
from tests.support.each_case import each_case


def count_move(state: State, move: str, *script: int | str) -> Counter[str]:
    return Counter(tally(*play_move(state, move, *script)))


@each_case(
    "state, move, script, counts",
    [
        (at(player("1; 2"), phase=Phase.SEARCH), "open", ("red-star",), ["cards opened"]),
        (at(player("1; 2"), opened="red-star", phase=Phase.SEARCH), "stop", (), []),
        (at(player("1; 2"), opened="red-star red-star", phase=Phase.TWIN), "keep red-star", (), ["turns", "twins"]),
        (at(player("1; 2"), opened="red-star"), "done", (), ["turns"]),
        (at(player("1; 2", bank="red-star")), "bank red-star", (), ["cards from the bank"]),
        (at(player("1; 2"), opened="green-star"), "place green-star on 2b", (), ["cards placed"]),
        (
            at(player("1; 2", "4 5"), opened="red-star red-circle"),
            "place red-star on 1b with 4 5",
            (),
            ["cards placed", "used red to green", "used +1 colour"],
        ),
        (
            at(player("2", "3"), player("", "4"), opened="red-star red-circle"),
            "place red-star on 2a with 3:4",
            (),
            ["cards placed", "used another player's"],
        ),
        (at(player("9 red-circle - -; 17", "12")), "move 9a to 9c with 12", (), ["used move"]),
        (
            at(player("4 red-circle blue-star; 5 blue-star red-circle"), row="1 6 7 8 10"),
            "done",
            (),
            ["turns", "completed 4", "completed 5"],
        ),
        (at(player("1"), phase=Phase.CHOOSE, row="6 7 8 10 11"), "take 8", (0,), ["taken 8"]),
    ],
)
def test_each_move_has_its_counts(state: State, move: str, script: tuple[int | str, ...], counts: list[str]) -> None:
    assert count_move(state, move, *script) == Counter(counts)


@each_case(
    "starter, completed, numbers",
    [
        (0, ("14", "", ""), [1]),
        (1, ("14", "", ""), [3]),
        (1, ("", "14", ""), [1]),
        (2, ("", "14", ""), [3]),
        (2, ("14", "15", ""), [2, 3]),
    ],
)
def test_wins_are_counted_relative_to_the_starting_seat(
    starter: int, completed: tuple[str, ...], numbers: list[int]
) -> None:
    """HB-E1: seat 2 began, so seat 0 was the second and seat 1 the third to play."""
    last = (starter - 1) % 3
    about = [player("", each) for each in completed]
    state = at(*about, mover=last, starter=starter, end=BaggageEnd.NOTHING_LEFT, row="", deck="")
    won = [f"won by number {each} in the order of play" for each in numbers]
    assert count_move(state, "done") == Counter(["turns", *won])
