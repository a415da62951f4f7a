"""The text of the screen of Mr. Houdini's Baggage."""

from bot.games.houdinis_baggage.cards import EMPTY_PILE, add_to_pile
from bot.games.houdinis_baggage.pieces import BaggageEnd, Phase, State
from bot.games.houdinis_baggage.screen import build_abandoned_fields, build_screen
from bot.rules.screen import EMPTY_DRAFT, Screen
from bot.tools.contract.screen_checks import NAMES as ESCAPED_NAMES, find_excess
from tests.games.houdinis_baggage.positions import at, cards, play_move, player
from tests.games.houdinis_baggage.screens import NAMES, draw
from tests.support.each_case import each_case

WORKED = "green-square yellow-triangle green-triangle red-triangle"


def field(screen: Screen, title: str) -> str:
    return next(each.text for each in screen.fields if each.title.startswith(title))


class TestScreenText:
    @each_case(
        "baggage, discards, odds",
        [
            ("red-star red-star blue-star yellow-star", "red-star", "**50%** chance of a twin (2 of 4)"),
            ("", "red-star blue-star blue-star", "**33%** chance of a twin (1 of 3)"),
            ("green-star", "", "**0%** chance of a twin (0 of 1)"),
        ],
    )
    def test_the_odds_of_a_twin_are_shown(self, baggage: str, discards: str, odds: str) -> None:
        """HB-4: an empty deck is reshuffled, so its odds are those of the discards."""
        state = at(player("1; 2"), opened="red-star", phase=Phase.SEARCH)
        left, gone = (add_to_pile(EMPTY_PILE, cards(each)) for each in (baggage, discards))
        assert odds in draw(state._replace(baggage=left, discards=gone)).text

    def test_fitting_placements_are_listed_with_their_bonuses(self) -> None:
        """HB-12: the buttons say which."""
        state = at(player("1 green-triangle - - -; 2", "4 5"), opened="green-square yellow-triangle red-triangle")
        fitting, advice = draw(state).text.splitlines()[-2:]
        assert fitting.startswith("Fits now: 🟢3 `1b` 🎁 · 🟡1 `1c` · 🔴1 `1d`")
        assert advice == draw(state).summary == "👉 Place a card where it fits."

    @each_case(
        "state, advice",
        [
            (at(player("1; 2"), opened="green-star"), "Place a card where it fits."),
            (at(player("1; 2", "4 5"), opened="red-circle red-star"), "Place a card where it fits."),
            (at(player("2"), opened="red-circle"), "👉 Nothing fits."),
            (at(player("2", bank="red-star"), opened="red-circle"), "👉 Add a card from your bank."),
            (at(player("2", bank="red-circle"), opened="red-circle red-square"), "👉 Nothing fits."),
            (at(player("9 red-circle - -", "12")), "👉 Move baggage, or end your turn."),
            (
                at(player("9 red-circle - -", "12", bank="blue-star")),
                "👉 Add a card, or move baggage.",
            ),
        ],
    )
    def test_the_advice_says_whether_anything_can_be_placed(self, state: State, advice: str) -> None:
        """HB-6, HB-7 and HB-B4."""
        assert advice in draw(state).text

    def test_at_four_seats_the_newest_turn_is_told_briefly_next_to_the_picture(self) -> None:
        """HB-8."""
        others = (player("3; 9"), player("5; 6"), player("7; 8"))
        state, news = play_move(at(player("1; 2"), *others, opened="green-star red-circle"), "done")
        state, opened = play_move(state, "open", "red-star")
        state, stopped = play_move(state, "stop")
        state, done = play_move(state, "done")
        assert draw(state, (*news, *opened, *stopped, *done)).summary == "**Bo** placed nothing."

    def test_an_abandoned_game_lists_seats_in_order(self) -> None:
        state = at(player("1; 2"), player("3", "14"), opened=WORKED, mover=1)
        lying, *seats, row = build_abandoned_fields(state, NAMES[:2])
        assert [each.title for each in seats] == ["🟦 Ada · 0 points", "🟧 Bo · 6 points"]
        assert "Open: " in lying.text
        assert row.title.startswith("Open assignments (")

    @each_case("bonus, advice", [("12", []), ("", ["👉 Nothing fits."])])
    def test_beside_the_picture_is_the_news_and_whether_nothing_fits(self, bonus: str, advice: list[str]) -> None:
        """HB-6 and HB-B4: 12 moves baggage, which a button offers."""
        start = at(player("4; 9", bonus), player("3"), opened="red-triangle")
        state, news = play_move(start, "place red-triangle on 4a")
        told = ["**Ada**: 🔴▲ on red 1 (4a)"]
        assert (draw(state, news).summary or "").splitlines() == told + advice

    def test_the_end_is_announced_once(self) -> None:
        """HB-E1."""
        state = at(player("4 red-circle blue-star; 2", "14 15 17 13 5"), player("3; 9"), starter=1)
        state, news = play_move(state, "done")
        for seen, sentence in ((news, "🏁 Ada has 25! Last round."), ((), "The target was reached.")):
            assert sentence in draw(state, seen).text.splitlines()
            assert ("was reached" in draw(state, seen).text) == (not seen)

    def test_the_longest_names_fit_when_all_share_the_win(self) -> None:
        """HB-E2."""
        state = at(*(player("", each) for each in ("14", "15", "17", "18")), end=BaggageEnd.TARGET_REACHED)
        screen = build_screen(state._replace(mover=None), (), ESCAPED_NAMES[:4], EMPTY_DRAFT)
        assert list(find_excess(screen)) == []
        ranking = field(screen, "Final scores")
        assert all(name in ranking for name in ESCAPED_NAMES[:4])
