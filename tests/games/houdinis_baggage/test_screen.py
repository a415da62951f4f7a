"""The screen of Mr. Houdini's Baggage: its buttons and menus, its limits, and the odds of the next card."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random

import pytest

from bot.games.houdinis_baggage import controls
from bot.games.houdinis_baggage.cards import CARD_KEYS, EMPTY_PILE, add_to_pile
from bot.games.houdinis_baggage.facts import TwinOdds, can_fill, chance_to_fill, chance_to_place, last_items
from bot.games.houdinis_baggage.minds.plans import plan_placements
from bot.games.houdinis_baggage.pieces import BaggageEnd, GameEvent, Phase, Spot, State
from bot.games.houdinis_baggage.screen import build_screen
from bot.rules import screen as kernel_screen
from bot.rules.screen import EMPTY_DRAFT, Control, Draft, Play, Screen, Toggle, Tone, to_news
from bot.tools.contract.screen_checks import NAMES, find_excess
from tests.games.houdinis_baggage.positions import CROWDED, GAME, at, cards, legal, play_move, player
from tests.support.each_case import each_case


def draw(state: State, events: Sequence[GameEvent] = (), draft: Draft = EMPTY_DRAFT) -> Screen:
    """Build a screen with the longest names, which Discord must accept."""
    names = NAMES[: len(state.players)]
    screen = build_screen(GAME.view(state, None), to_news(events, names), names, draft)
    assert list(find_excess(screen)) == []
    return screen


def moves(screen: Screen, verb: str = "") -> list[str]:
    """Return what can be pressed or chosen."""
    return [
        each.effect.move
        for each in screen.iter_controls()
        if isinstance(each.effect, Play) and verb in each.effect.move
    ]


def buttons(screen: Screen) -> list[str]:
    """Return the moves of the buttons."""
    return [each.effect.move for row in screen.rows for each in row if isinstance(each.effect, Play)]


def control_of(screen: Screen, move: str) -> Control:
    return next(each for each in screen.iter_controls() if each.effect == Play(move))


@pytest.fixture(params=[15, 6])
def menu_lines(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Let menus have so many lines only."""
    lines: int = request.param
    for module in (controls, kernel_screen):
        monkeypatch.setattr(module, "MAX_MENU_LINES", lines)
    return lines


def make_crowded(random: Random) -> State:
    """Return a position with long assignments, many bonuses of which one moves baggage, and three bank cards."""
    first, second, *completed = (*random.sample((14, 15, 17, 18), 2), *random.sample(range(4, 12), 7), 12)
    lying, *others = random.sample(CARD_KEYS, 10)
    one = player(f"{first} {lying} - - - -; {second}", " ".join(map(str, completed)), bank=" ".join(others[:3]))
    return at(one, opened=" ".join(others[3 : random.randint(6, 9)]), target=30)


class TestControls:
    @each_case(
        "tasks, opened, left, another, stop",
        [
            ("1", "blue-star", "", Tone.MAIN, Tone.QUIET),
            ("1", "blue-star blue-square", "", Tone.MAIN, Tone.QUIET),
            # Assignment 1 asks for one yellow.
            ("1", "yellow-star", "", Tone.MAIN, Tone.CHOSEN),
            ("1", "yellow-star blue-square", "", Tone.QUIET, Tone.CHOSEN),
            ("1", "yellow-star blue-square", "red-star", Tone.CHOSEN, Tone.QUIET),
            ("1", "yellow-star blue-square", "red-star blue-square", Tone.QUIET, Tone.CHOSEN),
            # Assignment 5 asks for one circle.
            ("5 blue-star -", "red-circle", "", Tone.QUIET, Tone.CHOSEN),
            ("5 blue-star -", "red-circle", "red-star", Tone.QUIET, Tone.CHOSEN),
        ],
    )
    def test_another_card_is_recommended_while_nothing_fits_and_after_one_that_completes_nothing(
        self, tasks: str, opened: str, left: str, another: Tone, stop: Tone
    ) -> None:
        """HB-3: where something fits stopping is safe, even with one open card, unless no twin is left to draw."""
        state = at(player(tasks), opened=opened, phase=Phase.SEARCH)
        if left:
            state = state._replace(baggage=add_to_pile(EMPTY_PILE, cards(left)))
        screen = draw(state)
        assert (control_of(screen, "open").tone, control_of(screen, "stop").tone) == (another, stop)

    @each_case("completed, count, points", [("", 3, 0), ("4 5", 4, 4)])
    def test_stopping_names_what_can_be_placed_one_after_another(self, completed: str, count: int, points: int) -> None:
        """HB-2 and HB-6: the worked turn of the rules, in which values fall."""
        opened = "green-square yellow-triangle green-triangle red-triangle"
        state = at(player("1", completed), opened=opened, phase=Phase.SEARCH)
        assert plan_placements(state) == (count, points)
        numbers = re.findall(r"\d+", control_of(draw(state), "stop").label)
        assert numbers == [str(number) for number in (count, points) if number]

    @each_case(
        "tasks, opened, placements, best",
        [
            # Both assignments have the item, so that their buttons are too wide to stand side by side.
            ("17; 18", "red-circle", 4, 1),
            ("17; 18", "red-star green-triangle", 5, 1),
            ("17; 18", "blue-square", 3, 1),
            ("1", "yellow-square red-circle", 2, 2),
            # Both fit blue 2 alone.
            ("2 green-star red-star -", "blue-circle blue-square", 2, 1),
        ],
    )
    def test_placements_are_all_in_a_menu_and_the_best_on_buttons(
        self, tasks: str, opened: str, placements: int, best: int
    ) -> None:
        """HB-6: 17 and 18 ask for one red, green, blue and circle each, 17 for a star and 18 for a square too."""
        screen = draw(at(player(tasks), opened=opened))
        assert len(set(moves(screen, "place"))) == placements
        assert [len(menu.controls) for menu in screen.menus] == [placements]
        assert len([move for move in buttons(screen) if move.startswith("place")]) == best

    def test_one_card_of_a_twin_and_one_assignment_on_offer_are_coloured(self) -> None:
        """HB-4 and HB-10: item 2c asks for two blue ones, so blue is of use; 6 asks for one of everything."""
        kept = draw(at(player("2 green-star red-star -"), opened="red-star blue-star red-star", phase=Phase.TWIN))
        assert coloured(kept) == ["keep blue-star"]
        taken = draw(at(player("2"), row="1 6 13", phase=Phase.CHOOSE))
        assert len(coloured(taken)) == 1

    @each_case(
        "state, coloured_move",
        [
            (at(player("1"), opened="green-square yellow-triangle green-triangle"), "place yellow-triangle on 1c"),
            # Triangle 3 is to be filled before yellow 1.
            (
                at(player("1"), opened="green-triangle yellow-triangle red-triangle"),
                "place green-triangle on 1a",
            ),
            (at(player("2", bank="blue-star"), opened="red-circle"), "done"),
            (at(player("2"), opened="red-circle"), "done"),
        ],
    )
    def test_the_highest_number_comes_first_and_the_end_last(self, state: State, coloured_move: str) -> None:
        """HB-6: values fall when cards are placed."""
        assert coloured_move in coloured(draw(state))

    @each_case(
        "completed, opened, move, number",
        [
            ("4 5", "green-square red-triangle", "place green-square on 1b with 4 5", "1"),
            ("4 5 7", "green-square yellow-circle", "place green-square on 1b with 7 4 5", "3"),
        ],
    )
    def test_a_button_names_two_bonuses_and_counts_three(
        self, completed: str, opened: str, move: str, number: str
    ) -> None:
        """HB-12: one of the two is +1."""
        screen = draw(at(player("1; 2", completed), opened=opened))
        button = next(each for row in screen.rows for each in row if each.effect == Play(move))
        assert re.findall(r"\d+", button.label.partition("·")[2]) == [number]

    def test_of_two_placements_worth_the_same_that_without_a_bonus_comes_first(self) -> None:
        """HB-12: item 4a asks for one red, 2a for two green ones, and +1 colour helps with one of them."""
        screen = draw(at(player("2; 4 - red-star", "5"), opened="red-circle green-square"))
        assert buttons(screen)[0] == "place red-circle on 4a"

    @each_case("tasks, bank, count", [("9 - - red-circle", "", 1), ("4; 9 - - red-circle", "blue-star", 3)])
    def test_bank_cards_and_moves_of_baggage_are_in_a_menu(self, tasks: str, bank: str, count: int) -> None:
        """HB-7 and HB-B4."""
        screen = draw(at(player(tasks, "12", bank)))
        assert "move 9c to 9a with 12" in moves(screen)
        assert [len(each.controls) for each in screen.menus] == [count]

    @each_case("count, has_menu", [(2, False), (4, False), (5, True), (16, True)])
    def test_one_card_of_many_is_kept_by_a_menu(self, count: int, has_menu: bool) -> None:
        """HB-4: the most useful ones are on buttons, too."""
        screen = draw(at(player("1; 2"), opened=" ".join((*CARD_KEYS[:count], CARD_KEYS[0])), phase=Phase.TWIN))
        assert [len(menu.controls) for menu in screen.menus if menu.controls] == [count] * has_menu
        assert len(buttons(screen)) == (4 if has_menu else count)
        assert len(coloured(screen)) == 1

    @each_case(
        "state",
        [CROWDED, at(player("1 green-triangle - - -; 2", "4 5 12", "blue-star"), opened="green-square red-triangle")],
    )
    def test_everything_can_be_reached_on_pages_if_need_be(self, menu_lines: int, state: State) -> None:
        """HB-6, HB-7, HB-12 and HB-B4."""
        screen, found = draw(state), set(moves(draw(state)))
        items = item_lines(screen)
        for item in items:
            for page in turn_pages(state, item):
                assert all(len(menu.controls) <= max(menu_lines, 10) for menu in page.menus)
                found |= set(moves(page))
        assert sorted(found) == sorted(map(str, GAME.legal_moves(state)))
        assert items or state is not CROWDED

    def test_every_possible_move_fits_on_the_screen(self, menu_lines: int) -> None:
        """HB-6, HB-7 and HB-B4: the rows are checked whenever a screen is drawn; an item leaves buttons alone."""
        random = Random(menu_lines)
        for _ in range(8):
            state = make_crowded(random)
            before = draw(state)
            for item in item_lines(before):
                chosen = draw(state, draft=item.effect.apply(EMPTY_DRAFT))  # type: ignore[union-attr]
                assert buttons(chosen) == buttons(before)

    @pytest.mark.usefixtures("menu_lines")
    def test_a_chosen_item_has_its_own_placements_and_a_way_back_to_the_items(self) -> None:
        """HB-12."""
        before = draw(CROWDED)
        for item in item_lines(before):
            for number, draft in enumerate(drafts_of_pages(CROWDED, item)):
                page = draw(CROWDED, draft=draft)
                placements = [each.effect.move for each in page.menus[0].controls if isinstance(each.effect, Play)]
                assert len({move.partition(" on ")[2].partition(" ")[0] for move in placements}) == 1
                back = page.find_control("items")
                assert (back is not None) is (number == 0)
                if back is not None:
                    assert isinstance(back.effect, Toggle)
                    assert draw(CROWDED, draft=back.effect.apply(draft)) == before


def item_lines(screen: Screen) -> list[Control]:
    """Return the lines that choose an item, if there are any."""
    return [each for menu in screen.menus if menu.key == "item" for each in menu.controls]


def coloured(screen: Screen) -> list[str]:
    """Return the moves that stand out."""
    every = (each for row in screen.rows for each in row if each.tone is not Tone.QUIET)
    return [each.effect.move for each in every if isinstance(each.effect, Play)]


def turn_pages(state: State, item: Control) -> Iterator[Screen]:
    """Choose an item and turn its pages until the first one comes again."""
    for draft in drafts_of_pages(state, item):
        yield draw(state, draft=draft)


def drafts_of_pages(state: State, item: Control) -> Iterator[Draft]:
    """Yield the drafts in which an item is chosen, one for each of its pages."""
    assert isinstance(item.effect, Toggle)
    first = draft = item.effect.apply(EMPTY_DRAFT)
    while True:
        yield draft
        more = draw(state, draft=draft).find_control("ways")
        if more is None or not isinstance(more.effect, Toggle) or (draft := more.effect.apply(draft)) == first:
            return


def test_the_longest_names_fit_when_all_share_the_win() -> None:
    """HB-E2."""
    state = at(*(player("", each) for each in ("14", "15", "17", "18")), end=BaggageEnd.TARGET_REACHED)
    ranking = "\n".join(field.text for field in draw(state._replace(mover=None)).fields)
    assert all(name in ranking for name in NAMES[:4])


@each_case(
    "baggage, discards, twins, left",
    [
        ("red-star red-star blue-star yellow-star", "red-star", 2, 4),
        # An empty deck is reshuffled, so its odds are those of the discards.
        ("", "red-star blue-star blue-star", 1, 3),
        ("green-star", "", 0, 1),
    ],
)
def test_the_odds_of_a_twin_are_those_of_the_next_pile(baggage: str, discards: str, twins: int, left: int) -> None:
    """HB-4 and HB-5."""
    pile, gone = (add_to_pile(EMPTY_PILE, cards(each)) for each in (baggage, discards))
    assert TwinOdds.from_state(at(opened="red-star")._replace(baggage=pile, discards=gone)) == (twins, left)


SEARCHES = {
    # 2 lacks blue 2, and 3 square 2, circle 2 and triangle 1.
    "2c": at(player("2 green-star red-star -; 3"), opened="blue-square", phase=Phase.SEARCH),
    "2c with a bank": at(
        player("2 green-star red-star -", bank="red-circle"), opened="blue-square blue-star", phase=Phase.SEARCH
    ),
    "4b with copied bonuses": at(
        player("15 blue-star - red-star - -; 4 red-star -", "3 5 9"), opened="red-star red-circle", phase=Phase.SEARCH
    ),
    "": at(player("7; 13", "12 8 4"), opened="green-circle", phase=Phase.SEARCH),
    "2c of the discards": at(
        player("2 green-star red-star -"), opened="blue-square", phase=Phase.SEARCH, discards=None
    ),
}


@each_case("last, state", SEARCHES.items())
def test_the_odds_are_those_of_opening_every_card(last: str, state: State) -> None:
    """HB-3 to HB-7: counted a second time by opening every card and stopping."""
    assert [str(spot) for spot in last_items(state)] == last.split()[:1]
    assert chance_to_place(state) == pytest.approx(share_of_cards(state, lambda after: legal(after) != ["done"]))
    for spot in last_items(state):
        assert chance_to_fill(state, spot) == pytest.approx(share_of_cards(state, partial(is_offered, spot)))
        assert can_fill(state, spot) is is_offered(spot, play_move(state, "stop")[0])


def share_of_cards(state: State, is_good: Callable[[State], bool]) -> float:
    good = 0
    for card, copies in enumerate(state.draw_pile):
        if copies:
            after, _ = play_move(state, "open", CARD_KEYS[card])
            if after.phase is Phase.SEARCH:
                after, _ = play_move(after, "stop")
            good += copies * (after.phase is Phase.PLACE and is_good(after))
    return good / sum(state.draw_pile)


def is_offered(spot: Spot, state: State) -> bool:
    """Return whether a card can be placed on an item."""
    return any(f" on {spot}" in move for move in legal(state))
