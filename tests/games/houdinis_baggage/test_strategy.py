"""The computer player of Mr. Houdini's Baggage: its choices, its speed and its success."""

from random import Random
from time import process_time

from bot.games.houdinis_baggage.cards import EMPTY_PILE, add_to_pile
from bot.games.houdinis_baggage.minds.evaluation import evaluate_plans
from bot.games.houdinis_baggage.pieces import BaggageEnd, BaggageOptions, Phase, State
from bot.games.houdinis_baggage.rules import HoudinisBaggage
from bot.rules.chance import FastChance, ScriptedChance
from bot.rules.evaluation import BestMove
from bot.rules.playout import random_move
from tests.games.houdinis_baggage.positions import DECK, GAME, at, cards, describe_tasks, play_move, player
from tests.support.each_case import each_case

HOUDINI = HoudinisBaggage(DECK)
NORMAL = BestMove(evaluate_plans)

GAMES = 6
"""Enough: hardly any game at random gets far before the other is at its target."""

SECONDS = 1.0
"""What a decision may take; the slowest few of a hundred, for a machine may be busy."""


def choose(state: State) -> str:
    """Let the sensible player choose; it needs no chance."""
    return str(NORMAL(GAME.view(state, state.mover), GAME.legal_moves(state), ScriptedChance([])))


def follow_plan(state: State) -> State:
    """Follow the sensible player to the end of its placement."""
    while (move := choose(state)) != "done":
        state, _ = play_move(state, move)
    return state


class TestChoices:
    def test_the_worked_turn_is_found(self) -> None:
        """HB-6 and HB-12: all four cards go on one assignment, although each fits elsewhere or sooner too."""
        opened = "green-square yellow-triangle green-triangle red-triangle"
        state = follow_plan(at(player("1; 2", "4 5"), player("3; 9"), opened=opened))
        assert describe_tasks(state)[0] == "1 green-triangle green-square yellow-triangle red-triangle"

    def test_the_more_demanding_item_is_filled_first(self) -> None:
        """HB-6: green 3, then green 2, then star 1 with the last green card."""
        state = follow_plan(at(player("1; 2"), opened="green-star green-square green-circle"))
        assert sum(line.count("green") for line in describe_tasks(state)) == 3

    def test_a_chain_is_found(self) -> None:
        """HB-B1."""
        state = at(player("2", "4 7"), opened="yellow-circle green-circle")
        assert choose(state) in ("place green-circle on 2a with 7 4", "place yellow-circle on 2a with 7 4")

    def test_a_bank_card_is_added_if_it_completes_an_assignment(self) -> None:
        """HB-7."""
        state = at(player("4 red-circle -; 12", bank="blue-star"), opened="green-star")
        assert choose(state) == "bank blue-star"
        assert "-" not in describe_tasks(follow_plan(state))[0].split()

    def test_as_many_bank_cards_are_added_as_an_item_needs(self) -> None:
        """HB-7: green 3 is the last item, and nothing green is open."""
        bank = "green-star green-square green-circle"
        state = at(player("1 green-triangle - yellow-circle red-circle; 15", bank=bank), opened="yellow-star")
        assert "-" not in describe_tasks(follow_plan(state))[0].split()

    def test_a_large_bank_is_used_where_few_cards_would_be_kept(self) -> None:
        """HB-7: green 2 begins an assignment of two points; if all cards were kept, none could be opened."""
        few, many = (
            "green-star green-square",
            "green-square " * 4 + "green-star " * 4 + "red-circle " * 4 + "red-star " * 3,
        )
        assert choose(at(player("2"), opened="yellow-circle", phase=Phase.PLACE)) == "done"
        assert choose(at(player("2 - blue-star -", bank=few), opened="yellow-circle")) == "done"
        assert choose(at(player("2 - blue-star -", bank=many), opened="yellow-circle")).startswith("bank green-")

    def test_a_useless_bank_card_is_kept(self) -> None:
        """HB-7."""
        assert (
            choose(at(player("4 red-circle -; 17", bank="yellow-square"), opened="green-square"))
            != "bank yellow-square"
        )

    def test_baggage_moves_to_the_item_that_is_harder_to_fill(self) -> None:
        """HB-B4."""
        state = at(player("1 - - - red-triangle; 9", "12"), opened="red-circle")
        harder, easier = describe_tasks(follow_plan(state))
        assert harder == "1 red-triangle - - -"
        assert "red-circle" in easier

    def test_it_opens_cards_while_little_is_at_stake_and_stops_before_a_probable_twin(self) -> None:
        """HB-3 and HB-4."""
        assert choose(at(player("1; 2"), phase=Phase.SEARCH)) == "open"
        few = at(player("1; 2"), opened="red-star", phase=Phase.SEARCH)
        assert choose(few) == "open"
        rich = "green-star green-square green-circle blue-circle"
        # All that is left to open looks like an open card.
        looks = [
            f"{colour}-{shape}"
            for colour in ("red", "yellow", "green", "blue")
            for shape in ("triangle", "square", "circle", "star")
        ]
        gone = " ".join(look for look in looks if look not in rich.split() for _ in range(4))
        assert choose(at(player("1; 2"), opened=rich, phase=Phase.SEARCH, discards=gone)) == "stop"

    @each_case(
        "left, wanted",
        [
            ("red-square red-square red-square blue-circle", "stop"),
            ("red-square blue-circle blue-circle blue-circle", "open"),
        ],
    )
    def test_it_weighs_the_gain_of_the_next_card_against_a_twin(self, left: str, wanted: str) -> None:
        """HB-4: two cards fit, a blue circle would be a third; of four cards three are twins, or one."""
        state = at(player("17; 16"), opened="red-square green-triangle", phase=Phase.SEARCH)
        assert choose(state._replace(baggage=add_to_pile(EMPTY_PILE, cards(left)))) == wanted

    def test_it_keeps_opening_while_nothing_fits(self) -> None:
        """HB-3: there is nothing to lose."""
        assert (
            choose(at(player("4 red-circle -; 9"), opened="green-square yellow-square", phase=Phase.SEARCH)) == "open"
        )

    @each_case("row", ["15 17", "17 15"])
    def test_of_assignments_with_equal_points_it_takes_the_easier(self, row: str) -> None:
        """HB-10: both are worth 6, but 15 asks for three twos and 17 for ones only."""
        assert choose(at(player("2"), phase=Phase.CHOOSE, row=row)) == "take 17"

    def test_in_its_last_turn_only_completed_assignments_count(self) -> None:
        """HB-E1: the red card completes one point, or begins five that will never be complete."""
        last = at(player("4 - blue-star; 19"), opened="red-square", end=BaggageEnd.TARGET_REACHED, starter=1)
        assert choose(last) == "place red-square on 4a"

    def test_after_a_twin_it_keeps_the_card_its_items_need(self) -> None:
        """HB-4."""
        opened = "yellow-square green-triangle yellow-circle yellow-square"
        assert (
            choose(at(player("1 - - yellow-star red-star; 4"), opened=opened, phase=Phase.TWIN))
            == "keep green-triangle"
        )

    def test_in_its_last_turn_it_completes_what_it_can(self) -> None:
        """HB-E1: one point for certain is better than many items of what will never be complete."""
        state = at(
            player("4 red-circle -; 1"),
            player("", "14 15 17 13 5"),
            opened="blue-star red-star red-triangle",
            starter=1,
            end=BaggageEnd.TARGET_REACHED,
        )
        assert "-" not in describe_tasks(follow_plan(state))[0].split()


def play_and_win(game: HoudinisBaggage, seed: int) -> bool:
    """Play the sensible player against random play, from either seat, and tell whether it has won."""
    chance, seat = FastChance(Random(seed)), seed % 2
    state = game.start(BaggageOptions(), 2, chance)
    while state.mover is not None:
        moves = game.legal_moves(state)
        move = NORMAL(state, moves, chance) if state.mover == seat else random_move(moves, chance)
        state, _ = game.play(state, state.mover, move, chance)
    outcome = game.outcome(state)
    assert outcome is not None
    return outcome.winners == (seat,)


def test_the_normal_level_beats_random_play() -> None:
    assert sum(play_and_win(HOUDINI, seed) for seed in range(GAMES)) == GAMES


@each_case("seats", [2, 4])
def test_a_decision_is_fast(seats: int) -> None:
    """Most take some milliseconds; the bound leaves room for machines that are much slower."""
    chance = FastChance(Random(seats))
    state, times = HOUDINI.start(BaggageOptions(), seats, chance), []
    while state.mover is not None:
        moves, started = HOUDINI.legal_moves(state), process_time()
        move = NORMAL(state, moves, chance)
        times.append(process_time() - started)
        state, _ = HOUDINI.play(state, state.mover, move, chance)
    assert sorted(times)[-3] < SECONDS
