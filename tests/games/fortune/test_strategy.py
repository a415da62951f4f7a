"""Fortune's computer player: its expected values against brute force, and its choices."""

from collections.abc import Sequence
from itertools import product
from random import Random
from statistics import fmean
from time import process_time

import pytest

from bot.games.fortune.minds.evaluation import evaluate_turn, utility_of
from bot.games.fortune.minds.turn_values import PointsUtility, dice_counts_of, get_counts_index, get_turn_values
from bot.games.fortune.pieces import FACES, Move, State
from bot.rules.chance import FastChance, ScriptedChance
from bot.rules.evaluation import BestMove
from bot.rules.playout import random_move
from tests.games.fortune.naive import score_naively
from tests.games.fortune.positions import CARDS, GAME, NINE_WINS, USUAL, at, dice
from tests.support.each_case import each_case

POINTS = PointsUtility()
NORMAL = BestMove(evaluate_turn)


def choose(state: State, moves: Sequence[Move] | None = None) -> str:
    """Let the computer player choose; it needs no chance."""
    return str(NORMAL(GAME.view(state, 0), moves or GAME.legal_moves(state), ScriptedChance([])))


def storm_value(kept: str) -> float:
    """Return the value of keeping dice for the last roll of a Storm, over every outcome of the others."""
    worth = []
    for landed in product("KMPSGD", repeat=8 - len(kept)):
        letters = kept + "".join(landed)
        worth.append(0 if letters.count("K") >= 3 else score_naively("storm", letters))
    return fmean(worth)


class TestExpectedValues:
    def test_there_are_3003_hands(self) -> None:
        assert len(get_counts_index().position_of) == 3003
        assert len(get_counts_index().full) == 1287

    @each_case("kept", ["KGGD", "GGGD", "KKGG", "KKGD", "GGGDD", "KDDDDD"])
    def test_fo_c8_the_last_roll_of_a_storm_is_averaged_over_every_outcome(self, kept: str) -> None:
        """FO-C8 and FO-3."""
        expected = get_turn_values(CARDS["storm"], POINTS, spell=False)
        assert expected.value_of_rolling(dice_counts_of(dice(kept))) == pytest.approx(storm_value(kept))

    @each_case("card", ["captain", "skulls-1", "sea-battle-3-500", "truce", "treasure-chest", "sorceress"])
    def test_expected_values_match_simulated_turns(self, card: str) -> None:
        """FO-C1 to FO-C9: the average of simulated turns matches the expected value."""
        first = "GGMMPPSD"
        expected = self.best(card, first)
        chance = FastChance(Random(card))
        found = [self.turn(at(card, first), chance) for _ in range(60)]
        spread = (sum((points - fmean(found)) ** 2 for points in found) / len(found)) ** 0.5
        assert abs(fmean(found) - expected) < 5 * spread / len(found) ** 0.5 + 5

    def best(self, card: str, letters: str) -> float:
        state = at(card, letters)
        expected = get_turn_values(CARDS[card], utility_of(state), spell=state.turn.spell)
        kept = product(*(range(count + 1) for count in dice_counts_of(dice(letters))[1:]))
        rolls = [expected.value_of_rolling((0, *each)) for each in kept if sum(each) <= 6]
        return max(*rolls, expected.value_of_stopping(dice_counts_of(dice(letters))))

    def turn(self, state: State, chance: FastChance) -> int:
        """Play a turn to its end and return its points."""
        while state.mover == 0:
            move = NORMAL(state, GAME.legal_moves(state), chance)
            state, _ = GAME.play(state, 0, move, chance)
        return state.scores[0]

    def test_a_spell_is_worth_something_and_never_costs(self) -> None:
        """FO-C3."""
        with_her, without = (get_turn_values(CARDS["sorceress"], POINTS, spell=spell) for spell in (True, False))
        for letters in ("KK", "KKGGG", "KMM", "GGGG"):
            hand = dice_counts_of(dice(letters))
            assert with_her.value_of_rolling(hand) > without.value_of_rolling(hand)

    def test_fo_c1_the_value_of_the_chest_is_what_it_saves(self) -> None:
        """FO-C1: two skulls and six dice in the chest, so a bust costs nothing."""
        chest = get_turn_values(CARDS["treasure-chest"], POINTS, spell=False)
        kept = dice_counts_of(dice("KKGGGG"))
        assert chest.value_of_rolling(kept) > 600


class TestChoices:
    @each_case(
        "state, best",
        [
            (at("gold", "GGGGGGKK"), "stop"),
            (at("captain", "GGGGKKMM"), "stop"),
            (at("truce", "SGGGDDDD"), None),  # one sword spoils it: roll it with another die
            (at("sea-battle-4-1000", "SSSGGKMP"), None),
            (at("sorceress", "KKKGGGGG"), "sorceress 1"),
            (at("sorceress", "GGGDDDKM"), None),
            (at("storm", "GGGDDMPK", rolls=2), "stop"),
            (at("gold", "KKKKMPGD", island=True), "roll 5 6 7 8"),
        ],
    )
    def test_plain_choices(self, state: State, best: str | None) -> None:
        """FO-3, FO-4, FO-9, FO-C3, FO-C4 and FO-C9."""
        found = choose(state)
        assert (found == best) if best else (found != "stop")

    def test_fo_c1_it_puts_kept_dice_into_the_chest(self) -> None:
        """FO-C1."""
        assert choose(at("treasure-chest", "GGGDDMPK")) == "roll 6 7 chest 1 2 3 4 5"

    def test_fo_c9_it_rolls_the_sword_away(self) -> None:
        """FO-C9."""
        assert "1" in choose(at("truce", "SGGGDDDD")).split()[1:]

    def test_fo_e1_it_stops_at_the_line(self) -> None:
        """FO-E1: 300 points suffice where it would have rolled on."""
        far, near = (at("gold", "GMMMPSKK", scores=scores) for scores in ("0/0", "7800/0"))
        assert choose(far) != "stop"
        assert choose(near) == "stop"

    def test_fo_e2_in_the_last_round_it_goes_for_the_win(self) -> None:
        """FO-E2: points that don't suffice are worth nothing, and points that do are not risked."""
        assert choose(at("gold", "GGGGKKMM", scores="7000/8100", crosser=1)) != "stop"
        assert choose(at("gold", "GMMPPSSK", scores="8000/8100", crosser=1)) == "stop"
        assert choose(at("gold", "GGGGKKMM", scores="7200/8100", crosser=1)) == "stop"

    def test_fo_e2_in_the_last_round_a_win_takes_more_than_the_line(self) -> None:
        """FO-E2: the leader was pushed back below it, so being ahead of everybody is not enough."""
        assert utility_of(at("gold", scores="7200/7000", crosser=1)).line == 800
        assert utility_of(at("gold", scores="7200/8100", crosser=1)).line == 900

    def test_fo_8_it_goes_for_nine_if_they_win(self) -> None:
        """FO-8."""
        assert choose(at("gold", "GGGGGGGM", options=NINE_WINS)) == "roll 1 8", "of the equal dice the first"
        assert choose(at("gold", "GGGGGGGM", options=USUAL)) == "stop"
        expected = get_turn_values(CARDS["gold"], PointsUtility(nine_bonus=5000.0), spell=False)
        assert [expected.value_of_stopping(dice_counts_of(dice(each * 8))) for each in "DG"] == [5400, 10400]
        rolled = [expected.value_of_rolling(dice_counts_of(dice(each * 6))) for each in "DG"]
        assert rolled == pytest.approx([2505, 4204.99], abs=0.01)


@each_case("card", CARDS)
def test_a_decision_is_fast(card: str) -> None:
    """Even the first one with a card and a score, for which everything is worked out again; it takes some 0.1 s."""
    get_counts_index()
    # No other test has these scores.
    assert any(_seconds(at(card, "GKMMPPSD", scores=f"{score}/200")) < 1.0 for score in (6100, 6200, 6300))


def _seconds(state: State) -> float:
    started = process_time()
    choose(state)
    return process_time() - started


GAMES = 10


def test_it_beats_random_play_in_nearly_every_game_for_two() -> None:
    won = sum(_wins(seed) for seed in range(GAMES))
    assert won >= 0.95 * GAMES


def _wins(seed: int) -> bool:
    """Play one game with the computer player in a seat that changes from game to game; a shared win is none."""
    chance, sensible = FastChance(Random(seed)), seed % 2
    state = GAME.start(USUAL, 2, chance)
    while state.mover is not None:
        moves = GAME.legal_moves(state)
        move = NORMAL(state, moves, chance) if state.mover == sensible else random_move(moves, chance)
        state, _ = GAME.play(state, state.mover, move, chance)
    outcome = GAME.outcome(state)
    assert outcome is not None
    return outcome.winners == (sensible,)


def test_dice_counts_follow_the_order_of_faces() -> None:
    assert dice_counts_of(dice("KGGD")) == (1, 0, 0, 0, 2, 1)
    assert len(dice_counts_of(())) == len(FACES)
