"""The reading of the table of Mr. Houdini's Baggage."""

from bot.games.houdinis_baggage.pieces import BaggageEnd, Phase, State
from bot.games.houdinis_baggage.reading import build_reading
from tests.games.houdinis_baggage.positions import GAME, at, player
from tests.support.each_case import each_case
from tests.support.text_order import find_misplaced

NAMES = ("Ada", "Bo", "Cy", "Di")


def read_table(state: State) -> str:
    return build_reading(GAME.view(state, None), NAMES[: len(state.players)])


def test_the_reading_explains_step_by_step() -> None:
    """HB-2, HB-6, HB-7, HB-11 and HB-12."""
    state = at(
        player("3", "14"),
        player("1 green-triangle - - -; 2", "4 5", bank="red-circle"),
        opened="green-square yellow-star",
        mover=1,
        spent=(4,),
    )
    words = read_table(state)
    parts = [
        "It's Bo's turn. They can place a card on an item, add a card from the bank, or end the turn.",
        "2 cards are open: green square and yellow star.",
        "Values: yellow 1, green 1, square 1, and star 1; everything else is 0.",
        "Fits now: ",
        "yellow star on yellow 1 (1c)",
        "green square on green 2 (2a) with +1 colour",
        "Bo has 2 points.",
        "Assignment 1, 4 points: triangle 3 (1a, filled with green triangle), green 3 (1b), yellow 1 (1c), and red 1",
        "its bonus: move baggage.",
        "Bonuses: +1 colour (assignment 5).",
        "Used this turn: red counts as green (assignment 4).",
        "In the bank: red circle.",
        "Ada has 6 points.",
        "Open assignments, with",
        "Reaching 25 points starts the last round. Cards left to open: ",
    ]
    assert find_misplaced(words, parts) == []


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


def test_during_the_search_fitting_cards_are_described() -> None:
    """HB-6."""
    state = at(player("2"), opened="red-star", phase=Phase.SEARCH)
    assert "Would fit now: red star on star 1 (2b)." in read_table(state)
    assert "Would fit now: nothing." in read_table(at(player("9"), opened="blue-square", phase=Phase.SEARCH))


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


@each_case(
    "end, words",
    [
        (BaggageEnd.TARGET_REACHED, "The target of 25 points is reached. This is the last round."),
        (BaggageEnd.NOTHING_LEFT, "No assignments are left. This is the last round. The target is 25 points."),
    ],
)
def test_the_last_round_is_announced(end: BaggageEnd, words: str) -> None:
    """HB-E1 and HB-10."""
    assert words in read_table(at(player("1; 2"), end=end))


def test_options_other_than_the_defaults_are_named() -> None:
    """HB-O1."""
    assert "Options:" not in read_table(at(player("1; 2")))
    assert "Options: first to 10 points." in read_table(at(player("1; 2"), target=10))


def test_an_empty_row_is_mentioned() -> None:
    """HB-10."""
    words = read_table(at(player(""), row="", deck=""))
    assert "No unfinished assignment." in words
    assert "No assignments are left to choose." in words


@each_case(
    "completed, words",
    [(("14 15", "13"), "Ada wins"), (("14 4", "15 5"), "Ada and Bo share the win"), (("14", "13 4"), "Ada wins")],
)
def test_the_end_names_the_winners_and_their_points(completed: tuple[str, str], words: str) -> None:
    """HB-E1 and HB-E2."""
    state = at(*(player("", each) for each in completed), end=BaggageEnd.TARGET_REACHED)
    said = read_table(state._replace(mover=None))
    assert words in said
    assert said.count(" of 6 points") == sum("14" in each or "15" in each for each in completed)
    assert "turn" not in said
