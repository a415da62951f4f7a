"""Fortune's screen: what it says of the card, the dice and the risk, and what can be pressed."""

from bot.games.fortune.minds.evaluation import evaluate_turn
from bot.games.fortune.pieces import State
from bot.rules.chance import ScriptedChance
from bot.rules.evaluation import BestMove
from bot.rules.screen import EMPTY_DRAFT, Toggle, Tone
from tests.games.fortune.positions import GAME, at, play
from tests.games.fortune.screens import control, draw, highlighted_controls, labels, moves, picked_dice
from tests.support.each_case import each_case


class TestControls:
    def test_the_dice_are_in_two_rows_without_the_skulls(self) -> None:
        """FO-3."""
        rows = draw(at("gold", "KGMMPPSK")).controls
        assert [[each.key for each in row] for row in rows[:2]] == [["die2", "die3", "die4"], ["die5", "die6", "die7"]]

    @each_case(
        "picked, wanted",
        [
            ((), {"roll_rest": "roll 2 3 4 5 6 7 8"}),
            ((2,), {"roll_rest": "roll 3 4 5 6 7 8"}),
            ((2, 3), {"roll_rest": "roll 4 5 6 7 8", "roll_picked": "roll 2 3"}),
            ((2, 3, 4, 5, 6, 7), {"roll_picked": "roll 2 3 4 5 6 7"}),
        ],
    )
    def test_fo_2_dice_are_picked_and_these_or_the_others_rolled(
        self, picked: tuple[int, ...], wanted: dict[str, str]
    ) -> None:
        """FO-2 and FO-4."""
        found = moves(draw(at("gold", "KGMMPPSD"), draft=frozenset(picked)))
        assert {key: move for key, move in found.items() if key != "advised"} == {**wanted, "stop": "stop"}

    @each_case(
        "state, wanted, label",
        [
            (at("gold", "MMMGPPSK"), "roll 5 6 7", "🐵 Keep 3 monkeys, gold coin, roll 3 (7% bust)"),
            (at("monkey-business", "MMPSSKKG"), "roll 4 5", "🐵 Keep 2 monkeys, parrot, gold coin, roll 2 (31% bust)"),
            (at("sea-battle-3-500", "SPPMMKKM"), "roll 2 3", "🐵 Keep 3 monkeys, sword, roll 2 (31% bust)"),
            (at("storm", "SSSMMMGK"), "roll 1 2 3 4 5 6", "🪙 Keep 1 gold coin, roll 6 (26% bust)"),
            (at("sorceress", "MMMMGPSK", spell=False), "roll 6 7", "🐵 Keep 4 monkeys, gold coin, roll 2 (3% bust)"),
        ],
    )
    def test_the_roll_that_promises_most_is_one_button(self, state: State, wanted: str, label: str) -> None:
        """FO-2, FO-5, FO-6, FO-C4, FO-C6 and FO-C8: a close choice is offered, but not highlighted."""
        screen = draw(state)
        assert (moves(screen)["advised"], labels(screen)["advised"]) == (wanted, label)
        assert highlighted_controls(screen) == []

    def test_fo_c1_the_best_roll_puts_kept_dice_into_the_chest(self) -> None:
        """FO-C1."""
        advised = draw(at("treasure-chest", "KGMMPPSD")).find_control("advised")
        assert advised is not None
        assert advised.label.startswith("🦜 Chest 2 parrots, gold coin, ")
        assert GAME.parse_move(moves(draw(at("treasure-chest", "KGMMPPSD")))["advised"]).chest[0] == 2

    @each_case(
        "state",
        [
            at("captain", "KKKKMPGD", island=True),
            at("storm", "SSSMMMGK", rolls=2),
            at("sorceress", "KKKGMPGD"),
        ],
    )
    def test_without_advice_there_is_no_button(self, state: State) -> None:
        assert "advised" not in moves(draw(state))

    @each_case(
        "state, key, picked",
        [
            (at("gold"), "all", ()),
            (at("gold", "GGGGGMPK"), "roll_rest", (1, 2, 3, 4, 5)),
            (at("truce", "GGGGGGSM"), "roll_rest", (1, 2, 3, 4, 5, 6)),
            (at("truce", "GGGGGGKM"), "stop", ()),
            (at("captain", "GGGGDDKK"), "stop", ()),
            (at("sorceress", "KKKGGGGD"), "spell", (4, 5, 6, 7, 8)),
            (at("captain", "KKKKMPGD", island=True), "roll_rest", ()),
            (at("storm", "SSSMMMGK", rolls=2), "stop", ()),
        ],
    )
    def test_the_clearly_best_move_is_highlighted_with_its_dice_picked(
        self, state: State, key: str, picked: tuple[int, ...]
    ) -> None:
        """FO-C9 among others: under a Truce no gold piece is rolled again."""
        screen = draw(state)
        assert highlighted_controls(screen) == [key]
        assert picked_dice(screen) == [f"die{place}" for place in picked]

    @each_case("faces", ["SMMPPKGD", "SKMMMGPP", "SGGDDMPK"])
    def test_fo_c4_neither_highlight_nor_advice_rolls_one_of_two_swords(self, faces: str) -> None:
        """FO-C4: it was, with the dice that bring points kept instead."""
        screen = draw(at("sea-battle-2-300", faces))
        offered = [moves(screen)[key] for key in (*highlighted_controls(screen), "advised") if key in moves(screen)]
        assert not any("1" in move.split(" ") for move in offered)

    @each_case("faces", ["GGDDMPPK", "GGDDDMMP", "GDMMPPPK", "GDMPPKKM", "GGGGDDDD"])
    def test_fo_c4_with_none_of_three_swords_no_jewels_are_picked_to_be_kept(self, faces: str) -> None:
        """FO-C4: the choice is close, so the computer player's is one button, and nothing is picked for it."""
        state = at("sea-battle-3-500", faces)
        screen, chance = draw(state), ScriptedChance(())
        assert (highlighted_controls(screen), picked_dice(screen)) == ([], [])
        assert moves(screen)["advised"] == str(BestMove(evaluate_turn)(state, GAME.legal_moves(state), chance))

    def test_a_composed_roll_looks_like_picked_dice(self) -> None:
        screen = draw(at("gold", "KGMMPPSD"), draft=frozenset({2}))
        assert control(screen, "roll_rest").tone is Tone.CHOSEN
        assert highlighted_controls(screen) == []

    @each_case(
        "scores, crosser, out",
        [("5400/0", None, ["stop"]), ("5500/0", None, []), ("7900/0", None, []), ("0/8100", 1, [])],
    )
    def test_near_the_line_and_in_the_last_round_nothing_is_highlighted(
        self, scores: str, crosser: int | None, out: list[str]
    ) -> None:
        """FO-E1: 1,600 points are worth stopping for while points alone count; then hints know better."""
        screen = draw(at("captain", "GGGGDDKK", scores=scores, crosser=crosser))
        assert (highlighted_controls(screen), picked_dice(screen)) == (out, [])

    def test_every_roll_can_be_composed(self) -> None:
        """FO-2."""
        state = at("gold", "KGMMPPSD")
        found = set()
        for mask in range(2**7):
            picked = frozenset(place for place in range(2, 9) if mask >> (place - 2) & 1)
            found |= set(moves(draw(state, draft=picked)).values())
        assert found == {str(move) for move in GAME.legal_moves(state)}

    def test_each_button_says_how_likely_its_roll_is_a_bust(self) -> None:
        """FO-3: there is one skull, so two more of five and of two dice bust."""
        shown = labels(draw(at("gold", "KGMMPPSD"), draft=frozenset({2, 3})))
        assert (shown["roll_rest"], shown["roll_picked"]) == (
            "🪙 Keep gold coin, monkey, roll 5 (20% bust)",
            "🪙 Roll only gold coin, monkey (3% bust)",
        )

    def test_dice_are_picked_again_after_each_roll(self) -> None:
        """The dice kept before are no longer picked, and those that fit now are."""
        state, events = play(at("gold", "GGMMPPSD"), "roll 3 4 5 6 7 8", "MPGGGK")
        assert picked_dice(draw(state, events)) == ["die1", "die2", "die5", "die6", "die7"]
        state, events = play(at("gold", "GGMMPPSD"), "roll 3 4 5 6", "MKPP")
        assert picked_dice(draw(state, events)) == []

    def test_picked_dice_are_highlighted(self) -> None:
        before, after = (draw(at("gold", "GGMMPPSD"), draft=draft) for draft in (EMPTY_DRAFT, frozenset({2})))
        assert control(after, "die2").tone is Tone.CHOSEN
        assert control(before, "die2").label != control(after, "die2").label, "colour alone does not tell"
        assert control(before, "die2").effect == Toggle(2)

    def test_fo_c1_picked_dice_go_into_the_chest(self) -> None:
        """FO-C1."""
        state = at("treasure-chest", "KGGGDMPS", rolls=2, chest="234")
        assert moves(draw(state))["roll_rest"] == "roll 2 3 4 5 6 7 8", "a close choice: nothing is picked"
        put = draw(state, draft=frozenset({2, 3, 4, 5}))
        assert moves(put)["roll_rest"] == "roll 6 7 8 chest 2 3 4 5"
        assert labels(put)["roll_rest"] == "🪙 Chest 3 gold coins, diamond: +500, roll 3 (7% bust)"
        fewer = draw(state, draft=frozenset({2, 3}))
        assert "🪙 Chest 2 gold coins: +200," in labels(fewer)["roll_rest"], "what lies in it, not all the dice"
        assert "roll_rest" not in moves(draw(state, draft=frozenset(range(2, 9))))

    def test_fo_c3_the_sorceress_rolls_a_skull_alone_or_with_others(self) -> None:
        """FO-C3."""
        screen = draw(at("sorceress", "GKMMPPSD"), draft=frozenset({1, 8}))
        assert {key: move for key, move in moves(screen).items() if key.startswith("spell")} == {
            "spell": "sorceress 2",
            "spell_rest": "sorceress 2 with 3 4 5 6 7",
            "spell_picked": "sorceress 2 with 1 8",
        }
        assert not any(key.startswith("spell") for key in moves(draw(at("sorceress", "GGMMPPSD"))))
        assert not any(key.startswith("spell") for key in moves(draw(at("sorceress", "GKMMPPSD", spell=False))))

    def test_fo_c3_a_third_skull_leaves_her_or_the_end(self) -> None:
        """FO-C3."""
        screen = draw(at("sorceress", "KKKMMPPD"))
        assert set(moves(screen)) == {"spell", "spell_rest", "stop"}
        assert labels(screen)["stop"] == "Stop: no points"
        assert "17% bust" in labels(screen)["spell"]
        assert "67% bust" in labels(screen)["spell_rest"], "one of six dice, the skull among them: 1 - (5/6)^6"
