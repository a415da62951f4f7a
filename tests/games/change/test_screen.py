"""Change's screen: what everyone sees, and what one seat sees of its hand."""

import re

from bot.games.change.hand_screen import build_hand_screen
from bot.games.change.pieces import CardPlayed, CardsSeen, Challenged, GameEvent, Stage, State, TrackRolled
from bot.games.change.screen import build_abandoned_fields, build_screen
from bot.rules.package import shown_moves_of
from bot.rules.screen import Draft, Play, Screen, Toggle, to_news
from tests.games.change.positions import ALL_TWELVE, GAME, WITH_SETS, at, cards, play_step
from tests.support.each_case import each_case
from tests.support.games import load_games_once

NAMES = ("Robin", "Wren", "Jay", "Linnet")
EMPTY: Draft = frozenset()
CHANGE = load_games_once()["change"]


def draw_table(state: State, events: tuple[GameEvent, ...] = (), draft: Draft = EMPTY) -> Screen:
    names = NAMES[: len(state.hands)]
    return build_screen(GAME.view(state, None), to_news(events, names), names, draft)


def draw_hand(state: State, seat: int = 0, draft: Draft = EMPTY, events: tuple[GameEvent, ...] = ()) -> Screen:
    names = NAMES[: len(state.hands)]
    return build_hand_screen(GAME.view(state, seat), to_news(events, names), names, draft)


def plays(screen: Screen) -> dict[str, str]:
    """Return what each label plays."""
    return {each.label: each.effect.move for each in screen.iter_controls() if isinstance(each.effect, Play)}


def draw_after(state: State, move: str, dice: str = "") -> Screen:
    """Make a move and return the screen after it."""
    after, events = play_step(state, move, dice)
    return draw_table(after, tuple(event for event in events if event.audience is None))


class TestPublicScreen:
    def test_a_single_own_marker_to_return_to_is_a_button(self) -> None:
        """CH-C5."""
        lone, several = (at(f"120@19 {own}", "120@0", stage=Stage.RETURN) for own in ("greed", "greed fear"))
        assert plays(draw_table(lone)) == {"Greed: release 10": "choose greed"}
        assert draw_table(lone).menus == ()
        assert [len(menu.controls) for menu in draw_table(several).menus] == [2]

    def test_impossible_moves_are_not_offered(self) -> None:
        screen = draw_table(at(f"120@29 {ALL_TWELVE}", "120@0", hands=["add-1"], stage=Stage.FREE))
        assert screen.menus == ()
        assert plays(screen) == {"End turn": "done"}

    def test_a_corner_for_several_lets_them_be_picked(self) -> None:
        state = at("120@12", "120@0", "120@0", "120@0", stage=Stage.CORNER)
        assert plays(draw_table(state)) == {
            "Me: release 15": "choose myself",
            "Give to all others: I draw 3 cards": "choose 1 2 3",
        }
        assert plays(draw_table(state, draft=frozenset({1, 3})))["Give to those ticked: I draw 2 cards"] == "choose 1 3"
        toggles = [
            each.label
            for each in draw_table(state, draft=frozenset({1})).iter_controls()
            if isinstance(each.effect, Toggle)
        ]
        assert toggles == ["✓ 🟧 Wren", "🟩 Jay", "🟪 Linnet"]
        assert "or tick who gets the bonus and draw 1 card for each of them." in (draw_table(state).summary or "")

    @each_case("stage, square", [(Stage.SWAP, 4), (Stage.KEEP, 22)])
    def test_cards_are_chosen_only_in_the_hand(self, stage: Stage, square: int) -> None:
        screen = draw_table(at(f"120@{square}", "120@0", hands=["add-1 greed"], stage=stage))
        assert list(screen.iter_controls()) == []
        assert "*My hand*" in screen.text

    def test_a_long_turn_is_told_whole_in_words_and_shortened_next_to_the_picture(self) -> None:
        """CH-3 and CH-6."""
        dice = (TrackRolled(0, (4, 1), 5), Challenged(0, 5, ((4, 1, 1), (4, 1), (3,))))
        played = tuple(CardPlayed(0, card) for card in cards("add-1 add-2 add-3 add-4 add-5 any"))
        screen = draw_table(at("120@5", "120@0", stage=Stage.FREE), (*dice, *played))
        assert [line[0] for line in screen.text.splitlines()] == ["🎲", "🎯"] + ["🎴"] * 6 + ["👉"]
        first, left_out, *rest = re.split(r"(?<=[.…]) (?=\W)", screen.summary or "")
        assert (first, rest[-1]) == ("🎲 **Robin** → **Desires**.", screen.text.splitlines()[-2])
        assert left_out == f"… {7 - len(rest)} more step{'s' * (len(rest) < 6)} …"
        shorter = draw_table(at("120@5", "120@0", stage=Stage.FREE), (*dice, *played[:2]))
        assert "more step" not in (shorter.summary or ""), "it fits"

    def test_what_seats_do_alike_in_a_row_is_told_once_beside_the_picture(self) -> None:
        """CH-S4."""
        screen = draw_after(at("120@3", "60@0", "120@0"), "roll", "41")
        assert (screen.summary or "").endswith("💳 Most credits: Robin and Jay released **10**.")

    def test_an_abandoned_game_marks_no_turn(self) -> None:
        fields = build_abandoned_fields(GAME.view(at("120@5", "60@0", turn=1), None), NAMES[:2])
        assert [line[:3] for line in fields[0].text.splitlines()] == ["▫ 🟦", "▫ 🟧"]
        assert len(fields) == 2

    def test_the_board_shows_every_marker_and_who_releases_double(self) -> None:
        state = at("120@5 desires", "60@0 habits excuses desires", stage=Stage.FREE, options=WITH_SETS)
        first = draw_table(state).fields[1].text.splitlines()[0]
        assert first == "**A** 1 Habits **5** 🟧 · 2 Excuses **5** 🟧 · 5 Desires **5** 🟦🟧 — double for 🟧"

    def test_without_sets_no_seat_releases_double(self) -> None:
        """CH-11."""
        state = at("120@5", "60@0 habits excuses desires", stage=Stage.FREE)
        assert "double" not in draw_table(state).fields[1].text

    def test_more_credits_than_at_the_start_fill_the_bar(self) -> None:
        robin, _ = draw_table(at("150@5", "60@0")).fields[0].text.splitlines()
        assert "▰▰▰▰▰▰▰▰▰▰ **150**" in robin
        assert "▰" * 11 not in robin

    def test_a_turn_is_described_from_its_roll_on(self) -> None:
        """CH-6, CH-8: with two players too, the challenge and the option move follow their roll."""
        state, news = at("120@0", "120@0"), []
        for move, dice in (("roll", "41"), ("challenge", "111 11 1"), ("option greed", "111 11 1")):
            state, events = play_step(state, move, dice)
            news.append(events)
        newest = news[-shown_moves_of(CHANGE, 2) :]
        lines = draw_table(state, tuple(event for events in newest for event in events)).text.splitlines()
        assert [line[0] for line in lines[:6]] == ["🎲", "💳", "🎯", "🏃", "💳", "🎯"]

    def test_a_roll_of_the_next_player_begins_another_turn(self) -> None:
        """CH-S6: a player who loses no card is not mentioned."""
        news = (TrackRolled(0, (4, 1), 22), TrackRolled(1, (2, 1), 3))
        assert "Robin" not in draw_table(at("120@22", "120@3", turn=1, stage=Stage.CORNER), news).text

    def test_text_and_buttons_promise_no_more_cards_than_the_hand_has_room_for(self) -> None:
        """CH-M1."""
        full, nearly = "add-1 add-2 add-3 add-4 any", "add-1 add-2 add-3 any"
        corner = draw_table(at("120@12", "120@0", "120@0", hands=[full], stage=Stage.CORNER))
        assert "tick who gets the bonus and draw nothing, as the hand is full." in corner.text
        assert plays(corner)["Give to all others: I draw nothing"] == "choose 1 2"
        corner = draw_table(at("120@12", "120@0", "120@0", hands=[nearly], stage=Stage.CORNER))
        assert "draw 1 card for each of them (the hand has room for 1)." in corner.text
        assert plays(corner)["Give to all others: I draw 1 card"] == "choose 1 2"
        corner = draw_table(at("120@28", "120@0", hands=[nearly], stage=Stage.CORNER))
        assert "to another player and draw 1 card (the hand has room for 1)." in corner.text
        assert "🟧 Give to Wren: I draw 1 card" in plays(corner)

    def test_a_single_possible_choice_is_a_button(self) -> None:
        """CH-C2: nothing is picked among one."""
        screen = draw_table(at("120@4", "120@0", "120@0", hands=["any fear", "greed"], stage=Stage.CORNER))
        assert [each.label for each in screen.iter_controls()] == [
            "Me: replace a message card",
            "🟧 Give to Wren: I draw 1 card",
        ]


class TestHand:
    def test_space_cards_place_a_marker_unless_declined(self) -> None:
        state = at("120@5", "120@0", hands=["greed"], stage=Stage.FREE)
        for draft, played, choice in (
            (EMPTY, {"Greed: place a marker, receive 10": "card greed place"}, "Also place a marker: yes"),
            (frozenset({0}), {"Greed: receive 10": "card greed"}, "Also place a marker: no"),
        ):
            screen = draw_hand(state, draft=draft)
            assert plays(screen) == played
            assert [each.label for each in screen.iter_controls() if each.key == "marker"] == [choice]

    def test_the_blank_card_says_what_others_release(self) -> None:
        """CH-5: the own marker is no other's."""
        (menu,) = draw_hand(
            at("120@5 denial fear", "120@0 denial", "120@0 denial", hands=["any"], stage=Stage.FREE)
        ).menus
        descriptions = {each.key: each.description for each in menu.controls if each.description}
        assert descriptions == {"go_denial_any": "2 others release"}

    def test_without_markers_placing_is_not_offered(self) -> None:
        """CH-M4."""
        state = at(f"120@5 {ALL_TWELVE}", "120@0", hands=["denial any"], stage=Stage.FREE)
        assert "Denial: receive 25" in plays(draw_hand(state))
        assert not [each for each in draw_hand(state).iter_controls() if each.key == "marker"]

    def test_another_replace_card_closes_the_one_that_is_open(self) -> None:
        """CH-M3."""
        screen = draw_hand(at("120@5", "120@0", hands=["replace-1 replace-2 any"], stage=Stage.FREE, travel=False))
        effects = [each.effect for each in screen.iter_controls() if isinstance(each.effect, Toggle)]
        assert effects == [Toggle(1, frozenset({2})), Toggle(2, frozenset({1}))]

    def test_a_replace_card_opens_a_choice_of_the_others(self) -> None:
        state = at("120@5", "120@0", hands=["add-1 add-2 replace-2"], stage=Stage.FREE)
        assert plays(draw_hand(state)) == {}
        opened = frozenset({2})
        assert [each.label for each in draw_hand(state, draft=opened).controls[1]] == ["Add 1", "Add 2"]
        assert plays(draw_hand(state, draft=opened)) == {}
        picked = draw_hand(state, draft=opened | {10, 11})
        assert plays(picked) == {"Replace these 2 cards": "card replace-2 add-1 add-2"}

    def test_no_more_are_replaced_than_the_card_says(self) -> None:
        state = at("120@5", "120@0", hands=["add-1 add-2 add-3 replace-2"], stage=Stage.FREE)
        assert plays(draw_hand(state, draft=frozenset({2, 10, 11, 12}))) == {}

    def test_an_opened_replace_1_card_makes_the_others_buttons(self) -> None:
        """CH-M3: once it is open, every other card is a button."""
        state = at("120@5", "120@0", hands=["add-1 add-1 add-2 replace-1"], stage=Stage.FREE)
        assert plays(draw_hand(state)) == {}
        opened = plays(draw_hand(state, draft=frozenset({1})))
        assert opened == {"Replace 1: Add 1": "card replace-1 add-1", "Replace 1: Add 2": "card replace-1 add-2"}

    @each_case(
        "hand, moves",
        [
            ("add-1 replace-2", ["card replace-2 add-1"]),
            ("replace-2 replace-2", ["card replace-2 replace-2"]),
            ("replace-1 replace-3", ["card replace-1 replace-3", "card replace-3 replace-1"]),
            ("add-1 add-2", []),
        ],
    )
    def test_with_two_cards_one_replaces_the_other_immediately(self, hand: str, moves: list[str]) -> None:
        """CH-M3."""
        state = at("120@5", "120@0", hands=[hand], stage=Stage.FREE, travel=False)
        assert list(plays(draw_hand(state)).values()) == moves

    def test_a_new_card_that_was_played_is_no_longer_marked(self) -> None:
        news: tuple[GameEvent, ...] = (CardsSeen(0, cards("greed any")),)
        assert "New: Any space." in draw_hand(at("120@5", "120@0", hands=["any"]), events=news).text
        assert "New" not in draw_hand(at("120@5", "120@0", hands=["fear"]), events=news).text
