"""How a game of Fortune ends: rules FO-8, FO-E1, FO-E2 and FO-E3."""

from bot.games.fortune.pieces import FortuneEnd, FortuneOptions, LineCrossed, LineLost, State
from bot.games.fortune.scoring import TOLL_PER_SKULL
from bot.rules.game import Outcome
from bot.rules.refusals import CommonReason, Refusal
from tests.games.fortune.positions import ALL, GAME, NINE_WINS, at, play, worth
from tests.support.each_case import each_case

NOTHING = "MMPPSSKK"
ONE_COIN = "GMMPPSSK"
COIN = worth("captain", ONE_COIN)
SETS = "GGGGMMPK"
NINE = worth("gold", "G" * 8)
TOLL = 4 * TOLL_PER_SKULL
"""What four skulls cost each of the others."""


@each_case(
    "state, scores, crosser, told",
    [
        (at("captain", ONE_COIN, scores=f"{8100 - COIN}/0/0"), (8100, 0, 0), 0, LineCrossed(0)),
        (at("captain", ONE_COIN, scores=f"{8000 - COIN}/0/0"), (8000, 0, 0), None, None),  # on the line, not past it
        (
            at("captain", ONE_COIN, scores=f"{1100 - COIN}/0", options=FortuneOptions(target=1000)),
            (1100, 0),
            0,
            LineCrossed(0),
        ),
        (at("captain", ONE_COIN, scores=f"0/{8100 - COIN}/8100", mover=1, crosser=2), (0, 8100, 8100), 2, None),
        # Back on the line or below it, the seat that crossed has another turn.
        (at("gold", "KKKKMPGD", scores=f"100/{8000 + TOLL}", crosser=1, island=True), (100, 8000), None, LineLost()),
        (
            at("gold", "KKKKMPGD", scores="100/8100/0", crosser=1, island=True),
            (100, 8100 - TOLL, -TOLL),
            None,
            LineLost(),
        ),
        (at("captain", ONE_COIN, scores=f"100/{7900 - COIN}/-400", mover=1), (100, 7900, -400), None, None),
        (at("captain", ONE_COIN, scores=f"100/{8100 - COIN}/-400", mover=1), (100, 8100, -400), 1, LineCrossed(1)),
    ],
)
def test_a_seat_past_the_line_gives_the_others_one_more_turn(
    state: State, scores: tuple[int, ...], crosser: int | None, told: object
) -> None:
    """FO-E1, FO-E2 and FO-O1."""
    is_over = crosser is not None and (state.mover or 0) + 1 == crosser
    after, events = play(state, "stop", then=None if is_over else "storm")
    assert (after.scores, after.crosser) == (scores, crosser)
    assert (after.mover is None) == is_over == (GAME.outcome(after) is not None)
    assert [event for event in events if isinstance(event, LineCrossed | LineLost)] == ([told] if told else [])


def test_the_last_round_ends_before_the_seat_that_crossed() -> None:
    """FO-E1."""
    state, _ = play(at("captain", NOTHING, scores="100/8100/200", mover=2, crosser=1), "stop", then="gold")
    assert (state.mover, state.crosser) == (0, 1)
    state, _ = play(state, ALL, NOTHING)
    state, _ = play(state, "stop")
    assert (state.mover, state.crosser) == (None, 1)
    assert list(GAME.legal_moves(state)) == []
    for seat in (0, 1):
        assert GAME.check(state, seat, GAME.parse_move("stop")) == Refusal(CommonReason.GAME_OVER)


@each_case(
    "state, places, scores",
    [
        (at("captain", SETS, scores=f"{8200 - worth('captain', SETS)}/8100", crosser=1), (1, 2), (8200, 8100)),
        (at("captain", NOTHING, scores="8100/8100/300", mover=2, crosser=0), (1, 1, 3), (8100, 8100, 300)),
        (at("captain", NOTHING, scores="8100/9000/8100", mover=2, crosser=0), (2, 1, 2), (8100, 9000, 8100)),
        (
            at("captain", NOTHING, scores="-300/8100/-300/8200", mover=3, crosser=0),
            (3, 2, 3, 1),
            (-300, 8100, -300, 8200),
        ),
        # The seat that crossed was pushed back, but not the one that came after.
        (
            at("gold", "KKKKMPGD", scores=f"{8100 + TOLL}/9000/{7700 + TOLL}", mover=1, crosser=2, island=True),
            (2, 1, 3),
            (8100, 9000, 7700),
        ),
    ],
)
def test_the_highest_total_wins(state: State, places: tuple[int, ...], scores: tuple[int, ...]) -> None:
    """FO-E2, FO-E3 and FO-11."""
    after, _ = play(state, "stop")
    assert GAME.outcome(after) == Outcome(places, scores, FortuneEnd.LINE_CROSSED)


@each_case(
    "state, move, rolled, outcome",
    [
        (
            at("gold", "GGGGGGMM", scores="0/7000/200", options=NINE_WINS),
            "roll 7 8",
            "GG",
            ((1, 2, 3), (NINE, 7000, 200)),
        ),
        (at("diamond", "DDDDDDMM", scores="0/7000", options=NINE_WINS), "roll 7 8", "DD", ((1, 2), (NINE, 7000))),
        (at("gold", scores="0/900/-300", mover=1, options=NINE_WINS), ALL, "G" * 8, ((2, 1, 3), (0, 900 + NINE, -300))),
        *(
            (at(card, f"{faces[0] * 6}MM", options=NINE_WINS), "roll 7 8", faces, None)
            for card, faces in (("gold", "DD"), ("diamond", "GG"), ("captain", "GG"), ("gold", "GD"))
        ),
        (at("gold", "GGGGGGMM"), "roll 7 8", "GG", None),  # without the option
    ],
)
def test_nine_of_a_kind_win_at_once(
    state: State, move: str, rolled: str, outcome: tuple[tuple[int, ...], tuple[int, ...]] | None
) -> None:
    """FO-8 and FO-O1: a set of eight, nine pieces of treasure and a full chest count for the winner."""
    after, _ = play(state, move, rolled)
    assert GAME.outcome(after) == (outcome and Outcome(*outcome, FortuneEnd.NINE_OF_A_KIND))
    assert (after.nine, after.mover) == ((state.mover, None) if outcome else (None, state.mover))
