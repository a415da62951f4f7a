"""The reading of the table of Mr. Houdini's Baggage."""

from collections.abc import Iterable

from bot.games.houdinis_baggage.pieces import Phase, State
from bot.games.houdinis_baggage.reading import build_reading
from tests.games.houdinis_baggage.positions import GAME, at, player
from tests.support.each_case import each_case

NAMES = ("Ada", "Bo", "Cy", "Di")


def read_table(state: State) -> str:
    return build_reading(GAME.view(state, None), NAMES[: len(state.players)])


def find_misplaced(text: str, parts: Iterable[str]) -> list[str]:
    """Return the parts that a text lacks, or has before a part that should come first."""
    found, latest = [], 0
    for part in parts:
        place = text.find(part)
        if place < latest:
            found.append(part)
        latest = max(latest, place)
    return found


@each_case(
    "state, words",
    [
        (at(player("1; 2"), phase=Phase.SEARCH), "It's Ada's turn. They open a card."),
        # Of the 63 cards that are left three are red stars: 4.8 %.
        (at(player("1; 2"), opened="red-star", phase=Phase.SEARCH), "There's a 5% chance (3 of 63 cards)"),
        (at(player("2"), opened="red-circle"), "Nothing fits, so they can only end it."),
        (at(player("4; 9 - - red-circle", "12")), "They can move baggage with a bonus, or end the turn."),
        (at(player("2"), opened="red-star red-star", phase=Phase.TWIN), "They keep one open card in their bank"),
        (at(player("2"), phase=Phase.CHOOSE), "They choose one of the open assignments."),
    ],
)
def test_the_possible_moves_are_described(state: State, words: str) -> None:
    """HB-3 to HB-10."""
    assert words in read_table(state)


def test_the_seats_follow_in_the_order_of_turns() -> None:
    words = read_table(at(player("1"), player("2"), player("3"), mover=1))
    assert find_misplaced(words, ["Bo has", "Cy has", "Ada has"]) == []


def test_many_placements_are_counted() -> None:
    """HB-12."""
    opened = "red-circle blue-square green-circle yellow-triangle red-triangle green-square yellow-circle"
    completed = "20 14 17 2 8 11 19 12 15 10 18 7 3 13"
    state = at(player("1; 16", completed), player("", "4 5 6 9"), opened=opened, target=30)
    count = len([move for move in GAME.legal_moves(state) if str(move).startswith("place")])
    assert f"{count - 12} more ways." in read_table(state)
