"""Turns in the game's notation, and what they lead to: rules HB-3 to HB-12, HB-B3 to HB-B5."""

from typing import Any

from bot.games.houdinis_baggage.pieces import Phase, State
from tests.games.houdinis_baggage.positions import at, follow, look, player
from tests.support.each_case import each_case

RED_SQUARE = "red-square red-triangle"
THREE_GREEN = "green-star green-square green-circle"
SEARCH = at(player("1; 2"), player("3; 4"), phase=Phase.SEARCH)
ONE_BONUS = at(player("2; 20", "5"), opened="green-star blue-circle")
LYING = "9 red-circle - -; 17 - - blue-star - -"


@each_case(
    "rule, state, moves, after",
    [
        # Assignment 1: triangle 3, green 3, yellow 1, red 1; assignment 2: green 2, star 1, blue 2.
        ("HB-6", at(player("1; 2")), "", {"legal": "done"}),
        ("HB-6", at(player("1; 2"), opened="red-triangle"), "", {"legal": "place red-triangle on 1d, done"}),
        ("HB-6: red is 2", at(player("1; 2"), opened=RED_SQUARE), "", {"legal": "done"}),
        ("HB-6", at(player("1; 2"), opened="green-star"), "", {"legal": "place green-star on 2b, done"}),
        ("HB-6: star is 2", at(player("1; 2"), opened="green-star red-star"), "", {"places": "red-star on 1d"}),
        (
            "HB-6: all of three triangles, and the red one",
            at(player("1; 2"), opened="green-triangle red-triangle blue-triangle"),
            "",
            {"places": "green-triangle on 1a, red-triangle on 1a, blue-triangle on 1a, red-triangle on 1d"},
        ),
        (
            "HB-6: green is 4",
            at(player("1; 2"), opened=f"{THREE_GREEN} green-triangle"),
            "",
            {"places": "green-star on 2b"},
        ),
        (
            "HB-6: a placed card no longer counts",
            at(player("1; 2"), opened=THREE_GREEN),
            "place green-circle on 1b",
            {
                "open": "green-star green-square",
                "tasks": ["1 - green-circle - -", "2 - - -"],
                "places": "green-star on 2a, green-square on 2a, green-star on 2b",
                "mover": 0,
            },
        ),
        (
            "HB-6: the phase may end at any time",
            at(player("1; 2"), player("3; 4"), opened="green-star"),
            "done",
            {"tasks": ["1 - - - -", "2 - - -"], "mover": 1, "phase": Phase.SEARCH},
        ),
        (
            "HB-7: the source's example, red and square become 2",
            at(player("9; 3", bank="red-square"), opened="blue-square red-triangle"),
            "bank red-square",
            {
                "open": "blue-square red-triangle red-square",
                "bank": "",
                "places": "red-triangle on 9a, red-square on 9a, "
                "blue-square on 3a, red-square on 3a, red-triangle on 3c",
            },
        ),
        (
            "HB-7: any number at any time",
            at(player("1; 2", bank="green-star green-square red-circle"), opened="green-circle"),
            "bank green-star, bank green-square, place green-circle on 1b, bank red-circle",
            {"open": "green-star green-square red-circle", "bank": ""},
        ),
        (
            "HB-7: no card like an open one",
            at(player("1; 2", bank="green-star green-star red-star"), opened="green-star"),
            "",
            {"legal": "place green-star on 2b, bank red-star, done"},
        ),
        (
            "HB-7: but like a placed one, once",
            at(player("1; 2", bank="green-star green-star red-star"), opened="green-star"),
            "place green-star on 2b, bank green-star",
            {"legal": "bank red-star, done", "bank": "red-star green-star"},
        ),
        (
            "HB-7: the bank has no limit",
            at(player("1; 2", bank="red-star red-star " * 2 + "blue-star " * 4), opened=RED_SQUARE, phase=Phase.TWIN),
            "keep red-square",
            {"bank": "red-square" + " red-star" * 4 + " blue-star" * 4},
        ),
        (
            "HB-11: baggage stays on its item from turn to turn",
            at(player("1 - green-star - -; 2"), player("3; 9"), opened="blue-star"),
            "place blue-star on 2b, done, open red-square, stop, done, open red-square, stop, done",
            {"tasks": ["1 - green-star - -", "2 - blue-star -"], "mover": 1},
        ),
        ("HB-3: at least one card is opened", SEARCH, "", {"legal": "open"}),
        ("HB-3", SEARCH, "open green-star", {"legal": "open, stop"}),
        ("HB-3", SEARCH, "open green-star, open red-star", {"open": "green-star red-star", "legal": "open, stop"}),
        ("HB-3", SEARCH, "open green-star, stop", {"phase": Phase.PLACE, "mover": 0}),
        (
            "HB-4: a twin ends the search with a card for the bank",
            SEARCH,
            "open red-star, open green-star, open red-star",
            {"phase": Phase.TWIN, "mover": 0, "legal": "keep red-star, keep green-star", "faults": ()},
        ),
        ("HB-4: only the colour", SEARCH, "open red-star, open red-circle", {"phase": Phase.SEARCH}),
        ("HB-4: only the shape", SEARCH, "open red-star, open blue-star", {"phase": Phase.SEARCH}),
        (
            "HB-4: a card like one in the bank and on an assignment",
            at(player("1; 2 - red-star -", bank="red-star"), phase=Phase.SEARCH),
            "open red-star",
            {"phase": Phase.SEARCH},
        ),
        (
            "HB-12: a bonus is for one placement",
            ONE_BONUS,
            "",
            {
                "places": "green-star on 2a with 5, green-star on 2b, blue-circle on 2c with 5, "
                "green-star on 20b, green-star on 20c"
            },
        ),
        ("HB-12: and once a turn", ONE_BONUS, "place green-star on 2a with 5", {"places": "", "spent": (5,)}),
        (
            "HB-12: but again in the next turn",
            at(player("2; 20", "5"), player("3; 9"), opened="green-star"),
            "place green-star on 2a with 5, done, open blue-circle, stop, done, open blue-square, stop",
            {"spent": (), "places": "blue-square on 2c with 5"},
        ),
        (
            "HB-12: afterwards every change is undone",
            at(player("2; 20", "4"), opened="red-star green-circle"),
            "place red-star on 2a with 4",
            {"open": "green-circle", "places": "green-circle on 20b"},
        ),
        ("HB-B3: a +1 places nothing without an open card", at(player("1; 2", "5 6")), "", {"legal": "done"}),
        # 9: red 2, star 1, circle 1; 17: red 1, green 1, blue 1, star 1, circle 1.
        (
            "HB-B4: within an assignment and across, whatever the number",
            at(player(LYING, "12")),
            "",
            {
                "legal": "move 9a to 9c with 12, move 9a to 17a with 12, move 9a to 17e with 12, "
                "move 17c to 9b with 12, move 17c to 17d with 12, done"
            },
        ),
        (
            "HB-B4: once a turn",
            at(player(LYING, "12")),
            "move 9a to 9c with 12",
            {"tasks": ["9 - - red-circle", "17 - - blue-star - -"], "spent": (12,), "legal": "done", "faults": ()},
        ),
        (
            "HB-B4: across",
            at(player(LYING, "12")),
            "move 17c to 9b with 12",
            {"tasks": ["9 red-circle blue-star -", "17 - - - - -"], "legal": "done"},
        ),
        (
            "HB-B4: it frees an item, and is no placement that would spend the +1",
            at(player(LYING, "12 5"), opened="red-square"),
            "move 9a to 9c with 12",
            {"places": "red-square on 9a with 5, red-square on 17a"},
        ),
        (
            "HB-B4: two bonuses are two moves, and of equal ones the first is used",
            at(player(LYING, "12 1")),
            "move 9a to 9c with 1, move 9c to 9a with 12",
            {"tasks": ["9 red-circle - -", "17 - - blue-star - -"]},
        ),
        (
            "HB-B5: a move is copied too",
            at(player("9 red-circle - -; 20", "3"), player("", "12")),
            "move 9a to 9c with 3:12",
            {"tasks": ["9 - - red-circle", "20 - - - -"], "spent": (3,)},
        ),
    ],
)  # fmt: skip
def test_a_turn_leads_to_its_position(rule: str, state: State, moves: str, after: dict[str, Any]) -> None:
    """HB-3, HB-4, HB-6, HB-7, HB-11, HB-12, HB-B3, HB-B4 and HB-B5."""
    found = look(follow(state, moves))
    assert {each: found[each] for each in after} == after, rule
