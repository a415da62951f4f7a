"""The strong computer player of Mr. Houdini's Baggage: what it thinks moves are worth."""

from collections.abc import Sequence
from functools import cache
from random import Random
from time import process_time

from bot.games.houdinis_baggage.cards import EMPTY_PILE, add_to_pile
from bot.games.houdinis_baggage.minds.evaluation import evaluate_outlook
from bot.games.houdinis_baggage.pieces import BaggageEnd, BaggageOptions, Bank, Move, Phase, Place, Shift, State, Stop
from bot.games.houdinis_baggage.rules import HoudinisBaggage
from bot.rules.chance import FastChance, ScriptedChance
from bot.rules.evaluation import BestMove, Unit
from tests.games.houdinis_baggage.positions import DECK, GAME, at, cards, describe_tasks, play_move, player
from tests.support.each_case import each_case

HOUDINI = HoudinisBaggage(DECK)

SECONDS = 1.0
"""What a decision may take; the slowest few of a hundred, for a machine may be busy."""

PLAYER: BestMove[State, Move] = BestMove(evaluate_outlook)


def choose(state: State) -> str:
    return str(PLAYER(GAME.view(state, state.mover), GAME.legal_moves(state), ScriptedChance([])))


def follow(state: State) -> State:
    """Follow the player to the end of its placement."""
    while (move := choose(state)) != "done":
        state, _ = play_move(state, move)
    return state


@cache
def positions(seats: int) -> Sequence[State]:
    """Return the positions of a game of strong players."""
    chance, found = FastChance(Random(seats)), list[State]()
    state = HOUDINI.start(BaggageOptions(), seats, chance)
    while state.mover is not None:
        found.append(state)
        state, _ = HOUDINI.play(state, state.mover, PLAYER(state, HOUDINI.legal_moves(state), chance), chance)
    return found


class TestChoices:
    def test_the_worked_turn_is_found(self) -> None:
        """HB-6 and HB-12: all four cards go on one assignment, although each fits elsewhere or sooner too."""
        opened = "green-square yellow-triangle green-triangle red-triangle"
        state = follow(at(player("1; 2", "4 5"), player("3; 9"), opened=opened))
        assert describe_tasks(state)[0] == "1 green-triangle green-square yellow-triangle red-triangle"

    def test_as_many_bank_cards_are_added_as_the_last_item_needs(self) -> None:
        """HB-7: green 3 is the last item, and nothing green is open."""
        bank = "green-star green-square green-circle"
        state = at(player("1 green-triangle - yellow-circle red-circle; 15", bank=bank), opened="yellow-star")
        assert "-" not in describe_tasks(follow(state))[0].split()

    def test_baggage_moves_to_the_item_that_is_harder_to_fill(self) -> None:
        """HB-B4: the red triangle makes room for the red circle."""
        state = follow(at(player("1 - - - red-triangle; 10", "12"), opened="red-circle"))
        assert describe_tasks(state) == ["1 red-triangle - - red-circle", "10 - - -"]

    @each_case("rival, wanted", [("18 16 2 20", "stop"), ("18 16 19 20", "open")])
    def test_in_its_last_turn_it_takes_a_risk_only_if_that_can_win(self, rival: str, wanted: str) -> None:
        """HB-E1: a square completes one point, which beats 17 points, but not 20; a circle would complete six."""
        mine = player("11 green-star -; 17 red-star green-star blue-star yellow-star -", "14 15 13")
        state = at(
            mine,
            player("", rival),
            opened="red-square green-triangle yellow-triangle",
            phase=Phase.SEARCH,
            starter=1,
            end=BaggageEnd.TARGET_REACHED,
            target=15,
        )
        assert choose(state) == wanted

    @each_case("left, wanted", [("red-star blue-star", "stop"), ("green-square blue-circle", "open")])
    def test_it_weighs_what_a_twin_would_lose(self, left: str, wanted: str) -> None:
        """HB-4: two stars complete an assignment; all cards left are twins, or none is."""
        state = at(player("4 red-circle -; 9"), opened="red-star blue-star", phase=Phase.SEARCH)
        assert choose(state._replace(baggage=add_to_pile(EMPTY_PILE, cards(left)))) == wanted


@each_case("seats", [2, 4])
def test_values_are_chances_that_no_best_move_without_chance_loses(seats: int) -> None:
    """What a move is worth because of the moves to follow, these are worth as well."""
    for state in positions(seats)[:150]:
        moves = HOUDINI.legal_moves(state)
        found = evaluate_outlook(state, moves)
        assert (found.unit, found.is_exact, len(found.values)) == (Unit.WINS, False, len(moves))
        assert all(0 <= value <= 1 for value in found.values)
        best = max(found.values)
        chosen = moves[list(found.values).index(best)]
        if isinstance(chosen, Stop | Place | Bank | Shift):
            after, _ = HOUDINI.play(state, state.mover or 0, chosen, ScriptedChance([]))
            assert max(evaluate_outlook(after, HOUDINI.legal_moves(after)).values) >= best - 1e-6


@each_case("seats", [2, 4])
def test_a_decision_is_fast(seats: int) -> None:
    """Most take a few milliseconds; the bound leaves room for machines that are much slower."""
    times = []
    for state in positions(seats)[::2]:
        started = process_time()
        evaluate_outlook(state, HOUDINI.legal_moves(state))
        times.append(process_time() - started)
    assert sorted(times)[-3] < SECONDS
