"""Fortune's screen: what it says of the card, the dice and the risk, and what can be pressed."""

from collections.abc import Sequence
from itertools import product

import pytest

from bot.games.fortune.odds import odds_of
from bot.games.fortune.pieces import FortuneOptions, State, Turn
from bot.games.fortune.screen import build_screen
from bot.games.fortune.strategy import maximize_expected_turn_value
from bot.rules.chance import ScriptedChance
from bot.rules.game import Event
from bot.rules.screen import EMPTY_DRAFT, Control, Draft, Play, Screen, Toggle, Tone, to_recent_events
from bot.rules.testing.display_limits import find_excess
from tests.games.fortune.positions import ALL, CARDS, GAME, NINE_WINS, PACKAGE, at, play

NAMES = ("Ada", "Ben", "Cleo", "Dan")
LONGEST_NAMES = ("\\*" * 32,) * 4


def draw(state: State, news: Sequence[Event] = (), draft: Draft = EMPTY_DRAFT) -> Screen:
    names = NAMES[: len(state.scores)]
    return build_screen(GAME.view(state, None), to_recent_events(news, names), names, draft)


def labels(screen: Screen) -> dict[str, str]:
    return {control.key: control.label for row in screen.controls for control in row}


def control(screen: Screen, key: str) -> Control:
    found = screen.find_control(key)
    assert found is not None, labels(screen)
    return found


def moves(screen: Screen) -> dict[str, str]:
    """Return the moves that can be pressed, by the keys of their controls."""
    every = [each for row in screen.controls for each in row]
    return {each.key: each.effect.move for each in every if isinstance(each.effect, Play)}


def highlighted_controls(screen: Screen) -> list[str]:
    return [each.key for each in screen.iter_controls() if each.tone is Tone.MAIN]


def picked_dice(screen: Screen) -> list[str]:
    """Return the dice that are picked."""
    every = screen.iter_controls()
    return [each.key for each in every if each.tone is Tone.CHOSEN and isinstance(each.effect, Toggle)]


class TestOdds:
    def brute(self, turn: Turn, count: int, *, revives: bool = False) -> tuple[float, float, float]:
        """Count every way the dice can land, a skull or one of five other faces: disqualified, asked, on the Island."""
        ways = [0, 0, 0]
        for landed in product((True, False), repeat=count):
            skulls, ways_to_land = turn.skulls - revives + sum(landed), 5 ** landed.count(False)
            if turn.rolls == 0 and skulls > 3 and turn.card.kind != "sea-battle":
                ways[2] += ways_to_land
            elif turn.spell and not revives and skulls == 3:
                ways[1] += ways_to_land
            elif skulls >= 3:
                ways[0] += ways_to_land
        disqualified, asked, island = (way / 6**count for way in ways)
        return disqualified, asked, island

    @pytest.mark.parametrize(
        ("state", "count", "revives"),
        [
            (at("gold", "KGGMMPPD"), 5, False),
            (at("gold", "KKGMMPPD"), 6, False),
            (at("gold", "GGGMMPPD"), 2, False),
            (at("skulls-2", "GGGMMPPD"), 3, False),
            (at("sorceress", "KKGMMPPD"), 4, False),
            (at("sorceress", "KKGMMPPD"), 4, True),
            (at("sorceress", "KKKMMPPD"), 1, True),
            (at("sorceress", "KKGMMPPD", spell=False), 4, False),
        ],
    )
    def test_later_rolls(self, state: State, count: int, revives: bool) -> None:
        """FO-3 and FO-C3."""
        odds = odds_of(state.turn, count, revives=revives)
        assert (odds.bust, odds.revivable, odds.island) == pytest.approx(self.brute(state.turn, count, revives=revives))

    @pytest.mark.parametrize("card", ["gold", "skulls-1", "skulls-2", "sea-battle-3-500", "sorceress"])
    def test_the_first_roll(self, card: str) -> None:
        """FO-9, FO-10, FO-C3, FO-C4 and FO-C7."""
        turn = at(card).turn
        odds = odds_of(turn, 8)
        assert (odds.bust, odds.revivable, odds.island) == pytest.approx(self.brute(turn, 8))

    @pytest.mark.parametrize("count", [2, 3, 4])
    def test_on_the_island_it_is_no_skull_that_ends_it(self, count: int) -> None:
        """FO-9."""
        turn = at("gold", "KKKKMPGD", island=True).turn
        assert odds_of(turn, count).bust == pytest.approx((5 / 6) ** count)


class TestTold:
    @pytest.mark.parametrize("card", CARDS)
    def test_the_card_and_its_effect(self, card: str) -> None:
        """FO-C1 to FO-C9."""
        before, after = (draw(at(card, faces)) for faces in ("", "GGMMPPSD"))
        name = CARDS[card].kind.replace("-", " ").title()
        for told in (before.fields[1], after.fields[1]):
            assert told.title.endswith(name)
            assert all(f"{figure:,}" in told.text for figure in (CARDS[card].swords, CARDS[card].bonus) if figure)
            assert told.to_brief() == told

    @pytest.mark.parametrize(
        ("card", "faces", "parts"),
        [
            ("captain", "GGGMPSKK", ["+800", "3 🪙 100", "doubled", "2 of 3 skulls", "costs **800**"]),
            ("monkey-business", "MMPGGDDD", ["+1,200", "3 🐵 🦜 100", "full chest 500"]),
            ("sea-battle-2-300", "MMMMGGSS", ["+1,200", "battle won 300", "costs **1,500**, leaving −300."]),
            ("sea-battle-3-500", "MMMMGGSS", ["−500", "2 of 3 ⚔️", "Nothing to lose: roll!"]),
            ("truce", "SSMMMMGG", ["−2,000", "save you **2,000**"]),
            ("skulls-1", "GMMPPSSD", ["+200", "1 of 3 skulls", "costs **200**"]),
            ("treasure-chest", "GMMPPSSD", ["+200", "The chest is empty: a bust leaves you nothing."]),
            ("gold", "MMPPSSKK", ["+100", "costs **100**"]),
            ("captain", "MMPPSSKK", ["Worth now: **0**", "Nothing to lose: roll!"]),
        ],
    )
    def test_the_points_of_the_dice_and_the_cost_of_a_bust(self, card: str, faces: str, parts: list[str]) -> None:
        """FO-3 to FO-7."""
        text = draw(at(card, faces)).text
        assert [part for part in parts if part not in text] == []

    def test_fo_c1_the_chest_is_described(self) -> None:
        """FO-C1."""
        text = draw(at("treasure-chest", "KGGGDMPS", rolls=2, chest="2345")).text
        assert "A bust leaves you the chest: 🪙 🪙 🪙 💎, **500**." in text

    def test_fo_c3_a_used_sorceress_is_marked(self) -> None:
        """FO-C3."""
        cards = [draw(at("sorceress", "KGMMPPSD", spell=spell)).fields[1] for spell in (True, False)]
        assert [card.title for card in cards] == ["🔮 Sorceress"] * 2
        assert ["already used this turn" in card.text for card in cards] == [False, True]

    def test_fo_c3_on_the_island_she_is_no_help_and_has_not_helped_either(self) -> None:
        """FO-C3 and FO-9."""
        state, _ = play(at("sorceress"), ALL, "KKKKMPGD")
        assert draw(state).fields[1].text == "no help on the Island."

    def test_the_news_are_in_the_first_line(self) -> None:
        state, before = play(at("gold", "GGMMPPSD"), "stop", then="storm")
        assert draw(state, before).text.startswith("✋ **Ada** stopped")
        state, events = play(state, ALL, "GGMMPPSD")
        first, second, *_ = draw(state, before + events).text.splitlines()
        assert ("**Ben** rolled" in first, "**Ada** stopped" in second) == (True, True)

    def test_the_dice_are_in_order(self) -> None:
        heading = draw(at("gold", "GKMPSDGG")).text.splitlines()[0]
        assert heading.replace("\u200a", "") == "## 🪙💀🐵🦜⚔️💎🪙🪙"

    def test_the_odds_of_the_first_roll(self) -> None:
        """FO-9 and FO-10: 56 * 5^5 of 6^8 ways, and those with more skulls."""
        assert "bust 10.4%, Island 3.1%" in draw(at("gold")).text
        assert "third skull 10.4%" in draw(at("sorceress")).text

    @pytest.mark.parametrize(
        ("state", "move", "rolled", "told"),
        [
            (at("gold", "GGMMPPSD"), "stop", "", "**Ada** stopped with 🪙 🪙 🐵 🐵 🦜 🦜 ⚔️ 💎 (🪙 Gold): **+500**"),
            (at("gold", "KKMMPPSD"), "roll 3 4", "KG", "busts with 💀 💀 💀 🪙 🦜 🦜 ⚔️ 💎 (🪙 Gold): no points"),
            (at("sea-battle-2-300", "KKMMPPSD"), "roll 3 4", "KG", "loses the battle: **−300**"),
            (at("treasure-chest", "KKMMPPSD"), "roll 3 4 chest 8", "KG", "the chest saves **+100**"),
            (
                at("captain", "KKKKMPGD", island=True),
                "stop",
                "",
                "with 4 skulls, 💀 💀 💀 💀 🐵 🦜 🪙 💎 (🧔 Captain): every",
            ),
        ],
    )
    def test_how_the_last_turn_ended(self, state: State, move: str, rolled: str, told: str) -> None:
        """FO-3, FO-4 and FO-9."""
        after, events = play(state, move, rolled, then="storm")
        assert told in draw(after, events).text

    def test_the_last_roll(self) -> None:
        after, events = play(at("sorceress", "KGMMPPSD"), "sorceress 1 with 2", "GM")
        assert "🔮 The Sorceress freed a skull, and **Ada** rolled 🪙 🐵." in draw(after, events).text
        after, events = play(at("gold", "KGMMPPSD"), "roll 2 3", "GM")
        assert "🎲 **Ada** rolled 🪙 🐵." in draw(after, events).text

    def test_fo_e1_the_last_turns_are_announced(self) -> None:
        """FO-E1."""
        assert "Past 8,000! Everyone but Ben gets one last turn." in draw(at("gold", scores="0/8100/0", crosser=1)).text
        assert "one last turn" not in draw(at("gold", scores="0/8000/0")).text

    def test_fo_e2_continued_play_is_announced(self) -> None:
        """FO-E2."""
        state = at("gold", "KKKKMPGD", scores="100/8100", crosser=1, island=True)
        state, events = play(state, "stop", then="storm")
        text = draw(state, events).text
        assert "Nobody is above 8,000 any more, so play goes on" in text
        assert "one last turn" not in text

    def test_scores_are_listed_by_seat_with_their_changes(self) -> None:
        state, events = play(at("gold", "KKKKMPGD", scores="700/200/0", island=True), "stop", then="storm")
        scores, _ = draw(state, events).fields
        lines = scores.text.splitlines()
        wanted = [("**700** Ada", ""), ("**−200** **Ben**", "· −400"), ("**−400** Cleo", "· −400")]
        assert [name in line for line, (name, _change) in zip(lines, wanted, strict=True)] == [True] * 3
        assert [line.endswith(change) for line, (_name, change) in zip(lines, wanted, strict=True)] == [True] * 3

    @pytest.mark.parametrize(
        ("options", "told"),
        [(FortuneOptions(), ""), (NINE_WINS, "nine of a kind"), (FortuneOptions(target=3000), "3,000")],
    )
    def test_fo_o1_the_options_in_play_are_noted(self, options: FortuneOptions, told: str) -> None:
        """FO-O1."""
        note = draw(at("gold", options=options)).note
        assert told in note
        assert bool(note) == bool(told)


class TestEnd:
    def test_an_abandoned_game_marks_no_turn(self) -> None:
        assert PACKAGE.build_abandoned_fields is not None
        view = GAME.view(at("gold", "GGMMPPSD", scores="700/-200", mover=1), None)
        dice, scores, card = PACKAGE.build_abandoned_fields(view, NAMES[:2])
        assert (dice.text, card.title) == ("🪙 🪙 🐵 🐵 🦜 🦜 ⚔️ 💎", "🪙 Gold")
        assert ("▶" in draw(view).fields[0].text, "▶" in scores.text) == (True, False)
        assert [part for part in ("**700** Ada", "**−200** Ben") if part not in scores.text] == []

    def test_fo_e2_the_winner_is_named(self) -> None:
        """FO-E2 and FO-E3."""
        state, events = play(at("captain", "GGGGMMPK", scores="7000/8100/-300", mover=0, crosser=1), "stop")
        screen = draw(state, events)
        assert "Ada wins" in screen.title
        assert (screen.accent, screen.controls) == (0, ())
        ranking, card = screen.fields
        assert card.title.endswith("Captain")
        assert "8,000" in ranking.title
        assert [line[0] for line in ranking.text.splitlines()] == ["🥇", "🥈", "🥉"]
        assert "**−300**" in ranking.text

    def test_fo_e3_a_shared_win_names_every_winner(self) -> None:
        """FO-E3."""
        state, _ = play(at("captain", "MMPPSSKK", scores="8100/8100/300", mover=2, crosser=0), "stop")
        assert "Ada and Ben share" in draw(state).title
        state, _ = play(at("captain", "MMPPSSKK", scores="8100/8100/8100", mover=2, crosser=0), "stop")
        assert "3 players share" in draw(state).title

    def test_fo_8_nine_of_a_kind_is_named(self) -> None:
        """FO-8."""
        state, events = play(at("gold", scores="0/7000", options=NINE_WINS), ALL, "GGGGGGGG")
        screen = draw(state, events)
        assert "Ada wins" in screen.title
        assert "Nine of a kind, **+5,400**: **Ada** wins on the spot!" in screen.text
        assert "Ada · **5,400**" in screen.fields[0].text

    def test_the_longest_names_fit_when_all_share_the_win(self) -> None:
        state, _ = play(at("captain", "MMPPSSKK", scores="8100/8100/8100/8100", mover=3, crosser=0), "stop")
        assert list(find_excess(build_screen(state, (), LONGEST_NAMES, EMPTY_DRAFT))) == []


class TestOffered:
    def test_fo_2_the_first_roll_is_one_button(self) -> None:
        """FO-2."""
        assert moves(draw(at("gold"))) == {"all": ALL}
        assert "10.4%" in labels(draw(at("gold")))["all"]

    def test_the_dice_are_in_two_rows_without_the_skulls(self) -> None:
        """FO-3."""
        rows = draw(at("gold", "KGMMPPSK")).controls
        assert [[each.key for each in row] for row in rows[:2]] == [["die2", "die3", "die4"], ["die5", "die6", "die7"]]

    @pytest.mark.parametrize(
        ("picked", "wanted"),
        [
            ((), {"others": "roll 2 3 4 5 6 7 8"}),
            ((2,), {"others": "roll 3 4 5 6 7 8"}),
            ((2, 3), {"others": "roll 4 5 6 7 8", "picked": "roll 2 3"}),
            ((2, 3, 4, 5, 6, 7), {"picked": "roll 2 3 4 5 6 7"}),
        ],
    )
    def test_fo_2_dice_are_picked_and_these_or_the_others_rolled(
        self, picked: tuple[int, ...], wanted: dict[str, str]
    ) -> None:
        """FO-2 and FO-4."""
        found = moves(draw(at("gold", "KGMMPPSD"), draft=frozenset(picked)))
        assert {key: move for key, move in found.items() if key != "advised"} == {**wanted, "stop": "stop"}

    @pytest.mark.parametrize(
        ("state", "wanted", "label"),
        [
            (at("gold", "MMMGPPSK"), "roll 5 6 7", "Keep 🐵🐵🐵🪙, roll 3 (bust 7.4%)"),
            (at("monkey-business", "MMPSSKKG"), "roll 4 5", "Keep 🐵🐵🦜🪙, roll 2 (bust 30.6%)"),
            (at("sea-battle-3-500", "SPPMMKKM"), "roll 2 3", "Keep ⚔️🐵🐵🐵, roll 2 (bust 30.6%)"),
            (at("storm", "SSSMMMGK"), "roll 1 2 3 4 5 6", "Keep 🪙, roll 6 (bust 26.3%)"),
            (at("sorceress", "MMMMGPSK", spell=False), "roll 6 7", "Keep 🐵🐵🐵🐵🪙, roll 2 (bust 2.8%)"),
        ],
        ids=["set", "monkeys and parrots", "battle", "storm", "no help any more"],
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
        assert advised.label.startswith("Chest 🪙")
        assert GAME.parse_move(moves(draw(at("treasure-chest", "KGMMPPSD")))["advised"]).chest[0] == 2

    @pytest.mark.parametrize(
        "state",
        [
            at("captain", "KKKKMPGD", island=True),
            at("storm", "SSSMMMGK", rolls=2),
            at("sorceress", "KKKGMPGD"),
        ],
        ids=["island", "storm", "third skull"],
    )
    def test_without_advice_there_is_no_button(self, state: State) -> None:
        assert "advised" not in moves(draw(state))

    @pytest.mark.parametrize(
        ("state", "key", "picked"),
        [
            (at("gold"), "all", ()),
            (at("gold", "GGGGGMPK"), "others", (1, 2, 3, 4, 5)),
            (at("truce", "GGGGGGSM"), "others", (1, 2, 3, 4, 5, 6)),
            (at("truce", "GGGGGGKM"), "stop", ()),
            (at("captain", "GGGGDDKK"), "stop", ()),
            (at("sorceress", "KKKGGGGD"), "spell", (4, 5, 6, 7, 8)),
            (at("captain", "KKKKMPGD", island=True), "others", ()),
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

    @pytest.mark.parametrize("faces", ["SMMPPKGD", "SKMMMGPP", "SGGDDMPK"])
    def test_fo_c4_neither_highlight_nor_advice_rolls_one_of_two_swords(self, faces: str) -> None:
        """FO-C4: it was, with the dice that bring points kept instead."""
        screen = draw(at("sea-battle-2-300", faces))
        offered = [moves(screen)[key] for key in (*highlighted_controls(screen), "advised") if key in moves(screen)]
        assert not any("1" in move.split(" ") for move in offered)

    @pytest.mark.parametrize("faces", ["GGDDMPPK", "GGDDDMMP", "GDMMPPPK", "GDMPPKKM", "GGGGDDDD"])
    def test_fo_c4_with_none_of_three_swords_no_jewels_are_picked_to_be_kept(self, faces: str) -> None:
        """FO-C4: the choice is close, so the computer player's is one button, and nothing is picked for it."""
        state = at("sea-battle-3-500", faces)
        screen, chance = draw(state), ScriptedChance(())
        assert (highlighted_controls(screen), picked_dice(screen)) == ([], [])
        assert moves(screen)["advised"] == str(maximize_expected_turn_value(state, GAME.legal_moves(state), chance))

    def test_a_composed_roll_looks_like_picked_dice(self) -> None:
        screen = draw(at("gold", "KGMMPPSD"), draft=frozenset({2}))
        assert control(screen, "others").tone is Tone.CHOSEN
        assert highlighted_controls(screen) == []

    @pytest.mark.parametrize(("scores", "out"), [("6400/0", []), ("6500/0", ["stop"]), ("7900/0", ["stop"])])
    def test_near_the_line_only_crossing_points_are_highlighted(self, scores: str, out: list[str]) -> None:
        """FO-E1: 1,600 points are worth stopping for anywhere, but only more than 8,000 cross the line."""
        assert highlighted_controls(draw(at("captain", "GGGGDDKK", scores=scores))) == out

    @pytest.mark.parametrize(("card", "faces"), [("gold", "GGGGGGGD"), ("diamond", "GDDDDDDD")])
    @pytest.mark.parametrize(("scores", "crosser", "out"), [("0/0", None, ["stop"]), ("7900/8100", 1, [])])
    def test_fo_8_nothing_is_highlighted_near_the_line_if_nine_of_a_kind_wins(
        self, card: str, faces: str, scores: str, crosser: int | None, out: list[str]
    ) -> None:
        """FO-8: in the last round the computer player rolls for the ninth, though the points win, too."""
        assert highlighted_controls(draw(at(card, faces, scores=scores, crosser=crosser, options=NINE_WINS))) == out

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
        told = labels(draw(at("gold", "KGMMPPSD"), draft=frozenset({2, 3})))
        assert (told["others"], told["picked"]) == ("Roll the other 5 (bust 19.6%)", "Roll these 2 (bust 2.8%)")

    def test_dice_are_picked_anew_after_each_roll(self) -> None:
        """What was kept before is not, and what fits now is."""
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
        assert moves(draw(state))["others"] == "roll 2 3 4 5 6 7 8", "a close choice: nothing is picked"
        put = draw(state, draft=frozenset({2, 3, 4, 5}))
        assert moves(put)["others"] == "roll 6 7 8 chest 2 3 4 5"
        assert labels(put)["others"] == "Roll 3, chest 500 (bust 7.4%)"
        fewer = draw(state, draft=frozenset({2, 3}))
        assert "chest 200 " in labels(fewer)["others"], "what lies in it, not all the dice"
        assert "others" not in moves(draw(state, draft=frozenset(range(2, 9))))

    def test_fo_c3_the_sorceress_rolls_a_skull_alone_or_with_others(self) -> None:
        """FO-C3."""
        screen = draw(at("sorceress", "GKMMPPSD"), draft=frozenset({1, 8}))
        assert {key: move for key, move in moves(screen).items() if key.startswith("spell")} == {
            "spell": "sorceress 2",
            "spellothers": "sorceress 2 with 3 4 5 6 7",
            "spellpicked": "sorceress 2 with 1 8",
        }
        assert not any(key.startswith("spell") for key in moves(draw(at("sorceress", "GGMMPPSD"))))
        assert not any(key.startswith("spell") for key in moves(draw(at("sorceress", "GKMMPPSD", spell=False))))

    def test_fo_c3_a_third_skull_leaves_her_or_the_end(self) -> None:
        """FO-C3."""
        screen = draw(at("sorceress", "KKKMMPPD"))
        assert set(moves(screen)) == {"spell", "spellothers", "stop"}
        assert labels(screen)["stop"] == "Stop, no points"
        assert "bust 16.7%" in labels(screen)["spell"]
        assert "bust 66.5%" in labels(screen)["spellothers"], "one of six dice, the skull among them: 1 - (5/6)^6"

    def test_fo_9_the_island_leaves_one_roll_or_the_end(self) -> None:
        """FO-9."""
        screen = draw(at("captain", "KKKKMPGD", island=True))
        assert labels(screen) == {"others": "Roll all 4 (no skull 48.2%)", "stop": "Stop: −800 each"}

    def test_fo_c8_a_storm_leaves_the_end(self) -> None:
        """FO-C8."""
        assert labels(draw(at("storm", "GGGDDMPK", rolls=2))) == {"stop": "Stop: +1,100"}


def test_the_guide_names_every_card_and_how_many_there_are() -> None:
    """FO-1 and FO-C1 to FO-C9."""
    told = "\n".join(section.text for section in PACKAGE.guide.sections)
    assert [card for card in CARDS if f"**{CARDS[card].kind.replace('-', ' ').title()}**" not in told] == []
    assert all(
        part in told
        for part in ("35 cards", "Captain × 3", "Skulls (1) × 3", "Skulls (2) × 2", "Sea Battle (4 ⚔️, 1,000) × 2")
    )
