"""Cards that change the turn: rules FO-C1, FO-C3, FO-C4, FO-C8 and FO-C9."""

from bot.games.fortune.pieces import ALL_PLACES, STOP, Ending, FortuneReason, Revive, Roll, Rolled, TurnEnded
from bot.rules.refusals import DieFacts, Refusal
from tests.games.fortune.positions import ALL, GAME, at, dice, places, play, play_moves
from tests.support.each_case import each_case


class TestTreasureChest:
    LYING = "KGGGDMPS"

    def test_fo_c1_a_roll_names_the_dice_in_the_chest(self) -> None:
        """FO-C1."""
        state, _ = play(at("treasure-chest", self.LYING), "roll 6 7 8 chest 2 3", "MMM")
        assert state.turn.chest == places("23")
        assert state.turn.faces == dice("KGGGDMMM")

    def test_fo_c1_every_way_to_fill_the_chest_is_a_move(self) -> None:
        """FO-C1: each die without a skull is rolled, in the chest, or neither; two at least are rolled."""
        moves = GAME.legal_moves(at("treasure-chest", self.LYING))
        assert len(moves) == 3**7 - 2**7 - 7 * 2**6 + 1
        assert Roll(places("67"), places("2345")) in moves
        assert Roll(places("67"), places("38")) in moves
        assert Roll(places("67")) in moves

    def test_fo_c1_dice_are_taken_out_again(self) -> None:
        """FO-C1."""
        state = at("treasure-chest", self.LYING, rolls=2, chest="234")
        taken, _ = play(state, "roll 2 3 4 6 7 8 chest 5", "MMMMMM")
        assert taken.turn.chest == places("5")
        emptied, _ = play(state, "roll 6 7", "MM")
        assert emptied.turn.chest == ()

    def test_fo_c1_a_disqualified_player_scores_the_chest(self) -> None:
        """FO-C1: three gold coins, a diamond."""
        state = at("treasure-chest", self.LYING, scores="1000/0")
        state, events = play(state, "roll 6 7 8 chest 2 3 4 5", "KKG", then="storm")
        assert state.scores == (1000 + 100 + 400, 0)
        assert isinstance(events[1], TurnEnded)
        assert (events[1].ending, events[1].points) == (Ending.DISQUALIFIED, 500)

    def test_fo_c1_dice_kept_outside_the_chest_are_lost(self) -> None:
        """FO-C1."""
        state = at("treasure-chest", self.LYING)
        assert play_moves(state, ("roll 6 7 8 chest 2", "KKG"), then="storm").scores == (100, 0)
        assert play_moves(state, ("roll 6 7 8", "KKG"), then="storm").scores == (0, 0)

    def test_fo_c1_the_chest_never_holds_a_full_chest(self) -> None:
        """FO-C1 and FO-7: eight dice can't be disqualified."""
        state = at("treasure-chest", "KKGGGDDD")
        assert play_moves(state, ("roll 3 4 chest 5 6 7 8", "KK"), then="storm").scores == (100 + 400, 0)

    def test_fo_c1_stopping_scores_all_dice(self) -> None:
        """FO-C1."""
        state = at("treasure-chest", "GGGGDDDD", rolls=2, chest="12")
        assert play_moves(state, ("stop", ""), then="storm").scores == (400 + 800 + 500, 0)

    @each_case(
        "move, refusal",
        [
            ("roll 6 7 chest 1", Refusal(FortuneReason.SKULL_IN_CHEST, DieFacts(1))),
            ("roll 6 7 chest 6", Refusal(FortuneReason.ROLLED_FROM_CHEST, DieFacts(6))),
            ("roll 6 7 chest 2 2", Refusal(FortuneReason.DIE_TWICE, DieFacts(2))),
            ("roll 6 7 chest 2 9", Refusal(FortuneReason.NO_SUCH_DIE, DieFacts(9))),
            ("roll 6 chest 2", Refusal(FortuneReason.TOO_FEW_DICE)),
        ],
    )
    def test_fo_c1_dice_that_can_not_be_in_the_chest(self, move: str, refusal: Refusal) -> None:
        """FO-C1."""
        assert GAME.check(at("treasure-chest", self.LYING), 0, GAME.parse_move(move)) == refusal

    def test_fo_c1_there_is_no_chest_on_the_island(self) -> None:
        """FO-C1 and FO-9."""
        state = at("treasure-chest", "KKKKMPGD", island=True)
        assert GAME.check(state, 0, Roll(places("5678"), places("1"))) == Refusal(FortuneReason.NO_CHEST)


class TestSorceress:
    def test_fo_c3_a_skull_is_rolled_alone(self) -> None:
        """FO-C3."""
        state, events = play(at("sorceress", "KGMMPPSD"), "sorceress 1", "G")
        assert state.turn.faces == dice("GGMMPPSD")
        assert (state.turn.spell, state.turn.skulls, state.mover) == (False, 0, 0)
        assert events == (Rolled(0, (1,), dice("GGMMPPSD"), revived=1),)

    def test_fo_c3_a_skull_is_rolled_together_with_other_dice(self) -> None:
        """FO-C3."""
        state, events = play(at("sorceress", "GKMMPPSD"), "sorceress 2 with 1 7 8", "MPSD")
        assert state.turn.faces == dice("MPMMPPSD")
        assert events == (Rolled(0, places("1278"), dice("MPMMPPSD"), revived=2),)

    def test_fo_c3_every_skull_may_be_brought_back(self) -> None:
        """FO-C3."""
        moves = GAME.legal_moves(at("sorceress", "KGKMPPSD"))
        revivals = [move for move in moves if isinstance(move, Revive)]
        assert {move.skull for move in revivals} == {1, 3}
        assert len(revivals) == 2 * 2**6
        assert len(moves) == len(revivals) + 2**6 - 1 - 6 + 1

    def test_fo_c3_only_once_in_a_turn(self) -> None:
        """FO-C3."""
        state, _ = play(at("sorceress", "KKMMPPSD"), "sorceress 1", "K")
        assert state.turn.skulls == 2
        assert GAME.check(state, 0, GAME.parse_move("sorceress 1")) == Refusal(FortuneReason.SPELL_USED)

    @each_case(
        "move, refusal",
        [
            ("sorceress 3", Refusal(FortuneReason.NOT_A_SKULL, DieFacts(3))),
            ("sorceress 9", Refusal(FortuneReason.NO_SUCH_DIE, DieFacts(9))),
            ("sorceress 1 with 2", Refusal(FortuneReason.SKULL_STAYS, DieFacts(2))),
            ("sorceress 1 with 1", Refusal(FortuneReason.DIE_TWICE, DieFacts(1))),
            ("sorceress 1 with 3 3", Refusal(FortuneReason.DIE_TWICE, DieFacts(3))),
        ],
    )
    def test_fo_c3_other_dice_are_refused(self, move: str, refusal: Refusal) -> None:
        """FO-C3."""
        assert GAME.check(at("sorceress", "KKMMPPSD"), 0, GAME.parse_move(move)) == refusal

    def test_fo_c3_the_third_skull_of_the_first_roll_is_asked_about(self) -> None:
        """FO-C3 and FO-10."""
        state, _ = play(at("sorceress"), ALL, "KKKMPPSD")
        assert (state.mover, state.turn.is_in_doubt) == (0, True)
        assert {type(move) for move in GAME.legal_moves(state)} == {Revive, type(STOP)}
        assert GAME.check(state, 0, GAME.parse_move("roll 4 5")) == Refusal(FortuneReason.THIRD_SKULL)

    def test_fo_c3_the_third_skull_of_a_later_roll_is_asked_about_too(self) -> None:
        """FO-C3."""
        state, _ = play(at("sorceress", "KKMMPPSD"), "roll 3 4", "KG")
        assert state.turn.is_in_doubt

    def test_fo_c3_the_sorceress_saves_the_turn(self) -> None:
        """FO-C3."""
        state, _ = play(at("sorceress", "KKKMMMGG"), "sorceress 2", "G")
        assert (state.mover, state.turn.skulls) == (0, 2)
        assert play_moves(state, ("stop", ""), then="gold").scores == (100 + 100 + 300, 0)

    @each_case("move, rolled", [("sorceress 1", "K"), ("sorceress 1 with 4 5", "GKM")])
    def test_fo_c3_she_does_not_save_it_twice(self, move: str, rolled: str) -> None:
        """FO-C3 and FO-3."""
        state, events = play(at("sorceress", "KKKMMMGG"), move, rolled, then="gold")
        assert (state.scores, state.mover) == ((0, 0), 1)
        assert isinstance(events[1], TurnEnded)
        assert events[1].ending is Ending.DISQUALIFIED

    def test_fo_c3_the_player_may_give_in(self) -> None:
        """FO-C3 and FO-3."""
        state, events = play(at("sorceress", "KKKMMMGG"), "stop", then="gold")
        assert (state.scores, state.mover) == ((0, 0), 1)
        assert isinstance(events[0], TurnEnded)
        assert events[0].ending is Ending.DISQUALIFIED

    def test_fo_c3_four_skulls_of_a_later_roll_are_too_many(self) -> None:
        """FO-C3 and FO-10."""
        state, _ = play(at("sorceress", "KKMMPPSD"), "roll 3 4", "KK", then="gold")
        assert (state.scores, state.mover) == ((0, 0), 1)

    def test_fo_c3_four_skulls_of_the_first_roll_lead_to_the_island(self) -> None:
        """FO-C3 and FO-9."""
        state, _ = play(at("sorceress"), ALL, "KKKKMPGD")
        assert state.turn.island
        there = at("sorceress", "KKKKMPGD", island=True)
        assert GAME.check(there, 0, GAME.parse_move("sorceress 1")) == Refusal(FortuneReason.NO_SPELL_ON_ISLAND)

    def test_fo_c3_a_spell_does_not_make_a_later_roll_the_first(self) -> None:
        """FO-C3 and FO-10."""
        state = play_moves(at("sorceress"), (ALL, "KKMMPPSD"), ("sorceress 1 with 3 4 5 6", "KKKKK"), then="gold")
        assert state.scores == (0, 0)


class TestSeaBattle:
    def test_fo_c4_a_won_battle_pays(self) -> None:
        """FO-C4."""
        assert play_moves(at("sea-battle-4-1000", "SSSSMMPK"), ("stop", ""), then="gold").scores == (200 + 1000, 0)

    def test_fo_c4_too_few_swords_cost(self) -> None:
        """FO-C4."""
        assert play_moves(at("sea-battle-4-1000", "SSSGGGGG"), ("stop", ""), then="gold").scores == (-1000, 0)

    @each_case("card", ["sea-battle-2-300", "sea-battle-3-500", "sea-battle-4-1000"])
    def test_fo_c4_being_disqualified_costs_too(self, card: str) -> None:
        """FO-C4."""
        state, _ = play(at(card, "KKSSSSGG", scores="2000/0"), "roll 7 8", "KG", then="gold")
        assert state.scores == (2000 - int(card.rsplit("-", maxsplit=1)[-1]), 0)

    @each_case("first", ["KKKSSSSG", "KKKKSSSS", "KKKKKKKK"])
    def test_fo_c4_there_is_no_island(self, first: str) -> None:
        """FO-C4."""
        state, events = play(at("sea-battle-3-500", scores="0/300"), ALL, first, then="gold")
        assert (state.scores, state.mover) == ((-500, 300), 1)
        assert isinstance(events[1], TurnEnded)
        assert events[1].ending is Ending.DISQUALIFIED


class TestStorm:
    def test_fo_c8_two_rolls_at_most(self) -> None:
        """FO-C8."""
        state, _ = play(at("storm"), ALL, "GGMMPPSD")
        assert len(GAME.legal_moves(state)) > 1
        state, _ = play(state, "roll 3 4 5 6 7", "GGDMK")
        assert list(GAME.legal_moves(state)) == [STOP]
        assert GAME.check(state, 0, GAME.parse_move("roll 1 2")) == Refusal(FortuneReason.NO_ROLLS_LEFT)
        assert play_moves(state, ("stop", ""), then="gold").scores == (6 * 200 + 200, 0)

    def test_fo_c8_a_voyage_has_one_roll(self) -> None:
        """FO-C8 and FO-9."""
        state, _ = play(at("storm"), ALL, "KKKKMPGD")
        assert state.turn.island
        state, _ = play(state, "roll 5 6 7 8", "KKMM", then="gold")
        assert (state.scores, state.mover) == ((0, -600), 1)


class TestTruce:
    def test_fo_c9_a_disqualified_player_is_not_punished(self) -> None:
        """FO-C9."""
        state, _ = play(at("truce", "KKSSSSGG", scores="100/0"), "roll 7 8", "KG", then="gold")
        assert state.scores == (100, 0)

    def test_fo_c9_a_disqualified_player_is_not_punished_on_the_island(self) -> None:
        """FO-C9 and FO-9."""
        state, _ = play(at("truce", "KKKKSSSS", island=True), "stop", then="gold")
        assert state.scores == (0, -400)

    def test_fo_c9_swords_may_be_rolled_away(self) -> None:
        """FO-C9."""
        state = play_moves(at("truce", "SSMMMPPK"), ("roll 1 2", "MM"), ("stop", ""), then="gold")
        assert state.scores == (500, 0)


def test_fo_c7_the_turn_starts_with_skulls() -> None:
    """FO-C7."""
    assert [at(card).turn.skulls for card in ("gold", "skulls-1", "skulls-2")] == [0, 1, 2]
    assert at("skulls-2").turn.free == ALL_PLACES
