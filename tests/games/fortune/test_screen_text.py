"""The screen's text: odds, the turn so far, and the end."""

from itertools import product

import pytest

from bot.games.fortune.facts import odds_of
from bot.games.fortune.pieces import State, Turn
from bot.games.fortune.screen import build_screen
from bot.rules.screen import EMPTY_DRAFT
from bot.tools.contract.screen_checks import find_excess
from tests.games.fortune.positions import ALL, GAME, NINE_WINS, PACKAGE, at, play
from tests.games.fortune.screens import LONGEST_NAMES, NAMES, draw
from tests.support.each_case import each_case


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

    @each_case(
        "state, count, revives",
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

    @each_case("card", ["gold", "skulls-1", "skulls-2", "sea-battle-3-500", "sorceress"])
    def test_the_first_roll(self, card: str) -> None:
        """FO-9, FO-10, FO-C3, FO-C4 and FO-C7."""
        turn = at(card).turn
        odds = odds_of(turn, 8)
        assert (odds.bust, odds.revivable, odds.island) == pytest.approx(self.brute(turn, 8))

    @each_case("count", [2, 3, 4])
    def test_on_the_island_the_odds_are_those_of_no_skull(self, count: int) -> None:
        """FO-9."""
        turn = at("gold", "KKKKMPGD", island=True).turn
        assert odds_of(turn, count).bust == pytest.approx((5 / 6) ** count)


class TestScreenText:
    def test_fo_c3_on_the_island_the_sorceress_is_not_mentioned(self) -> None:
        """FO-C3 and FO-9."""
        state, _ = play(at("sorceress"), ALL, "KKKKMPGD")
        assert draw(state).fields[1].text.startswith("no help on the Island.\n")

    @each_case("card, price", [("gold", "100"), ("skulls-1", "100"), ("captain", "200")])
    def test_fo_9_the_island_is_explained_while_its_player_can_roll(self, card: str, price: str) -> None:
        """FO-9 and FO-C2."""
        wanted = f"Each skull costs every opponent **{price}**, and you score nothing."
        screen = draw(at(card, "KKKKMPGD", island=True))
        assert (wanted in screen.text, wanted in (screen.summary or "")) == (True, True)
        assert "Each skull" not in draw(at(card, "KKKKMPGD")).text
        assert "ends your turn" not in draw(at("storm", "KKKKMPGD", rolls=2, island=True)).text

    def test_fo_e1_the_last_turns_are_announced(self) -> None:
        """FO-E1."""
        assert "Past 8,000! Everyone but Ben gets one last turn." in draw(at("gold", scores="0/8100/0", crosser=1)).text
        assert "one last turn" not in draw(at("gold", scores="0/8000/0")).text

    def test_fo_e2_continued_play_is_announced(self) -> None:
        """FO-E2."""
        state = at("gold", "KKKKMPGD", scores="100/8100", crosser=1, island=True)
        state, events = play(state, "stop", then="storm")
        text = draw(state, events).text
        assert "Nobody was above 8,000 any more, so play went on" in text
        assert "one last turn" not in text


class TestEnd:
    def test_an_abandoned_game_marks_no_turn(self) -> None:
        assert PACKAGE.words.build_abandoned_fields is not None
        view = GAME.view(at("gold", "GGMMPPSD", scores="700/-200", mover=1), None)
        dice, scores, card = PACKAGE.words.build_abandoned_fields(view, NAMES[:2])
        assert (dice.text, card.title) == ("🪙 🪙 🐵 🐵 🦜 🦜 ⚔️ 💎", "🪙 Gold")
        assert ("▶" in draw(view).fields[0].text, "▶" in scores.text) == (True, False)
        assert [part for part in ("**700** Ada", "**−200** Ben") if part not in scores.text] == []

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
