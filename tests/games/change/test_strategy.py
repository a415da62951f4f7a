"""The computer player of Change."""

from random import Random
from time import process_time

from bot.games.change.moves import Move
from bot.games.change.pieces import ChangeOptions, Stage, State
from bot.games.change.strategy import maximize_expected_turn_value
from bot.rules.chance import Chance, FastChance
from bot.rules.playout import random_move
from tests.games.change.hidden import redeal_hidden
from tests.games.change.positions import ALL_TWELVE, GAME, WITH_SETS, at
from tests.support.each_case import each_case

ANY = FastChance(Random(1))


def choose(state: State) -> str:
    """Return what the seat to move does."""
    seat = GAME.seat_to_move(state)
    return str(maximize_expected_turn_value(GAME.view(state, seat), GAME.legal_moves(state), ANY))


WHOLE = "denial control selfishness"

# Each line: a position, and what anybody would do there.
CHOICES: dict[str, tuple[State, str]] = {
    "the own last credits are released": (at("10@3", "120@0", stage=Stage.CORNER), "choose myself"),
    "no opponent is helped to win": (at("120@3", "10@0", "120@0", stage=Stage.CORNER), "choose myself"),
    "a challenge costs nothing": (at("125@5", "120@0", challenge=True, travel=False, stage=Stage.FREE), "challenge"),
    "an Add card that suffices is played": (
        at("125@29", "120@0", hands=["add-2 add-5"], missing=2, travel=False, stage=Stage.FREE),
        "card add-2",
    ),
    "Add cards that do not suffice are kept": (
        at("125@29", "120@0", hands=["add-1 add-2"], missing=8, travel=False, stage=Stage.FREE),
        "done",
    ),
    "a card that wins is played": (
        at(f"50@3 {WHOLE}", "120@0", hands=["any"], options=WITH_SETS, stage=Stage.FREE),
        "card any denial",
    ),
    "the best own space is gone back to": (
        at("120@19 habits denial", "120@0", stage=Stage.RETURN),
        "choose denial",
    ),
    "the better card is kept": (
        at(f"120@22 {ALL_TWELVE}", "120@0", hands=["add-1 fear"], stage=Stage.KEEP),
        "keep fear",
    ),
    "the worse card is replaced": (
        at(f"120@4 {ALL_TWELVE}", "120@0", hands=["add-1 fear"], stage=Stage.SWAP),
        "replace add-1",
    ),
}


@each_case("case", CHOICES)
def test_choices_that_can_be_computed_by_hand(case: str) -> None:
    state, expected = CHOICES[case]
    assert choose(state) == expected


def test_a_set_that_lacks_one_is_worth_completing() -> None:
    state = at("120@3 denial control", "120@0", options=WITH_SETS, stage=Stage.PLACE)
    assert choose(state) == "choose selfishness"


def test_choices_do_not_depend_on_hidden_cards() -> None:
    """The same view gives the same choice, independent of the other hands."""
    chance, state = FastChance(Random(4)), GAME.start(WITH_SETS, 3, ANY)
    for step in range(300):
        seat = GAME.seat_to_move(state)
        if seat is None:
            break
        other = redeal_hidden(state, seat, chance)
        assert choose(state) == choose(other)
        state, _ = GAME.play(state, seat, random_move(GAME.legal_moves(state), chance), FastChance(Random(step)))


GAMES = 120


def test_it_beats_random_play_in_nine_of_ten_games_for_two() -> None:
    won = sum(_wins(seed) for seed in range(GAMES))
    assert won >= 0.9 * GAMES


def _wins(seed: int) -> bool:
    """Play one game with the computer player in a seat that changes from game to game; a shared win is none."""
    chance, sensible = FastChance(Random(seed)), seed % 2
    state = GAME.start(WITH_SETS, 2, chance)
    while (seat := GAME.seat_to_move(state)) is not None:
        state, _ = GAME.play(state, seat, _choose(state, seat == sensible, chance), chance)
    outcome = GAME.outcome(state)
    assert outcome is not None
    return outcome.winners == (sensible,)


def _choose(state: State, is_sensible: bool, chance: Chance) -> Move:
    moves = GAME.legal_moves(state)
    if is_sensible:
        return maximize_expected_turn_value(GAME.view(state, GAME.seat_to_move(state)), moves, chance)
    return random_move(moves, chance)


def test_a_decision_is_fast() -> None:
    """Each takes about 0.1 ms; the bound leaves room for machines that are busy or much slower."""
    chance = FastChance(Random(9))
    state, longest = GAME.start(ChangeOptions(credits=300), 6, chance), 0.0
    while (seat := GAME.seat_to_move(state)) is not None:
        began = process_time()
        move = maximize_expected_turn_value(GAME.view(state, seat), GAME.legal_moves(state), chance)
        longest = max(longest, process_time() - began)
        state, _ = GAME.play(state, seat, move, chance)
    assert longest < 1.0
