"""The start of a game of Change, its board and its cards: rules CH-1 and CH-2."""

from collections import Counter

import pytest

from bot.games.change.board import SpaceKind
from bot.games.change.moves import ROLL
from bot.games.change.pieces import ChangeOptions, State
from bot.games.change.words import SPACE_NAMES
from bot.rules.chance import FairChance, ScriptedChance
from bot.words import NC_
from tests.games.change.positions import BOARD, CONTENT, GAME, WITH_SETS
from tests.support.each_case import each_case

KEPT = [*range(39, 0, -1)]
"""A shuffle in which every card stays where it is."""


def start_game(seats: int, dice: str, options: ChangeOptions = WITH_SETS) -> State:
    """Start with these track dice, seat by seat and round by round, and the cards as they are listed."""
    with ScriptedChance([*(int(face) - 1 for face in dice if face != " "), *KEPT]) as chance:
        return GAME.start(options, seats, chance)


@each_case("seats", [2, 3, 4, 5, 6])
def test_ch_1_every_seat_starts_on_start_with_twelve_markers_and_120_credits(seats: int) -> None:
    """CH-1."""
    assert (GAME.info.least_seats, GAME.info.most_seats) == (2, 6)
    public = GAME.start(WITH_SETS, seats, FairChance(b"\7" * 32, "", 0)).public
    assert (public.credits, public.ragz_spaces, public.hand_sizes) == ((120,) * seats, (0,) * seats, (0,) * seats)
    assert [public.markers_left(seat) for seat in range(seats)] == [12] * seats


@each_case("count", [50, 20, 300])
def test_ch_1_a_shorter_or_longer_game(count: int) -> None:
    """CH-1: 50 in the short game, and the option's bounds."""
    assert start_game(2, "12 11", ChangeOptions(credits=count)).public.credits == (count, count)


@each_case("option, value", [("credits", 19), ("credits", 301), ("games", 0), ("games", 10)])
def test_ch_1_and_ch_14_no_other_numbers_are_chosen(option: str, value: int) -> None:
    """CH-1: of credits; CH-14: of games."""
    with pytest.raises(ValueError, match=option):
        ChangeOptions.model_validate({option: value})


@each_case(
    "seats, dice, starter",
    [
        (2, "66 65", 0),
        (2, "11 12", 1),
        (3, "12 56 34", 1),
        (2, "13 22 11 12", 1),  # tied at four, so both roll again
        (3, "66 11 66 12 21 34 33", 0),  # seats 0 and 2, twice
        (4, "11 22 22 13 16 15 14", 1),  # three are tied at four
    ],
)
def test_ch_2_the_highest_track_roll_starts(seats: int, dice: str, starter: int) -> None:
    """CH-2: only the tied roll again."""
    state = start_game(seats, dice)
    assert state.public.turn == GAME.seat_to_move(state) == starter
    assert GAME.legal_moves(state) == (ROLL,)


# Each line: what the table of the board says of eight spaces, from one corner of the cloth to the next.
TABLE = """
0 Start         | 8 Humility   | 16 Take a Rest  | 24 Arrogance
1 Habits 5 A    | 9 Envy 10 B    | 17 Worry 15 D   | 25 Blame 20 E
2 Excuses 5 A   | 10 Vanity 10 C | 18 Doubt 15 D   | 26 Grudges 20 E
3 Bin 10        | 11 Fountain    | 19 Signpost     | 27 Bin 20
4 Stall         | 12 Bin 15      | 20 Fountain     | 28 Flag
5 Desires 5 A   | 13 Anger 15 C  | 21 Fear 20 D    | 29 Denial 25 F
6 Greed 10 B    | 14 Emotional   | 22 Backslide    | 30 Control 25 F
7 Gossip 10 B   | 15 Pride 15 C  | 23 Resentment 20 E | 31 Selfishness 25 F
"""


def test_the_board_matches_the_rules_page() -> None:
    """CH-1: 32 spaces, with their values and sets."""
    cells = [cell.split(maxsplit=1) for row in TABLE.strip().splitlines() for cell in row.split("|")]
    wanted = {int(number): rest.strip() for number, rest in cells}
    shown = {}
    for at, space in enumerate(CONTENT.board.spaces):
        is_challenge = space.kind is SpaceKind.CHALLENGE
        shown[at] = f"{space.name} {space.credits} {space.set}" if is_challenge else space.name
    assert shown == wanted


def test_translators_see_every_space() -> None:
    assert {NC_("space", space.name) for space in CONTENT.board.spaces} == {*SPACE_NAMES}


def test_the_cards_match_the_rules_page() -> None:
    """CH-M1: forty cards."""
    wanted = {"add-1": 3, "add-2": 3, "add-3": 3, "add-4": 2, "add-5": 2, "replace-1": 2, "replace-2": 2}
    wanted |= {"replace-3": 1, "any": 4} | dict.fromkeys(BOARD.space_by_key, 1)
    assert Counter(BOARD.cards[card].key for card in BOARD.deck) == wanted
    assert len(BOARD.deck) == 40


def test_ch_m1_the_cards_are_shuffled() -> None:
    """CH-M1."""
    tops = Counter(GAME.start(WITH_SETS, 2, FairChance(bytes([seed]) * 32, "", 0)).deck[0] for seed in range(256))
    assert len(tops) > 20
