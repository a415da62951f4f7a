"""The values of moves for *Strong*: the rest of the turn is played out by the rules."""

from collections.abc import Callable, Sequence
from itertools import product
from random import Random

import pytest

from bot.games.change.minds.move_values import MoveValues
from bot.games.change.minds.plans import Plan
from bot.games.change.moves import (
    Add,
    Challenge,
    Choose,
    Done,
    Keep,
    Myself,
    Option,
    PickSpace,
    Replace,
    Roll,
    Swap,
    Travel,
)
from bot.games.change.pieces import CHALLENGE_ODDS, Stage, State
from bot.rules.chance import FastChance
from bot.rules.playout import random_move
from tests.games.change.positions import GAME, WITH_SETS, at
from tests.support.each_case import each_case

DECISIONS = 1500


def values_of(state: State, *texts: str, estimate: Callable[[Sequence[Plan]], list[float]]) -> list[float]:
    """Return the values of moves."""
    view = GAME.view(state, GAME.seat_to_move(state))
    return MoveValues(view).evaluate([GAME.parse_move(text) for text in texts], estimate)


def markers_of_first(plans: Sequence[Plan]) -> list[float]:
    """Estimate the chances of the first seat by its markers, so that a placed one is worth 1."""
    return [float(plan.markers[0].bit_count()) for plan in plans]


def one_third(plans: Sequence[Plan]) -> list[float]:
    return [1 / 3] * len(plans)


WHOLE = "denial control selfishness"


@each_case(
    "state, move, value",
    [
        (at(f"50@3 {WHOLE}", "120@0", hands=["any"], options=WITH_SETS, stage=Stage.FREE), "card any denial", 1.0),
        (at("20@3 fear", "20@0 fear", hands=["fear"], stage=Stage.FREE), "card fear", 0.5),
        (at("30@3 fear", "20@0 fear", hands=["fear"], stage=Stage.FREE), "card fear", 0.0),
        (at("30@3", "20@0 fear", "20@0 fear", stage=Stage.FREE), "option fear", 0.0),
        (at("10@3", "120@0", stage=Stage.CORNER), "choose myself", 1.0),
        (at("120@3", "10@0", "120@0", stage=Stage.CORNER), "choose 1", 0.0),
        (at("3@11", "120@0", stage=Stage.CORNER), "choose myself", 1.0),
        (at("18@11", "120@0", stage=Stage.CORNER), "choose myself", 1 / 216 + 215 / 216 / 3),
        (at("25@19 denial greed", "120@0", stage=Stage.RETURN), "choose denial", 1.0),
        (at("25@19 denial greed", "120@0", stage=Stage.RETURN), "choose greed", 1 / 3),
        (at("25@19 denial", "120@0 greed", stage=Stage.CORNER), "choose myself", 1.0),
        (at("120@19 habits", "25@0 denial greed", "9@0", stage=Stage.CORNER), "choose 1", 0.0),
    ],
)
def test_the_end_of_the_game_is_worth_its_shares_of_the_win(state: State, move: str, value: float) -> None:
    """CH-12; everything else is worth a third here."""
    assert values_of(state, move, estimate=one_third) == pytest.approx([value])


def odds_with(points: int) -> float:
    """Return the chance of a challenge with Add cards, over all rolls of its six dice."""
    faces = range(1, 7)
    totals = [max(a, b, c) + max(d, e) + f for a, b, c, d, e, f in product(faces, repeat=6)]
    return sum(total + points >= 13 for total in totals) / len(totals)


@each_case(
    "hand, move, value",
    [
        ("", "challenge", CHALLENGE_ODDS),
        ("", "done", 0.0),
        ("add-2", "challenge", odds_with(2)),
        ("add-1 add-4", "challenge", odds_with(5)),
        ("greed", "challenge", CHALLENGE_ODDS),
    ],
)
def test_a_challenge_is_worth_its_odds(hand: str, move: str, value: float) -> None:
    """CH-6 and CH-7: Add cards are played if they suffice."""
    state = at("125@5", "120@0", hands=[hand], challenge=True, travel=False, stage=Stage.FREE)
    assert values_of(state, move, estimate=markers_of_first) == pytest.approx([value])


def test_an_open_challenge_can_be_followed_by_an_option_move() -> None:
    """CH-8: with both, a marker more is likely; the card is surer than the option move."""
    without, with_card = (
        at("125@5", "120@0", hands=[hand], challenge=True, stage=Stage.FREE) for hand in ("", "greed")
    )
    found = values_of(without, "challenge", "option greed", "done", estimate=markers_of_first)
    assert found == pytest.approx([2 * CHALLENGE_ODDS, CHALLENGE_ODDS, 0])
    found = values_of(with_card, "challenge", "card greed place", "card greed", estimate=markers_of_first)
    assert found == pytest.approx([1 + CHALLENGE_ODDS, 1, 0])


@each_case(
    "missing, hand, values",
    [
        (3, "add-1 add-3", {"card add-3": 1, "card add-1": 1, "done": 0}),
        (4, "add-1 add-3", {"card add-3": 1, "card add-1": 1, "done": 0}),
        (5, "add-1 add-3", {"card add-3": 0, "card add-1": 0, "done": 0}),
    ],
)
def test_add_cards_are_worth_the_marker_if_all_of_them_suffice(
    missing: int, hand: str, values: dict[str, float]
) -> None:
    state = at("125@5", "120@0", hands=[hand], missing=missing, travel=False, stage=Stage.FREE)
    assert values_of(state, *values, estimate=markers_of_first) == list(values.values())


def test_what_a_move_leads_to_is_expected() -> None:
    """By the rules, whatever the dice; where others or the dice of corners decide, there is only an average."""
    chance, state, followed = FastChance(Random(3)), GAME.start(WITH_SETS, 3, FastChance(Random(3))), set()
    for step in range(DECISIONS):
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
