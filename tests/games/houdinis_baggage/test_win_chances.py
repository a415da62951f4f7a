"""Chances of winning: what they depend on, and that seats win as often as they say."""

from collections.abc import Iterator
from math import sqrt
from random import Random
from statistics import fmean, stdev

import pytest

from bot.games.houdinis_baggage.cards import CARD_KEYS
from bot.games.houdinis_baggage.minds.outlook import evaluate_outlook
from bot.games.houdinis_baggage.pieces import BaggageEnd, BaggageOptions, Player, State
from bot.games.houdinis_baggage.rules import HoudinisBaggage
from bot.rules.chance import FastChance
from bot.rules.evaluation import Unit
from bot.rules.game import Outcome
from bot.rules.review import Assessment, Decision, review_game
from tests.games.houdinis_baggage.positions import DECK, GAME, at, legal, player
from tests.support.each_case import each_case

HOUDINI = HoudinisBaggage(DECK)
GAMES = 12

LEVEL = player("20", "4")


def chance_of(state: State) -> float:
    """Return the mover's chance of winning."""
    return max(evaluate_outlook(state, GAME.legal_moves(state)).values)


def chance_against(mine: Player, theirs: Player) -> float:
    """Return the chance of the seat that ends a round of the usual game."""
    return chance_of(at(mine, theirs, starter=1))


@each_case("rival, expected", [("14", 1.0), ("14 15", 0.5), ("14 15 4", 0.0)])
def test_when_nobody_moves_any_more_the_points_decide(rival: str, expected: float) -> None:
    """HB-E1: the seat has 12 points, and its turn ends the last round."""
    state = at(player("2", "17 18"), player("1", rival), starter=1, end=BaggageEnd.TARGET_REACHED, target=10)
    assert chance_of(state) == pytest.approx(expected, abs=0.001)


@each_case(
    "task, least, most",
    [("15", 0.7, 0.99), ("15 blue-star red-star blue-circle red-square -", 0.3, 0.7)],
)
def test_a_rival_who_still_moves_may_complete_more(task: str, least: float, most: float) -> None:
    """HB-E1: six points more would put the rival ahead, and are the likelier the fewer items are free."""
    rivals = (player(task, "14 13"), player("", "19"))
    state = at(player("2", "17 18"), *rivals, starter=0, end=BaggageEnd.TARGET_REACHED, target=10)
    assert least < chance_of(state) < most


@each_case("seats", [2, 3, 4])
def test_level_seats_have_equal_chances_once_all_have_moved(seats: int) -> None:
    state = at(*[player("", "19")] * seats, row="", deck="", starter=1)
    assert chance_of(state) == pytest.approx(1 / seats)


def test_a_seat_that_still_moves_in_the_round_is_ahead() -> None:
    first, last = (chance_of(at(LEVEL, LEVEL, starter=starter)) for starter in (0, 1))
    assert first < last


@each_case(
    "more",
    [
        player("20", "4 6"),
        player("20", "9"),
        player("20", "4", bank="red-star"),
        player("20 red-star - - -", "4"),
    ],
)
def test_points_bonuses_bank_cards_and_filled_items_are_worth_something(more: Player) -> None:
    assert chance_against(more, LEVEL) > chance_against(LEVEL, LEVEL) > chance_against(LEVEL, more)


def test_much_help_is_no_reason_to_stay_away_from_the_target() -> None:
    """Otherwise nobody would complete anything, and the game would never end."""
    mine = player("20 red-star green-star blue-star -; 9", "3 5 6 11 12 8 10", bank=" ".join(CARD_KEYS * 2))
    state = at(mine, player("15; 14"), opened="red-triangle", starter=1)
    values = dict(zip(legal(state), evaluate_outlook(state, GAME.legal_moves(state)).values, strict=True))
    assert values["place red-triangle on 20d"] > values["done"]


def test_a_lead_counts_for_more_near_the_end() -> None:
    early = chance_against(player("20", "17"), player("20"))
    late = chance_against(player("20", "17 18 14 4"), player("20", "17 18 4"))
    assert 0.5 < early < late < 1


@pytest.mark.long
def test_seats_win_as_often_as_the_chances_say() -> None:
    """In games of strong players: nobody is lucky on average, and the likelier winner wins more often."""
    chance, lucks, chances = FastChance(Random(5)), list[float](), list[tuple[float, float]]()
    for _ in range(GAMES):
        *decisions, outcome = play(BaggageOptions(target=15), chance)
        assert isinstance(outcome, Outcome)
        result = [(seat in outcome.winners) / len(outcome.winners) for seat in range(2)]
        made = [each for each in decisions if isinstance(each, Decision)]
        review = review_game(made, {Unit.WINS: result})
        assert review is not None
        lucks.append(fmean(each.luck for each in review.seats))
        chances += [(each.assessment.best, result[each.seat]) for each in made]
    assert abs(fmean(lucks)) < max(0.1, 3 * stdev(lucks) / sqrt(GAMES))
    for least, most in ((0.0, 0.35), (0.35, 0.65), (0.65, 1.0)):
        expected, won = zip(*[each for each in chances if least <= each[0] <= most], strict=True)
        assert abs(fmean(expected) - fmean(won)) < 0.15


def play(options: BaggageOptions, chance: FastChance) -> Iterator[Decision | Outcome | None]:
    """Play a game of two strong players; yield the decisions between several moves, and at last the outcome."""
    state, step = HOUDINI.start(options, 2, chance), 0
    while state.mover is not None:
        seat, moves, step = state.mover, HOUDINI.legal_moves(state), step + 1
        move = moves[0]
        if len(moves) > 1:
            values = evaluate_outlook(state, moves).values
            best = max(values)
            move = moves[values.index(best)]
            yield Decision(step, seat, step, 0.0, True, str(move), Assessment(best, best, "", Unit.WINS, False))
        state, _ = HOUDINI.play(state, seat, move, chance)
    yield HOUDINI.outcome(state)
