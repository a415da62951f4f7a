"""The computer players of Mr. Houdini's Baggage: their choices, their speed and their success."""

from collections.abc import Sequence
from functools import cache
from random import Random
from statistics import mean
from time import process_time

import pytest

from bot.games.houdinis_baggage.cards import EMPTY_PILE, add_to_pile
from bot.games.houdinis_baggage.minds.outlook import evaluate_outlook
from bot.games.houdinis_baggage.minds.plans import evaluate_plans
from bot.games.houdinis_baggage.pieces import (
    DONE,
    OPEN,
    STOP,
    BaggageEnd,
    BaggageOptions,
    Bank,
    Move,
    Phase,
    Place,
    Shift,
    State,
    Stop,
)
from bot.games.houdinis_baggage.words import estimate_minutes
from bot.rules.chance import FastChance, ScriptedChance
from bot.rules.evaluation import BestMove, Unit
from bot.rules.playout import random_move
from tests.games.houdinis_baggage.positions import GAME, HOUDINI, at, cards, describe_tasks, legal, play_move, player
from tests.support.each_case import each_case

NORMAL: BestMove[State, Move] = BestMove(evaluate_plans)
STRONG: BestMove[State, Move] = BestMove(evaluate_outlook)

GAMES = 6
"""Enough: hardly any game at random gets far before the other is at its target."""

SECONDS = 1.0
"""What a decision may take; the slowest few of a hundred, for a machine may be busy."""


def choose(mind: BestMove[State, Move], state: State) -> str:
    """Let a player choose; it needs no chance."""
    return str(mind(GAME.view(state, state.mover), GAME.legal_moves(state), ScriptedChance([])))


def follow(mind: BestMove[State, Move], state: State) -> list[str]:
    """Follow a player to the end of its placement, and return what lies on its assignments."""
    while (move := choose(mind, state)) != "done":
        state, _ = play_move(state, move)
    return describe_tasks(state)


def searching_with(state: State, left: str) -> State:
    """Return a search in which these cards are all that may come."""
    return state._replace(phase=Phase.SEARCH, baggage=add_to_pile(EMPTY_PILE, cards(left)))


class TestBothPlayers:
    @each_case("mind", [NORMAL, STRONG])
    def test_the_worked_turn_is_found(self, mind: BestMove[State, Move]) -> None:
        """HB-6 and HB-12: all four cards go on one assignment, although each fits elsewhere or sooner too."""
        opened = "green-square yellow-triangle green-triangle red-triangle"
        lying = follow(mind, at(player("1; 2", "4 5"), player("3; 9"), opened=opened))
        assert lying[0] == "1 green-triangle green-square yellow-triangle red-triangle"

    @each_case("mind", [NORMAL, STRONG])
    def test_as_many_bank_cards_are_added_as_the_last_item_needs(self, mind: BestMove[State, Move]) -> None:
        """HB-7: green 3 is the last item, and nothing green is open."""
        bank = "green-star green-square green-circle"
        state = at(player("1 green-triangle - yellow-circle red-circle; 15", bank=bank), opened="yellow-star")
        assert "-" not in follow(mind, state)[0].split()

    @each_case(
        "mind, other, lying",
        [
            (NORMAL, "9", ["1 red-triangle - - -", "9 red-circle - -"]),
            (STRONG, "10", ["1 red-triangle - - red-circle", "10 - - -"]),
        ],
    )
    def test_baggage_moves_to_the_item_that_is_harder_to_fill(
        self, mind: BestMove[State, Move], other: str, lying: list[str]
    ) -> None:
        """HB-B4: the red triangle makes room for the red circle."""
        state = at(player(f"1 - - - red-triangle; {other}", "12"), opened="red-circle")
        assert [set(line.split()) for line in follow(mind, state)] == [set(line.split()) for line in lying]

    @each_case(
        "mind, tasks, opened, left, wanted",
        [
            # Two cards fit, a blue circle would be a third; of four cards three are twins, or one.
            (NORMAL, "17; 16", "red-square green-triangle", "red-square red-square red-square blue-circle", "stop"),
            (NORMAL, "17; 16", "red-square green-triangle", "red-square blue-circle blue-circle blue-circle", "open"),
            # All that is left to open looks like an open card.
            (NORMAL, "1; 2", "green-star green-square green-circle", "green-star green-square green-circle", "stop"),
            # Two stars complete an assignment; all cards left are twins, or none is.
            (STRONG, "4 red-circle -; 9", "red-star blue-star", "red-star blue-star", "stop"),
            (STRONG, "4 red-circle -; 9", "red-star blue-star", "green-square blue-circle", "open"),
            # Nothing fits, so there is nothing to lose.
            (NORMAL, "4 red-circle -; 9", "green-square yellow-square", "green-star blue-star red-circle", "open"),
        ],
    )
    def test_the_next_card_is_weighed_against_a_twin(
        self, mind: BestMove[State, Move], tasks: str, opened: str, left: str, wanted: str
    ) -> None:
        """HB-3 and HB-4."""
        assert choose(mind, searching_with(at(player(tasks), opened=opened), left)) == wanted


class TestNormal:
    @each_case(
        "state, wanted",
        [
            # A chain of changes; either card may go first.
            (at(player("2", "4 7"), opened="yellow-circle green-circle"), "-circle on 2a with 7 4"),
            # A bank card that completes an assignment is added, a useless one kept.
            (at(player("4 red-circle -; 12", bank="blue-star"), opened="green-star"), "bank blue-star"),
            (at(player("4 red-circle -; 17", bank="yellow-square"), opened="green-square"), "green-square on 17b"),
            (at(player("2"), opened="yellow-circle"), "done"),
            # Little is at stake with one open card.
            (at(player("1; 2"), phase=Phase.SEARCH), "open"),
            (at(player("1; 2"), opened="red-star", phase=Phase.SEARCH), "open"),
            # Both are worth 6, but 15 asks for three twos and 17 for ones only.
            (at(player("2"), phase=Phase.CHOOSE, row="15 17"), "take 17"),
            (at(player("2"), phase=Phase.CHOOSE, row="17 15"), "take 17"),
            # After a twin the card that the items need is kept.
            (
                at(
                    player("1 - - yellow-star red-star; 4"),
                    opened="yellow-square green-triangle yellow-circle yellow-square",
                    phase=Phase.TWIN,
                ),
                "keep green-triangle",
            ),
            # In the last turn the red card completes one point, or begins five that will never be complete.
            (
                at(player("4 - blue-star; 19"), opened="red-square", end=BaggageEnd.TARGET_REACHED, starter=1),
                "place red-square on 4a",
            ),
        ],
    )  # fmt: skip
    def test_its_choice(self, state: State, wanted: str) -> None:
        """HB-3, HB-4, HB-7, HB-10, HB-B1 and HB-E1."""
        assert choose(NORMAL, state).endswith(wanted)

    def test_the_more_demanding_item_is_filled_first(self) -> None:
        """HB-6: green 3, then green 2, then star 1 with the last green card."""
        lying = follow(NORMAL, at(player("1; 2"), opened="green-star green-square green-circle"))
        assert sum(line.count("green") for line in lying) == 3

    def test_a_large_bank_is_used_where_few_cards_would_be_kept(self) -> None:
        """HB-7: green 2 begins an assignment of two points; if all cards were kept, none could be opened."""
        few = "green-star green-square"
        many = f"{few} " * 4 + "red-circle " * 4 + "red-star " * 3
        choices = [
            choose(NORMAL, at(player("2 - blue-star -", bank=bank), opened="yellow-circle")) for bank in (few, many)
        ]
        assert choices[0] == "done"
        assert choices[1].startswith("bank green-")

    def test_in_its_last_turn_it_completes_what_it_can(self) -> None:
        """HB-E1: one point for certain is better than many items of what will never be complete."""
        mine, rival = player("4 red-circle -; 1"), player("", "14 15 17 13 5")
        opened = "blue-star red-star red-triangle"
        state = at(mine, rival, opened=opened, starter=1, end=BaggageEnd.TARGET_REACHED)
        assert "-" not in follow(NORMAL, state)[0].split()

    def test_it_beats_random_play(self) -> None:
        for seed in range(GAMES):
            chance, seat = FastChance(Random(seed)), seed % 2
            state = HOUDINI.start(BaggageOptions(), 2, chance)
            while state.mover is not None:
                moves = HOUDINI.legal_moves(state)
                move = NORMAL(state, moves, chance) if state.mover == seat else random_move(moves, chance)
                state, _ = HOUDINI.play(state, state.mover, move, chance)
            outcome = HOUDINI.outcome(state)
            assert outcome is not None
            assert outcome.winners == (seat,)


class TestStrong:
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
        assert choose(STRONG, state) == wanted

    def test_in_its_last_turn_it_hopes_to_complete_what_takes_several_cards(self) -> None:
        """HB-E1: 17 has five free items and would bring six points, one more than the rival has."""
        state = at(player("17", "14"), player("", "15 13"), starter=1, end=BaggageEnd.TARGET_REACHED, target=10)
        assert evaluate_outlook(state._replace(phase=Phase.SEARCH), [OPEN]).values[0] > 0.1

    def test_of_equal_placements_it_prefers_the_one_without_a_bonus(self) -> None:
        """HB-12: blue 1 and circle 1 are worth the same, but the circle takes a change of the star."""
        state = at(player("5", "15"), opened="blue-star")
        values = dict(zip(legal(state), evaluate_outlook(state, GAME.legal_moves(state)).values, strict=True))
        assert values["place blue-star on 5a"] > values["place blue-star on 5b with 15"]

    def test_it_expects_nothing_of_a_bank_card_that_looks_like_an_open_one(self) -> None:
        """HB-7: green 2 is the last item, and the bank has only a twin of the open card."""
        state = at(player("2 - blue-star blue-circle", bank="green-star"), opened="green-star", phase=Phase.SEARCH)
        stopping = evaluate_outlook(state, [STOP]).values
        assert stopping == evaluate_outlook(state._replace(phase=Phase.PLACE), [DONE]).values


@cache
def positions(mind: BestMove[State, Move], seats: int) -> Sequence[State]:
    """Return the positions of a game."""
    chance, found = FastChance(Random(seats)), list[State]()
    state = HOUDINI.start(BaggageOptions(), seats, chance)
    while state.mover is not None:
        found.append(state)
        state, _ = HOUDINI.play(state, state.mover, mind(state, HOUDINI.legal_moves(state), chance), chance)
    return found


@each_case("seats", [2, 4])
@pytest.mark.slow
def test_values_of_strong_are_chances_that_no_best_move_without_chance_loses(seats: int) -> None:
    """What a move is worth because of the moves to follow, these are worth as well."""
    for state in positions(STRONG, seats)[:60]:
        moves = HOUDINI.legal_moves(state)
        found = evaluate_outlook(state, moves)
        assert (found.unit, found.is_exact, len(found.values)) == (Unit.WINS, False, len(moves))
        assert all(0 <= value <= 1 for value in found.values)
        best = max(found.values)
        chosen = moves[list(found.values).index(best)]
        if isinstance(chosen, Stop | Place | Bank | Shift):
            after, _ = HOUDINI.play(state, state.mover or 0, chosen, ScriptedChance([]))
            assert max(evaluate_outlook(after, HOUDINI.legal_moves(after)).values) >= best - 1e-6


@each_case("mind, seats", [(NORMAL, 2), (NORMAL, 4), (STRONG, 2), (STRONG, 4)])
@pytest.mark.slow
def test_a_decision_is_fast(mind: BestMove[State, Move], seats: int) -> None:
    """Most take a few milliseconds; the bound leaves room for machines that are much slower."""
    times = []
    for state in positions(mind, seats)[::5]:
        moves, started = HOUDINI.legal_moves(state), process_time()
        mind(state, moves, ScriptedChance([]))
        times.append(process_time() - started)
    assert sorted(times)[-3] < SECONDS


@each_case("target, seats", [(10, 2), (10, 4), (20, 3), (30, 2)])
@pytest.mark.long
def test_a_turn_takes_about_fifty_seconds_with_any_target(target: int, seats: int) -> None:
    """HB-O1: a few games vary by a fifth."""
    options, turns = BaggageOptions(target=target), list[int]()
    for seed in range(4):
        chance, movers = FastChance(Random(seed)), list[int]()
        state = HOUDINI.start(options, seats, chance)
        while state.mover is not None:
            movers += [state.mover] if movers[-1:] != [state.mover] else []
            state, _ = HOUDINI.play(state, state.mover, NORMAL(state, HOUDINI.legal_moves(state), chance), chance)
        turns.append(len(movers))
    assert 42 <= 60 * estimate_minutes(options, seats) / mean(turns) <= 64
