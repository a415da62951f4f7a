"""How a game of Fortune ends: rules FO-8, FO-E1, FO-E2 and FO-E3."""

from bot.games.fortune.pieces import FortuneEnd, FortuneOptions, LineCrossed, LineLost, State
from bot.rules.game import Outcome
from bot.rules.refusals import CommonReason, Refusal
from tests.games.fortune.positions import ALL, GAME, NINE_WINS, at, play
from tests.support.each_case import each_case

NOTHING = "MMPPSSKK"
ONE_COIN = "GMMPPSSK"


def stop(scores: str, mover: int, crosser: int | None, faces: str = NOTHING, **extras: str) -> State:
    state = at("captain", faces, scores=scores, mover=mover, crosser=crosser)
    return play(state, "stop", then=extras.get("then"))[0]


class TestLine:
    def test_fo_e1_more_than_8000_points_cross_the_line(self) -> None:
        """FO-E1."""
        state, events = play(at("captain", ONE_COIN, scores="7900/0/0"), "stop", then="gold")
        assert (state.scores, state.mover, state.crosser) == ((8100, 0, 0), 1, 0)
        assert LineCrossed(0) in events

    def test_fo_e1_exactly_8000_do_not_cross_it(self) -> None:
        """FO-E1."""
        state, events = play(at("captain", ONE_COIN, scores="7800/0/0"), "stop", then="gold")
        assert (state.scores[0], state.crosser) == (8000, None)
        assert LineCrossed(0) not in events

    def test_fo_e1_each_other_seat_has_one_more_turn(self) -> None:
        """FO-E1."""
        state = stop("100/8100/200", 2, 1, then="gold")
        assert (state.mover, state.crosser) == (0, 1)
        state, _ = play(state, ALL, NOTHING)
        state, _ = play(state, "stop")
        assert (state.mover, state.crosser) == (None, 1)

    def test_fo_e1_the_options_set_the_line(self) -> None:
        """FO-E1 and FO-O1."""
        options = FortuneOptions(target=1000)
        state, _ = play(at("captain", ONE_COIN, scores="900/0", options=options), "stop", then="gold")
        assert state.crosser == 0

    def test_fo_e1_crossing_in_the_last_round_adds_no_round(self) -> None:
        """FO-E1."""
        state, events = play(at("captain", ONE_COIN, scores="7900/8100/0", crosser=1), "stop")
        assert state.mover is None
        assert LineCrossed(0) not in events


class TestLastRound:
    def test_fo_e2_the_highest_total_wins(self) -> None:
        """FO-E2."""
        state, _ = play(at("captain", "GGGGMMPK", scores="7000/8100", crosser=1), "stop")
        assert GAME.outcome(state) == Outcome((1, 2), (8200, 8100), FortuneEnd.LINE_CROSSED)

    def test_fo_e2_play_goes_on_if_no_seat_is_above_the_line(self) -> None:
        """FO-E2."""
        state = at("gold", "KKKKMPGD", scores="100/8100", crosser=1, island=True)
        state, events = play(state, "roll 5 6 7 8", "GGGG", then="storm")
        assert (state.scores, state.mover, state.crosser) == ((100, 7700), 1, None)
        assert LineLost() in events
        assert GAME.outcome(state) is None

    def test_fo_e2_play_goes_on_until_a_seat_crosses_again(self) -> None:
        """FO-E2."""
        state = at("gold", "KKKKMPGD", scores="100/8100/0", mover=0, crosser=1, island=True)
        state, _ = play(state, "stop", then="captain")
        assert (state.scores, state.mover, state.crosser) == ((100, 7700, -400), 1, None)
        state, _ = play(state, ALL, "GGMMPPSK")
        state, events = play(state, "stop", then="gold")
        assert (state.scores[1], state.crosser, state.mover) == (8100, 1, 2)
        assert LineCrossed(1) in events

    def test_fo_e2_a_seat_pushed_back_onto_the_line_is_not_above_it(self) -> None:
        """FO-E2."""
        state = at("gold", "KKKKMPGD", scores="100/8400", crosser=1, island=True)
        state, _ = play(state, "stop", then="captain")
        assert (state.scores[1], state.crosser) == (8000, None)

    def test_fo_e2_another_seat_above_the_line_ends_the_game_as_well(self) -> None:
        """FO-E2: the seat that crossed was pushed back, but not the one that came after."""
        state = at("gold", "KKKKMPGD", scores="8500/9000/8100", mover=1, crosser=2, island=True)
        state, _ = play(state, "stop")
        assert state.mover is None
        assert GAME.outcome(state) == Outcome((2, 1, 3), (8100, 9000, 7700), FortuneEnd.LINE_CROSSED)

    def test_the_last_position_is_over_for_every_seat(self) -> None:
        state = stop("100/8100", 0, 1)
        assert list(GAME.legal_moves(state)) == []
        for seat in (0, 1):
            assert GAME.check(state, seat, GAME.parse_move("stop")) == Refusal(CommonReason.GAME_OVER)

    @each_case(
        "scores, places",
        [
            ("8100/8100/300", (1, 1, 3)),
            ("8100/9000/8100", (2, 1, 2)),
            ("-300/8100/-300/8200", (3, 2, 3, 1)),
        ],
    )
    def test_fo_e3_equal_totals_share_a_place(self, scores: str, places: tuple[int, ...]) -> None:
        """FO-E3 and FO-11."""
        seats = scores.count("/") + 1
        outcome = GAME.outcome(stop(scores, seats - 1, 0, faces=NOTHING))
        assert outcome is not None
        assert outcome.places == places


class TestNineOfAKind:
    @each_case("card, letter", [("gold", "G"), ("diamond", "D")])
    def test_fo_8_the_game_is_won_at_once(self, card: str, letter: str) -> None:
        """FO-8 and FO-O1."""
        state = at(card, f"{letter * 6}MM", scores="0/7000/200", options=NINE_WINS)
        state, _ = play(state, "roll 7 8", letter * 2)
        assert (state.mover, state.nine) == (None, 0)
        assert GAME.outcome(state) == Outcome((1, 2, 3), (5400, 7000, 200), FortuneEnd.NINE_OF_A_KIND)

    def test_fo_8_the_points_of_the_nine_count_for_the_winner(self) -> None:
        """FO-8: a set of eight, nine pieces of treasure and a full chest on top of what the winner had."""
        state, _ = play(at("gold", scores="0/900/-300", mover=1, options=NINE_WINS), ALL, "GGGGGGGG")
        outcome = GAME.outcome(state)
        assert outcome is not None
        assert (outcome.places, outcome.scores) == ((2, 1, 3), (0, 900 + 4000 + 900 + 500, -300))

    def test_fo_8_nine_of_a_kind_on_the_first_roll_wins_too(self) -> None:
        """FO-8."""
        state, _ = play(at("gold", scores="0/0", mover=1, options=NINE_WINS), ALL, "GGGGGGGG")
        outcome = GAME.outcome(state)
        assert outcome is not None
        assert outcome.winners == (1,)

    @each_case("card, faces", [("gold", "DD"), ("diamond", "GG"), ("captain", "GG"), ("gold", "GD")])
    def test_fo_8_other_dice_win_nothing(self, card: str, faces: str) -> None:
        """FO-8."""
        state, _ = play(at(card, f"{faces[0] * 6}MM", options=NINE_WINS), "roll 7 8", faces)
        assert (state.mover, state.nine) == (0, None)

    def test_fo_8_without_the_option_they_score(self) -> None:
        """FO-8 and FO-O1."""
        state, _ = play(at("gold", "GGGGGGMM"), "roll 7 8", "GG")
        assert state.mover == 0
        state, _ = play(state, "stop", then="storm")
        assert state.scores == (4000 + 900 + 500, 0)
