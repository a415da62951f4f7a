"""A turn of Fortune with scripted dice: rules FO-2, FO-3, FO-4, FO-10 and FO-11."""

from itertools import combinations

from bot.games.fortune.pieces import STOP, CardTurned, Ending, FortuneReason, Roll, Rolled, State, TurnEnded
from bot.rules.refusals import CommonReason, DieFacts, Refusal
from tests.games.fortune.positions import ALL, CARDS, GAME, at, dice, places, play, play_moves
from tests.support.each_case import each_case

MIXED = "GGMMPPSD"


def refusal_reason(state: State, move: str, seat: int = 0) -> Refusal | None:
    return GAME.check(state, seat, GAME.parse_move(move))


class TestFirstRoll:
    def test_fo_2_all_eight_dice_are_rolled(self) -> None:
        """FO-2."""
        state, events = play(at("gold"), ALL, MIXED)
        assert state.turn.faces == dice(MIXED)
        assert (state.turn.rolls, state.turn.skulls, state.mover) == (1, 0, 0)
        assert events == (Rolled(0, places("12345678"), dice(MIXED)),)

    @each_case("move", ["roll 1 2 3 4 5 6 7", "roll 1 2", "stop", "sorceress 1", ALL + " chest 1"])
    def test_fo_2_only_the_first_roll_is_allowed_before_it(self, move: str) -> None:
        """FO-2."""
        assert refusal_reason(at("sorceress"), move) == Refusal(FortuneReason.FIRST_ROLL)


class TestLaterRolls:
    def test_fo_2_any_two_or_more_dice_without_a_skull(self) -> None:
        """FO-2."""
        state = at("gold", "KGMMPPSD")
        wanted = [Roll(chosen) for count in range(2, 8) for chosen in combinations(range(2, 9), count)]
        assert list(GAME.legal_moves(state)) == [*wanted, STOP]

    def test_fo_2_kept_dice_may_be_rolled_again(self) -> None:
        """FO-2."""
        state = play_moves(at("gold", MIXED), ("roll 7 8", "SM"), ("roll 1 2 7", "PPP"))
        assert state.turn.faces == dice("PPMMPPPM")
        assert state.turn.rolls == 3

    def test_fo_2_all_that_are_not_skulls_may_be_rolled(self) -> None:
        """FO-2."""
        assert play_moves(at("gold", "KKMMPPSD"), ("roll 3 4 5 6 7 8", "MMMMMM")).turn.faces == dice("KKMMMMMM")

    @each_case(
        "move, refusal",
        [
            ("roll", Refusal(FortuneReason.TOO_FEW_DICE)),
            ("roll 2", Refusal(FortuneReason.TOO_FEW_DICE)),
            ("roll 1", Refusal(FortuneReason.SKULL_STAYS, DieFacts(1))),
            ("roll 1 2", Refusal(FortuneReason.SKULL_STAYS, DieFacts(1))),
            ("roll 2 9", Refusal(FortuneReason.NO_SUCH_DIE, DieFacts(9))),
            ("roll 0 2", Refusal(FortuneReason.NO_SUCH_DIE, DieFacts(0))),
            ("roll 3 3", Refusal(FortuneReason.DIE_TWICE, DieFacts(3))),
            ("roll 2 3 chest 4", Refusal(FortuneReason.NO_CHEST)),
            ("sorceress 1", Refusal(FortuneReason.NO_SORCERESS)),
        ],
    )
    def test_fo_2_and_fo_3_other_dice_are_refused(self, move: str, refusal: Refusal) -> None:
        """FO-2 and FO-3."""
        assert refusal_reason(at("gold", "KGMMPPSD"), move) == refusal

    def test_dice_out_of_order_are_refused(self) -> None:
        assert GAME.check(at("gold", MIXED), 0, Roll((3, 1))) == Refusal(FortuneReason.OUT_OF_ORDER)

    @each_case("move", ["stop", "roll 1 2", ALL])
    def test_others_must_wait(self, move: str) -> None:
        assert refusal_reason(at("gold", MIXED), move, seat=1) == Refusal(CommonReason.NOT_TO_MOVE)


class TestSkulls:
    @each_case(
        "card, first, move, rolled",
        [
            ("gold", "KKMMPPSD", "roll 7 8", "KG"),
            ("gold", "KMMMPPSD", "roll 7 8", "KK"),
            ("gold", "MMMMPPSD", "roll 5 6 7 8", "KKKG"),
            ("skulls-1", "KMMMPPSD", "roll 7 8", "KG"),
            ("skulls-2", "MMMMPPSD", "roll 7 8", "KG"),
        ],
    )
    def test_fo_3_three_skulls_end_the_turn_without_points(self, card: str, first: str, move: str, rolled: str) -> None:
        """FO-3 and FO-C7."""
        state, events = play(at(card, first, scores="700/200"), move, rolled, then="storm")
        assert (state.scores, state.mover) == ((700, 200), 1)
        ended = events[1]
        assert isinstance(ended, TurnEnded)
        assert (ended.ending, ended.points, ended.toll) == (Ending.DISQUALIFIED, 0, 0)
        assert events[2] == CardTurned(1, CARDS["storm"])

    @each_case("card, first", [("gold", "KKMMPPSD"), ("skulls-1", "KMMMPPSD"), ("skulls-2", "MMMMPPSD")])
    def test_fo_3_two_skulls_do_not_end_the_turn(self, card: str, first: str) -> None:
        """FO-3 and FO-C7."""
        state, _ = play(at(card), ALL, first)
        assert (state.mover, state.turn.skulls) == (0, 2)

    @each_case(
        "card, first",
        [("gold", "KKKMMPPS"), ("skulls-1", "KKMMMPPS"), ("skulls-2", "KMMMMPPS"), ("captain", "KKKMMMMM")],
    )
    def test_fo_10_three_skulls_on_the_first_roll_end_the_turn(self, card: str, first: str) -> None:
        """FO-10 and FO-C7."""
        state, events = play(at(card, scores="0/400"), ALL, first, then="storm")
        assert (state.scores, state.mover) == ((0, 400), 1)
        assert isinstance(events[1], TurnEnded)
        assert events[1].ending is Ending.DISQUALIFIED

    @each_case("rolled", ["KKKKGG", "KKKKKK"])
    def test_fo_10_four_or_more_skulls_on_a_later_roll_end_the_turn(self, rolled: str) -> None:
        """FO-10."""
        state, events = play(at("gold", MIXED), "roll 1 2 3 4 5 6", rolled, then="storm")
        assert state.scores == (0, 0)
        assert isinstance(events[1], TurnEnded)
        assert events[1].ending is Ending.DISQUALIFIED


class TestStop:
    def test_fo_4_the_player_may_stop_after_any_roll(self) -> None:
        """FO-4."""
        first, _ = play(at("gold"), ALL, MIXED)
        later, _ = play(first, "roll 1 2", "MM")
        assert refusal_reason(first, "stop") is None
        assert refusal_reason(later, "stop") is None

    def test_fo_4_the_points_are_added_and_the_next_seat_turns_a_card(self) -> None:
        """FO-4 and FO-1."""
        state, events = play(at("captain", "GGGMPSKK", scores="100/0/0", mover=2), "stop", then="truce")
        assert (state.scores, state.mover) == ((100, 0, 800), 0)
        assert str(state.turn.card) == "truce"
        ended, turned = events
        assert isinstance(ended, TurnEnded)
        assert (ended.seat, ended.points, ended.ending) == (2, 800, Ending.STOPPED)
        assert turned == CardTurned(0, CARDS["truce"])

    def test_fo_4_with_fewer_than_two_free_dice_only_stopping_is_left(self) -> None:
        """FO-4: in a Storm whose rolls are made."""
        assert list(GAME.legal_moves(at("storm", "GGGDDMPK", rolls=2))) == [STOP]

    def test_fo_11_totals_fall_below_zero(self) -> None:
        """FO-11."""
        state, _ = play(at("truce", "SSSMMPPK", scores="500/0"), "stop", then="gold")
        assert state.scores == (-2500, 0)
