"""The Island of Skulls: rules FO-9 and FO-C2."""

from bot.games.fortune.pieces import STOP, Ending, FortuneReason, Roll, Sailed, TurnEnded
from bot.rules.refusals import Refusal
from tests.games.fortune.positions import ALL, GAME, at, places, play, play_moves
from tests.support.each_case import each_case

THERE = "KKKKMPGD"


def test_fo_9_four_skulls_on_the_first_roll_lead_there() -> None:
    """FO-9."""
    state, events = play(at("gold"), ALL, THERE)
    assert state.turn.island
    assert (state.mover, state.scores) == (0, (0, 0))
    assert events[1:] == (Sailed(0, 4),)
    assert list(GAME.legal_moves(state)) == [Roll(places("5678")), STOP]


@each_case(
    "card, first, is_there",
    [
        ("skulls-1", "KKKMMMPP", True),
        ("skulls-2", "KKMMMMPP", True),
        ("skulls-2", "KMMMMMPP", False),
        ("skulls-1", "KKMMMMPP", False),
    ],
)
def test_fo_9_the_skulls_of_the_card_count(card: str, first: str, is_there: bool) -> None:
    """FO-9 and FO-C7."""
    state, _ = play(at(card), ALL, first, then=None if is_there else "gold")
    assert state.turn.island == is_there
    assert state.mover == (0 if is_there else 1)


def test_the_worked_case_of_two_skulls_from_the_card_and_two_dice() -> None:
    """FO-9 and FO-C7."""
    state, _ = play(at("skulls-2", scores="0/1000/0"), ALL, "KKMMMMPP")
    assert play_moves(state, ("stop", ""), then="gold").scores == (0, 600, -400)


@each_case("move", ["roll 5 6", "roll 5 6 7"])
def test_fo_9_all_dice_that_are_left_are_rolled(move: str) -> None:
    """FO-9."""
    state = at("gold", THERE, island=True)
    assert GAME.check(state, 0, GAME.parse_move(move)) == Refusal(FortuneReason.WHOLE_CREW)


def test_fo_9_a_roll_with_a_new_skull_lets_the_voyage_go_on() -> None:
    """FO-9."""
    state, _ = play(at("gold", THERE, island=True), "roll 5 6 7 8", "MKGG")
    assert state.turn.island
    assert (state.mover, state.turn.skulls) == (0, 5)
    assert list(GAME.legal_moves(state)) == [Roll(places("578")), STOP]


def test_fo_9_the_voyage_goes_on_with_two_dice() -> None:
    """FO-9."""
    state, _ = play(at("gold", THERE, island=True), "roll 5 6 7 8", "KKGG")
    assert (state.mover, list(GAME.legal_moves(state))) == (0, [Roll(places("78")), STOP])


def test_fo_9_a_roll_without_a_new_skull_ends_it_and_every_opponent_pays() -> None:
    """FO-9."""
    state, events = play(at("gold", THERE, scores="100/200/1000", island=True), "roll 5 6 7 8", "GGGG", then="storm")
    assert (state.scores, state.mover) == ((100, -200, 600), 1)
    ended = events[1]
    assert isinstance(ended, TurnEnded)
    assert (ended.ending, ended.points, ended.toll) == (Ending.ISLAND, 0, 400)


@each_case("first, card, toll", [("KKKKKKKM", "gold", 700), ("KKKKKKKK", "gold", 800), ("KKKKKKKM", "skulls-2", 900)])
def test_fo_9_fewer_than_two_dice_left_after_the_first_roll_end_it(first: str, card: str, toll: int) -> None:
    """FO-9."""
    state, _ = play(at(card), ALL, first, then="storm")
    assert (state.scores, state.mover) == ((0, -toll), 1)


@each_case("rolled, skulls", [("KK", 8), ("KG", 7)])
def test_fo_9_fewer_than_two_dice_left_end_it(rolled: str, skulls: int) -> None:
    """FO-9."""
    state, _ = play(at("gold", "KKKKKKMP", island=True), "roll 7 8", rolled, then="storm")
    assert (state.scores, state.mover) == ((0, -100 * skulls), 1)


def test_fo_9_the_player_may_stop_and_scores_nothing() -> None:
    """FO-9."""
    state, _ = play(at("diamond", "KKKKDDDD", island=True), "stop", then="storm")
    assert state.scores == (0, -400)


def test_fo_c2_the_captain_takes_200_for_each_skull() -> None:
    """FO-C2."""
    state, _ = play(at("captain", "KKKKDDDD", scores="0/0/300", island=True), "roll 5 6 7 8", "MMMM", then="storm")
    assert state.scores == (0, -800, -500)
