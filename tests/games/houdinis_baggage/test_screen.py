"""The text and the controls of the screen of Mr. Houdini's Baggage."""

from collections.abc import Sequence
from random import Random

import pytest

from bot.games.houdinis_baggage import controls
from bot.games.houdinis_baggage.cards import CARD_KEYS as LOOKS, EMPTY_PILE, add_to_pile
from bot.games.houdinis_baggage.events import GameEvent
from bot.games.houdinis_baggage.pieces import BaggageEnd, Phase, State
from bot.games.houdinis_baggage.screen import build_abandoned_fields, build_screen
from bot.rules import paging
from bot.rules.screen import EMPTY_DRAFT, Control, Draft, Play, Screen, Toggle, Tone, to_news
from bot.rules.testing.display_limits import NAMES as ESCAPED_NAMES, find_excess
from tests.games.houdinis_baggage.positions import GAME, at, cards, play_move, player
from tests.support.each_case import each_case

NAMES = ("Ada", "Bo", "Cy", "Di")
WORKED = "green-square yellow-triangle green-triangle red-triangle"


def draw(state: State, events: Sequence[GameEvent] = (), draft: Draft = EMPTY_DRAFT) -> Screen:
    names = NAMES[: len(state.players)]
    screen = build_screen(GAME.view(state, None), to_news(events, names), names, draft)
    assert list(find_excess(screen)) == []
    return screen


PLAIN = str.maketrans("\u00a0\u2009", "  ")


def field(screen: Screen, title: str) -> str:
    return next(each.text for each in screen.fields if each.title.startswith(title))


def moves(screen: Screen) -> list[str]:
    """Return what can be pressed or chosen."""
    return [each.effect.move for each in screen.iter_controls() if isinstance(each.effect, Play)]


def line(screen: Screen, move: str) -> Control:
    return next(each for each in screen.iter_controls() if each.effect == Play(move))


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


class TestControls:
    def test_the_search_has_two_buttons(self) -> None:
        """HB-3."""
        assert moves(draw(at(player("1; 2"), phase=Phase.SEARCH))) == ["open"]
        screen = draw(at(player("1; 2"), opened="red-star", phase=Phase.SEARCH))
        assert moves(screen) == ["open", "stop"]
        # Of the 63 cards that are left three are red stars: 4.8 %.
        assert line(screen, "open").label == "Open another card (5% twin)"

    @each_case(
        "opened, tone",
        [
            ("blue-star", Tone.MAIN),
            ("blue-star blue-square", Tone.MAIN),
            # Assignment 1 asks for one yellow.
            ("yellow-star", Tone.QUIET),
            ("yellow-star blue-square", Tone.QUIET),
        ],
    )
    def test_another_card_stands_out_only_while_nothing_fits(self, opened: str, tone: Tone) -> None:
        """HB-3: where something fits stopping may be better, even with one open card, if it fills the last item."""
        screen = draw(at(player("1"), opened=opened, phase=Phase.SEARCH))
        assert line(screen, "open").tone is tone

    def test_few_placements_are_buttons(self) -> None:
        """HB-6."""
        # 17 and 18 ask for one red, green, blue and circle each, 17 for one star and 18 for one square too.
        for opened, count in (("red-star green-triangle", 5), ("red-star green-circle", 7)):
            screen = draw(at(player("17; 18"), opened=opened))
            assert len([move for move in moves(screen) if move.startswith("place")]) == count
            assert [len(menu.controls) for menu in screen.menus] == ([] if count == 5 else [2])

    def test_placements_with_a_bonus_leave_the_buttons_first(self) -> None:
        """HB-12."""
        random = Random(3)
        for _ in range(50):
            screen = draw(self.crowded(random))
            shown = {each.effect.move for row in screen.controls for each in row if isinstance(each.effect, Play)}
            placements = [move for move in moves(screen) if move.startswith("place")]
            bonuses = {True: [0], False: [99]}
            for move in placements:
                _place, _with, uses = move.partition(" with ")
                bonuses[move in shown].append(len(uses.split()))
            assert max(bonuses[True]) <= min(bonuses[False])

    def test_every_move_is_offered(self) -> None:
        """HB-6, HB-7 and HB-B4."""
        state = at(player("1 green-triangle - - -; 2", "4 5 12", bank="blue-star"), opened="green-square red-triangle")
        assert sorted(moves(draw(state))) == sorted(map(str, GAME.legal_moves(state)))

    def test_a_button_names_the_bonuses_it_uses(self) -> None:
        """HB-12."""
        screen = draw(at(player("1", "4 5"), opened="green-square red-triangle"))
        assert screen.menus == ()
        control = line(screen, "place green-square on 1b with 4 5")
        assert control.label == "🟢■ on green 3: red→green, +1\u00a0colour"

    def test_too_many_bonuses_for_a_button_are_a_menu_line(self) -> None:
        """HB-12."""
        screen = draw(at(player("1; 2", "4 5 7"), opened="green-square yellow-circle"))
        control = line(screen, "place green-square on 1b with 7 4 5")
        assert control in [each for menu in screen.menus for each in menu.controls]
        assert control.label == "🟢■ green square on green 3 (1b)"
        assert control.description == "yellow counts as red, red counts as green, and +1 colour"

    def test_a_copied_bonus_is_marked_as_copied(self) -> None:
        """HB-B5."""
        state = at(player("2", "3"), player("", "4"), opened="red-star red-circle")
        assert line(draw(state), "place red-star on 2a with 3:4").description == "another's red counts as green"

    def test_many_bank_cards_are_a_menu(self) -> None:
        """HB-7."""
        bank = " ".join(each for each in LOOKS if each != "green-star")
        few, many = (draw(at(player("1; 2", bank=each), opened="green-star")) for each in ("red-star", bank))
        assert (len(few.menus), [len(menu.controls) for menu in many.menus]) == (0, [len(LOOKS) - 1])

    def test_the_only_way_to_move_baggage_is_a_button(self) -> None:
        """HB-B4."""
        lone, several = (draw(at(player(tasks, "12"))) for tasks in ("9 - - red-circle", "4; 9 - - red-circle"))
        assert lone.menus == ()
        assert line(lone, "move 9c to 9a with 12").label == "🧳 Move red circle from 9c to red 2 (9a)"
        assert [[each.key, len(each.controls)] for each in several.menus] == [["shift", 2]]

    def rich(self) -> State:
        """A position with more ways than a menu holds."""
        opened = "red-circle blue-square green-circle yellow-triangle red-triangle green-square yellow-circle"
        completed = "20 14 17 2 8 11 19 12 15 10 18 7 3 13"
        return at(player("1; 16", completed), player("", "4 5 6 9"), opened=opened, target=30)

    @pytest.mark.parametrize("lines", [15, 4])
    def test_if_a_menu_would_be_too_long_an_item_is_chosen_first(
        self, lines: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """HB-12: everything can be reached, on pages if need be."""
        for module in (controls, paging):
            monkeypatch.setattr(module, "MAX_MENU_LINES", lines)
        state = self.rich()
        everything = {str(move) for move in GAME.legal_moves(state) if str(move).startswith("place")}
        assert len(everything) > 25 > lines
        found = {move for move in moves(draw(state)) if move.startswith("place")}
        for item in draw(state).menus[0].controls:
            for page in self.pages(state, item):
                assert all(len(menu.controls) <= max(lines, 10) for menu in page.menus)
                assert [each.key for each in page.menus[0].controls if each.tone is Tone.CHOSEN] == [item.key]
                found |= {move for move in moves(page) if move.startswith("place")}
        assert found == everything

    @pytest.mark.parametrize("lines", [25, 6])
    def test_every_possible_move_fits_on_the_screen(self, lines: int, monkeypatch: pytest.MonkeyPatch) -> None:
        """HB-6, HB-7 and HB-B4: menus and buttons together have five rows, and what was a button stays where it is."""
        for module in (controls, paging):
            monkeypatch.setattr(module, "MAX_MENU_LINES", lines)
        random = Random(64)
        for _ in range(150):
            state = self.crowded(random)
            before = draw(state)
            for item in before.menus[0].controls if before.menus else ():
                if isinstance(item.effect, Toggle):
                    chosen = draw(state, draft=item.effect.apply(EMPTY_DRAFT))
                    assert chosen.controls == before.controls

    def crowded(self, random: Random) -> State:
        """A position with long assignments, many bonuses of which one moves baggage, and three cards in the bank."""
        first, second, *completed = (*random.sample((14, 15, 17, 18), 2), *random.sample(range(4, 12), 7), 12)
        lying, *others = random.sample(LOOKS, 10)
        one = player(f"{first} {lying} - - - -; {second}", " ".join(map(str, completed)), bank=" ".join(others[:3]))
        return at(one, opened=" ".join(others[3 : random.randint(6, 9)]), target=30)

    def test_the_controls_are_no_higher_than_a_phone_has_room_for(self) -> None:
        """HB-12: the browser measures 40 pixels for each line of a button and 50 for a menu."""
        random = Random(12)
        for _ in range(150):
            screen = draw(self.crowded(random))
            labels = [each.label for row in screen.controls for each in row if each.key != "done"]
            pairs = sum(len(label) <= 15 for label in labels)
            lines = sum(1 if len(label) <= 38 else 2 for label in labels) - pairs // 2
            assert 40 * lines + 50 * len(screen.menus) <= 250

    def pages(self, state: State, item: Control) -> list[Screen]:
        """Choose an item and turn its pages until the first one comes again."""
        assert isinstance(item.effect, Toggle)
        first = draft = item.effect.apply(EMPTY_DRAFT)
        found = [draw(state, draft=draft)]
        while more := found[-1].find_control("ways"):
            assert isinstance(more.effect, Toggle)
            draft = more.effect.apply(draft)
            if draft == first:
                break
            found.append(draw(state, draft=draft))
        return found

    def test_choosing_another_item_replaces_the_chosen_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(controls, "MAX_MENU_LINES", 15)
        state, draft = self.rich(), EMPTY_DRAFT
        for item in draw(state).menus[0].controls:
            assert isinstance(item.effect, Toggle)
            draft = item.effect.apply(draft)
            assert draw(state, draft=draft).menus[1].label.endswith(f"{item.key.removeprefix('item_')} …")
        assert len(draft) == 1
