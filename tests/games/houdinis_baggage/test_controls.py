"""The buttons and menus of the screen of Mr. Houdini's Baggage."""

from random import Random

import pytest

from bot.games.houdinis_baggage import controls
from bot.games.houdinis_baggage.cards import CARD_KEYS as LOOKS
from bot.games.houdinis_baggage.pieces import Phase, State
from bot.rules import screen as kernel_screen
from bot.rules.screen import EMPTY_DRAFT, Control, Play, Screen, Toggle, Tone
from tests.games.houdinis_baggage.positions import GAME, at, player
from tests.games.houdinis_baggage.screens import draw
from tests.support.each_case import each_case


def moves(screen: Screen) -> list[str]:
    """Return what can be pressed or chosen."""
    return [each.effect.move for each in screen.iter_controls() if isinstance(each.effect, Play)]


def line(screen: Screen, move: str) -> Control:
    return next(each for each in screen.iter_controls() if each.effect == Play(move))


class TestControls:
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
        for module in (controls, kernel_screen):
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
        for module in (controls, kernel_screen):
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
