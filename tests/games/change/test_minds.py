"""The computer players of Change: what they choose, and what they think that moves are worth."""

from collections.abc import Callable, Sequence
from itertools import product
from random import Random
from time import process_time

import pytest

from bot.games.change.minds.credit_values import evaluate_turn
from bot.games.change.minds.turn_values import MoveValues, Plan, hands_after_adding
from bot.games.change.minds.win_chances import WinEvaluator
from bot.games.change.moves import (
    Add,
    Challenge,
    Choose,
    Done,
    Keep,
    Move,
    Myself,
    Option,
    PickSpace,
    Replace,
    Roll,
    Swap,
    Travel,
)
from bot.games.change.pieces import CHALLENGE_ODDS, CHALLENGE_TARGET, ChangeOptions, Stage, View
from bot.rules.chance import FastChance
from bot.rules.evaluation import BestMove
from bot.rules.package import Strategy
from bot.rules.playout import random_move
from bot.tables.registry import RandomStrategy
from tests.games.change.hidden import redeal_hidden
from tests.games.change.positions import ALL_PLACED, BOARD, CONTENT, GAME, WITH_SETS, cards, keys, read
from tests.support.each_case import each_case

ANY = FastChance(Random(1))

PLAYERS: dict[str, Strategy[View, Move]] = {
    "normal": BestMove(evaluate_turn),
    "strong": BestMove(WinEvaluator(CONTENT.network)),
}


def choose(position: str, level: str) -> str:
    """Return what the seat to move does."""
    state = read(position)
    return str(PLAYERS[level](GAME.view(state, GAME.seat_to_move(state)), GAME.legal_moves(state), ANY))


WHOLE = "denial control selfishness"

CHOICES = {
    "the own last credits are released": ("10@3/120@0 · 0 corner", "choose myself"),
    "no opponent is helped to win": ("120@3/10@0/120@0 · 0 corner", "choose myself"),
    "a challenge costs nothing": ("125@5/120@0 · 0 free challenge travelled", "challenge"),
    "an Add card that suffices is played": ("125@29 [add-2 add-5]/120@0 · 0 free missing 2 travelled", "card add-2"),
    "Add cards that do not suffice are kept": ("125@29 [add-1 add-2]/120@0 · 0 free missing 8 travelled", "done"),
    "a card that wins is played": (f"50@3 {WHOLE} [any]/120@0 · 0 free sets", "card any denial"),
    "the best own space is gone back to": ("120@19 habits denial/120@0 · 0 return", "choose denial"),
    "the better card is kept": (f"120@22 {ALL_PLACED} [add-1 fear]/120@0 · 0 keep", "keep fear"),
    "the worse card is replaced": (f"120@4 {ALL_PLACED} [add-1 fear]/120@0 · 0 swap", "replace add-1"),
}


@each_case("case, level", product(CHOICES, PLAYERS))
def test_choices_that_can_be_computed_by_hand(case: str, level: str) -> None:
    position, expected = CHOICES[case]
    assert choose(position, level) == expected


def test_a_set_that_lacks_one_is_worth_completing() -> None:
    """CH-11."""
    assert choose("120@3 denial control/120@0 · 0 place sets", "normal") == "choose selfishness"


CORNER = "40@{} greed [add-1 greed]/35@0 envy fear [add-2]/30@0 anger · 0 corner sets"
FREE = "125@5 envy denial [add-3 replace-2 greed any]/40@0 greed [add-1]/120@0 greed control · 0 free challenge sets"


@each_case(
    "position, worths",
    [
        (CORNER.format(4), {"choose myself": 3.5, "choose 1": 4.0}),
        (CORNER.format(11), {"choose myself": 10.5, "choose 1": -0.25, "choose 1 2": -0.5}),
        (CORNER.format(12), {"choose myself": 15.0, "choose 1": -2.5, "choose 1 2": -5.0}),
        (CORNER.format(19), {"choose myself": 10.0, "choose 1": 0.0, "choose 2": 2.5}),
        (CORNER.format(28), {"choose myself": 22.339, "choose 1": 3.836, "choose 2": 3.83}),
        ("120@19 habits denial/120@0 · 0 return", {"choose habits": 5.0, "choose denial": 25.0}),
        (FREE, {"challenge": 4.775, "option gossip": 1.298, "option control": -9.255, "option selfishness": 3.245}),
        (FREE, {"card replace-2 greed": 2.0, "card replace-2 add-3 greed": 2.5, "card replace-2 any greed": -15.5}),
        (FREE, {"card greed": -21.0, "card greed place": -1.431, "card any habits place": -19.229}),
        (
            "125@29 [add-2 add-5 fear]/120@0 · 0 free missing 4 travelled",
            {"card add-2": 70.0, "card add-5": 66.5, "done": 0.0},
        ),
        (
            "120@22 fear [add-1 replace-1 fear any]/120@0 greed · 0 keep",
            {"keep add-1": 1.5, "keep replace-1": 1.0, "keep fear": 16.0, "keep any": 18.0},
        ),
    ],
)
def test_the_worth_of_moves(position: str, worths: dict[str, float]) -> None:
    """In credits, as the computer player estimates them; a change of the estimate is to be deliberate."""
    state, moves = read(position), [GAME.parse_move(text) for text in worths]
    values = evaluate_turn(GAME.view(state, GAME.seat_to_move(state)), moves).values
    assert dict(zip(worths, values, strict=True)) == pytest.approx(worths, abs=0.001)


@each_case("level", PLAYERS)
def test_choices_do_not_depend_on_hidden_cards(level: str) -> None:
    """CH-M1: the same view gives the same choice, independent of the other hands."""
    chance, state = FastChance(Random(4)), GAME.start(WITH_SETS, 3, ANY)
    for step in range(300):
        seat = GAME.seat_to_move(state)
        if seat is None:
            break
        views = [GAME.view(each, seat) for each in (state, redeal_hidden(state, seat, chance))]
        one, other = (PLAYERS[level](view, GAME.legal_moves(state), ANY) for view in views)
        assert one == other
        state, _ = GAME.play(state, seat, random_move(GAME.legal_moves(state), chance), FastChance(Random(step)))


@each_case("better, worse, games, least", [("normal", "random", 120, 0.9), ("strong", "normal", 40, 0.6)])
@pytest.mark.long
def test_better_players_win_more_games_for_two(better: str, worse: str, games: int, least: float) -> None:
    """The seat of the better one changes from game to game; a shared win is none."""
    players = {**PLAYERS, "random": RandomStrategy()}
    won = 0
    for seed in range(games):
        chance, good = FastChance(Random(seed)), seed % 2
        state = GAME.start(WITH_SETS, 2, chance)
        while (seat := GAME.seat_to_move(state)) is not None:
            player = players[better if seat == good else worse]
            state, _ = GAME.play(state, seat, player(GAME.view(state, seat), GAME.legal_moves(state), chance), chance)
        outcome = GAME.outcome(state)
        won += outcome is not None and outcome.winners == (good,)
    assert won >= least * games


@each_case("level", PLAYERS)
def test_a_decision_is_fast(level: str) -> None:
    """Each takes 0.1 to 10 ms; the bound leaves room for machines that are busy or much slower."""
    chance = FastChance(Random(9))
    state, longest = GAME.start(ChangeOptions(credits=300), 6, chance), 0.0
    while (seat := GAME.seat_to_move(state)) is not None:
        began = process_time()
        move = PLAYERS[level](GAME.view(state, seat), GAME.legal_moves(state), chance)
        longest = max(longest, process_time() - began)
        state, _ = GAME.play(state, seat, move, chance)
    assert longest < 1.0


def chances(position: str, *texts: str, estimate: Callable[[Sequence[Plan]], list[float]]) -> list[float]:
    """Return the values of moves for *Strong*, with another estimate for the end of the turn."""
    state = read(position)
    view = GAME.view(state, GAME.seat_to_move(state))
    return MoveValues(view).evaluate([GAME.parse_move(text) for text in texts], estimate)


def count_markers(plans: Sequence[Plan]) -> list[float]:
    """Estimate the chances of the first seat by its markers, so that a placed one is worth 1."""
    return [float(plan.markers[0].bit_count()) for plan in plans]


def one_third(plans: Sequence[Plan]) -> list[float]:
    return [1 / 3] * len(plans)


@each_case(
    "position, move, value",
    [
        (f"50@3 {WHOLE} [any]/120@0 · 0 free sets", "card any denial", 1.0),
        ("20@3 fear [fear]/20@0 fear · 0 free", "card fear", 0.5),
        ("30@3 fear [fear]/20@0 fear · 0 free", "card fear", 0.0),
        ("30@3/20@0 fear/20@0 fear · 0 free", "option fear", 0.0),
        ("10@3/120@0 · 0 corner", "choose myself", 1.0),
        ("120@3/10@0/120@0 · 0 corner", "choose 1", 0.0),
        ("3@11/120@0 · 0 corner", "choose myself", 1.0),
        ("18@11/120@0 · 0 corner", "choose myself", 1 / 216 + 215 / 216 / 3),
        ("25@19 denial greed/120@0 · 0 return", "choose denial", 1.0),
        ("25@19 denial greed/120@0 · 0 return", "choose greed", 1 / 3),
        ("25@19 denial/120@0 greed · 0 corner", "choose myself", 1.0),
        ("120@19 habits/25@0 denial greed/9@0 · 0 corner", "choose 1", 0.0),
    ],
)
def test_the_end_of_the_game_is_worth_its_shares_of_the_win(position: str, move: str, value: float) -> None:
    """CH-12; everything else is worth a third here."""
    assert chances(position, move, estimate=one_third) == pytest.approx([value])


def odds_with(points: int) -> float:
    """Return the chance of a challenge with Add cards, over all rolls of its six dice."""
    totals = [max(a, b, c) + max(d, e) + f for a, b, c, d, e, f in product(range(1, 7), repeat=6)]
    return sum(total + points >= CHALLENGE_TARGET for total in totals) / len(totals)


@each_case(
    "position, values",
    [
        ("125@5/120@0 · 0 free challenge travelled", {"challenge": CHALLENGE_ODDS, "done": 0}),
        ("125@5 [add-2]/120@0 · 0 free challenge travelled", {"challenge": odds_with(2)}),
        ("125@5 [add-1 add-4]/120@0 · 0 free challenge travelled", {"challenge": odds_with(5)}),
        ("125@5 [greed]/120@0 · 0 free challenge travelled", {"challenge": CHALLENGE_ODDS}),
        (
            "125@5/120@0 · 0 free challenge",
            {"challenge": 2 * CHALLENGE_ODDS, "option greed": CHALLENGE_ODDS, "done": 0},
        ),
        (
            "125@5 [greed]/120@0 · 0 free challenge",
            {"challenge": 1 + CHALLENGE_ODDS, "card greed place": 1, "card greed": 0},
        ),
        ("125@5 [add-1 add-3]/120@0 · 0 free missing 3 travelled", {"card add-3": 1, "card add-1": 1, "done": 0}),
        ("125@5 [add-1 add-3]/120@0 · 0 free missing 4 travelled", {"card add-3": 1, "card add-1": 1, "done": 0}),
        ("125@5 [add-1 add-3]/120@0 · 0 free missing 5 travelled", {"card add-3": 0, "card add-1": 0, "done": 0}),
    ],
)
def test_markers_are_worth_the_odds_of_their_challenges(position: str, values: dict[str, float]) -> None:
    """CH-6, CH-7 and CH-8: Add cards are played if they suffice, and the option move or a card is still to come."""
    assert chances(position, *values, estimate=count_markers) == pytest.approx([*values.values()])


@each_case(
    "hand, missing, left",
    [
        ("add-1 add-3 any", 1, ["add-3 any", "add-1 any"]),
        ("add-1 add-3 any", 3, ["add-1 any"]),
        ("add-1 add-3 any", 4, ["any"]),
        ("add-1 add-3 any", 5, []),
    ],
)
def test_no_needless_add_card_is_played(hand: str, missing: int, left: list[str]) -> None:
    """CH-7."""
    assert list(map(keys, hands_after_adding(BOARD, cards(hand), missing))) == left


def test_what_a_move_leads_to_is_expected() -> None:
    """By the rules, whatever the dice; where others or the dice of corners decide, there is only an average."""
    chance, state, followed = FastChance(Random(3)), GAME.start(WITH_SETS, 3, FastChance(Random(3))), set()
    for step in range(1500):
        seat, plans = GAME.seat_to_move(state), set[tuple[object, ...]]()
        if seat is None:
            state = GAME.start(WITH_SETS, 2 + step % 5, chance)
            continue

        def collect(ends: Sequence[Plan], plans: set[tuple[object, ...]] = plans) -> list[float]:
            plans.update((plan.credits, plan.markers, plan.ragz_spaces, len(plan.hand) + plan.unseen) for plan in ends)
            return [0.0] * len(ends)

        move, mover = random_move(GAME.legal_moves(state), chance), state.public.turn
        MoveValues(GAME.view(state, seat)).evaluate([move], collect)
        state, _ = GAME.play(state, seat, move, chance)
        public = state.public
        if seat != mover or isinstance(move, Roll | Myself | Choose) or public.stage is Stage.OVER:
            continue
        after = (public.credits, public.markers, public.ragz_spaces, public.hand_sizes[seat])
        assert after in plans, f"{move} leads to {GAME.encode_position(state)}"
        followed.add(type(move))
    assert followed == {Add, Challenge, Done, Keep, Option, PickSpace, Replace, Swap, Travel}
