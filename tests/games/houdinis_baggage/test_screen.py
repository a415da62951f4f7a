"""The text of the screen of Mr. Houdini's Baggage."""

from bot.games.houdinis_baggage.cards import EMPTY_PILE, add_to_pile
from bot.games.houdinis_baggage.events import GameEvent
from bot.games.houdinis_baggage.pieces import BaggageEnd, Phase, State
from bot.games.houdinis_baggage.screen import build_abandoned_fields, build_screen
from bot.rules.screen import EMPTY_DRAFT, Screen
from bot.tools.contract.display_limits import NAMES as ESCAPED_NAMES, find_excess
from tests.games.houdinis_baggage.positions import at, cards, play_move, player
from tests.games.houdinis_baggage.screens import NAMES, draw
from tests.support.each_case import each_case

WORKED = "green-square yellow-triangle green-triangle red-triangle"


def field(screen: Screen, title: str) -> str:
    return next(each.text for each in screen.fields if each.title.startswith(title))


class TestScreenText:
    def test_the_values_are_listed(self) -> None:
        """HB-2: everything open has a value."""
        assert draw(at(player("1; 2"), opened=WORKED)).text.splitlines()[:2] == [
            "Open: 🟢■ 🟡▲ 🟢▲ 🔴▲",
            "Values: 🔴1 🟡1 🟢2 ▲3 ■1",
        ]

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

    def test_placements_by_a_copied_bonus_are_listed(self) -> None:
        """HB-B5: without it only the star fits."""
        state = at(player("2", "3"), player("", "4"), opened="red-star red-circle")
        assert "Fits now: 🟢2 `2a` 🎁 · ★1 `2b`" in draw(state).text.splitlines()

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

    def test_discarded_cards_are_named_if_nothing_was_completed(self) -> None:
        """HB-8."""
        state = at(player("1; 2"), player("3"), opened="green-star red-circle")
        state, news = play_move(state, "done")
        assert "**Ada** discarded 🟢★ 🔴●" in draw(state, news).text
        assert draw(state, news).summary == "**Ada** placed nothing."
        state, news = play_move(at(player("1; 2"), player("3")), "done")
        assert "Ada discards" not in draw(state, news).text

    def test_the_newest_turn_counts_the_cards_that_were_placed(self) -> None:
        """HB-6."""
        state, placed = play_move(at(player("1; 2"), player("3"), opened="green-star"), "place green-star on 2b")
        state, done = play_move(state, "done")
        assert draw(state, (*placed, *done)).summary == "**Ada** placed 1 card."

    def test_before_the_first_card_the_rule_of_twins_is_no_order_to_the_reader(self) -> None:
        """HB-4."""
        screen = draw(at(player("1; 2"), player("3"), phase=Phase.SEARCH))
        assert screen.summary == "👯 Two open cards that look alike end the turn."

    def test_at_four_seats_the_newest_turn_is_told_briefly_next_to_the_picture(self) -> None:
        """HB-8."""
        others = (player("3; 9"), player("5; 6"), player("7; 8"))
        state, news = play_move(at(player("1; 2"), *others, opened="green-star red-circle"), "done")
        state, opened = play_move(state, "open", "red-star")
        state, stopped = play_move(state, "stop")
        state, done = play_move(state, "done")
        assert draw(state, (*news, *opened, *stopped, *done)).summary == "**Bo** placed nothing."

    def test_during_the_search_fitting_placements_are_listed(self) -> None:
        screen = draw(at(player("1; 2"), opened=WORKED, phase=Phase.SEARCH))
        assert "Would fit now: ▲3 `1a`" in screen.text
        assert "Would fit now: nothing" in draw(at(player("1"), opened="blue-star", phase=Phase.SEARCH)).text

    def test_every_seats_assignments_bank_and_bonuses_are_listed(self) -> None:
        """HB-7, HB-11 and HB-12."""
        state = at(player("1 green-triangle - - -; 2", "4 5", bank="red-star"), player("3", "14"), spent=(4,))
        screen = draw(state)
        assert field(screen, "🟦 Ada · 2 points").splitlines() == [
            "`1` **4** for ✓🟢▲\u2002🟢3\u2002🟡1\u2002🔴1 🎁\u00a0move",
            "`2` **2** for 🟢2\u2002★1\u2002🔵2 🎁\u00a0+1\u00a0shape",
            "Bonuses: ~~`4`\u00a0🔴→🟢~~\u2002`5`\u00a0+1\u00a0colour",
            "Bank: 🔴★",
        ]
        assert "Bonuses: `14`\u00a0🔵→🟡" in field(screen, "🟧 Bo · 6 points")
        assert len(field(screen, "Open assignments (").splitlines()) == 5

    def test_the_assignments_to_choose_from_are_next_to_the_buttons(self) -> None:
        """HB-10."""
        choosing = draw(at(player("1"), phase=Phase.CHOOSE))
        assert choosing.fields[-1].title.startswith("Open assignments")
        assert draw(at(player("1; 2"), opened=WORKED)).fields[-1].title == "🟦 Ada · 0 points"

    def test_an_abandoned_game_lists_seats_in_order(self) -> None:
        state = at(player("1; 2"), player("3", "14"), opened=WORKED, mover=1)
        lying, *seats, row = build_abandoned_fields(state, NAMES[:2])
        assert [each.title for each in seats] == ["🟦 Ada · 0 points", "🟧 Bo · 6 points"]
        assert "Open: " in lying.text
        assert row.title.startswith("Open assignments (")

    def test_events_are_described(self) -> None:
        """HB-4, HB-6, HB-7, HB-9 and HB-B4."""
        state = at(player("4; 9 - - red-circle", "12", bank="blue-star"), player("3"), opened="red-triangle")
        news: tuple[GameEvent, ...] = ()
        for move in ("bank blue-star", "place red-triangle on 4a", "move 9c to 9a with 12"):
            state, events = play_move(state, move)
            news += events
        assert draw(state, news).text.splitlines()[:3] == [
            "**Ada** added 🔵★ blue star from the bank",
            "**Ada**: 🔴▲ red triangle on red 1 (4a)",
            "**Ada** moved 🔴● red circle from 9c to 9a",
        ]

    @each_case("bonus, advice", [("12", []), ("", ["👉 Nothing fits."])])
    def test_beside_the_picture_is_the_news_and_whether_nothing_fits(self, bonus: str, advice: list[str]) -> None:
        """HB-6 and HB-B4: 12 moves baggage, which a button offers."""
        start = at(player("4; 9", bonus), player("3"), opened="red-triangle")
        state, news = play_move(start, "place red-triangle on 4a")
        told = ["**Ada**: 🔴▲ on red 1 (4a)"]
        assert (draw(state, news).summary or "").splitlines() == told + advice

    def test_beside_the_assignments_to_choose_from_is_only_the_newest_line(self) -> None:
        """HB-10."""
        state, news = play_move(at(player("4 - blue-star; 2"), opened="red-triangle"), "place red-triangle on 4a")
        state, more = play_move(state, "done")
        assert draw(state, (*news, *more)).summary == "**Ada** completed #4 (1 point)"

    def test_the_newest_opened_card_is_in_the_first_line(self) -> None:
        """HB-3."""
        state, first = play_move(at(player("1; 2"), phase=Phase.SEARCH), "open", "red-star")
        state, second = play_move(state, "open", "blue-star")
        screen = draw(state, first + second)
        assert screen.text.splitlines()[:2] == ["**Ada** opened 🔵★ blue star", "Open: 🔴★ 🔵★"]
        assert screen.summary == "", "the picture shows it"

    def test_the_end_is_announced_once(self) -> None:
        """HB-E1."""
        state = at(player("4 red-circle blue-star; 2", "14 15 17 13 5"), player("3; 9"), starter=1)
        state, news = play_move(state, "done")
        for seen, sentence in ((news, "🏁 Ada has 25! Last round."), ((), "The target was reached.")):
            assert sentence in draw(state, seen).text.splitlines()
            assert ("was reached" in draw(state, seen).text) == (not seen)

    def test_bonuses_used_by_a_placement_are_named(self) -> None:
        """HB-12."""
        state = at(player("1; 2", "4 5"), opened="red-circle red-star")
        state, news = play_move(state, "place red-star on 1b with 4 5")
        assert "**Ada**: 🔴★ red star on green 3 (1b): red counts as green and +1 colour" in draw(state, news).text

    def test_completion_and_the_last_round_are_announced(self) -> None:
        """HB-9 and HB-E1."""
        state = at(player("4 red-circle blue-star; 2", "14 15 17 13 5"), player("3; 9"))
        state, news = play_move(state, "done")
        text = draw(state, news).text
        assert "**Ada** completed #4 (1 point)" in text
        assert "🏁 Ada has 25! Last round." in text

    def test_a_twin_is_announced(self) -> None:
        """HB-4."""
        state = at(player("1; 2"), opened="red-star blue-star red-star", phase=Phase.TWIN)
        assert draw(state).title == "Baggage · Ada drew a twin"
        state, news = play_move(state, "keep red-star")
        assert "**Ada** drew a twin: kept 🔴★ red star, lost 🔵★ 🔴★" in draw(state, news).text

    def test_a_twin_of_the_only_card_leaves_no_choice(self) -> None:
        """HB-4."""
        state = at(player("1; 2"), opened="red-star red-star", phase=Phase.TWIN)
        assert "One card goes to your bank" in draw(state).text
        state, news = play_move(state, "keep red-star")
        assert draw(state, news).text.startswith("**Ada** drew a twin: kept one 🔴★ red star, lost the other\n")
        assert draw(state, news).summary == "**Ada** drew a twin: kept one 🔴★, lost the other."

    @each_case(
        "completed, title, is_announced",
        [
            (("14 15", "13"), "Ada wins!", False),
            (("14", "13 4"), "Ada wins!", True),
            (("14 4", "15 5"), "Ada and Bo share the win!", False),
            (("14", "15", "17"), "3 players share the win!", False),
        ],
    )
    def test_the_end_names_the_winner_and_the_tie_break(
        self, completed: tuple[str, ...], title: str, is_announced: bool
    ) -> None:
        """HB-E2."""
        state = at(*(player("", each) for each in completed), end=BaggageEnd.TARGET_REACHED)._replace(mover=None)
        screen = draw(state)
        assert screen.title.endswith(title)
        assert ("the most valuable completed assignments decide" in screen.text) == is_announced
        assert not any(screen.iter_controls())

    def test_the_end_counts_the_completed_assignments(self) -> None:
        """HB-E2."""
        state = at(player("", "14 15 1"), player("", "13"), player("2"), end=BaggageEnd.TARGET_REACHED)
        counts = field(draw(state._replace(mover=None)), "Completed assignments").splitlines()
        assert counts == ["🟦 2 × 6, 1 × 4", "🟧 1 × 5", "🟩 none"]

    def test_the_longest_names_fit_when_all_share_the_win(self) -> None:
        """HB-E2."""
        state = at(*(player("", each) for each in ("14", "15", "17", "18")), end=BaggageEnd.TARGET_REACHED)
        screen = build_screen(state._replace(mover=None), (), ESCAPED_NAMES[:4], EMPTY_DRAFT)
        assert list(find_excess(screen)) == []
        ranking = field(screen, "Final scores")
        assert all(name in ranking for name in ESCAPED_NAMES[:4])
